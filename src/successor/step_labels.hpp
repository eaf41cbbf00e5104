// A system whose labels and marks also speak of its steps: which processes can move, which one does, whether anything
// can. The states, the steps and their order are those of the system that it is made of.
//
//   labels  deadlock     no step, not even a faulty one, and not one of the proper ends that a user names
//           enabled(P)   process P has a step, a faulty one included, in this state of the system: partners of a
//                        rendezvous, committed locations and priorities are considered
//   marks   of a step, from the bit after the system's own acceptance sets on (StepMarks):
//           weak fairness  P has no step in the source, or the step moves P (a rendezvous moves both). A run is weakly
//                          fair to P if and only if it carries this mark infinitely often: the states stay the same,
//                          nothing is copied (SPIN's -f multiplies them by the number of processes + 2)
//           enabled        P has a step in the source (for strong fairness, which is not a matter of single marks)
//           strong         the same, and behind them, a bit per process, those that the step moves
//           progress       the step is not one of a property process alone, in a deadlock: where runs that end do not
//                          count, a run must carry it infinitely often. Proper ends count
//
// All marks of a state need all its steps, so they are computed when its steps are delivered; a state whose steps do
// not fit into one batch is expanded once more by an expander of its own. Where that one finds a value that does not
// fit the packing, nothing of the state is delivered before the system has been packed again.
//
// Departure from the usual definition of a process: in an explicit graph, and for transitions without participants,
// processes are the names of actions. A property process is no process.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "successor/system.hpp"

namespace tideline::successor {

// What fairness is between, and which of them each transition moves.
struct ProcessTable {
    std::vector<std::string> names;
    std::size_t words = 0;             // per set
    std::vector<std::uint64_t> moved;  // `words` per transition; a transition that is not here moves nobody

    // Null where it moves nobody.
    [[nodiscard]] const std::uint64_t* of(model::TransitionId transition) const {
        const std::size_t at = std::size_t{transition} * words;
        return at < moved.size() ? moved.data() + at : nullptr;
    }
    [[nodiscard]] bool moves(model::TransitionId transition, std::size_t process) const {
        const std::uint64_t* const set = of(transition);
        return set != nullptr && ((set[process / 64] >> (process % 64)) & 1U) != 0;
    }
    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
};
[[nodiscard]] ProcessTable process_table(const model::Model& model);
// Whether that is between actions: of a system that was given edge by edge, not of a model with one process that looks
// like one.
[[nodiscard]] bool is_between_actions(const model::Model& model);
// No transition of a model has this number, and no fault of an atom: it moves nobody.
inline constexpr model::TransitionId kNobodyMoves = ~model::TransitionId{0} - 64;

struct StepLabel {
    enum class Kind : std::uint8_t {
        own,  // label `index` of the system
        deadlock,
        enabled,  // process `index`
        none,     // false: a place for an atom that belongs to steps
    };
    Kind kind = Kind::own;
    std::size_t index = 0;
};

enum class FairnessMarks : std::uint8_t { none, weak, enabled, strong };

struct StepLabelSettings {
    std::vector<StepLabel> labels;           // all that the new system has
    std::optional<std::size_t> end_label{};  // of the system: where it holds, a state without steps is a proper end
    FairnessMarks fairness = FairnessMarks::none;
    bool progress = false;
};

// Which bits the marks have. With more processes than bits are left there is no such system.
struct StepMarks {
    unsigned first_fair = 0;
    unsigned fair_count = 0;  // for strong fairness two per process
    unsigned progress = 0;    // only where asked for
    unsigned acceptance = 0;  // number of bits, from 0 on, that are of acceptance
    unsigned count = 0;
};
// Nothing where 64 bits do not suffice.
[[nodiscard]] std::optional<StepMarks> step_marks(unsigned own_sets, const ProcessTable& processes,
                                                  const StepLabelSettings& settings);

[[nodiscard]] std::shared_ptr<const System> with_step_labels(std::shared_ptr<const System> system,
                                                             std::shared_ptr<const ProcessTable> processes,
                                                             StepLabelSettings settings);

}  // namespace tideline::successor
