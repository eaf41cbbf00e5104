#include "check/ltl/lasso.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <new>
#include <unordered_map>
#include <unordered_set>

#include "support/components.hpp"

namespace tideline::check::ltl {
namespace {

using Number = LassoFinder::Number;
using Word = LassoFinder::Word;

}  // namespace

// A node of a search is a state, or a state with a bit: number << bits | bit. Their paths are shortest, since searches
// are breadth-first.
class LassoFinder::Search {
public:
    Search(std::shared_ptr<const successor::System> system, model::Marks wanted, std::uint64_t most)
        : first_system_(system),
          system_(std::move(system)),
          wanted_(wanted),
          most_(most),
          memory_([this](std::uint64_t bytes) { return budget_ == nullptr || budget_->allows(bytes); }),
          own_(std::in_place, system_->state_words(), system_->state_bytes(), memory_) {
        renew();
    }
    Search(std::shared_ptr<const successor::System> system, model::Marks wanted, const store::NumberedTable& known,
           std::function<bool(Number)> may_enter)
        : first_system_(system),
          system_(std::move(system)),
          wanted_(wanted),
          most_(kAll),
          known_(&known),
          may_enter_(std::move(may_enter)) {
        renew();
    }
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

    std::optional<PackedLasso> through(const std::vector<Word>& seed, std::optional<successor::Key> layer,
                                       const support::Budget& budget) {
        budget_ = &budget;
        const std::optional<Number> number = number_of_given(seed.data());
        if (!number) return std::nullopt;
        const std::optional<Part> part =
            part_around(*number, [&](Number, successor::Key key) { return !layer || key == *layer; });
        if (part) return shortest_into(*part);
        if (std::popcount(wanted_) > 1) return std::nullopt;
        // From the state without the mark to the state with it.
        const Node goal = *number << 1U | 1U;
        Tree cycle(1, {*number << 1U}, budget, Tree::Size::large);
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
        return with_stem(round);
    }

    std::optional<PackedLasso> onto(const PackedLasso& run, const support::Budget& budget) {
        budget_ = &budget;
        std::vector<Number> round;
        for (std::size_t i = run.loop * run.system->state_words(); i < run.states.size();
             i += run.system->state_words()) {
            const std::optional<Number> number = number_of_given(run.states.data() + i);
            if (!number) return std::nullopt;
            round.push_back(*number);
        }
        return with_stem(round);
    }

    std::optional<PackedLasso> into(const Contains& contains, const support::Budget& budget) {
        std::vector<Word> words(system_->state_words());
        return into_set(
            [&](Number state) {
                words.resize(system_->state_words());
                table().read(state, words.data());
                return contains(*system_, words.data());
            },
            budget);
    }
    std::optional<PackedLasso> into(const ContainsNumber& contains, const support::Budget& budget) {
        return into_set(contains, budget);
    }

    std::optional<PackedRun> path_to(const std::vector<Word>& state, const support::Budget& budget) {
        budget_ = &budget;
        const std::optional<Number> number = number_of_given(state.data());
        if (!number) return std::nullopt;
        if (!paths_) paths_.emplace(0, roots(), no_limit_, Tree::Size::large);
        paths_->budget = budget_;
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
        enum class Size : std::uint8_t { small, large };  // of a large one numbers are mostly reached

        // Throws std::bad_alloc where the budget does not have the memory, as add() does.
        Tree(unsigned node_bits, const std::vector<Node>& roots, const support::Budget& of, Size expected)
            : bits(node_bits), budget(&of), size(expected) {
            for (const Node root : roots) add(root, root);
        }
        void add(Node node, Node parent) {
            if (has(node)) return;
            if (queue.size() == queue.capacity()) require(queue.size() * kBytes);
            if (size == Size::small) {
                few.emplace(node, parent);
            } else {
                if (node >= parents.size()) {
                    const std::size_t more = std::max<std::size_t>(node + 1, parents.size() * 3 / 2);
                    require(more * sizeof(Node));
                    parents.resize(more, kNone);
                }
                parents[node] = parent;
            }
            queue.push_back(node);
        }
        [[nodiscard]] bool has(Node node) const {
            return size == Size::small ? few.contains(node) : node < parents.size() && parents[node] != kNone;
        }
        // From a root.
        [[nodiscard]] std::vector<Node> way_to(Node node) const {
            std::vector<Node> way{node};
            for (Node parent = parent_of(node); parent != way.back(); parent = parent_of(parent)) way.push_back(parent);
            std::reverse(way.begin(), way.end());
            return way;
        }

        unsigned bits;
        const support::Budget* budget;
        Size size;
        std::vector<Node> parents;             // by node; of a root: itself
        std::unordered_map<Node, Node> few{};  // of a small one
        std::vector<Node> queue;
        std::size_t next = 0;  // in the queue

    private:
        static constexpr std::uint64_t kBytes = 64;  // of a node in the queue and the table
        void require(std::uint64_t bytes) const {
            if (!budget->allows(bytes)) throw std::bad_alloc();
        }
        [[nodiscard]] Node parent_of(Node node) const { return size == Size::small ? few.at(node) : parents[node]; }
    };

    // A part of the graph that is strongly connected, has an edge inside, and all marks on such edges.
    struct Part {
        std::vector<Number> states;
        std::vector<std::uint64_t> offsets{0};
        std::vector<std::uint32_t> targets{};
        std::vector<model::Marks> marks{};  // of the edges
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

    // A state as the system packed it in the beginning.
    std::optional<Number> number_of_given(const Word* state) {
        if (system_ == first_system_) return number_of(state);
        std::vector<Word> words(system_->state_words());
        system_->repacking (*first_system_)(state, words.data());
        return number_of(words.data());
    }

    // ---- parts of the graph

    // The states nearest behind one that are connected with it, over states that admit(state, key) lets pass.
    template <class Admit>
    std::optional<Part> part_around(Number start, Admit admit) {
        constexpr std::size_t kNear = 2048;  // states
        support::BudgetPoll poll(*budget_, kStatesPerLook);
        std::vector<Number> states{start};
        std::unordered_map<Number, std::uint32_t> place{{start, 0}};
        Part near;
        for (std::size_t i = 0; i < states.size(); ++i) {
            if (i < kNear) {
                if (poll.is_exhausted()) return std::nullopt;
                expand(states[i], [&](Number to, model::Marks marks, successor::Key key) {
                    if (!admit(to, key)) return;
                    const auto [found, is_new] = place.try_emplace(to, static_cast<std::uint32_t>(states.size()));
                    if (is_new) states.push_back(to);
                    near.targets.push_back(found->second);
                    near.marks.push_back(marks & wanted_);
                });
            }
            near.offsets.push_back(near.targets.size());
        }
        const support::ArrayGraph<std::uint32_t> graph(near.offsets, near.targets);
        const std::vector<std::uint32_t> component = support::component_numbers(graph).of;
        Part part;
        std::vector<std::uint32_t> inner(states.size());
        for (std::size_t i = 0; i < states.size(); ++i) {
            if (component[i] != component[0]) continue;
            inner[i] = static_cast<std::uint32_t>(part.states.size());
            part.states.push_back(states[i]);
        }
        model::Marks found = 0;
        for (std::size_t i = 0; i < states.size(); ++i) {
            if (component[i] != component[0]) continue;
            for (std::uint64_t edge = near.offsets[i]; edge < near.offsets[i + 1]; ++edge) {
                if (component[near.targets[edge]] != component[0]) continue;
                part.targets.push_back(inner[near.targets[edge]]);
                part.marks.push_back(near.marks[edge]);
                found |= near.marks[edge];
            }
            part.offsets.push_back(part.targets.size());
        }
        if (part.targets.empty() || found != wanted_) return std::nullopt;
        return part;
    }

    // The shortest of the runs that enter the part at one of its states: those nearest to an initial state are tried.
    std::optional<PackedLasso> shortest_into(const Part& part) {
        constexpr std::uint64_t kMoreStates = 4096;               // of the search for stems, once there is a run
        constexpr std::uint64_t kWork = std::uint64_t{1} << 22U;  // edges of the searches for cycles
        std::unordered_map<Number, std::uint32_t> place;
        for (std::size_t i = 0; i < part.states.size(); ++i) place[part.states[i]] = static_cast<std::uint32_t>(i);
        support::BudgetPoll poll(*budget_, kStatesPerLook);
        Tree stem(0, roots(), *budget_, Tree::Size::large);
        std::vector<Number> best;
        std::size_t loop = 0;
        std::uint64_t work = 0;
        std::uint64_t most = most_;
        std::size_t level_end = stem.queue.size();
        std::size_t distance = 0;  // of the states in this level
        std::size_t looked = 0;
        std::size_t tried = 0;
        for (;;) {
            for (; looked < level_end && work < kWork; ++looked) {
                const auto entry = place.find(stem.queue[looked]);
                if (entry == place.end()) continue;
                ++tried;
                const std::vector<std::uint32_t> cycle = cycle_through(part, entry->second, work);
                if (!best.empty() && distance + cycle.size() >= best.size()) continue;
                best = stem.way_to(stem.queue[looked]);
                loop = best.size() - 1;
                for (std::size_t i = 1; i < cycle.size(); ++i) best.push_back(part.states[cycle[i]]);
                if (most == most_) most = std::min(most_, 2 * stem.next + kMoreStates);
            }
            // A cycle has a state at least.
            if (tried == part.states.size() || work >= kWork || (!best.empty() && distance + 2 >= best.size())) break;
            for (; stem.next < level_end && stem.next < most && !poll.is_exhausted(); ++stem.next) {
                const Node from = stem.queue[stem.next];
                expand(from, [&](Number to, model::Marks, successor::Key) { stem.add(to, from); });
            }
            if (stem.next < level_end || stem.queue.size() == level_end) break;
            level_end = stem.queue.size();
            ++distance;
        }
        if (best.empty()) return std::nullopt;
        return lasso(best, loop);
    }

    // The states of a cycle that begins with this one.
    std::vector<std::uint32_t> cycle_through(const Part& part, std::uint32_t entry, std::uint64_t& work) const {
        constexpr int kMostMarks = 4;
        std::vector<std::uint32_t> cycle{entry};
        if (std::popcount(wanted_) <= kMostMarks) {
            (void)extend(part, cycle, entry, wanted_, work);
            cycle.pop_back();
            return cycle;
        }
        for (model::Marks missing = wanted_; missing != 0;)
            missing &= ~extend(part, cycle, std::nullopt, missing, work);
        if (cycle.back() != entry) (void)extend(part, cycle, entry, 0, work);
        cycle.pop_back();
        return cycle;
    }

    // Adds a shortest way to a state that carries all of these marks; to any state: to the end of the first step that
    // carries one of them. Returns what that has.
    static model::Marks extend(const Part& part, std::vector<std::uint32_t>& way, std::optional<std::uint32_t> goal,
                               model::Marks missing, std::uint64_t& work) {
        const unsigned bits = goal ? static_cast<unsigned>(std::popcount(missing)) : 0;
        const auto seen_of = [&](model::Marks marks) {
            std::uint64_t seen = 0;
            unsigned place = 0;
            for (model::Marks rest = missing; rest != 0 && goal; rest &= rest - 1, ++place)
                if ((marks & rest & (~rest + 1)) != 0) seen |= std::uint64_t{1} << place;
            return seen;
        };
        const std::uint64_t start = std::uint64_t{way.back()} << bits;
        const std::uint64_t all = (std::uint64_t{1} << bits) - 1;
        std::vector<std::uint64_t> parents(part.states.size() << bits, kNone);
        std::vector<std::uint64_t> queue{start};
        const auto append = [&](std::uint64_t node) {
            std::vector<std::uint32_t> back;
            do {
                back.push_back(static_cast<std::uint32_t>(node >> bits));
                node = parents[node];
            } while (node != start);
            way.insert(way.end(), back.rbegin(), back.rend());
        };
        for (std::size_t next = 0; next < queue.size(); ++next) {
            const std::uint64_t from = queue[next];
            const std::uint64_t state = from >> bits;
            for (std::uint64_t edge = part.offsets[state]; edge < part.offsets[state + 1]; ++edge) {
                ++work;
                const std::uint64_t node =
                    std::uint64_t{part.targets[edge]} << bits | (from & all) | seen_of(part.marks[edge]);
                const model::Marks found = goal ? 0 : part.marks[edge] & missing;
                if (parents[node] == kNone && (node != start || goal || found != 0)) {
                    parents[node] = from;
                    queue.push_back(node);
                }
                if (found != 0) {
                    // The step itself counts, wherever it leads to.
                    if (state != start) append(from);
                    way.push_back(part.targets[edge]);
                    return found;
                }
                if (goal && node == (std::uint64_t{*goal} << bits | all)) {
                    append(node);
                    return missing;
                }
            }
        }
        assert(false && "the part is strongly connected and has all marks");
        return missing;
    }

    // ---- runs

    // A shortest path to the nearest state of a cycle, then the cycle.
    std::optional<PackedLasso> with_stem(const std::vector<Number>& round) {
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

    template <class Inside>
    std::optional<PackedLasso> into_set(const Inside& is_inside, const support::Budget& budget) {
        budget_ = &budget;
        std::optional<std::vector<Number>> run = stem_to(is_inside);
        if (!run) return std::nullopt;
        const std::size_t loop = run->size() - 1;
        const Number entry = run->back();
        if (const std::optional<Part> part =
                part_around(entry, [&](Number to, successor::Key) { return is_inside(to); }))
            return shortest_into(*part);
        model::Marks missing = wanted_;
        bool is_closed = false;
        while (missing != 0 || !is_closed) {
            // To the next step that carries something missing, or back.
            model::Marks found = 0;
            Number last = 0;
            Node source = 0;
            bool is_found = false;
            Tree leg(0, {run->back()}, budget, Tree::Size::small);
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

    // Continues a search until is_goal(node) is true of a node in it. admit(from, to, marks, key, node) gives the node
    // that a step leads to; false: the step is not taken. False: the budget is exhausted, or there is no such node.
    template <class Admit, class IsGoal>
    bool reach(Tree& tree, Admit admit, IsGoal is_goal) {
        support::BudgetPoll poll(*budget_, kStatesPerLook);
        bool is_found = false;
        while (!is_found && tree.next < tree.queue.size()) {
            if (tree.next >= most_ || poll.is_exhausted()) return false;
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
        Tree stem(0, initial, *budget_, Tree::Size::large);
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
    std::uint64_t most_;                       // states that a search expands
    const support::Budget no_limit_{};         // before the first call
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

LassoFinder::LassoFinder(std::shared_ptr<const successor::System> system, model::Marks wanted, std::uint64_t most)
    : search_(std::make_unique<Search>(std::move(system), wanted, most)) {}

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

std::optional<PackedLasso> LassoFinder::into(const ContainsNumber& contains, const support::Budget& budget) try {
    return search_->into(contains, budget);
} catch (const std::bad_alloc&) {
    return std::nullopt;
}

std::optional<PackedLasso> LassoFinder::onto(const PackedLasso& run, const support::Budget& budget) try {
    return search_->onto(run, budget);
} catch (const std::bad_alloc&) {
    return std::nullopt;
}

std::optional<PackedRun> LassoFinder::path_to(const std::vector<Word>& state, const support::Budget& budget) try {
    return search_->path_to(state, budget);
} catch (const std::bad_alloc&) {
    return std::nullopt;
}

PackedLasso shortened(PackedLasso run, const ShorterRun& how, const support::Budget& budget) {
    constexpr std::uint64_t kFew = 4096;  // states
    const std::size_t words = run.system->state_words();
    const auto length = [](const PackedLasso& lasso) { return lasso.states.size() / lasso.system->state_words(); };
    LassoFinder finder(run.system, how.wanted, how.expanded + kFew);
    const auto at = [&](std::size_t i) { return run.states.begin() + static_cast<std::ptrdiff_t>(i * words); };
    std::optional<PackedLasso> found;
    if (!how.same_cycle) found = finder.through({at(run.loop), at(run.loop + 1)}, budget);
    if (!found) found = finder.onto(run, budget);
    return found && length(*found) <= length(run) ? *std::move(found) : std::move(run);
}

}  // namespace tideline::check::ltl
