#include "trace/in_original.hpp"

#include <algorithm>
#include <stdexcept>

#include "successor/run_lifter.hpp"

namespace tideline::trace {

Trace in_original(Trace trace) {
    const std::unique_ptr<successor::RunLifter> lifter = trace.empty() ? nullptr : successor::lifter_of(*trace.system);
    if (!lifter) return trace;
    Trace result = trace;
    result.system = lifter->system();
    result.words.clear();
    result.transitions.clear();
    const std::size_t words = result.system->state_words();
    const auto follow = [&](std::size_t i) {
        const std::vector<successor::Word> state = lifter->follow(trace.state(i));
        if (state.empty()) throw std::logic_error("a run through classes of states is no run of the system");
        return state;
    };
    const auto append = [&](const std::vector<successor::Word>& state) {
        result.words.insert(result.words.end(), state.begin(), state.end());
    };
    for (std::size_t i = 0; i < trace.size(); ++i) append(follow(i));
    if (trace.fault) result.fault->transition = lifter->transition(trace.fault->transition);
    if (!trace.loop || trace.stays) return result;
    // Every time round ends in a renamed copy of where it began: there are finitely many.
    for (std::vector<std::size_t> begins{*trace.loop};;) {
        const std::vector<successor::Word> state = follow(*trace.loop);
        for (const std::size_t begin : begins) {
            if (!std::equal(state.begin(), state.end(),
                            result.words.begin() + static_cast<std::ptrdiff_t>(begin * words)))
                continue;
            result.loop = begin;
            return result;
        }
        begins.push_back(result.size());
        append(state);
        for (std::size_t i = *trace.loop + 1; i < trace.size(); ++i) append(follow(i));
    }
}

}  // namespace tideline::trace
