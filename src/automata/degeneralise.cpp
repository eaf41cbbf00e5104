#include "automata/degeneralise.hpp"

#include <map>

#include "automata/components.hpp"

namespace tideline::automata {
namespace {

class Degeneraliser {
public:
    Degeneraliser(const Automaton& automaton, const DegeneralisationChoice& choice, const TranslationBudget& budget)
        : automaton_(automaton),
          choice_(choice),
          budget_(budget),
          components_(components(automaton)),
          common_(automaton.size()),
          levels_(automaton.size()) {
        for (StateNumber s = 0; s < automaton.size(); ++s) {
            common_[s] = automaton.all_marks();
            for (const Edge& e : automaton.states[s])
                if (components_.is_inside(s, e)) common_[s] &= e.marks;
        }
    }

    Automaton run() {
        Automaton result = empty_like(automaton_);
        result.sets = 1;
        result.state_based = true;
        number(automaton_.initial, entry_level(automaton_.initial));
        for (std::size_t i = 0; i < copies_.size(); ++i) {
            budget_.check_states(copies_.size());
            const auto [s, level] = copies_[i];
            std::vector<Edge> edges;
            for (const Edge& e : automaton_.states[s]) {
                const std::size_t next = components_.is_inside(s, e) ? next_level(e, level) : entry_level(e.target);
                edges.push_back({number(e.target, next), e.label, accepts(s, level) ? Marks{1} : Marks{0}});
            }
            result.states.push_back(std::move(edges));
        }
        merge_edges(result);
        return result;
    }

private:
    [[nodiscard]] bool is_counted(StateNumber s) const { return components_.is_accepting(components_.of[s]); }
    [[nodiscard]] bool accepts(StateNumber s, std::size_t level) const {
        return is_counted(s) && level == automaton_.sets;
    }

    // The level after the awaited sets, from `level` on, that `marks` contains.
    [[nodiscard]] std::size_t passed(std::size_t level, Marks marks) const {
        while (level < automaton_.sets && ((marks >> choice_.order[level]) & 1U) != 0) ++level;
        return level;
    }

    std::size_t next_level(const Edge& e, std::size_t level) const {
        if (!is_counted(e.target)) return 0;
        const std::size_t next = passed(level == automaton_.sets ? 0 : level, e.marks);
        return choice_.look_ahead ? passed(next, common_[e.target]) : next;
    }

    std::size_t entry_level(StateNumber s) const {
        if (!is_counted(s)) return 0;
        if (choice_.reuse && !levels_[s].empty()) return levels_[s].back();
        return choice_.look_ahead ? passed(0, common_[s]) : 0;
    }

    StateNumber number(StateNumber s, std::size_t level) {
        const auto [found, is_new] = numbers_.emplace(std::pair(s, level), static_cast<StateNumber>(copies_.size()));
        if (is_new) {
            copies_.emplace_back(s, level);
            levels_[s].push_back(level);
        }
        return found->second;
    }

    const Automaton& automaton_;
    const DegeneralisationChoice& choice_;
    const TranslationBudget& budget_;
    Components components_;
    std::vector<Marks> common_;  // on all edges of a state inside its component
    std::vector<std::vector<std::size_t>> levels_;
    std::map<std::pair<StateNumber, std::size_t>, StateNumber> numbers_;
    std::vector<std::pair<StateNumber, std::size_t>> copies_;
};

}  // namespace

Automaton degeneralised(const Automaton& automaton, const DegeneralisationChoice& choice,
                        const TranslationBudget& budget) {
    return Degeneraliser(automaton, choice, budget).run();
}

}  // namespace tideline::automata
