// Inside of the legality checks: one function per instruction and the tool they share.
#pragma once

#include "hw/isa/legality.h"
#include "hw/isa/number_text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aicore::legality {

/// Collects the checks of one instruction and keeps the first broken rule.
class Rules {
public:
    explicit Rules(const IsaLimits& limits) : limits_(limits) {}

    /// low <= value <= high.
    void range(std::string_view field, std::int64_t value, std::int64_t low, std::int64_t high);

    /// Address of `buffer` that must be a multiple of `alignment` bytes.
    void aligned(std::string_view field, Buffer buffer, std::uint64_t addr, int alignment);

    /// The bytes [addr, addr + bytes) must lie in `buffer`; bytes > 0. GM is that of the own chip.
    void inside(std::string_view field, Buffer buffer, std::uint64_t addr, std::int64_t bytes);
    /// The same for a copy of the DataCopy class, which may lie in the peer's GM instead. The
    /// vendor says so of "DataCopy-class interfaces" on the pages of DataCopy; that Nd2Nz and
    /// DataCopyPad are of the class is inferred.
    void inside_or_peer(std::string_view field, Buffer buffer, std::uint64_t addr,
                        std::int64_t bytes);
    /// Whether an address of GM lies in the peer's.
    bool is_in_peer(std::uint64_t addr) const;

    /// start_index and src_stride of a load: no index may be negative when they go down to the
    /// `last` one.
    void index_walk(std::int64_t start_index, std::int64_t src_stride, std::int64_t last,
                    AddrMode mode);

    /// Any other rule.
    void require(bool holds, std::string_view field, std::string_view value, std::string_view rule);

    /// The instruction must belong to the architecture of the platform.
    void only_arch(int arch);
    int arch() const { return limits_.arch; }
    /// The instruction must belong to the kind of core that runs the program.
    void only_core(CoreKind core);
    CoreKind core() const { return limits_.core; }
    L0aLayout l0a_layout() const { return limits_.l0a_layout; }
    /// The bytes [offset, offset + bytes) must lie in a slice of the Fixpipe buffer.
    void inside_slice(std::string_view field, int slice, std::uint64_t offset, std::int64_t bytes);
    const IsaLimits& limits() const { return limits_; }
    /// Size of a slice of the Fixpipe buffer, 0 .. 3.
    std::int64_t fb_slice_bytes(int slice) const;

    bool broken() const { return violation_.has_value(); }
    const std::optional<Violation>& violation() const { return violation_; }

private:
    std::int64_t bytes_of(Buffer buffer) const;

    const IsaLimits& limits_;
    std::optional<Violation> violation_;
};

void check(const Nd2Nz& nd2nz, Rules& rules);
void check(const DataCopy& copy, Rules& rules);
void check(const Load2d& load, Rules& rules);
void check(const L1ToBt& copy, Rules& rules);
void check(const L1ToFb& copy, Rules& rules);
void check(const Mmad& mmad, Rules& rules);
void check(const Fixpipe& fixpipe, Rules& rules);
void check(const Load2dV2& load, Rules& rules);
void check(const LoadTranspose& load, Rules& rules);
void check(const LoadSparse& load, Rules& rules);
void check(const Load3d& load, Rules& rules);
void check(const DataCopyPad& copy, Rules& rules);
void check(const VectorOp& op, Rules& rules);
void check(const VectorGather& op, Rules& rules);
void check(const GatherMask& op, Rules& rules);
void check(const Sort32& op, Rules& rules);
void check(const MrgSort& op, Rules& rules);
void check(const NchwConv& op, Rules& rules);
void check(const SetVectorMask& op, Rules& rules);
void check(const SetMaskMode& op, Rules& rules);
void check(const SetDeqScale& op, Rules& rules);
void check(const AscCopyL0c2ub& copy, Rules& rules);
void check(const SetAtomic& set, Rules& rules);
void check(const SyncAll& sync, Rules& rules);
void check(const SoftSyncAll& sync, Rules& rules);

/// Writes of elements of `atomic` to GM that start at dst_addr: the address.
void check_atomic_address(const AtomicAccess& atomic, std::uint64_t dst_addr, Rules& rules);

/// The part of check(Fixpipe) that is about arch 3510.
void check_fixpipe_3510(const Fixpipe& fixpipe, Rules& rules);

/// Rules that loads into L0A and L0B share: the buffer, the width of an element (4 bit where
/// `has_4_bit`), and the alignment of both addresses.
void check_l0_load(Buffer dst, int elem_bits, bool has_4_bit, std::uint32_t src_addr,
                   std::uint32_t dst_addr, Rules& rules);

inline constexpr std::int64_t kMaxU16 = 65535; ///< strides and gaps are 16-bit fields
inline constexpr std::int64_t kMaxBlockCount = 4095;

} // namespace aicore::legality
