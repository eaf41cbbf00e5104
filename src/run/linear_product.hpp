// The system that a linear-time property is decided on: the product of a model with the automaton of its counterexample
// runs, by the reading of deadlocks and with the atoms that speak of steps.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "automata/system_product.hpp"
#include "check/ltl/emptiness.hpp"
#include "run/linear_property.hpp"
#include "run/loaded_system.hpp"
#include "run/spec.hpp"
#include "successor/step_labels.hpp"
#include "successor/system.hpp"

namespace tideline::run {

// How an engine gets to know which runs are fair.
enum class FairnessBy : std::uint8_t {
    marks,       // of steps: weak fairness; strong fairness by components on which marks say who has a step and moves
    components,  // of the graph
};

struct LinearProduct {
    std::shared_ptr<const successor::System> system;
    model::Marks marks = 0;                                    // that a counterexample run carries infinitely often
    check::ltl::FairnessTask fairness{};                       // by components
    std::shared_ptr<std::atomic<bool>> has_stayed;             // whether it stayed in a deadlock that is no proper end
    std::shared_ptr<automata::WatchedCondition> antecedent{};  // of the property, where it has one
};

// Makes the system without an automaton, with these labels.
using MakeSystem = std::function<std::shared_ptr<const successor::System>(std::vector<model::Expression> labels)>;

// The first labels of the product are `labels`. Throws Refusal where the end states do not fit the model, or 64 marks
// do not suffice for fairness.
[[nodiscard]] LinearProduct linear_product(const LinearProperty& property, const RunSpec& spec,
                                           const model::Model& model, std::vector<model::Expression> labels,
                                           const MakeSystem& make_system, FairnessBy fairness,
                                           automata::ProductSettings settings = {});

// The same for a model with its property process, which is a product already. Where runs that end do not count, steps
// that are not the property's alone have a mark.
[[nodiscard]] LinearProduct process_product(const RunSpec& spec, const model::Model& model,
                                            const MakeSystem& make_system, FairnessBy fairness);

// What a property that holds owes to the reading of deadlocks, where a product has stayed in one.
[[nodiscard]] std::string note_on_deadlocks(DeadlockReading reading);

// Why an audit could not confirm that a property of this kind holds; empty: it can. `property`: null for a property
// process.
[[nodiscard]] std::string why_not_certified(const RunSpec& spec, const LinearProperty* property,
                                            const model::Model& model);

// Throws Refusal where it is not known which processes a step of a model moves.
void refuse_unknown_movers(const model::Model& model);

// Whether 64 marks suffice for fairness by marks.
[[nodiscard]] bool fits_marks(std::size_t automaton_sets, const model::Model& model, Fairness fairness);

// The word of a run by the values of its states: which atoms are true, one state after the other. An atom that cannot
// be evaluated is not.
struct RunWord {
    logic::Lasso word;
    bool ends = false;  // with its last letter; otherwise it goes on from `loop`
};
// Whether the cycle of a run is fair by the definition; who has a step is found out by independent code. Between two
// states a process moves where one of the steps between them moves it: a run may take them in turn.
[[nodiscard]] bool is_fair(const trace::Trace& trace, Fairness fairness, const LoadedSystem& system);

// Whether a run that begins like this violates the property however it goes on, as far as some continuations show it:
// by the meaning of the formula, without a monitor.
[[nodiscard]] bool is_bad_prefix(const trace::Trace& trace, const LinearProperty& property, const RunSpec& spec,
                                 const LoadedSystem& system);

// Of a run that violates a safety formula: what it begins with, up to the step after which no run satisfies the
// formula, marked as such. Nothing where the formula is none, reads steps, or is violated only by a run that stays in a
// deadlock. Throws UnconfirmedTrace where continuations do not show it.
[[nodiscard]] std::optional<trace::Trace> bad_prefix_of(const trace::Trace& run, const LinearProperty& property,
                                                        const RunSpec& spec, const LoadedSystem& system);

[[nodiscard]] RunWord word_of(const trace::Trace& trace, const LinearProperty& property, const RunSpec& spec,
                              const LoadedSystem& system);

}  // namespace tideline::run
