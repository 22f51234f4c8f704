#include "tb/program/program_writer.h"

#include "hw/config/strict_yaml.h"
#include "hw/isa/operation_table.h"

#include <ostream>
#include <sstream>

namespace aicore::tb {
namespace {

std::string quote(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
    return quoted + "'";
}

/// Shortest of the forms that read back as the same number.
std::string number(double value) {
    for (const int digits : {6, 17}) {
        std::ostringstream text;
        text.precision(digits);
        text << value;
        double read = 0;
        if (std::istringstream(text.str()) >> read && read == value) return text.str();
    }
    return "0";
}

/// Visitor of the operation table: the fields as text.
class FieldWriter {
public:
    struct Field {
        std::string name, text;
        Need need;
    };

    explicit FieldWriter(const std::vector<Tensor>& tensors) : tensors_(tensors) {}

    template <typename Address>
    void location(const char* name, const char* addr_name, Buffer& buffer, Address& addr,
                  std::initializer_list<Buffer> allowed, Need need = Need::required) {
        std::uint64_t offset = addr;
        const Tensor* tensor = buffer == Buffer::GM ? find_tensor(addr) : nullptr;
        if (tensor != nullptr) {
            offset -= tensor->address;
            fields.push_back({name, quote("GM:" + tensor->name), Need::required});
        } else {
            fields.push_back({name, std::string(to_string(buffer)),
                              allowed.size() == 1 ? Need::optional : need});
        }
        fields.push_back({addr_name, std::to_string(offset), Need::required});
    }
    template <typename Member>
    void integer(const char* name, Member& member, Need need) {
        fields.push_back({name, std::to_string(member), need});
    }
    void boolean(const char* name, bool& member, Need need) {
        fields.push_back({name, member ? "true" : "false", need});
    }
    template <typename Enum, std::size_t count>
    void choice(const char* name, Enum& member, const std::array<Choice<Enum>, count>& choices,
                Need need) {
        for (const Choice<Enum>& choice : choices) {
            if (choice.value != member) continue;
            fields.push_back({name, std::string(choice.text), need});
            return;
        }
        fields.push_back({name, "", Need::implied}); // an optional choice that is not made
    }
    void scalar(const char* name, std::uint32_t& bits, DataType, Need need) {
        std::ostringstream text;
        text << "0x" << std::hex << bits;
        fields.push_back({name, text.str(), need});
    }
    void ignored(const char* name) { fields.push_back({name, "", Need::implied}); }
    void require_choice(bool, const char*, const char*) {}
    void require(bool, const char*, const std::string&, const char*) {}

    std::vector<Field> fields;

private:
    const Tensor* find_tensor(std::uint64_t address) const {
        for (const Tensor& tensor : tensors_) {
            const bool is_inside =
                tensor.is_in_gm() && address >= tensor.address &&
                address - tensor.address < static_cast<std::uint64_t>(tensor.bytes());
            if (is_inside) return &tensor;
        }
        return nullptr;
    }

    const std::vector<Tensor>& tensors_;
};

/// Optional fields that hold their default are left out.
template <typename Op>
void write_operation(std::ostream& out, Op op, const std::vector<Tensor>& tensors) {
    FieldWriter writer(tensors), defaults(tensors);
    Op empty = prototype_of(op);
    describe(writer, op);
    describe(defaults, empty);
    out << "{op: " << mnemonic(op);
    for (std::size_t i = 0; i < writer.fields.size(); ++i) {
        const FieldWriter::Field& field = writer.fields[i];
        const bool is_default =
            field.need == Need::optional && field.text == defaults.fields[i].text;
        if (is_default || field.need == Need::implied) continue;
        out << ", " << field.name << ": " << field.text;
    }
    out << "}";
}

struct InitWriter {
    std::ostream& out;

    void operator()(std::monostate) const {}
    void operator()(const FileData& data) const { out << "file: " << quote(data.file); }
    void operator()(const FillData& data) const { out << "fill: " << number(data.value); }
    void operator()(const FillBytesData& data) const { out << "fill_bytes: " << int{data.byte}; }
    void operator()(const RangeData& data) const {
        out << "range: {start: " << number(data.start) << ", step: " << number(data.step) << "}";
    }
    void operator()(const RandomData& data) const {
        out << "random: {seed: " << data.seed << ", min: " << number(data.min)
            << ", max: " << number(data.max) << "}";
    }
    void operator()(const RandomIntegersData& data) const {
        out << "random_integers: {seed: " << data.seed << ", min: " << data.min
            << ", max: " << data.max << "}";
    }
};

struct GoldenWriter {
    std::ostream& out;

    void operator()(std::monostate) const {}
    void operator()(const FileData& data) const { out << "file: " << quote(data.file); }
    void operator()(const UnchangedGolden&) const { out << "unchanged: true"; }
    void operator()(const ElementwiseGolden& golden) const {
        out << "elementwise: " << quote(golden.formula);
    }
    void operator()(const MatmulGolden& matmul) const {
        out << "matmul: {a: " << quote(matmul.a) << ", b: " << quote(matmul.b);
        if (!matmul.bias.empty()) out << ", bias: " << quote(matmul.bias);
        if (matmul.transpose_a) out << ", transpose_a: true";
        if (matmul.transpose_b) out << ", transpose_b: true";
        if (matmul.relu) out << ", relu: true";
        if (matmul.quant_pre != QuantPreMode::none) {
            out << ", quant_pre: " << to_string(matmul.quant_pre);
            if (matmul.quant_table.empty()) {
                out << ", quant_scalar: " << matmul.quant_scalar;
            } else {
                out << ", quant_table: " << quote(matmul.quant_table);
            }
        }
        if (matmul.hf32_fraction_bits > 0) {
            out << ", hf32_fraction_bits: " << matmul.hf32_fraction_bits;
        }
        out << "}";
    }
};

void write_tensor(std::ostream& out, const Tensor& tensor) {
    out << "  " << tensor.name << ":\n    dtype: " << to_string(tensor.type) << "\n    shape: [";
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
        out << (i == 0 ? "" : ", ") << tensor.shape[i];
    }
    out << ']';
    if (tensor.memory != TensorMemory::GM) out << "\n    memory: " << to_string(tensor.memory);
    if (!tensor.l2_cache) out << "\n    l2_cache: false";
    out << "\n    address: " << tensor.address << '\n';
    if (!std::holds_alternative<std::monostate>(tensor.init)) {
        out << "    init: {";
        std::visit(InitWriter{out}, tensor.init);
        out << "}\n";
    }
    const Golden& golden = tensor.golden;
    if (std::holds_alternative<std::monostate>(golden.expected)) return;
    out << "    golden: {";
    std::visit(GoldenWriter{out}, golden.expected);
    if (golden.rule == GoldenRule::isclose) {
        out << ", rule: isclose, rtol: " << number(golden.rtol) << ", atol: " << number(golden.atol)
            << ", max_bad_fraction: " << number(golden.max_bad_fraction);
    }
    out << "}\n";
}

} // namespace

void write_program(std::ostream& out, const std::string& name, const std::vector<Tensor>& tensors,
                   const std::vector<CoreStream>& cores) {
    out << "program: " << quote(name) << '\n';
    if (!tensors.empty()) out << "tensors:\n";
    for (const Tensor& tensor : tensors) write_tensor(out, tensor);
    out << "cores:\n";
    for (const CoreStream& core : cores) {
        out << "  " << core.core << ":\n";
        Instruction instruction;
        bool is_empty = true;
        while (core.source->next(instruction)) {
            is_empty = false;
            out << "    - ";
            std::visit([&](const auto& op) { write_operation(out, op, tensors); },
                       instruction.operation);
            out << '\n';
        }
        if (is_empty) out << "    []\n";
    }
}

} // namespace aicore::tb
