// What evidence asks of a decided problem: values of subformulas, steps, packed states. Every engine has one.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <vector>

#include "check/ctl/program.hpp"
#include "successor/system.hpp"

namespace tideline::check::ctl {

class Oracle {
public:
    using State = std::uint64_t;

    virtual ~Oracle() = default;
    [[nodiscard]] virtual bool value(NodeId node, State state) = 0;
    // The targets of its steps, in order.
    [[nodiscard]] virtual std::vector<State> successors(State state) = 0;
    // The transitions of its steps, in the same order. Asked only where fairness matters.
    [[nodiscard]] virtual std::vector<model::TransitionId> transitions(State /*state*/) {
        assert(false && "an engine that knows fairness knows transitions");
        return {};
    }
    [[nodiscard]] virtual bool is_deadlock(State state) = 0;
    // Whether a path that counts begins there, if only infinite ones do; true where all paths count.
    [[nodiscard]] virtual bool is_endless(State state) = 0;
    [[nodiscard]] virtual const std::shared_ptr<const successor::System>& system() = 0;
    // An initial state, packed.
    [[nodiscard]] virtual std::vector<successor::Word> packed_initial(State state) = 0;
    // A successor of a state whose packed form is known.
    [[nodiscard]] virtual std::vector<successor::Word> packed_successor(State from,
                                                                        const std::vector<successor::Word>& packed,
                                                                        State to) = 0;
    // The path that the engine's own search found for an operation, before it is shortened; empty: none.
    [[nodiscard]] virtual std::vector<State> first_path(NodeId /*node*/, State /*state*/) { return {}; }
};

}  // namespace tideline::check::ctl
