// Which instructions reach the GM of another chip, and where it begins and ends.
#include "tests/pure/legality_expectations.h"

#include <gtest/gtest.h>

namespace aicore {
namespace {

constexpr std::uint64_t kPeer = std::uint64_t{1} << 31;
constexpr std::int64_t kPeerBytes = 1 << 30;
const std::string kInPeer = "must lie inside the peer's GM (1073741824 bytes from 0x80000000)";
const std::string kInGm = "must lie inside GM (1073741824 bytes)";
const std::string kCopiesOnly =
    "lies in the peer's GM, which only copies of the DataCopy class reach";

IsaLimits limits(CoreKind core = CoreKind::aic) {
    IsaLimits limits = kLimits;
    limits.core = core;
    limits.ub_bytes = 188160;
    limits.peer_gm_address = kPeer;
    limits.peer_gm_bytes = kPeerBytes;
    return limits;
}

void expect_legal_with_peer(const Operation& operation, CoreKind core) {
    const auto violation = find_violation(operation, limits(core));
    EXPECT_FALSE(violation) << violation->field << " = " << violation->value << ": "
                            << violation->rule;
}

DataCopy copy(Buffer src, Buffer dst, std::uint64_t src_addr, std::uint64_t dst_addr) {
    DataCopy copy;
    copy.src = src;
    copy.dst = dst;
    copy.src_addr = src_addr;
    copy.dst_addr = dst_addr;
    copy.block_len = 2;
    return copy;
}

DataCopyPad pad(Buffer src, Buffer dst, std::uint64_t src_addr, std::uint64_t dst_addr) {
    DataCopyPad pad;
    pad.src = src;
    pad.dst = dst;
    pad.src_addr = src_addr;
    pad.dst_addr = dst_addr;
    pad.block_len = 64;
    return pad;
}

Nd2Nz nd2nz(std::uint64_t src_addr) {
    Nd2Nz op;
    op.src_addr = src_addr;
    op.n_value = op.dst_nz_c0_stride = 16;
    op.d_value = op.src_d_value = 16;
    return op;
}

TEST(LegalityPeer, CopiesReachItOnBothKindsOfCores) {
    constexpr std::uint64_t kLast = kPeer + kPeerBytes - 64;
    for (const std::uint64_t addr : {kPeer, kLast}) {
        expect_legal_with_peer(copy(Buffer::GM, Buffer::L1, addr, 0), CoreKind::aic);
        expect_legal_with_peer(copy(Buffer::L1, Buffer::GM, 0, addr), CoreKind::aic);
        expect_legal_with_peer(copy(Buffer::GM, Buffer::UB, addr, 0), CoreKind::aiv);
        expect_legal_with_peer(copy(Buffer::UB, Buffer::GM, 0, addr), CoreKind::aiv);
        expect_legal_with_peer(pad(Buffer::GM, Buffer::UB, addr, 0), CoreKind::aiv);
        expect_legal_with_peer(pad(Buffer::UB, Buffer::GM, 0, addr), CoreKind::aiv);
    }
    expect_legal_with_peer(nd2nz(kPeer), CoreKind::aic);
}

TEST(LegalityPeer, ItHasAnEndAndNothingLiesInBoth) {
    constexpr std::uint64_t kEnd = kPeer + kPeerBytes;
    expect_broken(copy(Buffer::GM, Buffer::L1, kEnd - 32, 0), "src_addr", "end 0xc0000020", kInPeer,
                  limits());
    expect_broken(copy(Buffer::GM, Buffer::L1, kEnd, 0), "src_addr", "0xc0000000", kInGm, limits());
    expect_broken(copy(Buffer::L1, Buffer::GM, 0, kPeer - 32), "dst_addr", "0x7fffffe0", kInGm,
                  limits());
    expect_broken(pad(Buffer::UB, Buffer::GM, 0, kEnd - 63), "dst_addr", "end 0xc0000001", kInPeer,
                  limits(CoreKind::aiv));
    expect_broken(nd2nz(kEnd - 511), "src_addr", "end 0xc0000001", kInPeer, limits());
    IsaLimits adjacent = limits();
    adjacent.peer_gm_address = kPeerBytes; // as large as the own one
    expect_broken(copy(Buffer::GM, Buffer::L1, kPeerBytes - 32, 0), "src_addr", "end 0x40000020",
                  kInGm, adjacent);
    EXPECT_FALSE(find_violation(copy(Buffer::GM, Buffer::L1, kPeerBytes, 0), adjacent));
}

TEST(LegalityPeer, WithoutALinkThereIsNoSuchMemory) {
    expect_broken(copy(Buffer::GM, Buffer::L1, kPeer, 0), "src_addr", "0x80000000", kInGm);
    expect_legal(copy(Buffer::GM, Buffer::L1, 0, 0));
}

TEST(LegalityPeer, NothingElseReachesIt) {
    Load2d load;
    load.src = Buffer::GM;
    load.src_addr = kPeer;
    load.repeat = 1;
    for (const Buffer dst : {Buffer::L0A, Buffer::L0B, Buffer::L1}) {
        load.dst = dst;
        expect_broken(load, "src_addr", "0x80000000", kCopiesOnly, limits());
    }
    Fixpipe fixpipe;
    fixpipe.layout = FixpipeLayout::NZ2ND;
    fixpipe.m_size = fixpipe.n_size = fixpipe.src_stride = fixpipe.dst_stride = 16;
    fixpipe.dst_addr = kPeer + 512;
    expect_broken(fixpipe, "dst_addr", "0x80000200", kCopiesOnly, limits());
    SoftSyncAll sync;
    sync.used_cores = 1;
    sync.gm_addr = kPeer;
    expect_broken(sync, "gm_addr", "0x80000000", kCopiesOnly, limits(CoreKind::aiv));
}

TEST(LegalityPeer, WritesToItAreNotAtomic) {
    const std::string rule = "atomic writes do not reach the peer's GM";
    const AtomicAccess add{AtomicOperation::add, AtomicElement::float32, false};
    DataCopy from_l1 = copy(Buffer::L1, Buffer::GM, 0, kPeer);
    from_l1.atomic = add;
    expect_broken(from_l1, "dst_addr", "0x80000000", rule, limits());
    DataCopyPad from_ub = pad(Buffer::UB, Buffer::GM, 0, kPeer);
    from_ub.atomic = add;
    expect_broken(from_ub, "dst_addr", "0x80000000", rule, limits(CoreKind::aiv));
    DataCopy into_ub = copy(Buffer::GM, Buffer::UB, kPeer, 0);
    into_ub.atomic = add; // says nothing about reads
    expect_legal_with_peer(into_ub, CoreKind::aiv);
}

} // namespace
} // namespace aicore
