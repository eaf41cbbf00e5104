// The states of a search between its rounds (docs/algorithms/rounds.md has the diagram). One thread changes them,
// between rounds; all threads read them.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <string_view>

namespace tideline::explore {

enum class RoundState : std::uint8_t {
    expanding,  // threads pop states, expand them, insert successors
    quiescing,  // nothing is popped: what was popped is expanded and inserted, until a checkpoint can be made
    draining,   // nothing is expanded: what several threads have made is inserted, until states can be repacked
    finished,
};

[[nodiscard]] constexpr std::string_view to_string(RoundState state) {
    switch (state) {
        case RoundState::expanding: return "expanding";
        case RoundState::quiescing: return "quiescing";
        case RoundState::draining: return "draining";
        case RoundState::finished: return "finished";
    }
    return "unknown";
}

class RoundControl {
public:
    [[nodiscard]] RoundState state() const { return state_; }
    [[nodiscard]] bool pops() const { return state_ == RoundState::expanding; }
    [[nodiscard]] bool expands() const { return state_ == RoundState::expanding || state_ == RoundState::quiescing; }
    [[nodiscard]] bool finished() const { return state_ == RoundState::finished; }
    // A checkpoint is wanted; true also while something else has to be drained first.
    [[nodiscard]] bool is_quiescence_requested() const { return quiescence_requested_; }

    void request_quiescence() {
        quiescence_requested_ = true;
        if (state_ == RoundState::expanding) state_ = RoundState::quiescing;
    }
    // Everything that was popped has been expanded and inserted.
    void end_quiescence() {
        assert(state_ != RoundState::draining && "what is drained is expanded further");
        quiescence_requested_ = false;
        if (state_ == RoundState::quiescing) state_ = RoundState::expanding;
    }

    void begin_drain() {
        assert(expands());
        state_ = RoundState::draining;
    }
    void end_drain() {
        assert(state_ == RoundState::draining);
        state_ = quiescence_requested_ ? RoundState::quiescing : RoundState::expanding;
    }

    // From any state; there is no way back.
    void finish() { state_ = RoundState::finished; }

private:
    std::atomic<RoundState> state_ = RoundState::expanding;
    bool quiescence_requested_ = false;
};

}  // namespace tideline::explore
