#include "successor/interpret/pilot.hpp"

#include <algorithm>
#include <unordered_set>

#include "successor/hash.hpp"
#include "successor/interpret/interpreter.hpp"

namespace tideline {
namespace {

constexpr std::size_t kSteps = 4096;
constexpr std::size_t kLongestWalk = 1024;
constexpr std::size_t kFirstStates = 3000;

// A small generator of our own, so that the same walks are taken on every machine.
class Dice {
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

void widen(Range& range, Value value) { range = {std::min(range.low, value), std::max(range.high, value)}; }

// Random walks: far from the initial state.
void walk(const Model& model, Interpreter& interpreter, std::vector<Range>& seen) {
    Dice dice;
    std::vector<Interpreter::Change> chosen;  // the values that the chosen step writes
    std::size_t length = 0;
    for (std::size_t step = 0; step < kSteps; ++step) {
        std::uint64_t candidates = 0;
        interpreter.visit_steps([&](const InterpretedStep& taken) {
            if (taken.fault != FaultKind::none) return true;
            const bool choose = dice.below(++candidates) == 0;
            if (choose) chosen.clear();
            for (const Interpreter::Change& change : interpreter.changes()) {
                const Value value = interpreter.values()[change.slot];
                widen(seen[change.slot], value);
                if (choose) chosen.push_back({change.slot, value});
            }
            return true;
        });
        if (candidates == 0 || ++length == kLongestWalk) {
            if (candidates == 0 && length == 0) break;
            std::copy(model.initial.begin(), model.initial.end(), interpreter.values());
            length = 0;
            continue;
        }
        for (const Interpreter::Change& change : chosen) interpreter.values()[change.slot] = change.old;
    }
}

// The first states of a breadth-first search: what walks pass by. Two states with the same hash are taken for one; nothing depends on it.
void look_around(const Model& model, Interpreter& interpreter, std::vector<Range>& seen) {
    const std::size_t slots = model.initial.size();
    std::vector<Value> states(model.initial.begin(), model.initial.end());
    std::unordered_set<std::uint64_t> known;
    for (std::size_t at = 0; at < kFirstStates && at * slots < states.size(); ++at) {
        std::copy_n(states.begin() + static_cast<std::ptrdiff_t>(at * slots), slots, interpreter.values());
        interpreter.visit_steps([&](const InterpretedStep& taken) {
            if (taken.fault != FaultKind::none) return true;
            for (const Interpreter::Change& change : interpreter.changes()) widen(seen[change.slot], interpreter.values()[change.slot]);
            if (states.size() >= kFirstStates * slots) return true;
            std::uint64_t hash = 0;
            for (std::size_t i = 0; i < slots; ++i) hash = hashing::mix(hash ^ static_cast<std::uint64_t>(interpreter.values()[i]));
            if (known.insert(hash).second) states.insert(states.end(), interpreter.values(), interpreter.values() + slots);
            return true;
        });
    }
}

}  // namespace

std::vector<Range> observe_ranges(const Model& model) {
    std::vector<Range> seen;
    for (const Value value : model.initial) seen.push_back({value, value});
    Interpreter interpreter(model);
    walk(model, interpreter, seen);
    look_around(model, interpreter, seen);
    return seen;
}

}  // namespace tideline
