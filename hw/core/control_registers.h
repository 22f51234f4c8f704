// The control registers of an AI Core and its program window, as a host sees them: the map of
// ctrl_tsock. No simulation kernel is needed for it.
#pragma once

#include <cstdint>
#include <string_view>

namespace aicore {

/// Byte addresses of the 32-bit registers. They are accessed as whole words in the byte order of
/// the host. R: read only, a write is answered with TLM_COMMAND_ERROR_RESPONSE.
namespace control_register {
inline constexpr std::uint64_t kId = 0x00;         ///< R, kIdValue
inline constexpr std::uint64_t kVersion = 0x04;    ///< R, of the map: kVersionValue
inline constexpr std::uint64_t kArch = 0x08;       ///< R, 2201 or 3510
inline constexpr std::uint64_t kControl = 0x0c;    ///< bit 0: start; reads 0
inline constexpr std::uint64_t kStatus = 0x10;     ///< R, LaunchStatus
inline constexpr std::uint64_t kErrorCode = 0x14;  ///< R, LaunchError
inline constexpr std::uint64_t kBlockIndex = 0x18; ///< block of the image that a start runs
inline constexpr std::uint64_t kBlockCount = 0x1c; ///< blocks of the launch; reset value 1
/// R, cycles of the launch that runs, else of the last one, bits 31:0. Reading them latches bits
/// 63:32 for kCyclesHigh.
inline constexpr std::uint64_t kCyclesLow = 0x20;
inline constexpr std::uint64_t kCyclesHigh = 0x24; ///< R, bits 63:32 at the last read of kCyclesLow
inline constexpr std::uint64_t kLaunches = 0x28;   ///< R, starts since the last reset
inline constexpr std::uint64_t kEnd = 0x2c;        ///< behind the last register

inline constexpr std::uint32_t kIdValue = 0x4149434f; ///< "AICO"
inline constexpr std::uint32_t kVersionValue = 1;
inline constexpr std::uint32_t kStart = 1; ///< bit of kControl
} // namespace control_register

/// The program window: bytes that hold an image (hw/isa/program_image.h) from its start on. Any
/// length and alignment. A reset leaves the content alone.
inline constexpr std::uint64_t kProgramWindow = 0x0400'0000;
inline constexpr std::uint64_t kProgramWindowBytes = 0x0400'0000;

/// What kStatus reads.
enum class LaunchStatus : std::uint32_t {
    idle = 0,    ///< nothing was started since the last reset
    running = 1, ///< from the write of the start bit on
    done = 2,    ///< the programs of all cores are over
    error = 3,   ///< see kErrorCode; only a reset leaves it
};

/// What kErrorCode reads.
enum class LaunchError : std::uint32_t {
    none = 0,
    no_program = 1,  ///< the program window is empty
    bad_image = 2,   ///< malformed, or of another version of the model
    wrong_arch = 3,  ///< the image is for another architecture
    wrong_block = 4, ///< kBlockIndex, kBlockCount or the cores do not fit the image
    illegal_instruction = 5,
    program_error = 6, ///< the run did something illegal, as a cross-core flag that overflows
    bus_error = 7,     ///< global memory answered with an error
};

std::string_view to_string(LaunchStatus status);
std::string_view to_string(LaunchError error);

} // namespace aicore
