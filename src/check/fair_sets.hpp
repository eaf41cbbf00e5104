// Which parts of a graph a run can stay in for ever: strongly connected sets of nodes with an inner edge whose edges
// carry all acceptance marks, and on which a run can be fair.
//
//   weak    every process P has an inner edge that moves it, or one out of a node where it has no step.
//   strong  every process that has a step in one of the nodes moves on an inner edge. Where one does not, no fair run
//           visits a node where it has a step infinitely often: these nodes are removed, what is left is split into
//           components, and the whole test is repeated on each, marks and inner edge included (E. Emerson, C.-L. Lei,
//           Modalities for model checking, 1987; O. Lichtenstein, A. Pnueli, 1985). Every round removes a node.
//
// Nothing is copied for fairness, and any number of processes is possible. The graph may be one of states, or a product
// with an automaton: what its edges contribute is described by a class with these members, such as
// ltl/fair_components.hpp and ctl/fair_product.hpp have:
//
//   processes()                     a ProcessBits
//   marks()                         the acceptance marks that must recur
//   Node, graph()                   a graph with successors() and next(), as the component search needs it
//   read_enabled(node, words)       the processes that have a step in a node, all steps of the system considered
//   add(edge, enabled, words)       sets the bits of an edge: marks in the first word, then one bit per process
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "check/fairness.hpp"
#include "model/model.hpp"
#include "successor/step_labels.hpp"
#include "support/components.hpp"

namespace tideline::check {

// What steps contribute to fairness, a bit per process.
class ProcessBits {
public:
    ProcessBits() = default;
    ProcessBits(Fairness kind, std::shared_ptr<const successor::ProcessTable> processes)
        : kind_(kind), processes_(std::move(processes)) {
        if (kind != Fairness::none) words_ = processes_->words;
    }

    [[nodiscard]] Fairness kind() const { return kind_; }
    [[nodiscard]] std::size_t words() const { return words_; }  // 0 where fairness does not matter
    [[nodiscard]] std::size_t count() const { return words_ == 0 ? 0 : processes_->names.size(); }
    // Of all processes.
    [[nodiscard]] std::uint64_t mask(std::size_t word) const {
        const std::size_t rest = processes_->names.size() - 64 * word;
        return rest >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
    }
    // Adds those that a step of a state moves.
    void enable(model::TransitionId transition, std::uint64_t* enabled) const {
        if (words_ == 0) return;
        if (const std::uint64_t* const set = processes_->of(transition))
            for (std::size_t w = 0; w < words_; ++w) enabled[w] |= set[w];
    }
    // Adds what a step contributes. `enabled`: of its source.
    void add(model::TransitionId transition, const std::uint64_t* enabled, std::uint64_t* bits) const {
        if (words_ == 0) return;
        const std::uint64_t* const moved = processes_->of(transition);
        for (std::size_t w = 0; w < words_; ++w) {
            std::uint64_t word = moved == nullptr ? 0 : moved[w];
            if (kind_ == Fairness::weak) word |= ~enabled[w];
            bits[w] |= word & mask(w);
        }
    }

private:
    Fairness kind_ = Fairness::none;
    std::shared_ptr<const successor::ProcessTable> processes_;
    std::size_t words_ = 0;
};

// Nodes that a run can stay in for ever, and what it has to collect there.
struct FairSet {
    std::vector<std::uint64_t> states;  // ascending
    std::vector<std::uint64_t> wanted;  // marks, then a bit per process
};

// Looks for a fair set inside a strongly connected one.
template <class Contributions>
class FairSetSearch {
public:
    explicit FairSetSearch(const Contributions& contributions) : contributions_(contributions) {}

    // `members`: a strongly connected set of nodes, in any order; is_inside(node): whether a node is one of them.
    // keep_going() is asked now and then; where it returns false, nothing is found. Throws std::bad_alloc.
    template <class Node, class Inside, class KeepGoing>
    std::optional<FairSet> find(std::span<const Node> members, const Inside& is_inside, const KeepGoing& keep_going) {
        const auto as_set = [](std::span<const Node> nodes) {
            std::vector<std::uint64_t> sorted(nodes.begin(), nodes.end());
            std::ranges::sort(sorted);
            return sorted;
        };
        if (test(members, is_inside, keep_going)) return FairSet{as_set(members), wanted_};
        if (!is_split()) return std::nullopt;
        std::vector<std::vector<std::uint64_t>> open;
        split(as_set(members), open);
        while (!open.empty() && keep_going()) {
            std::vector<std::uint64_t> nodes = std::move(open.back());
            open.pop_back();
            const std::span<const std::uint64_t> all(nodes);
            const auto is_one = [&](std::uint64_t node) { return std::ranges::binary_search(nodes, node); };
            if (test(all, is_one, keep_going)) return FairSet{std::move(nodes), wanted_};
            if (is_split()) split(nodes, open);
        }
        return std::nullopt;
    }

private:
    using GraphNode = typename Contributions::Node;
    using Graph = std::remove_cvref_t<decltype(std::declval<const Contributions&>().graph())>;

    [[nodiscard]] std::size_t process_words() const { return contributions_.processes().words(); }

    // Whether the set is fair as it is. Otherwise, for strong fairness, starved_ has the processes that have a step in
    // one of its nodes and do not move inside; nothing where marks are missing.
    template <class Node, class Inside, class KeepGoing>
    bool test(std::span<const Node> nodes, const Inside& is_inside, const KeepGoing& keep_going) {
        const Graph& graph = contributions_.graph();
        const std::size_t words = process_words();
        std::vector<std::uint64_t> found(1 + words, 0);
        std::vector<std::uint64_t> enabled(words, 0);
        std::vector<std::uint64_t> enabled_somewhere(words, 0);
        bool has_edge = false;
        starved_.assign(words, 0);
        for (const Node node : nodes) {
            if (words > 0) contributions_.read_enabled(node, enabled.data());
            for (std::size_t w = 0; w < words; ++w) enabled_somewhere[w] |= enabled[w];
            typename Graph::Cursor cursor = graph.successors(node);
            for (typename Graph::Edge edge{}; graph.next(cursor, edge);) {
                if (!is_inside(edge.target)) continue;
                has_edge = true;
                contributions_.add(edge, enabled.data(), found.data());
            }
            if (words == 0 && has_edge && found[0] == contributions_.marks()) break;
            if (!keep_going()) return false;
        }
        return is_fair(has_edge, found, enabled_somewhere);
    }

    bool is_fair(bool has_edge, const std::vector<std::uint64_t>& found, const std::vector<std::uint64_t>& enabled) {
        if (!has_edge || found[0] != contributions_.marks()) return false;
        const bool is_strong = contributions_.processes().kind() == Fairness::strong;
        wanted_.assign(found.size(), 0);
        wanted_[0] = contributions_.marks();
        bool is_fair = true;
        for (std::size_t w = 0; w < enabled.size(); ++w) {
            wanted_[1 + w] = is_strong ? enabled[w] : contributions_.processes().mask(w);
            starved_[w] = wanted_[1 + w] & ~found[1 + w];
            is_fair = is_fair && starved_[w] == 0;
        }
        return is_fair;
    }

    [[nodiscard]] bool is_split() const {
        return contributions_.processes().kind() == Fairness::strong &&
               std::ranges::any_of(starved_, [](std::uint64_t word) { return word != 0; });
    }

    // The components, with an inner edge, of the nodes where no starved process has a step.
    void split(const std::vector<std::uint64_t>& nodes, std::vector<std::vector<std::uint64_t>>& open) const {
        const Graph& graph = contributions_.graph();
        std::vector<std::uint64_t> enabled(process_words());
        std::vector<std::uint64_t> rest;
        for (const std::uint64_t node : nodes) {
            contributions_.read_enabled(static_cast<GraphNode>(node), enabled.data());
            bool is_kept = true;
            for (std::size_t w = 0; w < enabled.size(); ++w) is_kept = is_kept && (enabled[w] & starved_[w]) == 0;
            if (is_kept) rest.push_back(node);
        }
        // The graph of what is left, by positions.
        std::vector<std::uint64_t> offsets{0};
        std::vector<std::uint32_t> targets;
        for (const std::uint64_t node : rest) {
            typename Graph::Cursor cursor = graph.successors(static_cast<GraphNode>(node));
            for (typename Graph::Edge edge{}; graph.next(cursor, edge);) {
                const auto place = std::ranges::lower_bound(rest, edge.target);
                if (place != rest.end() && *place == edge.target)
                    targets.push_back(static_cast<std::uint32_t>(place - rest.begin()));
            }
            offsets.push_back(targets.size());
        }
        const support::ArrayGraph<std::uint32_t> inner(offsets, targets);
        support::for_each_component(inner, support::KeepAllEdges{}, [&](std::span<const std::uint32_t> members) {
            if (members.size() == 1) {
                const std::uint32_t only = members.front();
                const auto begin = targets.begin() + static_cast<std::ptrdiff_t>(offsets[only]);
                const auto end = targets.begin() + static_cast<std::ptrdiff_t>(offsets[only + 1]);
                if (std::find(begin, end, only) == end) return;
            }
            std::vector<std::uint64_t>& component = open.emplace_back();
            for (const std::uint32_t member : members) component.push_back(rest[member]);
            std::ranges::sort(component);
        });
    }

    const Contributions& contributions_;
    std::vector<std::uint64_t> starved_;
    std::vector<std::uint64_t> wanted_;  // of the set that was tested last
};

}  // namespace tideline::check
