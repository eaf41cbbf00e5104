// The product of a system with an automaton is a system again, so that every walk explores it and every check works on
// it.
//
// A state of the product is a state of the system and one of the automaton. The automaton moves with every step of the
// system, by the edges whose labels fit the state *before* the step; the edges' marks are the marks of the product's
// steps. Runs of the product that carry every mark infinitely often are the runs of the system whose words the
// automaton accepts: an automaton of a formula's negation finds the runs that violate the formula (Vardi and Wolper,
// LICS 1986).
//
//   deadlocks  Where the system has no step, it stays where it is and the automaton moves alone: the last state of a
//              finite run repeats for ever. Where runs that end do not count, there is no step instead. A state whose
//              only steps are faulty is not a deadlock, and its runs end there.
//   steps      Atoms that belong to steps (moved(P)) are part of the letter that the automaton reads with the step that
//              leaves a state: the edges then depend on the step.
//   faults     A faulty step of the system is one faulty step of the product, whatever the automaton could do. An atom
//              that cannot be evaluated is a faulty step of its own where an edge depends on its value; other edges are
//              taken.
//   order      Step by step of the system, for each step edge by edge: counts are those of a property process of DVE.
//   progress   The rank of the automaton's component never decreases along a step. It can be a part of the key, before
//              or behind the system's own.
//
// No step ever sleeps in a product: commuting steps of the system need not commute for the automaton.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "automata/automaton.hpp"
#include "successor/system.hpp"

namespace tideline::automata {

enum class RankPlace : std::uint8_t {
    none,
    first,  // few states in memory: one component of the automaton after the other
    last,   // accepting states are reached early
};

// The slot that holds the automaton's state: the last one. No name of a model looks like this.
inline constexpr const char* kAutomatonSlot = "(automaton)";

// The bits that the rank takes in a key. With those of the system's own key they must not be more than 128.
unsigned rank_bits(const Automaton& automaton);

// Whether a condition is ever true in a state of the system, as far as a search of the product has seen.
struct WatchedCondition {
    std::atomic<bool> seen{false};
    // Some successors of states with the automaton's initial state were not visited with it: states may be missing.
    std::atomic<bool> has_gaps{false};
};

struct ProductSettings {
    std::size_t first_atom = 0;  // the system's labels from here on are the automaton's atoms; the labels before are
                                 // the product's labels. Behind the atoms there may be more
    RankPlace rank = RankPlace::none;
    unsigned key_bits = 0;  // upper bound for the system's keys
    // Whether the last state of a run that ends repeats. Otherwise such a run has no successor, and does not count,
    // unless label `end_label` holds there: a proper end repeats in any case.
    bool deadlocks_repeat = true;
    std::optional<std::size_t> end_label{};
    // Set where the product stays in a state that is no proper end. Null: nobody asks.
    std::shared_ptr<std::atomic<bool>> has_stayed{};
    // A label of the automaton's, and where it is noted whether it is ever true. Null: nobody asks.
    Label watched{};
    std::shared_ptr<WatchedCondition> watch{};
    // So many bits of the marks of the system's steps are marks of the product, behind the automaton's sets; a step
    // that stays has `stay_marks` there.
    unsigned own_marks = 0;
    model::Marks stay_marks = 0;
    // The transition of a step that stays.
    model::TransitionId stay_transition = 0;
    // Atoms that belong to steps, and which of them are true of each transition. They are false where nothing moves.
    std::uint64_t step_atoms = 0;
    std::vector<std::uint64_t> step_letters{};
    // The automaton is a monitor (monitor.hpp), and the product has one more label, behind the others: whether it can
    // go on in a state, that is, whether the run so far is no bad prefix. True also where an atom that matters cannot
    // be evaluated: that is a faulty step. There are no atoms of steps.
    bool is_monitor = false;
};

// What a faulty step of a product says of an atom that cannot be evaluated, and the atom that such a text is about;
// nothing where it is about something else.
[[nodiscard]] std::string text_of_unevaluated(const std::string& atom);
[[nodiscard]] std::optional<std::string> unevaluated_atom(const std::string& fault_text);

// The automaton and its labels are not needed afterwards. Marks of the
// system's own steps are dropped, except those that the settings keep.
std::shared_ptr<const successor::System> make_product(std::shared_ptr<const successor::System> system,
                                                      const Automaton& automaton, const ProductSettings& settings);

}  // namespace tideline::automata
