// The two searches of K. Heljanko, Implementing a CTL model checker (1996): A[f U g] and E[f U g] in one state, by one
// depth-first pass without the converse of the transition relation. What a search finds out of the states that it meets
// is kept, so that deciding all states takes one visit per state and edge altogether.
//
// A state is `marked` when its value is known or being found out, and `labelled` when it is known to be true. States
// whose value follows from the arguments alone are marked from the beginning: g true, or f and g false.
//
// visit_au looks for a counterexample: a path of unmarked states to one that is marked and not labelled, either because
// it is false or because it lies on the path itself (a loop on which g never comes). Then every state on the stack is
// false. A state all of whose successors are labelled is true.
//
// visit_eu looks for a labelled state. The stack of fathers has the visited states from which the current one can be
// reached: a state leaves it, with all above it, when it has been left and reaches nothing older (the components of R.
// Tarjan). When a labelled state is met, all fathers are true; those that leave the stack are false.
//
// Departures from the paper: the relation need not be total (a state without successors is a counterexample of
// visit_au, and no witness of visit_eu); all successors are tried (the paper's has_successor leaves out the last one);
// the smallest number that a state reaches is kept with the state's place on the stack.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "check/ctl/work.hpp"

namespace tideline::check::ctl {

// Access: is_marked(s), is_labelled(s), mark(s), label(s), number(s) (a reference to a word of the state that is 0 when
// it is asked for first); Cursor, successors(s), next(cursor, state).
template <class Access>
class DepthFirstChecks {
public:
    using State = std::uint32_t;

    DepthFirstChecks(Access& access, Work& work) : access_(access), work_(work) {}

    // Of an unmarked state. Where it is false, path() is a counterexample.
    bool visit_au(State root) {
        stack_.clear();
        end_ = kNone;
        enter(root);
        while (!stack_.empty()) {
            Frame& frame = stack_.back();
            State target = 0;
            if (access_.next(frame.cursor, target)) {
                ++edges_;
                frame.has_successor = true;
                if (!access_.is_marked(target)) {
                    enter(target);
                } else if (!access_.is_labelled(target)) {
                    end_ = target;
                    return false;
                }
                continue;
            }
            if (!frame.has_successor) return false;  // the path ends here without g
            access_.label(frame.state);
            stack_.pop_back();
        }
        return true;
    }

    // Of an unmarked state. Where it is true, path() is a witness.
    bool visit_eu(State root) {
        stack_.clear();
        fathers_.clear();
        end_ = kNone;
        next_number_ = 1;
        enter_eu(root);
        while (!stack_.empty()) {
            Frame& frame = stack_.back();
            State target = 0;
            if (access_.next(frame.cursor, target)) {
                ++edges_;
                if (!access_.is_marked(target)) {
                    enter_eu(target);
                } else if (access_.is_labelled(target)) {
                    for (const State father : fathers_) {
                        access_.number(father) = 0;
                        access_.label(father);
                    }
                    end_ = target;
                    return true;
                } else if (const std::uint32_t number = access_.number(target); number != 0) {
                    frame.lowest = std::min(frame.lowest, number);  // a father: a loop
                }
                continue;
            }
            const Frame left = frame;
            stack_.pop_back();
            if (left.lowest == access_.number(left.state)) {
                State father = 0;
                do {
                    father = fathers_.back();
                    fathers_.pop_back();
                    access_.number(father) = 0;
                } while (father != left.state);
            } else {
                stack_.back().lowest = std::min(stack_.back().lowest, left.lowest);
            }
        }
        return false;
    }

    // What the last search found: the states on its stack, and the one that decided it, if another.
    [[nodiscard]] std::vector<State> path() const {
        std::vector<State> states;
        for (const Frame& frame : stack_) states.push_back(frame.state);
        if (end_ != kNone) states.push_back(end_);
        return states;
    }

    [[nodiscard]] std::uint64_t edge_visits() const { return edges_; }
    [[nodiscard]] std::uint64_t deepest() const { return deepest_; }

private:
    static constexpr State kNone = ~State{0};

    struct Frame {
        State state;
        std::uint32_t lowest;
        bool has_successor;
        typename Access::Cursor cursor;
    };

    void enter(State state) {
        work_.poll();
        access_.mark(state);
        work_.grow(stack_);
        stack_.push_back({state, 0, false, access_.successors(state)});
        deepest_ = std::max<std::uint64_t>(deepest_, stack_.size());
    }
    void enter_eu(State state) {
        enter(state);
        access_.number(state) = stack_.back().lowest = next_number_++;
        work_.grow(fathers_);
        fathers_.push_back(state);
    }

    Access& access_;
    Work& work_;
    std::vector<Frame> stack_;
    std::vector<State> fathers_;
    State end_ = kNone;
    std::uint32_t next_number_ = 1;
    std::uint64_t edges_ = 0;
    std::uint64_t deepest_ = 0;
};

}  // namespace tideline::check::ctl
