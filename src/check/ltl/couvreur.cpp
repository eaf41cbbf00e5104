#include "check/ltl/couvreur.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <unordered_map>

#include "check/numbered_states.hpp"
#include "support/memory.hpp"

namespace tideline::check::ltl {
namespace {

using Number = NumberedStates::Number;

// When a state was entered, counted from 1.
using Order = std::uint32_t;
constexpr Order kUnseen = 0;
constexpr Order kLeft = ~Order{0};  // its component has been left: nothing to be found there

struct Target {
    Number state;
    std::uint32_t marks;  // their index among the different ones
};

// A state on the search's path, with the targets of its steps on a common stack.
struct Frame {
    Number state;
    std::uint64_t first_target;
    std::uint64_t next_target;
};

struct Component {
    Order first;  // of its states
    model::Marks inside;
    model::Marks entering;  // of the step that led into it
};

class Couvreur final : public EmptinessEvidence {
public:
    Couvreur(std::shared_ptr<const successor::System> system, model::Marks marks,
             const explore::SearchSettings& settings, std::function<void(const explore::Statistics&)> tick)
        : system_(std::move(system)),
          wanted_(marks),
          settings_(settings),
          tick_(std::move(tick)),
          memory_(settings.limits().limits().memory),
          try_reserve_([this](std::uint64_t bytes) { return memory_.allows(bytes); }),
          states_(system_->state_words(), system_->state_bytes(), try_reserve_),
          start_(Clock::now()),
          next_tick_(start_ + kTick) {
        renew();
    }

    EmptinessResult run() {
        EmptinessResult result;
        try {
            search();
        } catch (const std::bad_alloc&) {
            reason_ = support::StopReason::memory;
        }
        for (const auto& [key, fault] : faults_)
            result.faults.push_back({key.first, key.second, fault.occurrences, packed(fault.state)});
        update_statistics();
        tick_(statistics_);
        result.complete = reason_ == support::StopReason::none;
        result.reason = reason_;
        result.statistics = statistics_;
        result.system = system_;
        keep_for_evidence();
        return result;
    }

    std::optional<PackedLasso> accepting_run(const support::Budget& budget) override {
        assert(reason_ == support::StopReason::violation);
        try {
            return find_accepting_run(budget);
        } catch (const std::bad_alloc&) {
            return std::nullopt;
        }
    }

    std::optional<std::vector<successor::Word>> path_to_fault(std::size_t i, const support::Budget& budget) override {
        try {
            if (!tree_) tree_.emplace(expanded_roots(), parents_for(budget));
            const auto fault = std::next(faults_.begin(), static_cast<std::ptrdiff_t>(i));
            if (!reach(*tree_, fault->second.state, budget)) return std::nullopt;
            return packed(way_from_root(*tree_, fault->second.state), budget);
        } catch (const std::bad_alloc&) {
            return std::nullopt;
        }
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kTick{100};
    static constexpr std::uint64_t kStatesPerLook = 256;
    static constexpr std::size_t kBatch = 1024;
    static constexpr Number kNoState = ~Number{0};

    struct FirstFault {
        Number state;
        std::uint64_t occurrences;
    };

    // ---- the search
    // ------------------------------------------------------------------------------------------------------------

    void search() {
        for (const std::vector<successor::Word>& state : system_->initial_states())
            number_of(state.data(), successor::hash_state(state.data(), state.size()));
        initial_ = static_cast<Number>(orders_.size());
        for (Number root = 0; root < initial_ && reason_ == support::StopReason::none; ++root)
            if (orders_[root] == kUnseen) search_from(root);
    }

    // All components that can be reached from the root are closed in the end, unless one is accepting.
    void search_from(Number root) {
        enter(root, 0);
        while (!path_.empty() && reason_ == support::StopReason::none) {
            Frame& frame = path_.back();
            if (frame.next_target == targets_.size()) {
                leave();
                continue;
            }
            const Target target = targets_[frame.next_target++];
            const Order order = orders_[target.state];
            if (order == kUnseen) enter(target.state, different_marks_[target.marks]);
            else if (order != kLeft) join(order, different_marks_[target.marks]);
        }
    }

    void enter(Number state, model::Marks entering) {
        assert(entered_ < kLeft - 1);
        orders_[state] = ++entered_;
        grow(live_);
        live_.push_back(state);
        grow(components_);
        components_.push_back({entered_, 0, entering});
        grow(path_);
        path_.push_back({state, targets_.size(), targets_.size()});
        expand(state, true, [&](Number to, model::Marks marks) {
            if (orders_[to] == kLeft) return;
            grow(targets_);
            targets_.push_back({to, place_of(marks)});
        });
        statistics_.depth = std::max<std::uint64_t>(statistics_.depth, path_.size());
        if (++expanded_ % kStatesPerLook == 0) look_at_limits();
    }

    // A step back to a live state: everything from that state's component on has become one.
    void join(Order order, model::Marks marks) {
        while (components_.back().first > order) {
            marks |= components_.back().inside | components_.back().entering;
            components_.pop_back();
        }
        components_.back().inside |= marks;
        if ((components_.back().inside & wanted_) == wanted_) reason_ = support::StopReason::violation;
    }

    void leave() {
        const Frame frame = path_.back();
        path_.pop_back();
        targets_.resize(frame.first_target);
        if (components_.back().first != orders_[frame.state]) return;
        components_.pop_back();
        Number state = kNoState;
        do {
            state = live_.back();
            live_.pop_back();
            orders_[state] = kLeft;
        } while (state != frame.state);
    }

    std::uint32_t place_of(model::Marks marks) {
        if (last_marks_ < different_marks_.size() && different_marks_[last_marks_] == marks) return last_marks_;
        const auto [found, is_new] =
            place_of_marks_.try_emplace(marks, static_cast<std::uint32_t>(different_marks_.size()));
        if (is_new) different_marks_.push_back(marks);
        return last_marks_ = found->second;
    }

    // ---- states and steps
    // ------------------------------------------------------------------------------------------------------

    Number number_of(const successor::Word* state, std::uint64_t hash) {
        const NumberedStates::Insertion inserted = states_.insert(state, hash);
        if (inserted.is_new) {
            grow(orders_);
            orders_.push_back(kUnseen);
        }
        return inserted.number;
    }

    // Calls visit(number, marks) for each step of a state. `first`: faults and figures are counted.
    template <class Visit>
    void expand(Number state, bool first, Visit visit) {
        states_.read(state, source_.data());
        successor::Cursor cursor;
        bool any = false;
        for (;;) {
            batch_->restart(0);
            const successor::Expansion expansion = expander_->expand(source_.data(), 1, cursor, *batch_);
            batch_->compute_hashes();
            for (std::size_t i = 0; i < batch_->size(); ++i) states_.prefetch(batch_->hash(i));
            for (std::size_t i = 0; i < batch_->size(); ++i) {
                any = true;
                if (batch_->fault(i) != model::FaultKind::none) {
                    if (first) meet_fault(state, batch_->transition(i), batch_->fault(i));
                    continue;
                }
                statistics_.transitions += first ? 1 : 0;
                visit(number_of(batch_->state(i), batch_->hash(i)), batch_->marks(i));
            }
            assert(expansion != successor::Expansion::key_undefined && "no measure is evaluated here");
            if (expansion == successor::Expansion::done) break;
            if (expansion == successor::Expansion::needs_repacking) {
                widen();
                states_.read(state, source_.data());
            }
        }
        if (first && !any) ++statistics_.deadlocks;
    }

    void meet_fault(Number state, model::TransitionId transition, model::FaultKind kind) {
        ++statistics_.faults;
        ++faults_.try_emplace({transition, kind}, FirstFault{state, 0}).first->second.occurrences;
    }

    void widen() {
        const std::uint64_t before = memory_.taken();
        std::shared_ptr<const successor::System> wider = system_->with_wider_fields(*expander_);
        // Machine code, which is part of the program, may have come with it.
        if (const std::uint64_t now = memory_.taken(); now > before) memory_.set_aside(now - before);
        assert(wider && "a system that says needs_repacking can be with_wider_fields");
        states_.repack(wider->state_words(), wider->state_bytes(), wider->repacking(*system_));
        system_ = std::move(wider);
        renew();
    }

    // What depends on the packing.
    void renew() {
        expander_ = system_->search_expander();
        batch_.emplace(system_->state_words(), kBatch);
        source_.resize(system_->state_words());
    }

    [[nodiscard]] std::vector<successor::Word> packed(Number state) const {
        std::vector<successor::Word> words(system_->state_words());
        states_.read(state, words.data());
        return words;
    }

    // ---- limits
    // ----------------------------------------------------------------------------------------------------------------

    // Before a vector doubles.
    template <class T>
    void grow(std::vector<T>& vector) const {
        constexpr std::size_t kNoticeable = std::size_t{1} << 20U;
        if (vector.size() < vector.capacity() || vector.size() * sizeof(T) < kNoticeable) return;
        const std::size_t more = vector.size() + vector.size() / 2;
        if (!try_reserve_(more * sizeof(T))) throw std::bad_alloc();
        vector.reserve(more);
    }

    void look_at_limits() {
        if (reason_ != support::StopReason::none) return;
        const Clock::time_point now = Clock::now();
        if (settings_.states && states_.size() >= *settings_.states) reason_ = support::StopReason::states;
        if (const auto left = settings_.limits().time_left(); left && *left <= std::chrono::nanoseconds(1))
            reason_ = support::StopReason::time;
        if (now < next_tick_) return;
        next_tick_ = now + kTick;
        if (settings_.limits().is_interrupted()) reason_ = support::StopReason::interrupted;
        if (!try_reserve_(0)) reason_ = support::StopReason::memory;
        update_statistics();
        tick_(statistics_);
    }

    void update_statistics() {
        statistics_.states = statistics_.peak_states = states_.size();
        statistics_.expanded = expanded_;
        statistics_.waiting = states_.size() - expanded_;
        statistics_.layers = 1;
        statistics_.state_bytes = system_->state_bytes();
        statistics_.compile_seconds = system_->compile_seconds();
        statistics_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    }

    // ---- evidence
    // --------------------------------------------------------------------------------------------------------------

    // States and orders remain, and the first state of the component that was found.
    void keep_for_evidence() {
        first_of_component_ = components_.empty() ? kLeft : components_.back().first;
        path_ = {};
        targets_ = {};
        live_ = {};
        components_ = {};
        tick_ = {};
        // Another packing is not asked for any more: all these states have been expanded in this one.
        expander_ = system_->expander();
    }

    [[nodiscard]] bool is_in_component(Number state) const {
        return orders_[state] != kLeft && orders_[state] >= first_of_component_;
    }

    [[nodiscard]] std::vector<Number> expanded_roots() const {
        std::vector<Number> roots;
        for (Number root = 0; root < initial_; ++root)
            if (orders_[root] != kUnseen) roots.push_back(root);
        return roots;
    }

    // A breadth-first search over expanded states that can be continued.
    struct Tree {
        Tree(std::vector<Number> roots, std::vector<Number> its_parents)
            : parents(std::move(its_parents)), queue(std::move(roots)) {
            for (const Number root : queue) parents[root] = root;
        }
        std::vector<Number> parents;  // by number; of a root: itself; kNoState: not reached
        std::vector<Number> queue;
        std::size_t next = 0;  // in the queue
    };

    // One entry per state. Throws std::bad_alloc where there is no room for them and for the queue.
    [[nodiscard]] std::vector<Number> parents_for(const support::Budget& budget) const {
        if (!budget.allows(orders_.size() * 2 * sizeof(Number))) throw std::bad_alloc();
        return std::vector<Number>(orders_.size(), kNoState);
    }

    // Continues the search with one state, and calls visit(to, marks) for every step to a state that may belong to a
    // path.
    template <class Visit>
    void grow_tree(Tree& tree, bool inside, Visit visit) {
        const Number state = tree.queue[tree.next++];
        expand(state, false, [&](Number to, model::Marks marks) {
            if (to >= tree.parents.size() || orders_[to] == kUnseen || (inside && !is_in_component(to))) return;
            if (visit(state, to, marks) || tree.parents[to] != kNoState) return;
            tree.parents[to] = state;
            tree.queue.push_back(to);
        });
    }

    // False: the budget was exhausted first.
    bool reach(Tree& tree, Number wanted, const support::Budget& budget) {
        support::BudgetPoll poll(budget, kStatesPerLook);
        while (tree.parents[wanted] == kNoState) {
            if (poll.is_exhausted()) return false;
            assert(tree.next < tree.queue.size() && "every expanded state is reached over expanded states");
            grow_tree(tree, false, [](Number, Number, model::Marks) { return false; });
        }
        return true;
    }

    [[nodiscard]] static std::vector<Number> way_from_root(const Tree& tree, Number state) {
        std::vector<Number> way{state};
        while (tree.parents[way.back()] != way.back()) way.push_back(tree.parents[way.back()]);
        std::reverse(way.begin(), way.end());
        return way;
    }

    // The states of a shortest path from one of `from`, which comes first, over expanded states to the first step that
    // is wanted, whose target comes last. Empty where the budget was exhausted. `parents` is as it was before.
    template <class Wanted>
    std::vector<Number> path_to(std::vector<Number> from, std::vector<Number>& parents, bool inside,
                                const support::Budget& budget, Wanted is_wanted) {
        support::BudgetPoll poll(budget, kStatesPerLook);
        Tree tree(std::move(from), std::move(parents));
        std::vector<Number> path;
        while (path.empty() && !poll.is_exhausted()) {
            assert(tree.next < tree.queue.size() && "there is a path");
            grow_tree(tree, inside, [&](Number state, Number to, model::Marks marks) {
                if (!path.empty()) return true;
                if (!is_wanted(to, marks)) return false;
                path = way_from_root(tree, state);
                path.push_back(to);
                return true;
            });
        }
        for (const Number state : tree.queue) tree.parents[state] = kNoState;
        parents = std::move(tree.parents);
        return path;
    }

    std::optional<PackedLasso> find_accepting_run(const support::Budget& budget) {
        std::vector<Number> parents = parents_for(budget);
        const std::vector<Number> roots = expanded_roots();
        const auto inside =
            std::find_if(roots.begin(), roots.end(), [&](Number root) { return is_in_component(root); });
        std::vector<Number> run;
        if (inside != roots.end()) run = {*inside};
        else run = path_to(roots, parents, false, budget, [&](Number to, model::Marks) { return is_in_component(to); });
        if (run.empty()) return std::nullopt;
        const std::size_t loop = run.size() - 1;
        const Number entry = run.back();
        const auto append = [&](const std::vector<Number>& path) {
            if (!path.empty()) run.insert(run.end(), path.begin() + 1, path.end());
            return !path.empty();
        };
        model::Marks missing = wanted_;
        while (missing != 0) {
            model::Marks found = 0;
            const bool is_found = append(path_to({run.back()}, parents, true, budget, [&](Number, model::Marks marks) {
                found = marks & missing;
                return found != 0;
            }));
            if (!is_found) return std::nullopt;
            missing &= ~found;
        }
        const bool is_closed = run.back() == entry && run.size() > loop + 1;
        if (!is_closed &&
            !append(path_to({run.back()}, parents, true, budget, [&](Number to, model::Marks) { return to == entry; })))
            return std::nullopt;
        run.pop_back();
        std::optional<std::vector<successor::Word>> states = packed(run, budget);
        if (!states) return std::nullopt;
        return PackedLasso{*std::move(states), loop, system_};
    }

    [[nodiscard]] std::optional<std::vector<successor::Word>> packed(const std::vector<Number>& path,
                                                                     const support::Budget& budget) const {
        const std::size_t words = system_->state_words();
        if (!budget.allows(std::uint64_t{path.size()} * words * sizeof(successor::Word))) return std::nullopt;
        std::vector<successor::Word> result(path.size() * words);
        for (std::size_t i = 0; i < path.size(); ++i) states_.read(path[i], result.data() + i * words);
        return result;
    }

    std::shared_ptr<const successor::System> system_;
    model::Marks wanted_;
    explore::SearchSettings settings_;
    std::function<void(const explore::Statistics&)> tick_;
    support::MemoryLimit memory_;
    store::MemoryBudget try_reserve_;
    NumberedStates states_;
    Number initial_ = 0;         // so many of the first states are initial
    std::vector<Order> orders_;  // by number
    std::vector<Frame> path_;
    std::vector<Target> targets_;  // of the states on the path, those of the last one at the end
    std::vector<model::Marks> different_marks_;
    std::unordered_map<model::Marks, std::uint32_t> place_of_marks_;
    std::uint32_t last_marks_ = 0;       // the index that was asked for last
    std::vector<Component> components_;  // on the path, the last one on top
    std::vector<Number> live_;           // states of those components, in the order in which they were entered
    Order entered_ = 0;
    Order first_of_component_ = kLeft;  // the one that was found
    std::optional<Tree> tree_;          // of the paths to faults
    std::uint64_t expanded_ = 0;
    std::map<std::pair<model::TransitionId, model::FaultKind>, FirstFault> faults_;
    support::StopReason reason_ = support::StopReason::none;
    explore::Statistics statistics_;
    std::unique_ptr<successor::Expander> expander_;
    std::optional<successor::SuccessorBatch> batch_;
    std::vector<successor::Word> source_;
    Clock::time_point start_;
    Clock::time_point next_tick_;
};

}  // namespace

EmptinessResult couvreur(const EmptinessTask& task) {
    auto search = std::make_unique<Couvreur>(task.system, task.marks, task.settings, task.tick);
    EmptinessResult result = search->run();
    result.evidence = std::move(search);
    return result;
}

}  // namespace tideline::check::ltl
