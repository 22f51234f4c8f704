// The program of a planned matrix product, generated while it runs.
#pragma once

#include "hw/scalar/instruction_source.h"
#include "tb/workload/gemm_plan.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aicore::tb {

/// Generates the instructions of a GemmPlan, one Mmad step at a time: memory does not grow with the
/// size of the product.
///
/// Output tiles go row by row (n inside m). A step is one Mmad of tile_k; its instructions are
///  - MTE2: nd2nz of the K chunks of A and B, one chunk ahead of their use when L1 has two slots;
///  - MTE1: load2d of one L0A and one L0B slot; with a bias, on the first step of a tile, its part
///    to the bias table;
///  - M: the Mmad, from zero on the first step of a tile and accumulating after it;
///  - with a vector quantisation, parameters of a tile: MTE2 to L1, FIX to the Fixpipe buffer;
///  - FIX: after the last step, the tile goes to GM as rows of C.
///
/// Event flags (ids): MTE2->MTE1 a chunk is in L1 and MTE1->MTE2 its slot is free (A: 0, 1; B: 2,
/// 3, bias: 4); MTE1->M operands are in L0 and M->MTE1 their slots are free (0, 1) and the bias
/// table is (4). Without unit flags also
/// M->FIX the tile is complete and FIX->M its L0C slot is free (0, 1). The first use of a slot
/// needs no wait and the last one no release, so every set has exactly one wait and none stays set.
///
/// A tile of one row (m tail 1) is a GEMV for the cube, which then reads A as a plain vector: the
/// nd2nz packs it with a panel pitch of one block.
///
/// A row pitch in GM above 65535 elements does not fit in an nd2nz; such a matrix is loaded by one
/// instruction per row.
class GemmSource final : public InstructionSource {
public:
    explicit GemmSource(const GemmPlan& plan);

    bool next(Instruction& instruction) override;
    void rewind() override;

    /// Mmads in the whole program.
    std::uint64_t total_mmads() const { return steps_; }

private:
    /// K range [begin, begin + length) of one operand in a slot of L1.
    struct Chunk {
        std::uint64_t number = 0; ///< position in the order of loads
        std::int64_t begin = 0, length = 0;
        bool first_step = false, last_step = false; ///< of the steps that read the chunk
    };
    /// What the next Mmad works on.
    struct Step {
        std::uint64_t tile = 0;
        std::int64_t m0 = 0, n0 = 0, k0 = 0; ///< first element
        std::int64_t m = 0, n = 0, k = 0;    ///< elements
        bool first_k = false, last_k = false;
        Chunk a, b;
    };

    void generate_step();
    Step describe_step() const;
    void load_a_until(std::uint64_t number);
    void load_b_until(std::uint64_t number);
    void load_a_chunk(std::uint64_t number);
    void load_b_chunk(std::uint64_t number);
    void load_bias_until(std::uint64_t tile);
    void load_bias_table(const Step& step);
    void load_rows(Nd2Nz copy, std::int64_t pitch);
    void set_modes();
    std::int64_t bytes_of(std::int64_t elements) const { return elements * bits_ / 8; }
    void load_l0(const Step& step);
    void load_l0a(const Step& step, std::uint32_t slot);
    void load_l0b(const Step& step, std::uint32_t slot);
    void load_fractals(Load2d load, std::int64_t count);
    void multiply(const Step& step);
    void store(const Step& step);
    void copy_quant_table(const Step& step);
    void load_quant_table(const Step& step);
    Fixpipe output_of(const Step& step) const;
    void wait_for_chunk(const Chunk& chunk, int first_id);
    void release_chunk(const Chunk& chunk, int first_id, std::uint64_t chunks);
    void emit(const Operation& operation) { batch_.push_back(Instruction{operation, {}}); }

    const GemmPlan plan_;
    const int bits_;        ///< of an element of A and B
    const int elem_;        ///< bytes of what an nd2nz moves: an element, or two of 4 bits
    const std::int64_t c0_; ///< elements of a block
    const std::uint64_t tiles_, steps_, a_chunks_per_tile_, b_chunks_per_tile_;
    std::uint64_t a_chunks_, b_chunks_; ///< in the whole program

    std::uint64_t step_ = 0;                    ///< next step to generate
    std::uint64_t a_loaded_ = 0, b_loaded_ = 0; ///< chunks whose load is generated
    std::uint64_t bias_loaded_ = 0;             ///< tiles whose bias is
    std::vector<Instruction> batch_;            ///< instructions of the step before step_
    std::size_t batch_position_ = 0;
};

} // namespace aicore::tb
