// CTL on the fly: the value of a formula in the initial states, from the top down. Only the states and subformulas that
// the answer needs are visited; the search ends when it is known. In the spirit of B. Vergauwen and J. Lewi, A linear
// local model checking algorithm for CTL (CONCUR 1993), with the searches of K. Heljanko (depth_first.hpp): one
// depth-first pass per operation, whose results are kept.
//
// Negation is no difficulty: an operation asks for values of its operands only, which are smaller formulas (strata),
// and a search of one stratum is finished before it is asked again. Recursion is as deep as the formula is nested.
//
// A state takes its packed form, its row (4 bytes per edge) once it was expanded, and a byte, at most five, per
// subformula that was asked for in it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "check/ctl/depth_first.hpp"
#include "check/ctl/program.hpp"
#include "check/ctl/work.hpp"
#include "explore/search.hpp"
#include "store/numbered_table.hpp"
#include "support/memory.hpp"

namespace tideline::check::ctl {

// Thrown where a value depends on a step or an atom with a run-time fault.
struct FaultMet {
    std::vector<successor::Word> state;
    model::FaultKind kind = model::FaultKind::none;
    std::optional<model::TransitionId> transition;  // of a faulty step
    std::optional<std::size_t> atom;                // that cannot be evaluated
};

class Local {
public:
    using State = std::uint32_t;

    // Label i of the system is atom i of the program, which has no path formulas. The program and what the settings
    // refer to must outlive this.
    Local(std::shared_ptr<const successor::System> system, const Program& program, DeadlockReading reading,
          const explore::SearchSettings& settings, std::function<void(const explore::Statistics&)> tick);

    // In number order: 0 to initial_count() - 1 are the initial states.
    [[nodiscard]] std::size_t initial_count() const { return initial_; }
    // Throws Stopped, FaultMet and std::bad_alloc.
    [[nodiscard]] bool value(NodeId node, State state);
    // To be called after an exception: a search that was broken off leaves marks behind that mean nothing.
    void forget_values();
    // Targets of the steps of a state, in order.
    [[nodiscard]] std::vector<State> successors(State state);
    [[nodiscard]] bool is_deadlock(State state);
    [[nodiscard]] bool is_endless(State state);
    [[nodiscard]] std::vector<successor::Word> packed(State state) const;
    [[nodiscard]] const std::shared_ptr<const successor::System>& system() const { return system_; }
    [[nodiscard]] explore::Statistics statistics() const;

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::uint8_t kUnknown = 0;
    static constexpr std::uint8_t kOpen = 1;      // not marked
    static constexpr std::uint8_t kMarked = 2;    // false, or being found out
    static constexpr std::uint8_t kLabelled = 3;  // true

    // A least fixpoint that is being computed: of a node, of its complement, or of "all paths end in a deadlock".
    struct Fixed {
        Quantifier quantifier = Quantifier::exists;
        bool is_complement = false;
        std::vector<std::uint8_t> marks;     // by state
        std::vector<std::uint32_t> numbers;  // by state, for E
    };
    class Access;

    [[nodiscard]] bool fixed_value(NodeId node, State state);
    [[nodiscard]] std::uint8_t first_mark(NodeId node, State state);
    std::uint8_t& mark_of(NodeId node, State state);
    [[nodiscard]] bool next_value(const Node& node, State state);
    [[nodiscard]] bool atom_value(std::size_t atom, State state);
    State number_of(const successor::Word* state, std::uint64_t hash);
    void expand(State state);
    void widen();
    void renew();
    void look_at_limits();
    [[nodiscard]] NodeId end_node() const { return static_cast<NodeId>(program_.nodes.size()); }

    std::shared_ptr<const successor::System> system_;
    const Program& program_;
    DeadlockReading reading_;
    explore::SearchSettings settings_;
    std::function<void(const explore::Statistics&)> tick_;
    support::MemoryLimit memory_;
    store::MemoryBudget try_reserve_;
    Work work_;
    store::NumberedTable states_;
    std::size_t initial_ = 0;
    std::unique_ptr<successor::Expander> expander_;
    std::optional<successor::SuccessorBatch> batch_;
    std::vector<successor::Word> source_;
    Clock::time_point start_;
    Clock::time_point next_tick_;

    struct Row {
        std::uint64_t begin = ~std::uint64_t{0};  // not expanded
        std::uint32_t count = 0;
        bool is_deadlock = false;
    };
    std::vector<Row> rows_;
    std::vector<State> targets_;
    std::vector<std::uint64_t> labels_;  // label_words per state
    std::vector<std::uint8_t> has_labels_;
    std::vector<std::vector<std::uint8_t>> values_;  // by node, then state: 0 unknown, 1 false, 2 true
    std::vector<Fixed> fixed_;                       // by node; one more for the states without infinite paths
    std::vector<model::FaultKind> faults_;
    std::uint64_t expanded_ = 0;
    std::uint64_t transitions_ = 0;
    std::uint64_t deadlocks_ = 0;
};

}  // namespace tideline::check::ctl
