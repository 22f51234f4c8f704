// The arithmetic of a float16 product without the machine around it: the floor of the simulator's
// time.
//
// Same kernels, same tiles and same order as the Mmads of the program. Operands already lie as
// fractals, so that nothing but decoding, multiplying and finishing is left to do.
#pragma once

#include "hw/isa/mmad_walk.h"
#include "tb/workload/gemm_plan.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aicore::bench {

class GemmArithmetic {
public:
    /// `a` and `b` are the operands as they lie in GM. Throws std::invalid_argument when the plan
    /// is of another type than float16 or of a matrix-vector product, which the cube reads
    /// differently.
    GemmArithmetic(const tb::GemmPlan& plan, const std::vector<std::uint8_t>& a,
                   const std::vector<std::uint8_t>& b);

    /// Computes C once.
    void run();
    /// C of the last run as it lies in GM: row-major float32.
    std::vector<std::uint8_t> result() const;

private:
    /// Storage in whole lines, aligned as the kernels like it.
    struct alignas(64) Line {
        std::uint8_t bytes[64] = {};
    };
    using Lines = std::vector<Line>;

    /// One Mmad of the program.
    struct Product {
        Mmad mmad;
        MmadShape shape;
        std::int64_t m0 = 0, n0 = 0, k0 = 0; ///< first element
    };

    void list_products();
    void multiply(const Product& product);
    /// Fractal (row, k) of an operand: 16 rows of A or columns of B, 16 K elements.
    std::size_t fractal_line(std::int64_t row, std::int64_t k) const;
    /// Block of C at row m and column n, both multiples of 16; blocks of an output tile stand
    /// together, as in L0C.
    std::size_t block_line(std::int64_t m, std::int64_t n) const;

    tb::GemmPlan plan_;
    std::int64_t k_fractals_; ///< in the whole of K
    std::vector<Product> products_;
    Lines a_, b_, c_;
    Lines decoded_a_, decoded_b_; ///< panels of one Mmad
};

} // namespace aicore::bench
