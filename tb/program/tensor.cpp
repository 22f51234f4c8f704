#include "tb/program/tensor.h"

#include "hw/config/strict_yaml.h"
#include "hw/numerics/element.h"
#include "tb/program/random_word.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace aicore::tb {
namespace {

/// Value of element `position`, before it is rounded to the element type.
struct ElementValue {
    std::uint64_t position;

    double operator()(const FillData& data) const { return data.value; }
    double operator()(const RangeData& data) const {
        return data.start + static_cast<double>(position) * data.step;
    }
    double operator()(const RandomData& data) const {
        const double unit = static_cast<double>(random_word(data.seed, position) >> 11) * 0x1p-53;
        return data.min + unit * (data.max - data.min);
    }
    double operator()(const RandomIntegersData& data) const {
        const auto count = static_cast<std::uint64_t>(data.max - data.min) + 1;
        const auto offset = static_cast<std::int64_t>(random_word(data.seed, position) % count);
        return static_cast<double>(data.min + offset);
    }
    template <typename Other>
    double operator()(const Other&) const {
        return 0;
    }
};

std::vector<std::uint8_t> generate(const Tensor& tensor) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(tensor.bytes()));
    for (std::int64_t i = 0; i < tensor.elements(); ++i) {
        const double value = std::visit(ElementValue{static_cast<std::uint64_t>(i)}, tensor.init);
        store_element(tensor.type, value, bytes.data(), i);
    }
    return bytes;
}

} // namespace

std::string_view to_string(TensorMemory memory) {
    switch (memory) {
    case TensorMemory::GM: return "GM";
    case TensorMemory::PEER_GM: return "PEER_GM";
    case TensorMemory::UB0: return "UB0";
    case TensorMemory::UB1: return "UB1";
    }
    return "";
}

std::int64_t Tensor::elements() const {
    std::int64_t count = 1;
    for (const std::int64_t size : shape) count *= size;
    return count;
}

std::vector<std::uint8_t> initial_bytes(const Tensor& tensor) {
    if (std::holds_alternative<std::monostate>(tensor.init)) return {};
    if (const auto* data = std::get_if<FileData>(&tensor.init)) {
        return read_tensor_file(data->file, tensor);
    }
    if (const auto* data = std::get_if<FillBytesData>(&tensor.init)) {
        return std::vector<std::uint8_t>(static_cast<std::size_t>(tensor.bytes()), data->byte);
    }
    return generate(tensor);
}

std::vector<std::uint8_t> read_tensor_file(const std::string& file, const Tensor& tensor) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (error) throw InputError(file + ": cannot read: " + error.message());
    if (size != static_cast<std::uintmax_t>(tensor.bytes())) {
        throw InputError(file + ": has " + std::to_string(size) + " bytes, tensor " + tensor.name +
                         " needs " + std::to_string(tensor.bytes()));
    }
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
    std::ifstream stream(file, std::ios::binary);
    stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    if (!stream) throw InputError(file + ": cannot read");
    return bytes;
}

} // namespace aicore::tb
