// Writer of value change dumps (IEEE 1364 VCD) that is driven by changes.
//
// Why not sc_trace: it compares every variable at every time step, knows no window and no text
// states, and its variables can't change at announced future cycles.
#pragma once

#include "tb/observe/output_file.h"
#include "tlm/units.h"

#include <cstdint>
#include <limits>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace aicore::tb {

/// What goes into the file.
struct VcdOptions {
    std::int64_t period_fs = 0; ///< clock period; time stamps are cycle * period, in fs
    Cycles from{0};             ///< first cycle written
    Cycles to{std::numeric_limits<std::int64_t>::max() / 2}; ///< last cycle written
    std::vector<std::string> scopes; ///< only variables at or below these paths; empty: all
    bool clock = true; ///< a clock that rises at the start of each cycle of the window
};

/// A declared variable.
struct VcdVariable {
    enum class Kind : std::uint8_t { wire, integer, text };
    std::string path; ///< "aic0.cube.state"
    Kind kind = Kind::wire;
    int bits = 1;
};

/// Declare variables, start(), then schedule changes and advance. Changes may be scheduled for any
/// later cycle, and for kHoldBack earlier ones: a module that skips idle edges reports a burst when
/// it is over. advance() therefore writes that far behind. Inside one time step values stand in the
/// order of declaration, so the file does not depend on the order of the calls in a cycle.
class VcdWriter {
public:
    using Variable = int; ///< kNone: outside the chosen scopes, changes are ignored
    static constexpr Variable kNone = -1;
    static constexpr Cycles kHoldBack{1024};

    /// Throws std::invalid_argument for a period below 2 fs or a window that ends before it starts.
    explicit VcdWriter(VcdOptions options);

    /// Declare before start(). Values are 0 (text: `initial`) until they change.
    Variable add_wire(const std::string& path, int bits);
    Variable add_integer(const std::string& path);
    Variable add_text(const std::string& path, std::string_view initial);
    /// The generated clock's name; without it, or with the option off, there is no clock.
    void set_clock(const std::string& path) { clock_path_ = path; }

    /// Scopes of the options that no variable lies in: a spelling mistake of the user.
    std::vector<std::string> unmatched_scopes() const;
    /// The variables that the file will hold, in order of declaration.
    const std::vector<VcdVariable>& variables() const { return variables_; }
    const VcdOptions& options() const { return options_; }
    /// Time stamp of a cycle [fs].
    std::int64_t time_of(Cycles cycle) const { return cycle.count() * options_.period_fs; }

    /// Writes the header. `out` must outlive the last call of this object.
    void start(OutputFile& out);

    /// A change at `cycle`. When that time is already written, the change moves to the first cycle
    /// that is not, and counts as late.
    void set_value(Cycles cycle, Variable variable, std::uint64_t value);
    void set_bit(Cycles cycle, Variable variable, int bit, bool value);
    void set_text(Cycles cycle, Variable variable, std::string_view text);
    /// Bits of `mask` are 1 during [from, until). Spans may overlap and touch.
    void set_span(Cycles from, Cycles until, Variable variable, std::uint64_t mask);
    /// The text covers the variable's own during [from, until); the own one may change meanwhile.
    void cover_text(Cycles from, Cycles until, Variable variable, std::string_view text);

    /// Every variable takes its first value again at `cycle`; changes scheduled from then on and
    /// spans still open are forgotten.
    void restore(Cycles cycle);
    std::int64_t late_changes() const { return late_changes_; }

    /// Time has reached `cycle`: writes all changes that lie kHoldBack cycles behind.
    void advance(Cycles cycle);
    /// Writes everything up to and including cycle `end`; later changes are dropped.
    void finish(Cycles end);

private:
    /// In the order in which changes of one cycle apply: restore, ends, all others as called.
    enum class Action : std::uint8_t { restore, end_span, uncover, value, bit, begin_span, cover };
    struct Change {
        Cycles cycle;
        std::uint64_t order = 0; ///< of the call
        Action action = Action::value;
        Variable variable = kNone;
        int bit = 0;
        std::uint64_t value = 0; ///< a number, a mask of bits or the index of a text
    };
    struct Later {
        bool operator()(const Change& a, const Change& b) const;
    };
    struct State {
        std::uint64_t initial = 0;
        std::vector<std::uint64_t> words, written; ///< text: index into texts_
        std::vector<std::uint32_t> spans;          ///< open spans of each bit
        std::uint64_t cover = 0;                   ///< index of the covering text
        int covers = 0;                            ///< open covers
        bool changed = false;
    };

    Variable add(const std::string& path, VcdVariable::Kind kind, int bits, std::uint64_t initial);
    bool selected(const std::string& path) const;
    bool ignores(Cycles cycle, Variable variable) const;
    static int phase(Action action);
    void write_until(Cycles cycle);
    void push(Cycles cycle, Action action, Variable variable, int bit, std::uint64_t value);
    std::uint64_t intern(std::string_view text);
    void apply(const Change& change);
    void write_step(Cycles cycle);
    void write_dump();
    void write_clock(Cycles until);
    void append_value(std::string& text, Variable variable);
    void close_window(Cycles last);

    VcdOptions options_;
    OutputFile* out_ = nullptr;
    std::vector<VcdVariable> variables_;
    std::vector<State> states_;
    std::vector<std::string> texts_;
    std::unordered_map<std::string, std::uint64_t> text_index_;
    std::string clock_path_, clock_id_;
    std::priority_queue<Change, std::vector<Change>, Later> queue_;
    std::vector<Variable> changed_;
    std::uint64_t order_ = 0;
    Cycles written_until_; ///< everything before it is written
    std::int64_t late_changes_ = 0;
    Cycles next_clock_; ///< first cycle whose rising edge is not written
    bool dumped_ = false, closed_ = false;
};

} // namespace aicore::tb
