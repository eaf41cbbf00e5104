#include "successor/native/observed_steps.hpp"

#include <algorithm>
#include <cassert>

namespace tideline::successor {

ObservedSteps::ObservedSteps(const model::Model& model, const Layout& layout, const NativeFunctions& functions,
                             std::size_t most)
    : model_(model),
      functions_(functions),
      collect_(functions.collect[model.observer.value()]),
      words_(layout.words()),
      slot_(model.variables[model.processes[*model.observer].location].first_slot),
      field_(layout.field(slot_)),
      keep_(~(field_.mask << field_.shift)),
      is_plain_(functions.key == nullptr),
      moves_(model.transitions.size()),
      batch_(words_, std::max(kBatch, most)),
      candidates_(model.transitions.size()),
      observed_(words_) {
    for (model::TransitionId t = 0; t < model.transitions.size(); ++t) {
        const model::Transition& transition = model.transitions[t];
        const bool is_observers =
            !transition.participants.empty() && transition.participants.front().process == *model.observer;
        if (!is_observers) {
            is_plain_ = is_plain_ && transition.marks == 0;
            continue;
        }
        Move& move = moves_[t];
        move.to = transition.participants.front().to;
        const Word bits = static_cast<Word>(move.to) - static_cast<Word>(field_.low);
        move.fits = bits <= field_.mask;
        move.is_simple = move.fits && transition.effects.empty();
        move.bits = move.fits ? bits << field_.shift : 0;
        move.marks = transition.marks;
    }
}

Expansion ObservedSteps::expand(const Word* states, std::size_t count, Cursor& cursor, SuccessorBatch& out,
                                Expander& system) {
    if (!continues(states, count, cursor)) complete_ = 0;
    is_systems_ = false;
    for (; cursor.state < count; ++cursor.state, cursor.delivered = 0) {
        const Word* const state = states + std::size_t{cursor.state} * words_;
        if (cursor.state - first_ >= complete_) fill(states, count, cursor.state, system);
        choose(state);
        const Expansion result = expand_one(state, cursor, out, system);
        if (result != Expansion::done) {
            if (result == Expansion::full) keep(states, cursor);
            else complete_ = 0;
            return result;
        }
        out.complete_source();
    }
    complete_ = 0;
    return Expansion::done;
}

// Whether the batch is that of the sources from the cursor on.
bool ObservedSteps::continues(const Word* states, std::size_t count, const Cursor& cursor) const {
    const std::uint64_t end = std::uint64_t{first_} + complete_;
    return complete_ > 0 && cursor.state >= first_ && cursor.state < end && end <= count &&
           kept_.size() == (end - cursor.state) * words_ &&
           std::equal(kept_.begin(), kept_.end(), states + std::size_t{cursor.state} * words_);
}

void ObservedSteps::keep(const Word* states, const Cursor& cursor) {
    const std::uint64_t end = std::uint64_t{first_} + complete_;
    if (cursor.state >= end) return;
    kept_.assign(states + std::size_t{cursor.state} * words_, states + end * words_);
}

void ObservedSteps::fill(const Word* states, std::size_t count, std::uint32_t from, Expander& system) {
    batch_.restart(0);
    Cursor own;
    // Where it ends early, the cause shows again when that state is the first one.
    (void)system.expand(states + std::size_t{from} * words_, std::min<std::size_t>(count - from, kSources), own,
                        batch_);
    first_ = from;
    complete_ = static_cast<std::uint32_t>(batch_.complete_sources());
}

void ObservedSteps::choose(const Word* state) {
    candidate_count_ = collect_(state, candidates_.data());
    edges_.clear();
    is_simple_ = is_plain_;
    for (std::size_t i = 0; i < candidate_count_; ++i) {
        const Move& move = moves_[candidates_[i].transition];
        is_simple_ = is_simple_ && move.is_simple && candidates_[i].fault == 0;
        edges_.push_back({move.bits, move.marks});
    }
}

Expansion ObservedSteps::expand_one(const Word* state, Cursor& cursor, SuccessorBatch& out, Expander& system) {
    result_ = Expansion::done;
    seen_ = 0;
    if (complete_ == 0) return expand_alone(state, cursor, out, system);
    const std::size_t place = cursor.state - first_;
    const std::size_t begin = place == 0 ? 0 : batch_.end(place - 1);
    const std::size_t end = batch_.end(place);
    if (begin == end) {
        (void)observe(state, nullptr, cursor, out);
        return result_;
    }
    if (is_simple_ && cursor.delivered == 0 && !batch_.has_faults()) {
        const std::size_t steps = (end - begin) * edges_.size();
        if (steps <= out.capacity() - out.size()) {
            out.join(batch_, begin, end, edges_, field_.word, keep_);
            return Expansion::done;
        }
        if (steps <= out.capacity() && out.size() > 0) return Expansion::full;
    }
    (void)multiply(begin, end, cursor, out);
    return result_;
}

// A state that does not fit into the batch, or where the system needs repacking.
Expansion ObservedSteps::expand_alone(const Word* state, Cursor& cursor, SuccessorBatch& out, Expander& system) {
    bool any = false;
    Cursor own;
    for (;;) {
        batch_.restart(0);
        const Expansion result = system.expand(state, 1, own, batch_);
        any = any || batch_.size() > 0;
        if (!multiply(0, batch_.size(), cursor, out)) return result_;
        switch (result) {
            case Expansion::done:
                if (!any) (void)observe(state, nullptr, cursor, out);
                return result_;
            case Expansion::full: break;
            case Expansion::needs_repacking: is_systems_ = true; return result;
            case Expansion::key_undefined: assert(false && "the system's steps have no keys"); return result;
        }
    }
}

bool ObservedSteps::multiply(std::size_t begin, std::size_t end, Cursor& cursor, SuccessorBatch& out) {
    for (std::size_t i = begin; i < end; ++i) {
        const model::TransitionId transition = batch_.transition(i);
        if (batch_.fault(i) != model::FaultKind::none
                ? !deliver(nullptr, transition, model_.transitions[transition].marks, batch_.fault(i), cursor, out)
                : !observe(batch_.state(i), &transition, cursor, out))
            return false;
    }
    return true;
}

// A step of the system, or none in a deadlock (`taken` is null), with each step of the observer.
bool ObservedSteps::observe(const Word* after, const model::TransitionId* taken, Cursor& cursor, SuccessorBatch& out) {
    for (std::size_t i = 0; i < candidate_count_; ++i) {
        const NativeCandidate candidate = candidates_[i];
        const Move& move = moves_[candidate.transition];
        std::copy_n(after, words_, observed_.data());
        auto fault = static_cast<model::FaultKind>(candidate.fault);
        if (fault == model::FaultKind::none) {
            run_.code = NativeRun::ok;
            if (const NativeEffects effects = functions_.effects[candidate.transition])
                fault = static_cast<model::FaultKind>(effects(observed_.data(), &run_));
            if (run_.code != NativeRun::ok) return stop(Expansion::needs_repacking);
        }
        if (fault == model::FaultKind::none) {
            if (!move.fits) {
                run_.slot = slot_;
                run_.value = move.to;
                return stop(Expansion::needs_repacking);
            }
            observed_[field_.word] = (observed_[field_.word] & keep_) | move.bits;
        }
        const model::Marks marks = (taken == nullptr ? 0 : model_.transitions[*taken].marks) | move.marks;
        if (!deliver(observed_.data(), taken == nullptr ? candidate.transition : *taken, marks, fault, cursor, out))
            return false;
    }
    return true;
}

bool ObservedSteps::deliver(const Word* next, model::TransitionId transition, model::Marks marks,
                            model::FaultKind fault, Cursor& cursor, SuccessorBatch& out) {
    if (seen_++ < cursor.delivered) return true;
    if (out.full()) return stop(Expansion::full);
    Key key = 0;
    if (fault == model::FaultKind::none) {
        std::copy_n(next, words_, out.next_state());
        if (functions_.key != nullptr && functions_.key(next, &key) == 0) return stop(Expansion::key_undefined);
    }
    out.push(transition, marks, fault, key);
    ++cursor.delivered;
    return true;
}

bool ObservedSteps::stop(Expansion why) {
    result_ = why;
    return false;
}

}  // namespace tideline::successor
