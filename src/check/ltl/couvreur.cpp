#include "check/ltl/couvreur.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <unordered_map>

#include "check/ltl/lasso.hpp"
#include "explore/search_limits.hpp"
#include "explore/searched_system.hpp"
#include "store/budgeted_stack.hpp"
#include "store/numbered_table.hpp"
#include "store/packed_number.hpp"

namespace tideline::check::ltl {
namespace {

using Number = store::NumberedTable::Number;
using store::PackedNumber;

// When a state was entered, counted from 1: the payload of its record.
using Order = std::uint64_t;
constexpr std::size_t kOrderBytes = sizeof(PackedNumber);
constexpr Order kUnseen = 0;
constexpr Order kClosed = PackedNumber::kMost;  // its component is closed: no accepting run passes through it
static_assert(store::NumberedTable::kMostStates < kClosed);

struct Target {
    std::uint64_t state : store::NumberedTable::kNumberBits;
    std::uint64_t marks : 64 - store::NumberedTable::kNumberBits;  // their index among the distinct ones
};
constexpr std::size_t kMostDistinctMarks = std::size_t{1} << (64 - store::NumberedTable::kNumberBits);

// A state on the search path. The targets of its steps that are still to be taken lie on a common stack, the next one
// on top.
struct Frame {
    Number state;
    std::uint64_t first_target;
};

struct Component {
    Order first;  // of its states
    model::Marks inside;
    model::Marks entering;  // of the step that led into it
};

class Couvreur final {
public:
    Couvreur(std::shared_ptr<const successor::System> system, model::Marks marks,
             const explore::SearchSettings& settings, std::function<void(const explore::Statistics&)> tick)
        : system_(std::move(system)),
          wanted_(marks),
          most_states_(settings.states),
          tick_(std::move(tick)),
          limits_(settings.limits(), false),
          states_(system_->state_words(), system_->state_bytes(), limits_.memory_budget(),
                  {.payload_bytes = kOrderBytes, .growth = store::NumberedTable::kFast}),
          path_(limits_.memory_budget()),
          targets_(limits_.memory_budget()),
          components_(limits_.memory_budget()),
          component_states_(limits_.memory_budget()) {
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

    // What remains: states, and which of them were expanded, and belong to the component that was found.
    [[nodiscard]] const store::NumberedTable& states() const { return states_; }
    [[nodiscard]] bool is_expanded(Number state) const { return states_.payload(state) != kUnseen; }
    [[nodiscard]] bool is_in_component(Number state) const {
        const Order order = states_.payload(state);
        return order != kClosed && order >= first_of_component_;
    }

private:
    using Clock = explore::SearchLimits::Clock;
    static constexpr std::uint64_t kStatesPerLook = 256;
    static constexpr std::size_t kBatch = 1024;

    struct FirstFault {
        Number state;
        std::uint64_t occurrences;
    };

    // ---- the search -------------------------------------------------------------------------------------------------

    void search() {
        for (const std::vector<successor::Word>& state : system_->initial_states())
            states_.insert(state.data(), successor::hash_state(state.data(), state.size()));
        initial_ = states_.size();
        for (Number root = 0; root < initial_ && reason_ == support::StopReason::none; ++root)
            if (states_.payload(root) == kUnseen) search_from(root);
    }

    // All components that can be reached from the root are closed in the end, unless one is accepting.
    void search_from(Number root) {
        enter(root, 0);
        while (!path_.empty() && reason_ == support::StopReason::none) {
            if (path_.back().first_target == targets_.size()) {
                leave();
                continue;
            }
            const Target target = targets_.back();
            targets_.pop_back();
            const Order order = states_.payload(target.state);
            if (order == kUnseen) enter(target.state, distinct_marks_[target.marks]);
            else if (order != kClosed) join(order, distinct_marks_[target.marks]);
        }
    }

    void enter(Number state, model::Marks entering) {
        states_.set_payload(state, ++entered_);
        component_states_.push_back(PackedNumber(state));
        components_.push_back({entered_, 0, entering});
        path_.push_back({state, targets_.size()});
        bool has_steps = false;
        expand(
            state,
            [&] {
                has_steps |= batch_->size() != 0;
                push_targets(state);
            },
            [&] {
                look_at_limits();
                return reason_ == support::StopReason::none;
            });
        statistics_.deadlocks += has_steps ? 0 : 1;
        const std::uint64_t first = path_.back().first_target;
        if (targets_.size() - first > 1) std::reverse(&targets_[first], &targets_.back() + 1);
        statistics_.depth = std::max<std::uint64_t>(statistics_.depth, path_.size());
        if (++expanded_ % kStatesPerLook == 0) look_at_limits();
    }

    // A step back to a state on the stack of components: everything from that state's component on is one component.
    void join(Order order, model::Marks marks) {
        while (components_.back().first > order) {
            marks |= components_.back().inside | components_.back().entering;
            components_.pop_back();
        }
        components_.back().inside |= marks;
        if ((components_.back().inside & wanted_) == wanted_) reason_ = support::StopReason::violation;
    }

    // All steps of the last state of the path have been taken. Where it is the first one of its component, that is
    // closed.
    void leave() {
        const Number left = path_.back().state;
        path_.pop_back();
        if (components_.back().first != states_.payload(left)) return;
        components_.pop_back();
        Number state = 0;
        do {
            state = component_states_.back();
            component_states_.pop_back();
            states_.set_payload(state, kClosed);
        } while (state != left);
    }

    // ---- states and steps -------------------------------------------------------------------------------------------

    // Calls use() whenever successors of a state are in the batch, and go_on(), which may stop this, where there are
    // more of them.
    template <class Use, class Continue>
    void expand(Number state, Use use, Continue go_on) {
        states_.read(state, source_.data());
        successor::Cursor cursor;
        for (;;) {
            batch_->restart(0);
            const successor::Expansion expansion = expander_->expand(source_.data(), 1, cursor, *batch_);
            batch_->compute_hashes();
            use();
            assert(expansion != successor::Expansion::key_undefined && "no measure is evaluated here");
            if (expansion == successor::Expansion::done || !go_on()) break;
            if (expansion == successor::Expansion::needs_repacking) {
                repack();
                states_.read(state, source_.data());
            }
        }
    }

    // The steps of the batch, but for faulty ones, which are only counted, and those into closed components.
    void push_targets(Number state) {
        const successor::SuccessorBatch& batch = *batch_;
        targets_.reserve_more(batch.size());
        for (std::size_t i = 0; i < batch.size(); ++i) states_.prefetch(batch.hash(i));
        statistics_.transitions += batch.size();
        for (std::size_t i = 0; i < batch.size(); ++i) {
            if (batch.fault(i) != model::FaultKind::none) {
                count_fault(state, batch.transition(i), batch.fault(i));
                --statistics_.transitions;
                continue;
            }
            const store::NumberedTable::Insertion inserted = states_.insert(batch.state(i), batch.hash(i));
            if (inserted.is_new || states_.payload(inserted.number) != kClosed)
                targets_.push_reserved({inserted.number, index_of(batch.marks(i))});
        }
    }

    void count_fault(Number state, model::TransitionId transition, model::FaultKind kind) {
        ++statistics_.faults;
        ++faults_.try_emplace({transition, kind}, FirstFault{state, 0}).first->second.occurrences;
    }

    [[nodiscard]] std::uint32_t index_of(model::Marks marks) {
        if (last_marks_ < distinct_marks_.size() && distinct_marks_[last_marks_] == marks) return last_marks_;
        if (distinct_marks_.size() == kMostDistinctMarks) throw std::bad_alloc();
        const auto [found, is_new] =
            index_of_marks_.try_emplace(marks, static_cast<std::uint32_t>(distinct_marks_.size()));
        if (is_new) distinct_marks_.push_back(marks);
        return last_marks_ = found->second;
    }

    void repack() {
        std::shared_ptr<const successor::System> wider = explore::repacked(*system_, *expander_, limits_);
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

    // ---- limits and figures -----------------------------------------------------------------------------------------

    void look_at_limits() {
        if (reason_ != support::StopReason::none) return;
        const Clock::time_point now = Clock::now();
        if (most_states_ && states_.size() >= *most_states_) reason_ = support::StopReason::states;
        else reason_ = limits_.exhausted(now);
        if (!limits_.is_tick_due(now)) return;
        limits_.start_next_tick(now);
        update_statistics();
        tick_(statistics_);
    }

    void update_statistics() {
        statistics_.states = statistics_.peak_states = states_.size();
        statistics_.expanded = expanded_;
        statistics_.waiting = states_.size() - expanded_;
        statistics_.layers = 1;
        explore::count_system(statistics_, *system_, limits_);
    }

    // ---- evidence ---------------------------------------------------------------------------------------------------

    // States and orders remain, and the first state of the component that was found.
    void keep_for_evidence() {
        first_of_component_ = components_.empty() ? kClosed : components_.back().first;
        path_.release();
        targets_.release();
        component_states_.release();
        components_.release();
        tick_ = {};
    }

    std::shared_ptr<const successor::System> system_;
    model::Marks wanted_;
    std::optional<std::uint64_t> most_states_;
    std::function<void(const explore::Statistics&)> tick_;
    explore::SearchLimits limits_;
    store::NumberedTable states_;  // with their orders
    Number initial_ = 0;           // states before this one are initial
    store::BudgetedStack<Frame> path_;
    store::BudgetedStack<Target> targets_;
    std::vector<model::Marks> distinct_marks_;
    std::unordered_map<model::Marks, std::uint32_t> index_of_marks_;
    std::uint32_t last_marks_ = 0;                         // the index that was returned last
    store::BudgetedStack<Component> components_;           // on the path, the last one on top
    store::BudgetedStack<PackedNumber> component_states_;  // of those components, in the order of entering
    Order entered_ = 0;
    Order first_of_component_ = kClosed;  // the one that was found
    std::uint64_t expanded_ = 0;
    std::map<std::pair<model::TransitionId, model::FaultKind>, FirstFault> faults_;
    support::StopReason reason_ = support::StopReason::none;
    explore::Statistics statistics_;
    std::unique_ptr<successor::Expander> expander_;
    std::optional<successor::SuccessorBatch> batch_;
    std::vector<successor::Word> source_;
};

// First among the states that the search has expanded, all of them as the system packs them in the end.
class CouvreurEvidence final : public EmptinessEvidence {
public:
    CouvreurEvidence(std::unique_ptr<Couvreur> search, const EmptinessResult& result, model::Marks marks)
        : shorter_{marks, result.statistics.expanded},
          search_(std::move(search)),
          finder_(result.system, marks, search_->states(),
                  [kept = search_.get()](Number state) { return kept->is_expanded(state); }) {
        for (const MetFault& fault : result.faults) faults_.push_back(fault.state);
    }

    std::optional<PackedLasso> accepting_run(const support::Budget& budget) override {
        std::optional<PackedLasso> run =
            finder_.into([this](Number state) { return search_->is_in_component(state); }, budget);
        if (run) run = shortened(*std::move(run), shorter_, budget);
        return run;
    }
    std::optional<PackedRun> path_to_fault(std::size_t i, const support::Budget& budget) override {
        return finder_.path_to(faults_[i], budget);
    }

private:
    ShorterRun shorter_;
    std::unique_ptr<Couvreur> search_;
    LassoFinder finder_;
    std::vector<std::vector<successor::Word>> faults_;
};

}  // namespace

EmptinessResult couvreur(const EmptinessTask& task) {
    auto search = std::make_unique<Couvreur>(task.system, task.marks, task.settings, task.tick);
    EmptinessResult result = search->run();
    result.evidence = std::make_unique<CouvreurEvidence>(std::move(search), result, task.marks);
    return result;
}

}  // namespace tideline::check::ltl
