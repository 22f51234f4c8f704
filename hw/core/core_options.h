// How a core is built, apart from its numbers.
#pragma once

namespace aicore {

struct CoreOptions {
    /// Put a protocol checker on every link.
    bool check_protocol = false;
    /// Permutes the order in which the modules are constructed. No result may depend on it.
    unsigned construction_order = 0;
};

} // namespace aicore
