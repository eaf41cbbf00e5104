#include "explore/paths.hpp"

#include <algorithm>
#include <cassert>

namespace tideline::explore {

bool find_transitions(PackedPath& path, const support::Budget& budget) {
    support::BudgetPoll poll(budget, 16);
    path.transitions.clear();
    path.transitions.reserve(path.size() - 1);
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        if (poll.is_exhausted()) {
            path.transitions.clear();
            return false;
        }
        const std::vector<successor::StepDetail> steps = path.system->steps(path.state(i));
        const auto taken = std::find_if(steps.begin(), steps.end(), [&](const successor::StepDetail& step) {
            return std::equal(step.next.begin(), step.next.end(), path.state(i + 1), path.state(i + 2));
        });
        assert(taken != steps.end() && "every pair of a path is a step");
        path.transitions.push_back(taken->transition);
    }
    return true;
}

}  // namespace tideline::explore
