#include "successor/interpret/pilot.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "successor/hash.hpp"
#include "successor/interpret/interpreter.hpp"

namespace tideline::successor {
namespace {

constexpr std::size_t kSteps = 4096;
constexpr std::size_t kLongestWalk = 1024;
constexpr std::size_t kFirstStates = 3000;
// Of each of the two parts, roughly in nanoseconds. Most models need a hundredth of it.
constexpr std::uint64_t kMostWork = 100'000'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20U;  // of open states

// SplitMix64, so that the same walks are taken on every machine.
class SplitMix64 {
public:
    std::uint64_t below(std::uint64_t n) {
        state_ += 0x9E3779B97F4A7C15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return (z ^ (z >> 31U)) % n;
    }

private:
    std::uint64_t state_ = 1;
};

void widen(model::Range& range, model::Value value) {
    range = {std::min(range.low, value), std::max(range.high, value)};
}

std::uint64_t hash_of(model::SlotId slot, model::Value value) {
    return hashing::mix(hashing::mix(slot + 0x9E3779B97F4A7C15U) ^ static_cast<std::uint64_t>(value));
}

struct SlotValue {
    model::SlotId slot;
    model::Value value;
};

// Open states, each as its difference from the initial state: near it the difference is small.
class WaitingStates {
public:
    WaitingStates() : ends_{0} {}

    [[nodiscard]] std::size_t count() const { return hashes_.size(); }
    [[nodiscard]] std::span<const SlotValue> differences(std::size_t number) const {
        return std::span(differences_).subspan(ends_[number], ends_[number + 1] - ends_[number]);
    }
    [[nodiscard]] std::uint64_t hash(std::size_t number) const { return hashes_[number]; }
    [[nodiscard]] bool has_room(std::size_t differences) const {
        return (differences_.size() + differences) * sizeof(SlotValue) <= kMostBytes &&
               differences_.size() + differences < UINT32_MAX;
    }
    void add(std::span<const SlotValue> differences, std::uint64_t hash) {
        differences_.insert(differences_.end(), differences.begin(), differences.end());
        ends_.push_back(static_cast<std::uint32_t>(differences_.size()));
        hashes_.push_back(hash);
    }

private:
    std::vector<SlotValue> differences_;
    std::vector<std::uint32_t> ends_;
    std::vector<std::uint64_t> hashes_;
};

// Of the states that were met first: a flat table, since one that allocates took a tenth of the pilot.
class HashSet {
public:
    // False: it is known. At most kFirstStates times true.
    bool insert(std::uint64_t hash) {
        hash += hash == 0 ? 1 : 0;
        for (std::size_t at = hash % kSize;; at = (at + 1) % kSize) {
            if (entries_[at] == hash) return false;
            if (entries_[at] != 0) continue;
            entries_[at] = hash;
            return true;
        }
    }

private:
    static constexpr std::size_t kSize = 8192;
    static_assert(kSize > 2 * kFirstStates);
    std::vector<std::uint64_t> entries_ = std::vector<std::uint64_t>(kSize);
};

class RangePilot {
public:
    RangePilot(const model::Model& model, const support::Budget& budget)
        : model_(model), interpreter_(model), poll_(budget, 256), budget_(budget) {
        seen_.reserve(model.initial.size());
        for (const model::Value value : model.initial) seen_.push_back({value, value});
        for (std::size_t i = 1; i < model.initial_count(); ++i)
            for (std::size_t slot = 0; slot < seen_.size(); ++slot) widen(seen_[slot], model.initial_state(i)[slot]);
        for (const model::Process& process : model.processes) {
            std::vector<std::uint64_t>& work = guard_work_.emplace_back();
            for (const std::vector<model::TransitionId>& out : process.outgoing) work.push_back(work_of_guards(out));
        }
        free_work_ = work_of_guards(model.free_transitions);
    }

    std::vector<model::Range> run() {
        // Locations are packed whole; an explicit graph has nothing else.
        const bool needed = std::any_of(model_.variables.begin(), model_.variables.end(), [](const model::Variable& v) {
            return v.kind != model::Variable::Kind::location;
        });
        if (needed && !budget_.is_exhausted()) {
            walk();
            look_around();
        }
        return std::move(seen_);
    }

private:
    // Random walks: far from the initial state.
    void walk() {
        work_ = 0;
        SplitMix64 dice;
        std::vector<SlotValue> chosen;  // what the chosen step writes
        std::size_t length = 0;
        for (std::size_t step = 0; step < kSteps && go_on(); ++step) {
            std::uint64_t candidates = 0;
            visit([&] {
                const bool choose = dice.below(++candidates) == 0;
                if (choose) chosen.clear();
                for (const Interpreter::Change& change : interpreter_.changes()) {
                    const model::Value value = interpreter_.values()[change.slot];
                    widen(seen_[change.slot], value);
                    if (choose) chosen.push_back({change.slot, value});
                }
            });
            if (candidates == 0 || ++length == kLongestWalk) {
                if (candidates == 0 && length == 0) break;
                std::copy(model_.initial.begin(), model_.initial.end(), interpreter_.values());
                work_ += model_.initial.size() / 4;
                length = 0;
                continue;
            }
            for (const SlotValue& written : chosen) interpreter_.values()[written.slot] = written.value;
        }
    }

    // The first states of a breadth-first search, which random walks miss. Two states with the same hash count as one;
    // nothing depends on it.
    void look_around() {
        work_ = 0;
        std::copy(model_.initial.begin(), model_.initial.end(), interpreter_.values());
        marks_.assign(model_.initial.size(), 0);
        WaitingStates states;
        states.add({}, 0);
        HashSet known;
        std::vector<SlotValue> differences;
        std::vector<SlotValue> here;
        for (std::size_t at = 0; at < kFirstStates && at < states.count() && go_on(); ++at) {
            here.assign(states.differences(at).begin(), states.differences(at).end());
            for (const SlotValue& difference : here) interpreter_.values()[difference.slot] = difference.value;
            visit([&] {
                std::uint64_t hash = states.hash(at);
                differences.clear();
                ++mark_;
                for (const Interpreter::Change& change : interpreter_.changes()) {
                    if (std::exchange(marks_[change.slot], mark_) == mark_) continue;
                    const model::Value value = interpreter_.values()[change.slot];
                    widen(seen_[change.slot], value);
                    hash += hash_of(change.slot, value) - hash_of(change.slot, change.old);
                    if (value != model_.initial[change.slot]) differences.push_back({change.slot, value});
                }
                if (states.count() >= kFirstStates || !states.has_room(differences.size() + here.size())) return;
                if (!known.insert(hash)) return;
                for (const SlotValue& difference : here)
                    if (marks_[difference.slot] != mark_) differences.push_back(difference);
                work_ += 4 * differences.size();
                states.add(differences, hash);
            });
            for (const SlotValue& difference : here)
                interpreter_.values()[difference.slot] = model_.initial[difference.slot];
        }
    }

    // The steps of the current state, as far as time allows: where all processes move at once there may be
    // exponentially many.
    template <class Visitor>
    void visit(Visitor visitor) {
        work_ += work_of_state();
        interpreter_.visit_steps([&](const InterpretedStep& taken) {
            work_ += 10 * taken.transitions.size() + 4 * interpreter_.changes().size();
            if (taken.fault == model::FaultKind::none) visitor();
            return go_on();
        });
    }

    [[nodiscard]] bool go_on() { return work_ < kMostWork && !poll_.is_exhausted(); }

    [[nodiscard]] std::uint64_t work_of_guards(const std::vector<model::TransitionId>& transitions) const {
        std::uint64_t work = 0;
        for (const model::TransitionId t : transitions) {
            work += 10;
            for (const model::Expression& guard : model_.transitions[t].guards) work += 2 * guard.code().size();
        }
        return work;
    }
    [[nodiscard]] std::uint64_t work_of_state() const {
        std::uint64_t work = free_work_ + 10;
        for (std::size_t p = 0; p < guard_work_.size(); ++p)
            work += guard_work_[p][static_cast<std::size_t>(
                interpreter_.values()[model_.variables[model_.processes[p].location].first_slot])];
        return work;
    }

    const model::Model& model_;
    Interpreter interpreter_;
    support::BudgetPoll poll_;
    const support::Budget& budget_;
    std::vector<model::Range> seen_;
    std::vector<std::vector<std::uint64_t>> guard_work_;  // by process and location
    std::uint64_t free_work_ = 0;
    std::uint64_t work_ = 0;
    std::vector<std::uint32_t> marks_;  // by slot: the step that has written it last
    std::uint32_t mark_ = 0;
};

}  // namespace

std::vector<model::Range> observe_ranges(const model::Model& model, const support::Budget& budget) {
    return RangePilot(model, budget).run();
}

}  // namespace tideline::successor
