#include "check/ltl/lasso_steps.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tideline::check::ltl {
namespace {

struct Choice {
    model::TransitionId transition;
    model::Marks marks;
};

// The steps from a state to another.
std::vector<Choice> steps_between(const successor::System& system, successor::Expander& expander,
                                  successor::SuccessorBatch& batch, const successor::Word* from,
                                  const successor::Word* to) {
    std::vector<Choice> result;
    successor::Cursor cursor;
    for (;;) {
        batch.restart(0);
        const successor::Expansion expansion = expander.expand(from, 1, cursor, batch);
        for (std::size_t i = 0; i < batch.size(); ++i)
            if (batch.fault(i) == model::FaultKind::none && std::equal(to, to + system.state_words(), batch.state(i)))
                result.push_back({batch.transition(i), batch.marks(i)});
        if (expansion != successor::Expansion::full) return result;
    }
}

}  // namespace

bool choose_steps(PackedLasso& lasso, model::Marks marks, model::Marks where_possible, const support::Budget& budget) {
    constexpr std::size_t kBatch = 64;
    const successor::System& system = *lasso.system;
    const std::size_t words = system.state_words();
    const std::size_t states = lasso.states.size() / words;
    const std::unique_ptr<successor::Expander> expander = system.expander();
    successor::SuccessorBatch batch(words, kBatch);
    support::BudgetPoll poll(budget, 64);
    std::vector<std::vector<Choice>> choices;
    for (std::size_t i = 0; i < states; ++i) {
        if (poll.is_exhausted()) return false;
        const std::size_t next = i + 1 < states ? i + 1 : lasso.loop;
        choices.push_back(steps_between(system, *expander, batch, lasso.states.data() + i * words,
                                        lasso.states.data() + next * words));
        assert(!choices.back().empty() && "a lasso has steps");
    }
    lasso.transitions.clear();
    for (std::size_t i = 0; i < lasso.loop; ++i) lasso.transitions.push_back(choices[i].front().transition);
    const std::vector<successor::Word> cycle(lasso.states.begin() + static_cast<std::ptrdiff_t>(lasso.loop * words),
                                             lasso.states.end());
    model::Marks possible = 0;
    for (std::size_t i = lasso.loop; i < states; ++i)
        for (const Choice& choice : choices[i]) possible |= choice.marks;
    model::Marks missing = marks | (where_possible & possible);
    for (bool is_first = true; is_first || missing != 0; is_first = false) {
        if (!is_first) {
            if (!budget.allows(cycle.size() * sizeof(successor::Word))) return false;
            lasso.states.insert(lasso.states.end(), cycle.begin(), cycle.end());
        }
        const model::Marks before = missing;
        for (std::size_t i = lasso.loop; i < states; ++i) {
            const auto best = std::ranges::max_element(
                choices[i], {}, [&](const Choice& choice) { return std::popcount(choice.marks & missing); });
            missing &= ~best->marks;
            lasso.transitions.push_back(best->transition);
        }
        assert((is_first || missing != before) && "the cycle carries all marks");
        if (!is_first && missing == before) return false;
    }
    return true;
}

}  // namespace tideline::check::ltl
