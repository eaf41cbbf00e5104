#include "check/ltl/lasso.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <new>
#include <unordered_set>

namespace tideline::check::ltl {
namespace {

using Number = LassoFinder::Number;
using Word = LassoFinder::Word;

}  // namespace

// A node of a search is a state, or a state with a bit: number << bits | bit. Their paths are shortest, since searches
// are breadth-first.
class LassoFinder::Search {
public:
    Search(std::shared_ptr<const successor::System> system, model::Marks wanted)
        : first_system_(system),
          system_(std::move(system)),
          wanted_(wanted),
          memory_([this](std::uint64_t bytes) { return budget_ == nullptr || budget_->allows(bytes); }),
          own_(std::in_place, system_->state_words(), system_->state_bytes(), memory_) {
        renew();
    }
    Search(std::shared_ptr<const successor::System> system, model::Marks wanted, const store::NumberedTable& known,
           std::function<bool(Number)> may_enter)
        : first_system_(system),
          system_(std::move(system)),
          wanted_(wanted),
          known_(&known),
          may_enter_(std::move(may_enter)) {
        renew();
    }
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

    std::optional<PackedLasso> through(std::vector<Word> seed, std::optional<successor::Key> layer,
                                       const support::Budget& budget) {
        assert(std::popcount(wanted_) <= 1 && "a cycle with several marks goes through a component");
        budget_ = &budget;
        const std::optional<Number> number = number_of(seed.data());
        if (!number) return std::nullopt;
        // From the state without the mark to the state with it.
        const Node goal = *number << 1U | 1U;
        Tree cycle(1, {*number << 1U});
        const bool is_found = reach(
            cycle,
            [&](Node from, Number to, model::Marks marks, successor::Key key, Node& node) {
                node = to << 1U | (from & 1U) | ((marks & wanted_) == wanted_ ? 1U : 0U);
                return !layer || key == *layer;
            },
            [&](Node node) { return node == goal; });
        if (!is_found) return std::nullopt;
        std::vector<Number> round;
        for (const Node node : cycle.way_to(goal)) round.push_back(node >> 1U);
        round.pop_back();
        const std::unordered_set<Number> on_cycle(round.begin(), round.end());
        std::optional<std::vector<Number>> stem = stem_to([&](Number state) { return on_cycle.contains(state); });
        if (!stem) return std::nullopt;
        const auto entry = std::find(round.begin(), round.end(), stem->back());
        stem->pop_back();
        const std::size_t loop = stem->size();
        stem->insert(stem->end(), entry, round.end());
        stem->insert(stem->end(), round.begin(), entry);
        return lasso(*stem, loop);
    }

    std::optional<PackedLasso> into(const Contains& contains, const support::Budget& budget) {
        budget_ = &budget;
        std::vector<Word> words(system_->state_words());
        const auto is_inside = [&](Number state) {
            words.resize(system_->state_words());
            table().read(state, words.data());
            return contains(*system_, words.data());
        };
        std::optional<std::vector<Number>> run = stem_to(is_inside);
        if (!run) return std::nullopt;
        const std::size_t loop = run->size() - 1;
        const Number entry = run->back();
        model::Marks missing = wanted_;
        bool is_closed = false;
        while (missing != 0 || !is_closed) {
            // To the next step that carries something missing, or back.
            model::Marks found = 0;
            Number last = 0;
            Node source = 0;
            bool is_found = false;
            Tree leg(0, {run->back()});
            const bool is_reached = reach(
                leg,
                [&](Node from, Number to, model::Marks marks, successor::Key, Node& node) {
                    node = to;
                    if (is_found || !is_inside(to)) return false;
                    is_found = missing != 0 ? (marks & missing) != 0 : to == entry;
                    if (is_found) {
                        found = marks & missing;
                        last = to;
                        source = from;
                    }
                    return true;
                },
                [&](Node) { return is_found; });
            if (!is_reached) return std::nullopt;
            const std::vector<Node> way = leg.way_to(source);
            run->insert(run->end(), way.begin() + 1, way.end());
            run->push_back(last);
            missing &= ~found;
            is_closed = missing == 0 && last == entry;
        }
        run->pop_back();
        return lasso(*run, loop);
    }

    std::optional<PackedRun> path_to(const std::vector<Word>& state, const support::Budget& budget) {
        budget_ = &budget;
        std::vector<Word> words = state;
        if (system_ != first_system_) {
            words.resize(system_->state_words());
            system_->repacking (*first_system_)(state.data(), words.data());
        }
        const std::optional<Number> number = number_of(words.data());
        if (!number) return std::nullopt;
        if (!paths_) paths_.emplace(0, roots());
        if (!paths_->has(*number) && !reach(*paths_, any_step, [&](Node node) { return node == *number; }))
            return std::nullopt;
        std::optional<std::vector<Word>> path = packed(paths_->way_to(*number));
        if (!path) return std::nullopt;
        return PackedRun{*std::move(path), system_};
    }

private:
    using Node = std::uint64_t;
    static constexpr Node kNone = ~Node{0};
    static constexpr std::size_t kBatch = 1024;
    static constexpr std::uint32_t kStatesPerLook = 64;

    struct Tree {
        Tree(unsigned node_bits, const std::vector<Node>& roots) : bits(node_bits) {
            for (const Node root : roots) add(root, root);
        }
        void add(Node node, Node parent) {
            if (node >= parents.size()) parents.resize(std::max<std::size_t>(node + 1, parents.size() * 3 / 2), kNone);
            if (parents[node] != kNone) return;
            parents[node] = parent;
            queue.push_back(node);
        }
        [[nodiscard]] bool has(Node node) const { return node < parents.size() && parents[node] != kNone; }
        // From a root.
        [[nodiscard]] std::vector<Node> way_to(Node node) const {
            std::vector<Node> way{node};
            while (parents[way.back()] != way.back()) way.push_back(parents[way.back()]);
            std::reverse(way.begin(), way.end());
            return way;
        }

        unsigned bits;
        std::vector<Node> parents;  // by node; of a root: itself
        std::vector<Node> queue;
        std::size_t next = 0;  // in the queue
    };

    static bool any_step(Node, Number to, model::Marks, successor::Key, Node& node) {
        node = to;
        return true;
    }

    [[nodiscard]] const store::NumberedTable& table() const { return known_ != nullptr ? *known_ : *own_; }

    // Nothing: the state may not be entered.
    std::optional<Number> number_of(const Word* state) {
        return number_of(state, successor::hash_state(state, system_->state_words()));
    }
    std::optional<Number> number_of(const Word* state, std::uint64_t hash) {
        if (known_ == nullptr) return own_->insert(state, hash).number;
        const std::optional<Number> number = known_->find(state, hash);
        return number && may_enter_(*number) ? number : std::nullopt;
    }

    std::vector<Node> roots() {
        std::vector<Node> result;
        for (const std::vector<Word>& state : system_->initial_states())
            if (const std::optional<Number> number = number_of(state.data())) result.push_back(*number);
        return result;
    }

    // Continues a search until is_goal(node) is true of a node in it. admit(from, to, marks, key, node) gives the node
    // that a step leads to; false: the step is not taken. False: the budget is exhausted, or there is no such node.
    template <class Admit, class IsGoal>
    bool reach(Tree& tree, Admit admit, IsGoal is_goal) {
        support::BudgetPoll poll(*budget_, kStatesPerLook);
        bool is_found = false;
        while (!is_found && tree.next < tree.queue.size()) {
            if (poll.is_exhausted()) return false;
            const Node from = tree.queue[tree.next++];
            expand(from >> tree.bits, [&](Number to, model::Marks marks, successor::Key key) {
                Node node = 0;
                if (!admit(from, to, marks, key, node)) return;
                tree.add(node, from);
                is_found = is_goal(node) || is_found;
            });
        }
        return is_found;
    }

    template <class IsGoal>
    std::optional<std::vector<Number>> stem_to(IsGoal is_goal) {
        const std::vector<Node> initial = roots();
        for (const Node root : initial)
            if (is_goal(root)) return std::vector<Number>{root};
        Tree stem(0, initial);
        Node goal = kNone;
        const bool is_found = reach(stem, any_step, [&](Node node) {
            if (goal != kNone || !is_goal(node)) return false;
            goal = node;
            return true;
        });
        if (!is_found) return std::nullopt;
        return stem.way_to(goal);
    }

    template <class Visit>
    void expand(Number state, Visit visit) {
        source_.resize(system_->state_words());
        table().read(state, source_.data());
        successor::Cursor cursor;
        for (;;) {
            batch_->restart(0);
            const successor::Expansion expansion = expander_->expand(source_.data(), 1, cursor, *batch_);
            batch_->compute_hashes();
            for (std::size_t i = 0; i < batch_->size(); ++i) {
                if (batch_->fault(i) != model::FaultKind::none) continue;
                if (const std::optional<Number> to = number_of(batch_->state(i), batch_->hash(i)))
                    visit(*to, batch_->marks(i), batch_->key(i));
            }
            if (expansion == successor::Expansion::needs_repacking) {
                if (known_ != nullptr) return;  // a limit has ended its expansion here: nothing behind it is known
                widen();
                source_.resize(system_->state_words());
                table().read(state, source_.data());
                continue;
            }
            // Where the measure cannot be evaluated, the rest is left out; another way may be found.
            if (expansion != successor::Expansion::full) return;
        }
    }

    void widen() {
        std::shared_ptr<const successor::System> wider = system_->with_wider_fields(*expander_);
        assert(wider && "a system that needs repacking has a wider one");
        own_->repack(wider->state_words(), wider->state_bytes(), wider->repacking(*system_));
        system_ = std::move(wider);
        renew();
    }

    void renew() {
        // Known states are not packed again; other searches are searches as an engine's.
        expander_ = known_ != nullptr ? system_->expander() : system_->search_expander();
        batch_.emplace(system_->state_words(), kBatch);
    }

    [[nodiscard]] std::optional<std::vector<Word>> packed(const std::vector<Number>& path) const {
        const std::size_t words = system_->state_words();
        if (!budget_->allows(path.size() * words * sizeof(Word))) return std::nullopt;
        std::vector<Word> result(path.size() * words);
        for (std::size_t i = 0; i < path.size(); ++i) table().read(path[i], result.data() + i * words);
        return result;
    }
    [[nodiscard]] std::optional<PackedLasso> lasso(const std::vector<Number>& run, std::size_t loop) const {
        std::optional<std::vector<Word>> states = packed(run);
        if (!states) return std::nullopt;
        return PackedLasso{*std::move(states), loop, system_};
    }

    std::shared_ptr<const successor::System> first_system_;
    std::shared_ptr<const successor::System> system_;
    model::Marks wanted_;
    const support::Budget* budget_ = nullptr;  // of the call
    store::MemoryBudget memory_;
    std::optional<store::NumberedTable> own_;
    const store::NumberedTable* known_ = nullptr;
    std::function<bool(Number)> may_enter_;
    std::optional<Tree> paths_;  // of path_to()
    std::unique_ptr<successor::Expander> expander_;
    std::optional<successor::SuccessorBatch> batch_;
    std::vector<Word> source_;
};

LassoFinder::LassoFinder(std::shared_ptr<const successor::System> system, model::Marks wanted)
    : search_(std::make_unique<Search>(std::move(system), wanted)) {}

LassoFinder::LassoFinder(std::shared_ptr<const successor::System> system, model::Marks wanted,
                         const store::NumberedTable& known, std::function<bool(Number)> may_enter)
    : search_(std::make_unique<Search>(std::move(system), wanted, known, std::move(may_enter))) {}

LassoFinder::~LassoFinder() = default;

std::optional<PackedLasso> LassoFinder::through(const std::vector<Word>& state, const support::Budget& budget,
                                                std::optional<successor::Key> layer) try {
    return search_->through(state, layer, budget);
} catch (const std::bad_alloc&) {
    return std::nullopt;
}

std::optional<PackedLasso> LassoFinder::into(const Contains& contains, const support::Budget& budget) try {
    return search_->into(contains, budget);
} catch (const std::bad_alloc&) {
    return std::nullopt;
}

std::optional<PackedRun> LassoFinder::path_to(const std::vector<Word>& state, const support::Budget& budget) try {
    return search_->path_to(state, budget);
} catch (const std::bad_alloc&) {
    return std::nullopt;
}

}  // namespace tideline::check::ltl
