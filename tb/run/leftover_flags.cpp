#include "tb/run/leftover_flags.h"

namespace aicore::tb {
namespace {

void add_event_flags(const Core& core, const PlaceText& place_text,
                     std::vector<std::string>& lines) {
    for (const EventFlags::Name& flag : core.event_flags().set_flags()) {
        lines.push_back("event flag " + name_of(flag) + " is left set: " +
                        last_change(core, "set", core.event_flags().last_set(flag), place_text));
    }
}

void add_cross_core_flags(const Core& core, std::vector<std::string>& lines) {
    const CrossCoreFlags& flags = core.event_flags().cross_core();
    const int own = core.event_flags().core();
    for (int id = 0; id < kCrossCoreIds; ++id) {
        const std::string name =
            std::string("cross-core flag ") + std::to_string(id) + " of " + core.basename();
        if (flags.count(own, id) > 0) {
            lines.push_back(name + " is left at " + std::to_string(flags.count(own, id)));
        }
        if (flags.collected(own, id) > 0) {
            lines.push_back(name + " was set and the other participants have not set it");
        }
    }
}

void add_unit_flags(const Core& core, const L0cUnitFlags& flags, const PlaceText& place_text,
                    std::vector<std::string>& lines) {
    for (int block = 0; block < flags.blocks();) {
        if (!flags.read(block)) {
            ++block;
            continue;
        }
        const L0cUnitFlags::History& setter = flags.last_set(block);
        std::vector<int> blocks;
        while (block < flags.blocks() && flags.read(block) &&
               flags.last_set(block).instruction == setter.instruction) {
            blocks.push_back(block++);
        }
        lines.push_back("unit flags of L0C blocks " + ranges_text(blocks) + " are left 1: set by " +
                        instruction_text(core, setter.instruction, setter.place, place_text));
    }
}

} // namespace

std::string name_of(const EventFlags::Name& flag) {
    return std::string(to_string(flag.src)) + "->" + std::string(to_string(flag.dst)) + " id " +
           std::to_string(flag.id);
}

std::vector<std::string> leftover_flags(const Core& core, const PlaceText& place_text) {
    std::vector<std::string> lines;
    add_event_flags(core, place_text, lines);
    add_cross_core_flags(core, lines);
    if (const L0cUnitFlags* flags = core.unit_flag_state()) {
        add_unit_flags(core, *flags, place_text, lines);
    }
    return lines;
}

} // namespace aicore::tb
