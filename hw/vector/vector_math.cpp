#include "hw/vector/vector_math.h"

#include "hw/vector/gather_math.h"
#include "hw/vector/move_math.h"
#include "hw/vector/repeat_math.h"
#include "hw/vector/sort_math.h"

#include <stdexcept>

namespace aicore {
namespace {

using Task = std::unique_ptr<VectorTask>;

struct TaskOf {
    MultiplyAdd multiply_add;

    Task operator()(const VectorOp& op) const {
        switch (form_of(op.opcode)) {
        case VectorForm::broadcast: return std::make_unique<BroadcastTask>(op);
        case VectorForm::transpose:
        case VectorForm::set_register:
        case VectorForm::get_register: return std::make_unique<SingleStepTask>(op);
        default: return std::make_unique<RepeatTask>(op, multiply_add);
        }
    }
    Task operator()(const VectorGather& op) const { return std::make_unique<GatherTask>(op); }
    Task operator()(const GatherMask& op) const { return std::make_unique<GatherMaskTask>(op); }
    Task operator()(const Sort32& op) const { return std::make_unique<SortTask>(op); }
    Task operator()(const MrgSort& op) const { return std::make_unique<MergeTask>(op); }
    Task operator()(const NchwConv& op) const { return std::make_unique<NchwConvTask>(op); }
    template <typename Other>
    Task operator()(const Other&) const {
        throw std::invalid_argument("not an instruction of the vector unit");
    }
};

} // namespace

std::unique_ptr<VectorTask> make_vector_task(const Operation& operation, MultiplyAdd multiply_add) {
    return std::visit(TaskOf{multiply_add}, operation);
}

} // namespace aicore
