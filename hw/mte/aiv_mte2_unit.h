// MTE2 of a vector core: GM -> UB, as blocks of 32 bytes (DataCopy) or of any number of bytes with
// padding (DataCopyPad).
#pragma once

#include "hw/isa/block_walk.h"
#include "hw/mte/gm_load_engine.h"

#include <optional>

namespace aicore {

class AivMte2Unit : public GmLoadEngine {
public:
    AivMte2Unit(const sc_core::sc_module_name& name, const AivMte2Config& config, PayloadPool& pool,
                ObserverHub& hub, EventFlags& flags);

    InitiatorPort<2048> ub_isock;

private:
    void begin(const Operation& operation) override;
    bool next_chunk(Chunk& chunk) override;
    void write_chunk(Chunk& chunk) override;
    void reset() override;

    std::uint8_t filler_byte(std::size_t index) const;

    std::optional<CopyLineWalk> lines_;
    int filler_bytes_ = 0;            ///< of the element that fills blocks up
    bool fills_with_first_ = true;    ///< it is the first element of the block
    std::uint64_t padding_value_ = 0; ///< else this one
    std::uint64_t filler_ = 0;        ///< element that fills the chunk at hand
};

} // namespace aicore
