#include "successor/interpret/pilot.hpp"

#include <algorithm>

#include "successor/interpret/interpreter.hpp"

namespace tideline {
namespace {

constexpr std::size_t kSteps = 4096;
constexpr std::size_t kLongestWalk = 1024;

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

}  // namespace

std::vector<Range> observe_ranges(const Model& model) {
    std::vector<Range> seen;
    for (const Value value : model.initial) seen.push_back({value, value});
    Interpreter interpreter(model);
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
                seen[change.slot] = {std::min(seen[change.slot].low, value), std::max(seen[change.slot].high, value)};
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
    return seen;
}

}  // namespace tideline
