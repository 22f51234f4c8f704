// Legality of asc_copy_l0c2ub: what its parameters can say and a Fixpipe record can't, then the
// rules of the Fixpipe, in the names of the parameters.
#include "hw/isa/l0c2ub.h"
#include "hw/isa/legality_rules.h"

#include <array>
#include <string>

namespace aicore::legality {
namespace {

/// What the Fixpipe record calls a parameter.
struct FieldName {
    std::string_view record, parameter;
};
constexpr std::array<FieldName, 11> kNames{{{"dst_stride", "loop_dst_stride"},
                                            {"src_stride", "loop_src_stride"},
                                            {"dual_dst", "dual_dst_ctl"},
                                            {"sub_block", "sub_blockid"},
                                            {"channel_split", "split_en"},
                                            {"c0_pad", "C0_pad_en"},
                                            {"broadcast", "broadcast_en"},
                                            {"unit_flag", "unit_flag_ctl"},
                                            {"relu_pre", "relu_pre"},
                                            {"relu_post", "relu_post"},
                                            {"clip_relu_pre", "clip_relu_pre"}}};

/// The value as the program spells it, where the record holds it as a word.
std::string spelled_value(const AscCopyL0c2ub& copy, const Violation& violation) {
    if (violation.field == "dual_dst") return std::to_string(copy.dual_dst_ctl);
    if (violation.field == "relu_pre") return std::to_string(copy.relu_pre);
    if (violation.field == "relu_post") return std::to_string(copy.relu_post);
    if (violation.field == "clip_relu_pre") return std::to_string(copy.clip_relu_pre);
    if (violation.field == "layout") return "true";
    return violation.value;
}

std::string spelled_field(const AscCopyL0c2ub& copy, const std::string& field) {
    if (field == "layout") return copy.nz2nd_en ? "NZ2ND_en" : "NZ2DN_en";
    for (const FieldName& name : kNames) {
        if (name.record == field) return std::string(name.parameter);
    }
    return field;
}

void check_relu(std::string_view field, int relu, Rules& rules) {
    rules.require(relu != 4, field, "4", "the table form is not published");
    rules.range(field, relu, 0, 3);
}

void check_parameters(const AscCopyL0c2ub& copy, Rules& rules) {
    rules.require(copy.dual_dst_ctl != 3, "dual_dst_ctl", "3", "is reserved");
    rules.range("dual_dst_ctl", copy.dual_dst_ctl, 0, 2);
    rules.range("clip_relu_pre", copy.clip_relu_pre, 0, 1);
    const bool flag = copy.unit_flag_ctl == 0 || copy.unit_flag_ctl == 2 || copy.unit_flag_ctl == 3;
    rules.require(flag, "unit_flag_ctl", std::to_string(copy.unit_flag_ctl),
                  "must be 0 (off), 2 (check and keep) or 3 (check and hand over)");
    check_relu("relu_pre", copy.relu_pre, rules);
    check_relu("relu_post", copy.relu_post, rules);
    rules.require(!copy.nz2nd_en || !copy.nz2dn_en, "NZ2DN_en", "true", "excludes NZ2ND_en");
    rules.require(!copy.split_en || (!copy.nz2nd_en && !copy.nz2dn_en), "split_en", "true",
                  std::string("excludes ") + (copy.nz2nd_en ? "NZ2ND_en" : "NZ2DN_en"));
    rules.require(copy.eltwise_op == 0, "eltwise_op", std::to_string(copy.eltwise_op),
                  "must be 0: the operations of arch 3510 are not published");
    rules.require(!copy.eltwise_antq_en, "eltwise_antq_en", "true",
                  "must be false: there is no element-wise operand");
}

} // namespace

void check(const AscCopyL0c2ub& copy, Rules& rules) {
    rules.only_arch(3510);
    check_parameters(copy, rules);
    if (rules.broken()) return;
    Rules record(rules.limits());
    check(to_fixpipe(copy, rules.limits().fixpipe), record);
    if (!record.broken()) return;
    const Violation& violation = *record.violation();
    rules.require(false, spelled_field(copy, violation.field), spelled_value(copy, violation),
                  violation.rule);
}

} // namespace aicore::legality
