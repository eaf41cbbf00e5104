// The steps of systems where more than one transition decides what happens: all processes move in lockstep, a process
// continues alone in an atomic sequence, or only the highest priority happens; and a property process moves with every
// step of such a system (of others: observed_steps.hpp). Which transitions are enabled and what each does is machine
// code; the steps are put together here, in the order of the interpreter (interpret/interpreter.hpp), of which this is
// the counterpart on packed states.
#pragma once

#include <span>
#include <vector>

#include "successor/native/native_code.hpp"
#include "successor/system.hpp"

namespace tideline::successor {

class ComposedSteps {
public:
    ComposedSteps(const model::Model& model, const Layout& layout, const NativeFunctions& functions);

    // Delivers the steps of a state that come after the first cursor.delivered ones.
    Expansion expand(const Word* state, Cursor& cursor, SuccessorBatch& out);
    // Of an expansion that ended with needs_repacking.
    [[nodiscard]] model::SlotId narrow_slot() const { return run_.slot; }
    [[nodiscard]] model::Value narrow_value() const { return run_.value; }

private:
    // A change of location as it is in the packed state.
    struct Move {
        model::SlotId slot;
        model::Value to;
    };

    // All of these return whether to continue; result_ has the reason where not.
    bool visit_interleaving();
    bool collect_choices(bool& any);
    bool visit_lockstep(bool& any);
    bool visit_observer(const Word* after, std::span<const model::TransitionId> taken, model::Marks marks);
    bool deliver(const Word* next, model::TransitionId transition, model::Marks marks, model::FaultKind fault);
    bool execute(NativeCandidate candidate, Word* state, model::FaultKind& fault);
    bool apply_effects(model::TransitionId transition, Word* state, model::FaultKind& fault);
    bool change_locations(model::TransitionId transition, Word* state);
    // Goes on through the states inside atomic sequences that the candidates lead to.
    bool pass();
    void add_passed(const Word* state, model::TransitionId first);
    [[nodiscard]] bool is_held(const Word* state) const;
    void collect_candidates();
    void restrict_candidates();
    bool stop(Expansion why);

    const model::Model& model_;
    const Layout& layout_;
    const NativeFunctions& functions_;
    std::vector<model::ProcessId> system_processes_;  // all but the observer
    std::vector<std::vector<Move>> moves_;            // by transition
    std::vector<NativeCandidate> candidates_;
    std::size_t candidate_count_ = 0;
    std::vector<std::vector<NativeCandidate>> choices_;  // lockstep: those without a fault, by process
    std::vector<std::size_t> picks_;
    std::vector<NativeCandidate> observer_;
    std::size_t observer_count_ = 0;
    std::vector<Word> next_;
    std::vector<Word> observed_;
    // Atomic sequences: the slot that says who goes on alone; the states inside of them that the current state leads
    // to, each once and with the transition that began it, and a hash table of their numbers.
    model::SlotId holder_ = 0;
    std::vector<Word> inside_;
    std::vector<Word> passed_;
    std::vector<model::TransitionId> passed_first_;
    std::size_t passed_count_ = 0;
    std::vector<std::uint32_t> passed_index_;
    NativeRun run_;
    // Of the current expansion:
    const Word* state_ = nullptr;
    SuccessorBatch* out_ = nullptr;
    Cursor* cursor_ = nullptr;
    std::uint64_t seen_ = 0;
    Expansion result_ = Expansion::done;
    // Where it is: at which candidate, or at the combination picks_; and at which candidate of the observer. Kept when
    // the batch is full, so that earlier steps need not be computed again.
    std::size_t candidate_ = 0;
    bool is_combining_ = false;
    std::size_t observed_candidate_ = 0;
    std::vector<Word> stopped_state_;
    std::uint64_t stopped_delivered_ = 0;  // 0: nothing to continue
};

}  // namespace tideline::successor
