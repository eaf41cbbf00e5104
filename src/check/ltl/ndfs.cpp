#include "check/ltl/ndfs.hpp"

#include "check/ltl/evidence_by_search.hpp"
#include "check/ltl/product_search.hpp"
#include "store/budgeted_stack.hpp"

namespace tideline::check::ltl {
namespace {

using store::NumberedTable;
using Number = NumberedTable::Number;

class Ndfs final : public ProductSearch {
public:
    explicit Ndfs(const EmptinessTask& task)
        : ProductSearch(task),
          is_early_(!task.variant.plain),
          states_(system()->state_words(), system()->state_bytes(), memory_budget(),
                  {.payload_bytes = 1, .growth = NumberedTable::kFast}),
          path_(memory_budget()),
          targets_(memory_budget()),
          red_path_(memory_budget()) {
        words_.resize(system()->state_words());
    }

    EmptinessResult run() {
        EmptinessResult result = ProductSearch::run();
        path_.release();
        targets_.release();
        red_path_.release();
        return result;
    }

    [[nodiscard]] const NumberedTable& states() const { return states_; }
    [[nodiscard]] bool is_expanded(Number state) const { return has(state, kEntered); }
    [[nodiscard]] std::optional<Number> cycle_state() const {
        return seed_ == kNoState ? std::nullopt : std::optional(seed_);
    }

private:
    static constexpr Number kNoState = ~Number{0};
    // What is kept of a state.
    static constexpr std::uint64_t kEntered = 1;    // by the blue search
    static constexpr std::uint64_t kOnPath = 2;     // of the blue search
    static constexpr std::uint64_t kRed = 4;        // visited by the red search
    static constexpr std::uint64_t kAccepting = 8;  // known once it is entered

    // A state on a path, with the targets of its steps on a common stack.
    struct Frame {
        Number state;
        std::uint64_t first_target;
        std::uint64_t next_target;
    };

    [[nodiscard]] bool has(Number state, std::uint64_t flag) const { return (states_.payload(state) & flag) != 0; }
    void set(Number state, std::uint64_t flag) { states_.set_payload(state, states_.payload(state) | flag); }
    void clear(Number state, std::uint64_t flag) { states_.set_payload(state, states_.payload(state) & ~flag); }

    void search() override {
        std::vector<Number> roots;
        for (const std::vector<Word>& state : system()->initial_states())
            roots.push_back(states_.insert(state.data(), successor::hash_state(state.data(), state.size())).number);
        for (const Number root : roots)
            if (is_running() && !has(root, kEntered)) search_from(root);
    }

    void search_from(Number root) {
        enter(root);
        while (!path_.empty() && is_running()) {
            Frame& frame = path_.back();
            if (frame.next_target == targets_.size()) {
                leave();
                continue;
            }
            const Number target = targets_[frame.next_target++];
            const std::uint64_t flags = states_.payload(target);
            if ((flags & kEntered) == 0) enter(target);
            else if (is_early_ && (flags & kOnPath) != 0) close(frame.state, target);
        }
    }

    // A step back to the path: everything between is a cycle.
    void close(Number from, Number to) {
        if (has(to, kAccepting)) found(to);
        else if (has(from, kAccepting)) found(from);
    }

    void found(Number seed) {
        seed_ = seed;
        stop(support::StopReason::violation);
    }

    void enter(Number state) {
        set(state, kEntered | kOnPath);
        path_.push_back({state, targets_.size(), targets_.size()});
        longest_path_ = std::max<std::uint64_t>(longest_path_, path_.size());
        if (push_targets(state, true)) set(state, kAccepting);
    }

    // Leaves the last state; if it accepts, the red search comes first, while the state is still on the path.
    void leave() {
        const Frame frame = path_.back();
        if (has(frame.state, kAccepting)) search_red(frame);
        if (!is_running()) return;
        clear(frame.state, kOnPath);
        targets_.truncate(frame.first_target);
        path_.pop_back();
    }

    // The targets of the seed still lie on the stack: with early detection it is not expanded again.
    void search_red(const Frame& seed_frame) {
        const Number seed = seed_frame.state;
        if (is_early_) red_path_.push_back({seed, seed_frame.first_target, seed_frame.first_target});
        else enter_red(seed);
        while (!red_path_.empty() && is_running()) {
            Frame& frame = red_path_.back();
            if (frame.next_target == targets_.size()) {
                targets_.truncate(frame.first_target);
                red_path_.pop_back();
                continue;
            }
            const Number target = targets_[frame.next_target++];
            const std::uint64_t flags = states_.payload(target);
            if (is_early_ ? (flags & kOnPath) != 0 : target == seed) found(seed);
            else if ((flags & kRed) == 0) enter_red(target);
        }
    }

    void enter_red(Number state) {
        set(state, kRed);
        red_path_.push_back({state, targets_.size(), targets_.size()});
        push_targets(state, false);
    }

    // Whether the state is accepting.
    bool push_targets(Number state, bool is_first) {
        states_.read(state, words_.data());
        bool accepts = false;
        expand(
            words_.data(), is_first, [&](std::uint64_t hash) { states_.prefetch(hash); },
            [&](const successor::SuccessorBatch& batch, std::size_t i) {
                accepts = is_accepting(batch.marks(i));
                targets_.push_back(states_.insert(batch.state(i), batch.hash(i)).number);
            });
        return accepts;
    }

    void repack(const successor::System& wider, const successor::Repacking& translate) override {
        states_.repack(wider.state_words(), wider.state_bytes(), translate);
        words_.resize(wider.state_words());
    }

    void count(explore::Statistics& statistics) const override {
        statistics.states = statistics.peak_states = states_.size();
        statistics.layers = 1;
        statistics.depth = longest_path_;
    }

    bool is_early_;
    NumberedTable states_;
    store::BudgetedStack<Frame> path_;
    store::BudgetedStack<Number> targets_;  // of the states on both paths, those of the last one at the end
    store::BudgetedStack<Frame> red_path_;
    std::vector<Word> words_;
    Number seed_ = kNoState;  // an accepting state on a cycle
    std::uint64_t longest_path_ = 0;
};

}  // namespace

EmptinessResult ndfs(const EmptinessTask& task) { return result_of_search(task, std::make_shared<Ndfs>(task)); }

}  // namespace tideline::check::ltl
