// LTL with the sweep-line method (S. Evangelista and L. M. Kristensen, Hybrid on-the-fly LTL model checking with the
// sweep-line method, 2012): accepting cycles are found while states behind the sweep line are deleted.
//
// Cycles inside one layer (SLACs) are found by nested depth-first searches in the layer, before it is deleted
// (Algorithm 2, findSLAC). Every other cycle (MLAC) has a step to less progress, whose target is persistent: never
// deleted. Such cycles are looked for by an adaptation of MAP (map.hpp) to persistent states (Algorithm 3, findMLAC): a
// state's maximal persistent predecessor mpp(s) = (p, a) is the largest state p of a set P of persistent ones that
// reaches s, and whether an accepting state lies on a way between. It is computed by propagating values along steps, in
// the order of progress, deleting states behind the line. If (p, true) reaches p, there is an accepting cycle.
// Otherwise those that were not hidden by a larger one leave P, and those that were reached by (p, false) at last,
// until P is empty.
//
//   offline  findMLAC comes once, after all sweeps, with all persistent states as P.
//   online   it comes after every sweep, with the roots of that sweep as P, and does not enter persistent states that
//            no sweep has expanded yet (section 5.1).
//
// Variants: section 5.2, the progress graph (progress_graph.hpp): findMLAC follows only steps inside a component of
// layers that has several layers and an accepting state. Section 5.3: of two persistent states the one with more
// progress is the larger one; otherwise they are compared as bit vectors. Section 6, the second way of computing mpp:
// persistent states that a regress edge leads to wait for a further sweep, otherwise the sweep line moves back at once.
//
// Errata. As printed the algorithms are wrong, and three of the slips make them miss cycles:
//   Algorithm 2, lines 28 to 36: the cases apply to every successor that is not blue, not only to new ones; otherwise
//     states that wait, or are persistent, are not entered. Lines 34 and 36: the successor goes into R and Q.
//   Algorithm 3, lines 19 and 20: mpp of every state in memory is reset, not only of P. Line 33: `s`.
//   Algorithm 3: a state that has been visited and waits again must not be deleted when the line leaves its layer.
//   Theorem 2 gives 0 without persistent states: 2(p + 1)s + 2p^3 s bounds the visits, with p persistent and s states.
//   Definition 4 is meant for explored edges.
//
// Persistent states that an earlier sweep has expanded are not entered by the red search: a cycle inside the layer
// through one of them was found by that sweep. Where the line moves back, the layer that it leaves keeps its states
// until nothing waits there. Verdicts do not depend on the measure. One thread.
//
// What it does not do: states that were deleted are visited again, up to a hundred times (the paper's table). The
// longest part of that is findMLAC on-line.
#pragma once

#include <functional>
#include <vector>

#include "check/ltl/emptiness.hpp"

namespace tideline::check::ltl {

enum class MlacSearch : std::uint8_t { offline, online };

// What is in memory before a layer is expanded; for tests of Definition 4.
struct SweepMemory {
    struct State {
        std::vector<successor::Word> words;
        successor::Key key;
        bool is_persistent;
    };
    std::vector<State> states;
    successor::Key least_waiting;
};
using ObserveSweep = std::function<void(const successor::System&, const SweepMemory&)>;

// The system has a progress measure.
[[nodiscard]] EmptinessResult ltl_sweep(const EmptinessTask& task, MlacSearch when, ObserveSweep observe = {});

}  // namespace tideline::check::ltl
