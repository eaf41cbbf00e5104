// A model as machine code in memory: what the functions are, and what they are called with. Known to those who generate
// the code (codegen/) and to those who call it; nothing here needs LLVM.
//
// Three kinds of systems. Where processes take turns and nothing else decides who moves, one function computes all
// successors of many states (`expand`). With a property process besides, that function computes the steps of the
// others, and observed_steps.hpp lets the property process move with them. Where something else decides (lockstep, an
// atomic sequence, priorities), the code gives the transitions that are enabled and the effects of each, and
// composed_steps.hpp puts the steps together.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model/model.hpp"
#include "successor/commuting.hpp"
#include "successor/hash.hpp"
#include "successor/key.hpp"
#include "successor/layout.hpp"

namespace tideline::successor {

// Further inputs and outputs of a call of generated code, besides the successors. The code knows the offsets of the
// members.
struct NativeRun {
    enum Code : std::uint32_t { ok = 0, needs_repacking = 1, key_undefined = 2 };
    std::uint32_t code = ok;  // why it gave up
    std::uint32_t slot = 0;   // needs_repacking: which value does not fit which slot
    std::int64_t value = 0;
    std::uint64_t position = 0;      // how many entries there were when it gave up; what follows them is void
    std::uint64_t faulty = 0;        // not 0: a faulty step is among the successors
    std::uint8_t* faults = nullptr;  // written only where there is a fault
    model::Marks* marks = nullptr;   // only where the model has marks, and no observer
    Key* keys = nullptr;             // only where there is a measure, and no observer
    // Only where steps may sleep: what sleeps in the sources, what in the successors, and how many steps of each source
    // slept.
    const SleepSet* sources_asleep = nullptr;
    SleepSet* asleep = nullptr;
    std::uint32_t* skipped = nullptr;
};

// Appends the successors of sources[0], sources[1], ... from index run->position on, for each source only while
// `position` is not beyond last_position; returns how many sources are complete, with the end of each one's successors
// in ends[]; run->position is the new end.
using NativeExpand = std::uint64_t (*)(const Word* sources, std::uint64_t count, Word* states,
                                       model::TransitionId* transitions, std::uint64_t last_position,
                                       std::uint32_t* ends, NativeRun* run);

// A transition whose guards hold, or one of whose guards is faulty.
struct NativeCandidate {
    model::TransitionId transition = 0;
    std::uint32_t fault = 0;  // a FaultKind
};
// Writes the candidates of a state and returns their number.
using NativeCollect = std::uint64_t (*)(const Word* state, NativeCandidate* candidates);
// Applies a transition's effects to a state, without the change of locations. Returns the fault, if any; the state is
// then void, as it is where run->code says that a value does not fit.
using NativeEffects = std::uint32_t (*)(Word* state, NativeRun* run);
// As Expander::labels.
using NativeLabels = void (*)(const Word* state, std::uint64_t* bits, std::uint8_t* faults);
// Whether the measure can be evaluated (0: no).
using NativeKey = std::uint32_t (*)(const Word* state, Key* key);

struct NativeFunctions {
    NativeExpand expand = nullptr;        // of composed systems only where they are mixed; without the observer's part
    NativeCollect collect_all = nullptr;  // composed, interleaving: of all processes but the observer
    std::vector<NativeCollect> collect;   // by process: of the observer, and in lockstep of all
    std::vector<NativeEffects> effects;   // by transition, composed or the observer's; null: it has none
    NativeLabels labels = nullptr;        // null: there are no labels
    NativeKey key = nullptr;              // null: there is no measure
};

// Whether the steps of a model are put together at run time from its transitions.
[[nodiscard]] inline bool is_composed(const model::Model& model) {
    return model.composition == model::Composition::lockstep || model.atomic || model.has_priorities;
}
// Of these: whether only atomic sequences have to be put together. The other states are expanded like those of models
// without any.
[[nodiscard]] inline bool is_mixed(const model::Model& model) {
    return model.atomic && model.composition == model::Composition::interleaving && !model.has_priorities &&
           !model.observer;
}
// Whether a property process moves with every step, and processes take turns otherwise.
[[nodiscard]] inline bool is_observed(const model::Model& model) { return model.observer && !is_composed(model); }

// What is to be compiled.
struct CodeRequest {
    const model::Model& model;
    const Layout& layout;
    const KeyProgram& key;
    const std::vector<model::Expression>& labels;
    const Commuting& commuting;
    std::vector<bool> may_change_key;  // by transition
    // Asked before every function that is written, and before a module of this number of LLVM instructions is compiled;
    // true: abandon.
    std::function<bool(std::size_t instructions)> stop;
};

// Code in memory. The mapping holds everything that the functions need.
struct CodeImage {
    NativeFunctions functions;
    void* mapping = nullptr;
    std::size_t mapping_size = 0;
    bool is_large = false;  // it took long to compile
};

}  // namespace tideline::successor
