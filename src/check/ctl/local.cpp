#include "check/ctl/local.hpp"

#include <algorithm>
#include <cassert>

namespace tideline::check::ctl {

// The states as the search of one operation sees them.
class Local::Access {
public:
    struct Cursor {
        std::uint64_t at;
        std::uint64_t end;
    };

    Access(Local& local, NodeId node) : local_(local), node_(node) {}

    [[nodiscard]] bool is_marked(State s) {
        std::uint8_t& mark = local_.mark_of(node_, s);
        if (mark == kUnknown) {
            const std::uint8_t first = local_.first_mark(node_, s);  // may move the marks
            local_.mark_of(node_, s) = first;
            return first != kOpen;
        }
        return mark != kOpen;
    }
    [[nodiscard]] bool is_labelled(State s) { return local_.mark_of(node_, s) == kLabelled; }
    void mark(State s) { local_.mark_of(node_, s) = kMarked; }
    void label(State s) { local_.mark_of(node_, s) = kLabelled; }
    std::uint32_t& number(State s) {
        std::vector<std::uint32_t>& numbers = local_.fixed_[node_].numbers;
        if (s >= numbers.size()) {
            local_.work_.ask(local_.states_.size() * sizeof(std::uint32_t));
            numbers.resize(std::max<std::size_t>(local_.states_.size(), s + 1));
        }
        return numbers[s];
    }
    [[nodiscard]] Cursor successors(State s) {
        local_.expand(s);
        const Row& row = local_.rows_[s];
        return {row.begin, row.begin + row.count};
    }
    bool next(Cursor& cursor, State& target) {
        while (cursor.at != cursor.end) {
            target = local_.targets_[cursor.at++];
            if (node_ == local_.end_node() || local_.is_endless(target)) return true;
        }
        return false;
    }

private:
    Local& local_;
    NodeId node_;
};

Local::Local(std::shared_ptr<const successor::System> system, const Program& program, DeadlockReading reading,
             const explore::SearchSettings& settings, std::function<void(const explore::Statistics&)> tick)
    : system_(std::move(system)),
      program_(program),
      reading_(reading),
      settings_(settings),
      tick_(std::move(tick)),
      memory_(settings.limits().limits().memory),
      try_reserve_([this](std::uint64_t bytes) { return memory_.allows(bytes); }),
      work_(settings.limits()),
      states_(system_->state_words(), system_->state_bytes(), try_reserve_, {.most_states = ~State{0}}),
      start_(Clock::now()),
      next_tick_(start_),
      values_(program.nodes.size()),
      fixed_(program.nodes.size() + 1) {
    renew();
    for (NodeId n = 0; n < program.nodes.size(); ++n) {
        const Node& node = program.nodes[n];
        assert(node.kind != NodeKind::path && "path formulas are for other engines");
        if (node.kind != NodeKind::temporal || node.op == logic::Connective::next) continue;
        const Fixpoint fixpoint = fixpoint_of(node);
        fixed_[n].is_complement = !fixpoint.is_least;
        fixed_[n].quantifier =
            fixpoint.is_least == (fixpoint.quantifier == Quantifier::exists) ? Quantifier::exists : Quantifier::forall;
    }
    fixed_[end_node()].quantifier = Quantifier::forall;
    for (const std::vector<successor::Word>& state : system_->initial_states())
        number_of(state.data(), successor::hash_state(state.data(), state.size()));
    initial_ = states_.size();
}

bool Local::value(NodeId n, State state) {
    const Node& node = program_.nodes[n];
    switch (node.kind) {
        case NodeKind::constant: return node.value;
        case NodeKind::atom: return atom_value(node.index, state);
        case NodeKind::negation: return !value(node.operands[0], state);
        default: break;
    }
    if (node.kind == NodeKind::temporal && node.op != logic::Connective::next) return fixed_value(n, state);
    if (state < values_[n].size() && values_[n][state] != 0) return values_[n][state] == 2;
    bool result = false;
    const auto operand = [&](std::size_t i) { return value(node.operands[i], state); };
    switch (node.kind) {
        case NodeKind::conjunction:
            result = true;
            for (std::size_t i = 0; result && i < node.operands.size(); ++i) result = operand(i);
            break;
        case NodeKind::disjunction:
            for (std::size_t i = 0; !result && i < node.operands.size(); ++i) result = operand(i);
            break;
        case NodeKind::implication: result = !operand(0) || operand(1); break;
        case NodeKind::equivalence: result = operand(0) == operand(1); break;
        case NodeKind::exclusion: result = operand(0) != operand(1); break;
        case NodeKind::infinite:
            result = node.quantifier == Quantifier::exists ? is_endless(state) && operand(0)
                                                           : !is_endless(state) || operand(0);
            break;
        default: result = next_value(node, state);
    }
    if (state >= values_[n].size()) {
        work_.ask(states_.size());
        values_[n].resize(std::max<std::size_t>(states_.size(), state + 1));
    }
    values_[n][state] = result ? 2 : 1;
    return result;
}

void Local::forget_values() {
    for (std::vector<std::uint8_t>& values : values_) values.clear();
    for (Fixed& fixed : fixed_) {
        fixed.marks.clear();
        fixed.numbers.clear();
    }
}

bool Local::next_value(const Node& node, State state) {
    const bool exists = node.quantifier == Quantifier::exists;
    expand(state);
    const Row row = rows_[state];
    if (row.is_deadlock && reading_ == DeadlockReading::stutter) return value(node.operands[0], state);
    for (std::uint64_t i = row.begin; i < row.begin + row.count; ++i) {
        const State target = targets_[i];
        if (is_endless(target) && value(node.operands[0], target) == exists) return exists;
    }
    return !exists;
}

std::uint8_t& Local::mark_of(NodeId node, State state) {
    std::vector<std::uint8_t>& marks = fixed_[node].marks;
    if (state >= marks.size()) {
        work_.ask(states_.size());
        marks.resize(std::max<std::size_t>(states_.size(), state + 1));
    }
    return marks[state];
}

// What follows from the arguments alone.
std::uint8_t Local::first_mark(NodeId n, State state) {
    if (n == end_node()) {
        expand(state);
        return rows_[state].is_deadlock ? kLabelled : kOpen;
    }
    const Node& node = program_.nodes[n];
    const Fixpoint fixpoint = fixpoint_of(node);
    // Outside the states with infinite paths, E is false and A true; the marks are those of the complement.
    if (!is_endless(state)) return fixed_[n].quantifier == Quantifier::forall ? kLabelled : kMarked;
    bool stop = false;
    bool go = false;
    const auto right = [&] { return value(node.operands.back(), state); };
    const auto left = [&] { return value(node.operands.front(), state); };
    if (fixpoint.stop_is_both) {
        go = right();
        stop = go && fixpoint.has_left && left();
    } else {
        stop = right();
        go = !stop && (!fixpoint.has_left || left());
    }
    if (!fixed_[n].is_complement) return stop ? kLabelled : go ? kOpen : kMarked;
    return stop ? kMarked : go ? kOpen : kLabelled;
}

bool Local::fixed_value(NodeId n, State state) {
    Access access(*this, n);
    const Fixed& fixed = fixed_[n];
    if (!access.is_marked(state)) {
        DepthFirstChecks<Access> checks(access, work_);
        if (fixed.quantifier == Quantifier::exists) checks.visit_eu(state);
        else checks.visit_au(state);
    }
    return access.is_labelled(state) != fixed.is_complement;
}

bool Local::is_endless(State state) {
    if (reading_ != DeadlockReading::ignore) return true;
    return !fixed_value(end_node(), state);
}

bool Local::is_deadlock(State state) {
    expand(state);
    return rows_[state].is_deadlock;
}

bool Local::atom_value(std::size_t atom, State state) {
    const std::size_t words = system_->label_words();
    if (state >= has_labels_.size() || has_labels_[state] == 0) {
        if (state >= has_labels_.size()) {
            work_.ask(states_.size() * (1 + words * sizeof(std::uint64_t)));
            has_labels_.resize(std::max<std::size_t>(states_.size(), state + 1));
            labels_.resize(has_labels_.size() * words);
        }
        source_.resize(system_->state_words());
        states_.read(state, source_.data());
        faults_.assign(system_->label_count(), model::FaultKind::none);
        expander_->labels(source_.data(), labels_.data() + state * words, faults_.data());
        // A fault is looked for again when it is asked for.
        if (std::all_of(faults_.begin(), faults_.end(), [](model::FaultKind f) { return f == model::FaultKind::none; }))
            has_labels_[state] = 1;
        else if (faults_[atom] != model::FaultKind::none)
            throw FaultMet{packed(state), faults_[atom], std::nullopt, atom};
    }
    return ((labels_[state * words + atom / 64] >> (atom % 64)) & 1U) != 0;
}

std::vector<Local::State> Local::successors(State state) {
    expand(state);
    const Row& row = rows_[state];
    return {targets_.begin() + static_cast<std::ptrdiff_t>(row.begin),
            targets_.begin() + static_cast<std::ptrdiff_t>(row.begin + row.count)};
}

std::vector<successor::Word> Local::packed(State state) const {
    std::vector<successor::Word> words(system_->state_words());
    states_.read(state, words.data());
    return words;
}

Local::State Local::number_of(const successor::Word* state, std::uint64_t hash) {
    const store::NumberedTable::Insertion inserted = states_.insert(state, hash);
    if (inserted.is_new) {
        work_.grow(rows_);
        rows_.emplace_back();
    }
    return static_cast<State>(inserted.number);
}

void Local::expand(State state) {
    if (rows_[state].begin != ~std::uint64_t{0}) return;
    look_at_limits();
    source_.resize(system_->state_words());
    states_.read(state, source_.data());
    successor::Cursor cursor;
    const std::uint64_t begin = targets_.size();
    for (;;) {
        batch_->restart(0);
        const successor::Expansion expansion = expander_->expand(source_.data(), 1, cursor, *batch_);
        batch_->compute_hashes();
        for (std::size_t i = 0; i < batch_->size(); ++i) {
            if (batch_->fault(i) != model::FaultKind::none) {
                const FaultMet fault{packed(state), batch_->fault(i), batch_->transition(i), std::nullopt};
                targets_.resize(begin);
                throw fault;
            }
            work_.grow(targets_);
            targets_.push_back(number_of(batch_->state(i), batch_->hash(i)));
        }
        assert(expansion != successor::Expansion::key_undefined && "no measure is evaluated here");
        if (expansion == successor::Expansion::done) break;
        if (expansion == successor::Expansion::needs_repacking) {
            widen();
            states_.read(state, source_.data());
        }
    }
    Row& row = rows_[state];
    row.begin = begin;
    row.count = static_cast<std::uint32_t>(targets_.size() - begin);
    row.is_deadlock = row.count == 0;
    ++expanded_;
    transitions_ += row.count;
    deadlocks_ += row.is_deadlock ? 1 : 0;
}

void Local::widen() {
    const std::uint64_t before = memory_.taken();
    std::shared_ptr<const successor::System> wider = system_->with_wider_fields(*expander_);
    if (const std::uint64_t now = memory_.taken(); now > before) memory_.set_aside(now - before);
    assert(wider && "a system that says needs_repacking can be with_wider_fields");
    states_.repack(wider->state_words(), wider->state_bytes(), wider->repacking(*system_));
    system_ = std::move(wider);
    renew();
}

// What depends on the packing.
void Local::renew() {
    constexpr std::size_t kBatch = 1024;
    expander_ = system_->search_expander();
    batch_.emplace(system_->state_words(), kBatch);
    source_.resize(system_->state_words());
}

void Local::look_at_limits() {
    constexpr std::uint64_t kStatesPerLook = 256;
    constexpr std::chrono::milliseconds kTick{100};
    if (settings_.states && states_.size() >= *settings_.states) throw Stopped{support::StopReason::states};
    if (expanded_ % kStatesPerLook != 0) return;
    if (const support::StopReason reason = settings_.limits().exhausted(); reason != support::StopReason::none)
        throw Stopped{reason};
    const Clock::time_point now = Clock::now();
    if (now < next_tick_) return;
    next_tick_ = now + kTick;
    if (tick_) tick_(statistics());
}

explore::Statistics Local::statistics() const {
    explore::Statistics statistics;
    statistics.states = statistics.peak_states = states_.size();
    statistics.expanded = expanded_;
    statistics.transitions = transitions_;
    statistics.deadlocks = deadlocks_;
    statistics.waiting = states_.size() - expanded_;
    statistics.layers = 1;
    statistics.state_bytes = system_->state_bytes();
    statistics.compile_seconds = system_->compile_seconds();
    statistics.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    return statistics;
}

}  // namespace tideline::check::ctl
