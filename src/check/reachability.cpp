// A search for the verdicts, then the evidence: where each finding lies is known by its number, and its path comes from
// what the search has kept. Two things may need a further search, in one thread and within the budget:
//
// - How far several threads get before they stop, and how they get to a state, depends on their number. One thread does
// it again by the
//   same engine, so that the report is always the same.
// - A sweep without a ledger forgets how it got to a state, and other searches do not keep it when nothing is asked.
// The path is then looked
//   for breadth-first.
#include "check/reachability.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

namespace tideline::check {
namespace {

using FaultKey = std::pair<model::TransitionId, model::FaultKind>;

// A state that evidence leads to.
struct Finding {
    std::uint64_t number = 0;                     // for SearchResult::paths
    std::unique_ptr<explore::PackedPath> path{};  // of a depth-first search
};

struct Violation {
    model::FaultKind fault = model::FaultKind::none;
    std::uint64_t states = 0;
    std::uint64_t expanded = 0;
    std::uint64_t peak_states = 0;
    Finding finding{};
};

struct MetFault {
    model::TransitionId transition = 0;
    model::FaultKind kind = model::FaultKind::none;
    std::uint64_t occurrences = 0;
    std::vector<successor::Word> state{};  // of the first one, as it was packed then
    std::vector<model::Value> values{};
    Finding finding{};
};

class ReachabilityObserver final : public explore::SearchObserver {
public:
    explicit ReachabilityObserver(const ReachabilityRequest& request)
        : request_(request),
          path_budget_({.memory = request.settings.limits().limits().memory, .disk = {}, .time = {}}),
          violated_(request.properties.size()) {
        for (std::size_t p = 0; p < request.properties.size(); ++p) add_property(p);
        ends_early_ = !request.exploration;
        open_ = request.properties.size();
    }

    // Searches again for what another search found without a path.
    ReachabilityObserver(const ReachabilityRequest& request, const ReachabilityObserver& forgetful)
        : request_(request), violated_(request.properties.size()) {
        for (std::size_t p = 0; p < request.properties.size(); ++p)
            if (forgetful.violated_[p]) add_property(p);
        for (std::size_t f = 0; f < std::min(forgetful.faults_.size(), kMostFaultTraces); ++f)
            wanted_faults_.push_back({forgetful.faults_[f].transition, forgetful.faults_[f].kind});
        open_ = state_properties_.size() + deadlock_properties_.size() + wanted_faults_.size();
    }

    [[nodiscard]] std::span<const std::size_t> watched_labels() const override { return watched_; }
    [[nodiscard]] bool wants_deadlocks() const override {
        return std::any_of(deadlock_properties_.begin(), deadlock_properties_.end(),
                           [this](std::size_t p) { return !violated_[p]; });
    }

    bool label_is_false(explore::SearchView& search, const explore::StateRef& found, std::size_t label,
                        model::FaultKind fault) override {
        for (const std::size_t p : state_properties_)
            if (request_.properties[p].label == label && !violated_[p]) violate(search, p, found, fault);
        watch();
        return !is_done();
    }

    bool deadlock(explore::SearchView& search, const explore::StateRef& found) override {
        for (const std::size_t p : deadlock_properties_)
            if (!violated_[p]) violate(search, p, found, model::FaultKind::none);
        return !is_done();
    }

    // Where the condition cannot be evaluated, it is none.
    [[nodiscard]] bool is_proper_end(const successor::System& system, const successor::Word* state) override {
        if (deadlock_properties_.empty()) return false;
        const std::optional<std::size_t> label = request_.properties[deadlock_properties_.front()].end_label;
        if (!label) return false;
        if (&system != of_ends_) {
            of_ends_ = &system;
            end_expander_ = system.expander();
        }
        std::vector<std::uint64_t> bits(system.label_words());
        std::vector<model::FaultKind> faults(system.label_count());
        end_expander_->labels(state, bits.data(), faults.data());
        return ((bits[*label / 64] >> (*label % 64)) & 1U) != 0;
    }

    bool faulty(explore::SearchView& search, const explore::StateRef& source, model::TransitionId transition,
                model::FaultKind kind) override {
        const auto [entry, first] = fault_index_.try_emplace({transition, kind}, faults_.size());
        if (first) {
            const successor::System& system = search.system();
            MetFault fault{transition, kind};
            fault.state.assign(source.state, source.state + system.state_words());
            fault.values = system.decode(source.state);
            fault.finding.number = source.number;
            if (faults_.size() < kMostFaultTraces) fault.finding.path = current_path(search);
            faults_.push_back(std::move(fault));
            if (std::find(wanted_faults_.begin(), wanted_faults_.end(), FaultKey{transition, kind}) !=
                wanted_faults_.end())
                --open_;
        }
        ++faults_[entry->second].occurrences;
        return !is_done();
    }

    void tick(const explore::Statistics& statistics) override { request_.tick(statistics); }

    [[nodiscard]] const std::vector<MetFault>& faults() const { return faults_; }
    [[nodiscard]] const std::optional<Violation>& violation(std::size_t property) const { return violated_[property]; }
    [[nodiscard]] std::optional<Violation>& violation(std::size_t property) { return violated_[property]; }
    [[nodiscard]] bool has_findings() const {
        return !faults_.empty() ||
               std::any_of(violated_.begin(), violated_.end(), [](const auto& v) { return v.has_value(); });
    }
    // Whether every finding that evidence is wanted for has its path already, as in a depth-first search.
    [[nodiscard]] bool has_paths() const {
        for (std::size_t f = 0; f < std::min(faults_.size(), kMostFaultTraces); ++f)
            if (!faults_[f].finding.path) return false;
        return std::all_of(violated_.begin(), violated_.end(), [](const auto& v) { return !v || v->finding.path; });
    }
    // Whether another search has found the same, anywhere.
    [[nodiscard]] bool agrees_with(const ReachabilityObserver& other) const {
        return std::equal(violated_.begin(), violated_.end(), other.violated_.begin(),
                          [](const auto& a, const auto& b) { return a.has_value() == b.has_value(); }) &&
               std::equal(fault_index_.begin(), fault_index_.end(), other.fault_index_.begin(),
                          other.fault_index_.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
    }
    // Of a kind of fault; null where it did not occur.
    [[nodiscard]] MetFault* fault(const FaultKey& key) {
        const auto found = fault_index_.find(key);
        return found == fault_index_.end() ? nullptr : &faults_[found->second];
    }

private:
    [[nodiscard]] bool is_done() const { return ends_early_ && open_ == 0; }

    void add_property(std::size_t p) {
        (request_.properties[p].kind == StateProperty::Kind::deadlock ? deadlock_properties_ : state_properties_)
            .push_back(p);
        watch();
    }

    // Labels of properties that have not been violated yet.
    void watch() {
        watched_.clear();
        for (const std::size_t p : state_properties_)
            if (!violated_[p]) watched_.push_back(request_.properties[p].label);
    }

    [[nodiscard]] std::unique_ptr<explore::PackedPath> current_path(explore::SearchView& search) const {
        std::optional<explore::PackedPath> path = search.current_path(path_budget_);
        return path ? std::make_unique<explore::PackedPath>(*std::move(path)) : nullptr;
    }

    void violate(explore::SearchView& search, std::size_t property, const explore::StateRef& found,
                 model::FaultKind fault) {
        const explore::Statistics& s = search.statistics();
        violated_[property] =
            Violation{fault, s.states, s.expanded, s.peak_states, {found.number, current_path(search)}};
        --open_;
    }

    const ReachabilityRequest& request_;
    support::Budget path_budget_;  // what a copy of a depth-first search's path may take
    std::vector<std::optional<Violation>> violated_;
    std::vector<std::size_t> state_properties_;
    std::vector<std::size_t> watched_;
    std::vector<std::size_t> deadlock_properties_;
    const successor::System* of_ends_ = nullptr;  // whose expander this is
    std::unique_ptr<successor::Expander> end_expander_;
    std::size_t open_ = 0;    // what is still searched for
    bool ends_early_ = true;  // when nothing is; an exploration does not
    std::vector<FaultKey> wanted_faults_;
    std::map<FaultKey, std::size_t> fault_index_;
    std::vector<MetFault> faults_;
};

trace::ShownViolation::Kind shown_kind(StateProperty::Kind kind) {
    using Kind = trace::ShownViolation::Kind;
    switch (kind) {
        case StateProperty::Kind::invariant: return Kind::invariant;
        case StateProperty::Kind::assertion: return Kind::assertion;
        case StateProperty::Kind::deadlock: return Kind::deadlock;
        case StateProperty::Kind::formula: return Kind::formula;
    }
    return Kind::invariant;
}

// A search with what its observer has seen.
struct Walked {
    std::unique_ptr<ReachabilityObserver> observer;
    explore::SearchResult result;
};

Walked walk(const ReachabilityRequest& request, explore::WalkOrder order, const explore::SearchSettings& settings,
            std::unique_ptr<ReachabilityObserver> observer) {
    explore::SearchResult result = explore::search(request.system, order, settings, *observer);
    return {std::move(observer), std::move(result)};
}

MeasureError measure_error(const ReachabilityRequest& request, const explore::SearchResult& result) {
    std::vector<successor::Word> path = result.offending->from;
    path.insert(path.end(), result.offending->to.begin(), result.offending->to.end());
    return {result.reason, trace::make_trace(result.system, std::move(path), request.hidden_slots),
            result.offending->from_values, result.offending->to_values};
}

Verdict verdict(const ReachabilityRequest& request, std::size_t property, const Walked& walked) {
    static constexpr const char* kLogics[] = {"invariant", "assert", "deadlock", "ltl"};
    const explore::SearchResult& result = walked.result;
    Verdict verdict;
    verdict.name = request.properties[property].name;
    verdict.logic = kLogics[static_cast<std::size_t>(request.properties[property].kind)];
    verdict.formula = request.properties[property].formula;
    verdict.seconds = result.statistics.seconds;
    verdict.states = result.statistics.states;
    verdict.expanded = result.statistics.expanded;
    verdict.peak_states = result.statistics.peak_states;
    PropertyFinding finding{
        .complete = result.complete, .met_faults = !walked.observer->faults().empty(), .stopped = result.reason};
    if (const std::optional<Violation>& violation = walked.observer->violation(property)) {
        finding.violated = true;
        if (violation->fault != model::FaultKind::none)
            finding.note =
                "it cannot be evaluated there: " + std::string(model::to_string(violation->fault)) + " fault";
        verdict.states = violation->states;
        verdict.expanded = violation->expanded;
        verdict.peak_states = violation->peak_states;
    }
    decide(verdict, finding);
    return verdict;
}

// Faulty steps come first, in the order in which they were met; then the failed assertions of an exploration, in that
// of the properties.
Outcome outcome_of(const ReachabilityRequest& request, const Walked& walked) {
    const explore::SearchResult& result = walked.result;
    Outcome outcome;
    outcome.engine = explore::to_string(request.order);
    outcome.complete = result.complete;
    outcome.reason = result.reason;
    outcome.statistics = result.statistics;
    outcome.resumable = result.resumable;
    // A target of a regress edge may have been visited before.
    outcome.counts_known = !result.forgets || result.statistics.persistent == 0;
    if (result.offending) outcome.measure_error = measure_error(request, result);
    for (const MetFault& fault : walked.observer->faults()) {
        FaultReport& report = outcome.faults.emplace_back();
        report.kind = fault.kind;
        report.text = "transition " + std::to_string(fault.transition);  // until there is evidence
        report.occurrences = fault.occurrences;
    }
    for (std::size_t p = 0; p < request.properties.size(); ++p) {
        if (!request.exploration) outcome.verdicts.push_back(verdict(request, p, walked));
        else if (const std::optional<Violation>& violation = walked.observer->violation(p))
            outcome.faults.push_back(
                {violation->fault, true, "assertion " + request.properties[p].formula + " fails", 1, {}, {}});
    }
    return outcome;
}

class ReachabilityEvidence final : public Evidence {
public:
    // `walked` was observed for this very request.
    ReachabilityEvidence(std::shared_ptr<const ReachabilityRequest> request, Walked walked)
        : request_(std::move(request)), walked_(std::move(walked)) {}

    void add_to(Outcome& outcome, const support::Budget& budget) override {
        explain_faults(outcome, budget);
        if (walk_alone(outcome, budget)) explain_faults(outcome, budget);
        if (walked_.observer->has_findings() && !knows_paths()) look_for_paths(budget);
        std::size_t failed = 0;
        std::size_t next_fault = walked_.observer->faults().size();  // of the next failed assertion among the faults
        for (std::size_t p = 0; p < request_->properties.size(); ++p) {
            if (!walked_.observer->violation(p)) continue;
            if (request_->exploration) {
                FaultReport& report = outcome.faults[next_fault++];
                show(failed++ < kMostFaultTraces ? violation_trace(p, budget)
                                                 : ConfirmedTrace{std::nullopt, kTooManyFaults},
                     report);
            } else {
                show(violation_trace(p, budget), outcome.verdicts[p]);
            }
        }
        for (std::size_t f = 0; f < walked_.observer->faults().size(); ++f) add_fault(outcome.faults[f], f, budget);
    }

private:
    template <class Report>
    static void show(ConfirmedTrace shown, Report& report) {
        report.trace = std::move(shown.trace);
        report.trace_reason = std::move(shown.reason);
    }

    // The search that knows the paths.
    [[nodiscard]] Walked& source() { return path_source_ ? *path_source_ : walked_; }
    [[nodiscard]] bool knows_paths() { return source().result.paths != nullptr || source().observer->has_paths(); }

    [[nodiscard]] explore::SearchSettings settings_within(const support::Budget& budget) const {
        explore::SearchSettings settings = request_->settings;
        settings.budget = &budget;
        settings.threads = 1;
        settings.paths = true;
        settings.ledger = nullptr;
        settings.change_over = nullptr;
        return settings;
    }

    // What the faults are is reported even where there is no time for runs.
    void explain_faults(Outcome& outcome, const support::Budget& budget) {
        const std::vector<MetFault>& faults = walked_.observer->faults();
        FaultTexts texts;
        for (std::size_t f = 0; f < faults.size() && (f < kMostFaultTraces || !budget.is_exhausted()); ++f)
            outcome.faults[f].text =
                texts.text(*walked_.result.system, repacked(faults[f]), faults[f].transition, faults[f].kind);
    }

    // Whether one thread has another outcome. Where the limits end this, what is known stands.
    bool walk_alone(Outcome& outcome, const support::Budget& budget) {
        const explore::SearchResult& first = walked_.result;
        const bool ends_early = first.reason == support::StopReason::violation || first.offending;
        const bool has_ledger = request_->settings.ledger != nullptr;
        // The paths of a complete search are searched for again anyway, except those in a ledger.
        const bool depends_on_threads = ends_early || (has_ledger && walked_.observer->has_findings());
        // When a search changes over depends on more than the threads.
        if (first.statistics.threads <= 1 || !depends_on_threads || first.statistics.changed_over ||
            budget.is_exhausted())
            return false;
        explore::SearchSettings settings = settings_within(budget);
        try {
            if (has_ledger && request_->scratch_ledger) settings.ledger = request_->scratch_ledger(*request_->system);
            if (has_ledger && settings.ledger == nullptr) return false;
            Walked alone =
                walk(*request_, request_->order, settings, std::make_unique<ReachabilityObserver>(*request_));
            if (alone.result.reason != first.reason) return false;
            if (ends_early) {
                outcome = outcome_of(*request_, alone);
                walked_ = std::move(alone);
                return true;
            }
            if (alone.observer->agrees_with(*walked_.observer)) path_source_ = std::move(alone);
        } catch (const ledger::LedgerError& error) {
            // Where there is no room for it, what several threads have found is shown.
            const ledger::LedgerFault kind = error.kind();
            if (kind != ledger::LedgerFault::disk_full && kind != ledger::LedgerFault::limit &&
                kind != ledger::LedgerFault::io && kind != ledger::LedgerFault::not_allowed)
                throw;
        }
        return false;
    }

    // Searches breadth-first for paths to what was found.
    void look_for_paths(const support::Budget& budget) {
        if (budget.is_exhausted()) return;
        path_source_ = walk(*request_, explore::WalkOrder::breadth_first, settings_within(budget),
                            std::make_unique<ReachabilityObserver>(*request_, *walked_.observer));
        path_source_is_breadth_first_ = true;
    }

    ConfirmedTrace violation_trace(std::size_t property, const support::Budget& budget) {
        std::optional<Violation>& violation = source().observer->violation(property);
        std::optional<trace::Trace> trace = trace_to(violation ? &violation->finding : nullptr, budget);
        if (!trace) return missing(budget);
        const StateProperty& violated = request_->properties[property];
        if (violated.kind == StateProperty::Kind::formula && ends_in_deadlock(*trace))
            return confirmed(*std::move(trace), request_->confirm, budget);
        trace->violation =
            trace::ShownViolation{shown_kind(violated.kind), violated.name, violated.formula, violation->fault};
        return confirmed(*std::move(trace), request_->confirm, budget);
    }

    // Where only the monitor moves in the end, the run stays in its last state for ever, which is shown once.
    static bool ends_in_deadlock(trace::Trace& trace) {
        while (trace.size() > 1 && trace.step(trace.size() - 2).is_empty()) {
            trace.words.resize(trace.words.size() - trace.system->state_words());
            trace.stays = true;
        }
        if (trace.stays) trace.loop = trace.size() - 1;
        return trace.stays;
    }

    void add_fault(FaultReport& report, std::size_t f, const support::Budget& budget) {
        const MetFault& fault = walked_.observer->faults()[f];
        if (f >= kMostFaultTraces) {
            report.trace_reason = kTooManyFaults;
            return;
        }
        const FaultKey key{fault.transition, fault.kind};
        MetFault* found = source().observer->fault(key);
        std::optional<trace::Trace> trace = trace_to(found == nullptr ? nullptr : &found->finding, budget);
        if (trace) trace->fault = trace::Trace::FaultyStep{key.first, key.second};
        show(trace ? confirmed(*std::move(trace), request_->confirm, budget) : missing(budget), report);
        // Where several threads found it first in other states, the text is that of the run that is shown.
        if (report.trace) report.text = report.trace->fault_step().text;
    }

    // The state of a fault as it is packed now.
    [[nodiscard]] std::vector<successor::Word> repacked(const MetFault& fault) const {
        const successor::System& system = *walked_.result.system;
        if (system.layout() == nullptr) return fault.state;
        std::vector<successor::Word> state(system.state_words());
        const std::optional<model::SlotId> misfit = system.layout()->pack(fault.values.data(), state.data());
        assert(!misfit && "what was packed once fits a wider packing");
        (void)misfit;
        return state;
    }

    // Nothing where there is no path.
    std::optional<trace::Trace> trace_to(Finding* finding, const support::Budget& budget) {
        std::optional<explore::PackedPath> path = finding == nullptr ? std::nullopt : path_to(*finding, budget);
        if (!path) return std::nullopt;
        trace::Trace trace = trace::make_trace(path->system, std::move(path->states), request_->hidden_slots);
        trace.shortest = is_shortest(*finding);
        return trace;
    }

    // Breadth-first, the first state that is found is a nearest one, also by threads, which search level by level; so
    // it is in the part of a search that was breadth-first, before it changed over.
    [[nodiscard]] bool is_shortest(const Finding& finding) const {
        return path_source_is_breadth_first_ || request_->order == explore::WalkOrder::breadth_first ||
               (walked_.result.statistics.changed_over && finding.number >= explore::kFirstEarlyState);
    }

    ConfirmedTrace missing(const support::Budget& budget) {
        return {std::nullopt,
                why_missing(budget, source().result.complete ? "" : support::to_string(source().result.reason))};
    }

    std::optional<explore::PackedPath> path_to(Finding& finding, const support::Budget& budget) {
        if (finding.path) return std::move(*finding.path);
        explore::PathSource* paths = source().result.paths.get();
        if (paths == nullptr) return std::nullopt;
        return paths->path_to(finding.number, budget);
    }

    std::shared_ptr<const ReachabilityRequest> request_;
    Walked walked_;
    std::optional<Walked> path_source_;  // a further search that knows the paths
    bool path_source_is_breadth_first_ = false;
};

}  // namespace

Decision decide_reachability(const ReachabilityRequest& request) {
    const auto own = std::make_shared<ReachabilityRequest>(request);
    own->settings.paths = !request.properties.empty();
    Walked walked = walk(*own, own->order, own->settings, std::make_unique<ReachabilityObserver>(*own));
    if (walked.result.continues_with) {
        // The rest is done by a sweep, which begins with everything that was found before.
        const explore::ChangeTarget target = *std::exchange(walked.result.continues_with, std::nullopt);
        walked = {};
        own->order = explore::WalkOrder::sweep;
        own->system = target.system;
        own->settings.ledger = target.ledger;
        own->settings.change_over = nullptr;
        walked = walk(*own, own->order, own->settings, std::make_unique<ReachabilityObserver>(*own));
    }
    Outcome outcome = outcome_of(*own, walked);
    return {std::move(outcome), std::make_unique<ReachabilityEvidence>(own, std::move(walked))};
}

}  // namespace tideline::check
