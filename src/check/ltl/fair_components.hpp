// Which parts of a numbered graph a counterexample run can stay in for ever: strongly connected sets of states with an
// inner edge whose edges carry all acceptance marks, and on which a run can be fair.
//
//   weak    every process P has an inner edge that moves it, or one out of a state where it has no step.
//   strong  every process that has a step in one of the states moves on an inner edge. Where one does not, no fair run
//           visits a state where it has a step infinitely often: these states are removed, what is left is split into
//           components, and the whole test is repeated on each, marks and inner edge included (E. Emerson, C.-L. Lei,
//           Modalities for model checking, 1987; O. Lichtenstein, A. Pnueli, 1985). Every round removes a state.
//
// Nothing is copied for fairness, and any number of processes is possible: which process moves is known by the
// transition of an edge, which of them have a step by the row of its source, faulty steps included. A row of a product
// lacks steps where the automaton reads atoms of steps (moved(P)); there the marks of its edges say who has a step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "check/ltl/emptiness.hpp"
#include "graph/memory_graph.hpp"

namespace tideline::check::ltl {

// What an edge contributes to a run: acceptance marks in the first word, then one bit per process.
class Contributions {
public:
    Contributions(const graph::MemoryGraph& graph, model::Marks marks, const FairnessTask& fairness)
        : graph_(graph), marks_(marks), fairness_(fairness) {
        process_words_ = fairness.kind == Fairness::none ? 0 : fairness.processes->words;
    }

    [[nodiscard]] std::size_t words() const { return 1 + process_words_; }
    [[nodiscard]] std::size_t process_words() const { return process_words_; }
    [[nodiscard]] const graph::MemoryGraph& graph() const { return graph_; }
    [[nodiscard]] model::Marks marks() const { return marks_; }
    [[nodiscard]] const FairnessTask& fairness() const { return fairness_; }

    // The processes that have a step in a state whose row has an edge; process_words() words.
    void read_enabled(graph::StateNumber state, std::uint64_t* enabled) const;
    // The same; does nothing where fairness does not matter.
    void read_enabled_where_asked(graph::StateNumber state, std::vector<std::uint64_t>& enabled) const {
        if (process_words_ > 0) read_enabled(state, enabled.data());
    }
    // Sets the bits of an edge. `enabled`: of its source.
    void add(const graph::MemoryGraph::Edge& edge, const std::uint64_t* enabled, std::uint64_t* bits) const {
        bits[0] |= edge.marks & marks_;
        if (process_words_ == 0) return;
        const std::uint64_t* const moved = fairness_.processes->of(edge.transition);
        for (std::size_t w = 0; w < process_words_; ++w) {
            std::uint64_t word = moved == nullptr ? 0 : moved[w];
            if (fairness_.kind == Fairness::weak) word |= ~enabled[w];
            bits[1 + w] |= word & mask(w);
        }
    }
    // Of all processes.
    [[nodiscard]] std::uint64_t mask(std::size_t word) const {
        const std::size_t rest = fairness_.processes->names.size() - 64 * word;
        return rest >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
    }

private:
    const graph::MemoryGraph& graph_;
    model::Marks marks_;
    FairnessTask fairness_;
    std::size_t process_words_ = 0;
};

// States that a run can stay in for ever, and what it has to collect there.
struct FairSet {
    std::vector<graph::StateNumber> states;  // ascending
    std::vector<std::uint64_t> wanted;       // Contributions::words()
};

// Looks for a fair set inside a strongly connected one.
class FairSetSearch {
public:
    explicit FairSetSearch(const Contributions& contributions) : contributions_(contributions) {}

    // `members`: a strongly connected set of states, in any order; is_inside(state): whether a state is one of them.
    // keep_going() is asked now and then; where it returns false, nothing is found. Throws std::bad_alloc.
    template <class Node, class Inside, class KeepGoing>
    std::optional<FairSet> find(std::span<const Node> members, const Inside& is_inside, const KeepGoing& keep_going) {
        const auto as_set = [](std::span<const Node> states) {
            std::vector<graph::StateNumber> sorted(states.begin(), states.end());
            std::ranges::sort(sorted);
            return sorted;
        };
        if (test(members, is_inside, keep_going)) return FairSet{as_set(members), wanted_};
        if (!is_split()) return std::nullopt;
        std::vector<std::vector<graph::StateNumber>> open;
        split(as_set(members), open);
        while (!open.empty() && keep_going()) {
            std::vector<graph::StateNumber> states = std::move(open.back());
            open.pop_back();
            const std::span<const graph::StateNumber> all(states);
            const auto is_one = [&](graph::StateNumber s) { return std::ranges::binary_search(states, s); };
            if (test(all, is_one, keep_going)) return FairSet{std::move(states), wanted_};
            if (is_split()) split(states, open);
        }
        return std::nullopt;
    }

private:
    // Whether the set is fair as it is. Otherwise, for strong fairness, starved_ has the processes that have a step in
    // one of its states and do not move inside; nothing where marks are missing.
    template <class Node, class Inside, class KeepGoing>
    bool test(std::span<const Node> states, const Inside& is_inside, const KeepGoing& keep_going) {
        const graph::MemoryGraph& graph = contributions_.graph();
        const std::size_t words = contributions_.process_words();
        std::vector<std::uint64_t> found(contributions_.words(), 0);
        std::vector<std::uint64_t> enabled(words, 0);
        std::vector<std::uint64_t> enabled_somewhere(words, 0);
        bool has_edge = false;
        starved_.assign(words, 0);
        for (const Node state : states) {
            contributions_.read_enabled_where_asked(state, enabled);
            for (std::size_t w = 0; w < words; ++w) enabled_somewhere[w] |= enabled[w];
            graph::MemoryGraph::Cursor cursor = graph.successors(state);
            for (graph::MemoryGraph::Edge edge; graph.next(cursor, edge);) {
                if (!is_inside(edge.target)) continue;
                has_edge = true;
                contributions_.add(edge, enabled.data(), found.data());
            }
            if (words == 0 && has_edge && found[0] == contributions_.marks()) break;
            if (!keep_going()) return false;
        }
        return is_fair(has_edge, found, enabled_somewhere);
    }
    bool is_fair(bool has_edge, const std::vector<std::uint64_t>& found, const std::vector<std::uint64_t>& enabled);
    [[nodiscard]] bool is_split() const {
        return contributions_.fairness().kind == Fairness::strong &&
               std::ranges::any_of(starved_, [](std::uint64_t word) { return word != 0; });
    }
    // The components, with an inner edge, of the states where no starved process has a step.
    void split(const std::vector<graph::StateNumber>& states, std::vector<std::vector<graph::StateNumber>>& open) const;

    const Contributions& contributions_;
    std::vector<std::uint64_t> starved_;
    std::vector<std::uint64_t> wanted_;  // of the set that was tested last
};

}  // namespace tideline::check::ltl
