#include "successor/native/composed_steps.hpp"

#include <algorithm>

#include "successor/hash.hpp"

namespace tideline::successor {

ComposedSteps::ComposedSteps(const model::Model& model, const Layout& layout, const NativeFunctions& functions)
    : model_(model),
      layout_(layout),
      functions_(functions),
      moves_(model.transitions.size()),
      choices_(model.processes.size()),
      next_(layout.words()),
      observed_(layout.words()),
      inside_(layout.words()) {
    if (model.atomic) holder_ = model.variables[*model.atomic].first_slot;
    for (model::ProcessId p = 0; p < model.processes.size(); ++p)
        if (model.observer != p) system_processes_.push_back(p);
    for (model::TransitionId t = 0; t < model.transitions.size(); ++t)
        for (const model::Participant& p : model.transitions[t].participants)
            if (p.from != p.to)
                moves_[t].push_back({model.variables[model.processes[p.process].location].first_slot, p.to});
    // Each transition is a candidate at most once.
    candidates_.resize(model.transitions.size());
    observer_.resize(model.transitions.size());
}

Expansion ComposedSteps::expand(const Word* state, Cursor& cursor, SuccessorBatch& out) {
    state_ = state;
    out_ = &out;
    cursor_ = &cursor;
    result_ = Expansion::done;
    run_.code = NativeRun::ok;
    const bool resumes = cursor.delivered != 0 && cursor.delivered == stopped_delivered_ &&
                         std::equal(stopped_state_.begin(), stopped_state_.end(), state);
    if (resumes) {
        seen_ = cursor.delivered;
    } else {
        seen_ = 0;
        if (passed_count_ > 0) std::fill(passed_index_.begin(), passed_index_.end(), 0);
        passed_count_ = 0;
        candidate_ = observed_candidate_ = 0;
        is_combining_ = false;
        if (model_.observer) observer_count_ = functions_.collect[*model_.observer](state, observer_.data());
        if (model_.composition == model::Composition::interleaving) collect_candidates();
    }
    bool any = false;
    bool go_on = true;
    if (model_.composition == model::Composition::interleaving) {
        any = candidate_count_ > 0;
        go_on = visit_interleaving();
    } else {
        go_on = visit_lockstep(any);
    }
    if (go_on && !any && model_.observer) visit_observer(state, {}, 0);
    stopped_delivered_ = 0;
    if (result_ == Expansion::full && !model_.atomic &&
        (model_.composition == model::Composition::interleaving || is_combining_)) {
        stopped_state_.assign(state, state + layout_.words());
        stopped_delivered_ = cursor.delivered;
    }
    return result_;
}

bool ComposedSteps::stop(Expansion why) {
    result_ = why;
    return false;
}

bool ComposedSteps::deliver(const Word* next, model::TransitionId transition, model::Marks marks,
                            model::FaultKind fault) {
    if (seen_++ < cursor_->delivered) return true;
    if (out_->full()) return stop(Expansion::full);
    Key key = 0;
    if (fault == model::FaultKind::none) {
        std::copy_n(next, layout_.words(), out_->next_state());
        if (functions_.key != nullptr && functions_.key(next, &key) == 0) return stop(Expansion::key_undefined);
    }
    out_->push(transition, marks, fault, key);
    ++cursor_->delivered;
    return true;
}

bool ComposedSteps::apply_effects(model::TransitionId transition, Word* state, model::FaultKind& fault) {
    const NativeEffects effects = functions_.effects[transition];
    fault = effects == nullptr ? model::FaultKind::none : static_cast<model::FaultKind>(effects(state, &run_));
    return run_.code == NativeRun::ok || stop(Expansion::needs_repacking);
}

bool ComposedSteps::change_locations(model::TransitionId transition, Word* state) {
    for (const Move& move : moves_[transition]) {
        if (layout_.store(state, move.slot, move.to)) continue;
        run_.slot = move.slot;
        run_.value = move.to;
        return stop(Expansion::needs_repacking);
    }
    return true;
}

bool ComposedSteps::execute(NativeCandidate candidate, Word* state, model::FaultKind& fault) {
    fault = static_cast<model::FaultKind>(candidate.fault);
    if (fault != model::FaultKind::none) return true;
    if (!apply_effects(candidate.transition, state, fault)) return false;
    return fault != model::FaultKind::none || change_locations(candidate.transition, state);
}

bool ComposedSteps::visit_observer(const Word* after, std::span<const model::TransitionId> taken, model::Marks marks) {
    if (!model_.observer) return deliver(after, taken.front(), marks, model::FaultKind::none);
    for (; observed_candidate_ < observer_count_; ++observed_candidate_) {
        const NativeCandidate candidate = observer_[observed_candidate_];
        std::copy_n(after, layout_.words(), observed_.data());
        model::FaultKind fault = model::FaultKind::none;
        if (!execute(candidate, observed_.data(), fault)) return false;
        const model::Marks all = marks | model_.transitions[candidate.transition].marks;
        if (!deliver(observed_.data(), taken.empty() ? candidate.transition : taken.front(), all, fault)) return false;
    }
    observed_candidate_ = 0;
    return true;
}

// ---- one transition at a time ---------------------------------------------------------------------------------------

void ComposedSteps::collect_candidates() {
    candidate_count_ = functions_.collect_all(state_, candidates_.data());
    if (model_.has_priorities) restrict_candidates();
}

bool ComposedSteps::visit_interleaving() {
    for (; candidate_ < candidate_count_; ++candidate_) {
        const NativeCandidate candidate = candidates_[candidate_];
        std::copy_n(state_, layout_.words(), next_.data());
        model::FaultKind fault = model::FaultKind::none;
        if (!execute(candidate, next_.data(), fault)) return false;
        const model::Marks marks = model_.transitions[candidate.transition].marks;
        if (fault == model::FaultKind::none && is_held(next_.data())) {
            add_passed(next_.data(), candidate.transition);
            continue;
        }
        if (fault != model::FaultKind::none ? !deliver(nullptr, candidate.transition, marks, fault)
                                            : !visit_observer(next_.data(), std::span(&candidate.transition, 1), marks))
            return false;
    }
    return passed_count_ == 0 || pass();
}

bool ComposedSteps::is_held(const Word* state) const { return model_.atomic && layout_.load(state, holder_) != 0; }

// States inside atomic sequences are compared only with those that the same state leads to.
void ComposedSteps::add_passed(const Word* state, model::TransitionId first) {
    const std::size_t words = layout_.words();
    if (2 * (passed_count_ + 1) > passed_index_.size()) {
        passed_index_.assign(std::max<std::size_t>(64, 2 * passed_index_.size()), 0);
        for (std::size_t i = 0; i < passed_count_; ++i) {
            std::size_t at = hash_state(passed_.data() + i * words, words) & (passed_index_.size() - 1);
            while (passed_index_[at] != 0) at = (at + 1) & (passed_index_.size() - 1);
            passed_index_[at] = static_cast<std::uint32_t>(i + 1);
        }
    }
    std::size_t at = hash_state(state, words) & (passed_index_.size() - 1);
    for (; passed_index_[at] != 0; at = (at + 1) & (passed_index_.size() - 1))
        if (std::equal(state, state + words, passed_.data() + (passed_index_[at] - 1) * words)) return;
    passed_index_[at] = static_cast<std::uint32_t>(++passed_count_);
    passed_.resize(std::max(passed_.size(), passed_count_ * words));
    std::copy_n(state, words, passed_.data() + (passed_count_ - 1) * words);
    passed_first_.resize(std::max(passed_first_.size(), passed_count_));
    passed_first_[passed_count_ - 1] = first;
}

bool ComposedSteps::pass() {
    const std::size_t words = layout_.words();
    for (std::size_t at = 0; at < passed_count_; ++at) {
        const model::TransitionId first = passed_first_[at];
        if (at == model::kMostPassed) return deliver(nullptr, first, 0, model::FaultKind::endless);
        std::copy_n(passed_.data() + at * words, words, inside_.data());
        const auto holder = static_cast<model::ProcessId>(layout_.load(inside_.data(), holder_) - 1);
        const std::uint64_t count = functions_.collect_all(inside_.data(), candidates_.data());
        bool any = false;
        for (std::uint64_t i = 0; i < count; ++i) {
            const NativeCandidate candidate = candidates_[i];
            const model::Transition& transition = model_.transitions[candidate.transition];
            if (transition.participants.empty() || transition.participants.front().process != holder ||
                transition.priority < 0)
                continue;
            any = true;
            std::copy_n(inside_.data(), words, next_.data());
            model::FaultKind fault = model::FaultKind::none;
            if (!execute(candidate, next_.data(), fault)) return false;
            if (fault == model::FaultKind::none && is_held(next_.data())) {
                add_passed(next_.data(), first);
                continue;
            }
            if (fault != model::FaultKind::none ? !deliver(nullptr, first, 0, fault)
                                                : !visit_observer(next_.data(), std::span(&first, 1), 0))
                return false;
        }
        if (any) continue;
        if (!layout_.store(inside_.data(), holder_, 0) || !visit_observer(inside_.data(), std::span(&first, 1), 0))
            return false;
    }
    return true;
}

// Only the highest priority remains.
void ComposedSteps::restrict_candidates() {
    const auto begin = candidates_.begin();
    auto end = begin + static_cast<std::ptrdiff_t>(candidate_count_);
    if (model_.has_priorities && begin != end) {
        const auto priority = [&](const NativeCandidate& c) { return model_.transitions[c.transition].priority; };
        int highest = priority(*begin);
        for (auto it = begin; it != end; ++it) highest = std::max(highest, priority(*it));
        end = std::remove_if(begin, end, [&](const NativeCandidate& c) { return priority(c) < highest; });
    }
    candidate_count_ = static_cast<std::size_t>(end - begin);
}

// ---- all processes at once ------------------------------------------------------------------------------------------

// What each process can do; a guard's fault is a step of its own. is_combining_ becomes whether all of them can move.
bool ComposedSteps::collect_choices(bool& any) {
    const std::size_t n = system_processes_.size();
    for (std::size_t i = 0; i < n; ++i) {
        choices_[i].clear();
        candidate_count_ = functions_.collect[system_processes_[i]](state_, candidates_.data());
        for (const NativeCandidate candidate : std::span(candidates_).first(candidate_count_)) {
            if (candidate.fault == 0) {
                choices_[i].push_back(candidate);
                continue;
            }
            any = true;
            if (!deliver(nullptr, candidate.transition, 0, static_cast<model::FaultKind>(candidate.fault)))
                return false;
        }
        if (choices_[i].empty()) return true;
    }
    if (n == 0) return true;
    picks_.assign(n, 0);
    is_combining_ = true;
    return true;
}

bool ComposedSteps::visit_lockstep(bool& any) {
    if (!is_combining_ && !collect_choices(any)) return false;
    if (!is_combining_) return true;
    any = true;
    const std::size_t n = system_processes_.size();
    const auto picked = [&](std::size_t i) { return choices_[i][picks_[i]].transition; };
    for (;;) {
        const model::TransitionId first = picked(0);
        if (!model_.observer && seen_ < cursor_->delivered) {
            ++seen_;  // one step, whether faulty or not
        } else {
            model::Marks marks = 0;
            model::FaultKind fault = model::FaultKind::none;
            std::copy_n(state_, layout_.words(), next_.data());
            for (std::size_t i = 0; i < n && fault == model::FaultKind::none; ++i) {
                marks |= model_.transitions[picked(i)].marks;
                if (!apply_effects(picked(i), next_.data(), fault)) return false;
            }
            // Locations change together after all effects.
            for (std::size_t i = 0; i < n && fault == model::FaultKind::none; ++i)
                if (!change_locations(picked(i), next_.data())) return false;
            if (fault != model::FaultKind::none ? !deliver(nullptr, first, marks, fault)
                                                : !visit_observer(next_.data(), std::span(&first, 1), marks))
                return false;
        }
        std::size_t i = n;
        while (i > 0 && ++picks_[i - 1] == choices_[i - 1].size()) picks_[--i] = 0;
        if (i == 0) return true;
    }
}

}  // namespace tideline::successor
