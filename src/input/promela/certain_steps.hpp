// Statements that are always possible and that nobody can come between: behind the first step of an atomic sequence or
// a d_step they belong to the same transition.
//
// A step inside an atomic sequence continues its process alone. Where the next location has one statement, which is
// always possible, what follows is certain and no state is seen in between: both are one transition. Where everything
// behind the first steps of a model's atomic sequences is certain, no step of the model has to be continued at all.
#pragma once

#include <vector>

#include "input/promela/control.hpp"
#include "input/promela/syntax.hpp"

namespace tideline::input::promela {

// Where a step leads together with what follows for certain.
struct CertainSteps {
    std::vector<const Edge*> edges;  // that follow, in sequence
    std::uint32_t to = 0;
    bool continues = false;
};

class CertainWalk {
public:
    CertainWalk(const Program& program, const Process& process, const Control& control)
        : program_(program), process_(process), control_(control) {}

    // Inside of a d_step, until it ends.
    [[nodiscard]] CertainSteps inside(std::uint32_t to, const Statement& d_step) const;
    // In an atomic sequence, after a step that leads to `to`.
    [[nodiscard]] CertainSteps behind(std::uint32_t to, bool continues) const;
    // Whether it has a step after which the process must be continued.
    [[nodiscard]] bool must_continue() const;

private:
    [[nodiscard]] bool must_continue(const Edge& d_step) const;

    const Program& program_;
    const Process& process_;
    const Control& control_;
};

// A statement that changes variables at most, and never blocks.
[[nodiscard]] bool is_certain(const Statement& statement);

}  // namespace tideline::input::promela
