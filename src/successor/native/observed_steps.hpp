// The steps of a system whose processes take turns, with a property process that moves with every one of them. Machine
// code computes the steps of the processes for many states at once (NativeFunctions::expand), as for a system without a
// property process, and which transitions of the property process are enabled in each source. Here every step is taken
// with each of these, in the order of the interpreter (interpret/interpreter.hpp).
//
// Most steps only change the property's location: such entries are copied source by source (SuccessorBatch::join).
// Faults, effects of the property process and keys go one by one.
//
// Steps of the processes that were computed and did not fit into the caller's batch are kept for the next call, with a
// copy of their sources: whether that call continues there is checked, not assumed.
#pragma once

#include <vector>

#include "successor/native/native_code.hpp"
#include "successor/system.hpp"

namespace tideline::successor {

class ObservedSteps {
public:
    // `most`: successors that a state of the system can have at most.
    ObservedSteps(const model::Model& model, const Layout& layout, const NativeFunctions& functions, std::size_t most);

    // As Expander::expand; `system` expands states without the observer.
    Expansion expand(const Word* states, std::size_t count, Cursor& cursor, SuccessorBatch& out, Expander& system);
    // Of an expansion that ended with needs_repacking: whether the system's expander knows what did not fit.
    [[nodiscard]] bool is_systems() const { return is_systems_; }
    [[nodiscard]] model::SlotId narrow_slot() const { return run_.slot; }
    [[nodiscard]] model::Value narrow_value() const { return run_.value; }

private:
    static constexpr std::size_t kBatch = 1024;  // steps of the system at a time
    static constexpr std::size_t kSources = 256;

    // What a transition of the observer does to its location.
    struct Move {
        Word bits = 0;
        model::Value to = 0;
        bool fits = true;       // the field has room for it
        bool is_simple = true;  // and there are no effects
        model::Marks marks = 0;
    };

    [[nodiscard]] bool continues(const Word* states, std::size_t count, const Cursor& cursor) const;
    void keep(const Word* states, const Cursor& cursor);
    void fill(const Word* states, std::size_t count, std::uint32_t from, Expander& system);
    void choose(const Word* state);
    Expansion expand_one(const Word* state, Cursor& cursor, SuccessorBatch& out, Expander& system);
    Expansion expand_alone(const Word* state, Cursor& cursor, SuccessorBatch& out, Expander& system);
    // One by one; these return whether to continue, and result_ has the reason where not.
    bool multiply(std::size_t begin, std::size_t end, Cursor& cursor, SuccessorBatch& out);
    bool observe(const Word* after, const model::TransitionId* taken, Cursor& cursor, SuccessorBatch& out);
    bool deliver(const Word* next, model::TransitionId transition, model::Marks marks, model::FaultKind fault,
                 Cursor& cursor, SuccessorBatch& out);
    bool stop(Expansion why);

    const model::Model& model_;
    const NativeFunctions& functions_;
    NativeCollect collect_;  // of the observer
    std::size_t words_;
    model::SlotId slot_;  // of the observer's location
    Layout::Field field_;
    Word keep_;                // all bits of the location's word but its own
    bool is_plain_;            // no keys, and no marks of the system's transitions
    std::vector<Move> moves_;  // by transition; of the observer's

    SuccessorBatch batch_;        // steps of the system
    std::uint32_t first_ = 0;     // index of the first source of the batch, among the caller's states
    std::uint32_t complete_ = 0;  // sources
    std::vector<Word> kept_;      // the sources from the cursor on, between two calls

    // Of the current source:
    std::vector<NativeCandidate> candidates_;
    std::size_t candidate_count_ = 0;
    std::vector<SuccessorBatch::JoinedEdge> edges_;
    bool is_simple_ = true;  // all that the observer can do is to change its location
    std::uint64_t seen_ = 0;
    std::vector<Word> observed_;
    NativeRun run_;
    Expansion result_ = Expansion::done;
    bool is_systems_ = false;
};

}  // namespace tideline::successor
