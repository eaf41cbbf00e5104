// A system with several initial states: two walkers on a line of cells, which begin in any two different cells and stop
// where they meet. For behaviour/initial_states_test.py.
#include <cstdint>
#include <vector>

#include "cli/cpp_main.hpp"

namespace {

struct Meeting {
    int cells = 6;

    struct State {
        std::uint8_t left = 0;
        std::uint8_t right = 0;
    };

    std::vector<State> initial() const {
        std::vector<State> states;
        for (int left = 0; left < cells; ++left)
            for (int right = left + 1; right < cells; ++right)
                states.push_back({static_cast<std::uint8_t>(left), static_cast<std::uint8_t>(right)});
        states.push_back(states.front());  // which counts once
        return states;
    }

    template <class Emit>
    void successors(const State& s, Emit&& emit) const {
        if (s.left >= s.right) return;
        emit(State{static_cast<std::uint8_t>(s.left + 1), s.right}, "left walks");
        emit(State{s.left, static_cast<std::uint8_t>(s.right - 1)}, "right walks");
    }

    void describe(const State& s, tideline::successor::Description& d) const {
        d.value("left", s.left);
        d.value("right", s.right);
    }

    void options(tideline::cli::CppOptions& o) { o.number("--cells", cells, 2, 100, "number of cells"); }
};

}  // namespace

int main(int argc, char** argv) { return tideline::cli::main(argc, argv, Meeting{}); }
