#include "tb/observe/vcd_writer.h"

#include "tb/observe/vcd_header.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace aicore::tb {
namespace {

constexpr int kWordBits = 64;
constexpr int kIntegerBits = 32;

bool lies_in(const std::string& path, const std::string& scope) {
    return path.compare(0, scope.size(), scope) == 0 &&
           (path.size() == scope.size() || path[scope.size()] == '.');
}

void append_stamp(std::string& text, std::int64_t time) {
    text += '#';
    text += std::to_string(time);
    text += '\n';
}

} // namespace

bool VcdWriter::Later::operator()(const Change& a, const Change& b) const {
    if (a.cycle != b.cycle) return a.cycle > b.cycle;
    if (phase(a.action) != phase(b.action)) return phase(a.action) > phase(b.action);
    return a.order > b.order;
}

int VcdWriter::phase(Action action) {
    switch (action) {
    case Action::restore: return 0;
    // Ends before begins: spans that touch in a cycle must not cut each other.
    case Action::end_span:
    case Action::uncover: return 1;
    default: return 2;
    }
}

VcdWriter::VcdWriter(VcdOptions options)
    : options_(std::move(options)), next_clock_(options_.from) {
    if (options_.period_fs < 2) throw std::invalid_argument("VCD: the clock period is below 2 fs");
    if (options_.to < options_.from) {
        throw std::invalid_argument("VCD: the window ends before it starts");
    }
}

VcdWriter::Variable VcdWriter::add(const std::string& path, VcdVariable::Kind kind, int bits,
                                   std::uint64_t initial) {
    if (out_ != nullptr) throw std::logic_error("VCD: '" + path + "' is declared after the start");
    if (!selected(path)) return kNone;
    State state;
    state.words.assign(static_cast<std::size_t>(ceil_div(bits, kWordBits)), 0);
    state.initial = initial;
    state.words[0] = initial;
    state.written = state.words;
    states_.push_back(std::move(state));
    variables_.push_back({path, kind, bits});
    return static_cast<Variable>(variables_.size()) - 1;
}

VcdWriter::Variable VcdWriter::add_wire(const std::string& path, int bits) {
    return add(path, VcdVariable::Kind::wire, bits, 0);
}

VcdWriter::Variable VcdWriter::add_integer(const std::string& path) {
    return add(path, VcdVariable::Kind::integer, kIntegerBits, 0);
}

VcdWriter::Variable VcdWriter::add_text(const std::string& path, std::string_view initial) {
    return add(path, VcdVariable::Kind::text, 1, intern(initial));
}

bool VcdWriter::selected(const std::string& path) const {
    return options_.scopes.empty() ||
           std::any_of(options_.scopes.begin(), options_.scopes.end(),
                       [&](const std::string& scope) { return lies_in(path, scope); });
}

std::vector<std::string> VcdWriter::unmatched_scopes() const {
    std::vector<std::string> unmatched;
    for (const std::string& scope : options_.scopes) {
        if (std::none_of(variables_.begin(), variables_.end(), [&](const VcdVariable& variable) {
                return lies_in(variable.path, scope);
            })) {
            unmatched.push_back(scope);
        }
    }
    return unmatched;
}

void VcdWriter::start(OutputFile& out) {
    std::vector<VcdVariable> declared = variables_;
    if (options_.clock && !clock_path_.empty()) {
        clock_id_ = vcd_identifier(static_cast<int>(declared.size()));
        declared.push_back({clock_path_, VcdVariable::Kind::wire, 1});
    }
    out_ = &out;
    out_->write(vcd_header(declared));
}

std::uint64_t VcdWriter::intern(std::string_view text) {
    std::string value(text);
    // A blank ends the value in the format.
    std::replace(value.begin(), value.end(), ' ', '_');
    const auto [entry, added] = text_index_.emplace(std::move(value), texts_.size());
    if (added) texts_.push_back(entry->first);
    return entry->second;
}

bool VcdWriter::ignores(Cycles cycle, Variable variable) const {
    return variable == kNone || closed_ || cycle > options_.to;
}

void VcdWriter::push(Cycles cycle, Action action, Variable variable, int bit, std::uint64_t value) {
    if (ignores(cycle, variable)) return;
    if (cycle < written_until_) {
        ++late_changes_;
        cycle = written_until_;
    }
    queue_.push({cycle, order_++, action, variable, bit, value});
}

void VcdWriter::set_value(Cycles cycle, Variable variable, std::uint64_t value) {
    push(cycle, Action::value, variable, 0, value);
}

void VcdWriter::set_bit(Cycles cycle, Variable variable, int bit, bool value) {
    push(cycle, Action::bit, variable, bit, value ? 1 : 0);
}

void VcdWriter::set_text(Cycles cycle, Variable variable, std::string_view text) {
    if (!ignores(cycle, variable)) push(cycle, Action::value, variable, 0, intern(text));
}

void VcdWriter::set_span(Cycles from, Cycles until, Variable variable, std::uint64_t mask) {
    if (from >= until || ignores(from, variable)) return;
    push(from, Action::begin_span, variable, 0, mask);
    push(until, Action::end_span, variable, 0, mask);
}

void VcdWriter::cover_text(Cycles from, Cycles until, Variable variable, std::string_view text) {
    if (from >= until || ignores(from, variable)) return;
    push(from, Action::cover, variable, 0, intern(text));
    push(until, Action::uncover, variable, 0, 0);
}

void VcdWriter::restore(Cycles cycle) {
    std::vector<Change> kept;
    for (; !queue_.empty(); queue_.pop()) {
        if (queue_.top().cycle < cycle) kept.push_back(queue_.top());
    }
    for (const Change& change : kept) queue_.push(change);
    for (std::size_t i = 0; i < variables_.size(); ++i) {
        push(cycle, Action::restore, static_cast<Variable>(i), 0, 0);
    }
}

void VcdWriter::apply(const Change& change) {
    State& state = states_[static_cast<std::size_t>(change.variable)];
    const auto bits =
        static_cast<std::size_t>(variables_[static_cast<std::size_t>(change.variable)].bits);
    switch (change.action) {
    case Action::restore:
        std::fill(state.words.begin(), state.words.end(), 0);
        state.words[0] = state.initial;
        state.spans.clear();
        state.covers = 0;
        break;
    case Action::value: state.words[0] = change.value; break;
    case Action::bit: {
        std::uint64_t& word = state.words[static_cast<std::size_t>(change.bit / kWordBits)];
        const std::uint64_t mask = std::uint64_t{1} << (change.bit % kWordBits);
        word = change.value != 0 ? word | mask : word & ~mask;
        break;
    }
    case Action::begin_span:
    case Action::end_span:
        state.spans.resize(bits, 0);
        for (std::size_t i = 0; i < std::min<std::size_t>(bits, kWordBits); ++i) {
            const std::uint64_t mask = std::uint64_t{1} << i;
            if ((change.value & mask) == 0) continue;
            if (change.action == Action::begin_span) {
                ++state.spans[i];
            } else {
                --state.spans[i];
            }
            state.words[0] = state.spans[i] > 0 ? state.words[0] | mask : state.words[0] & ~mask;
        }
        break;
    case Action::cover:
        state.cover = change.value;
        ++state.covers;
        break;
    case Action::uncover: --state.covers; break;
    }
    if (!state.changed) changed_.push_back(change.variable);
    state.changed = true;
}

void VcdWriter::append_value(std::string& text, Variable variable) {
    const auto index = static_cast<std::size_t>(variable);
    const State& state = states_[index];
    const VcdVariable& declared = variables_[index];
    const std::string identifier = vcd_identifier(variable);
    if (declared.kind == VcdVariable::Kind::text) {
        text += 's' + texts_[state.written[0]] + ' ' + identifier + '\n';
        return;
    }
    const auto bit = [&](int i) {
        const std::uint64_t word = state.written[static_cast<std::size_t>(i / kWordBits)];
        return (word >> (i % kWordBits) & 1U) != 0 ? '1' : '0';
    };
    if (declared.bits == 1) {
        text += bit(0) + identifier + '\n';
        return;
    }
    // Leading zeros are implied by the format.
    int top = declared.bits - 1;
    while (top > 0 && bit(top) == '0') --top;
    text += 'b';
    for (int i = top; i >= 0; --i) text += bit(i);
    text += ' ' + identifier + '\n';
}

void VcdWriter::write_step(Cycles cycle) {
    std::sort(changed_.begin(), changed_.end());
    std::string text;
    for (const Variable variable : changed_) {
        State& state = states_[static_cast<std::size_t>(variable)];
        state.changed = false;
        const std::uint64_t first = state.covers > 0 ? state.cover : state.words[0];
        if (first == state.written[0] &&
            std::equal(state.words.begin() + 1, state.words.end(), state.written.begin() + 1)) {
            continue;
        }
        state.written = state.words;
        state.written[0] = first;
        if (dumped_) append_value(text, variable);
    }
    changed_.clear();
    if (!dumped_ || text.empty()) return;
    write_clock(cycle);
    std::string step;
    append_stamp(step, time_of(cycle));
    if (!clock_id_.empty()) step += '1' + clock_id_ + '\n';
    next_clock_ = std::max(next_clock_, cycle + Cycles(1));
    out_->write(step + text);
}

void VcdWriter::write_dump() {
    std::string text;
    append_stamp(text, time_of(options_.from));
    text += "$dumpvars\n";
    for (std::size_t i = 0; i < variables_.size(); ++i) {
        append_value(text, static_cast<Variable>(i));
    }
    if (!clock_id_.empty()) text += '1' + clock_id_ + '\n';
    text += "$end\n";
    out_->write(text);
    dumped_ = true;
    next_clock_ = options_.from + Cycles(1);
}

void VcdWriter::write_clock(Cycles until) {
    if (clock_id_.empty()) return;
    // The falling edge of the cycle before next_clock_ is still to come.
    while (next_clock_ <= until) {
        std::string text;
        append_stamp(text, time_of(next_clock_ - Cycles(1)) + options_.period_fs / 2);
        text += '0' + clock_id_ + '\n';
        if (next_clock_ < until) {
            append_stamp(text, time_of(next_clock_));
            text += '1' + clock_id_ + '\n';
        }
        next_clock_ += Cycles(1);
        out_->write(text);
    }
}

void VcdWriter::advance(Cycles cycle) { write_until(cycle - kHoldBack); }

void VcdWriter::write_until(Cycles cycle) {
    if (closed_ || out_ == nullptr || cycle <= written_until_) return;
    const Cycles limit = std::min(cycle, options_.to + Cycles(1));
    while (!queue_.empty() && queue_.top().cycle < limit) {
        const Cycles step = queue_.top().cycle;
        if (!dumped_ && step > options_.from) write_dump();
        for (; !queue_.empty() && queue_.top().cycle == step; queue_.pop()) apply(queue_.top());
        write_step(step);
    }
    if (!dumped_ && limit > options_.from) write_dump();
    written_until_ = cycle;
    if (cycle > options_.to) close_window(options_.to);
}

void VcdWriter::finish(Cycles end) {
    if (closed_ || out_ == nullptr) return;
    write_until(end + Cycles(1));
    if (!closed_) close_window(end);
}

void VcdWriter::close_window(Cycles last) {
    closed_ = true;
    queue_ = {};
    if (!dumped_) return;
    // A last time stamp makes the last cycle visible at its full length.
    write_clock(last + Cycles(1));
    std::string text;
    append_stamp(text, time_of(last + Cycles(1)));
    out_->write(text);
    out_->flush();
}

} // namespace aicore::tb
