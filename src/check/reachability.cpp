#include "check/reachability.hpp"

#include <algorithm>
#include <map>

#include "trace/rebuild.hpp"

namespace tideline {
namespace {

using FaultKey = std::pair<TransitionId, FaultKind>;

class ReachabilityObserver final : public SearchObserver {
public:
    explicit ReachabilityObserver(const ReachabilityRequest& request)
        : request_(request), violated_(request.goals.size()) {
        for (std::size_t g = 0; g < request.goals.size(); ++g) add_goal(g);
        ends_early_ = !request.exploration;
        open_ = request.goals.size();
    }

    // Looks again for what another search found without being able to tell how it got there.
    ReachabilityObserver(const ReachabilityRequest& request, const ReachabilityObserver& forgetful)
        : request_(request), violated_(request.goals.size()), wanted_faults_(&forgetful.fault_index_) {
        for (std::size_t g = 0; g < request.goals.size(); ++g)
            if (forgetful.violated_[g]) add_goal(g);
        open_ = state_goals_.size() + deadlock_goals_.size() + wanted_faults_->size();
    }

    [[nodiscard]] bool lacks_traces() const {
        return std::any_of(violated_.begin(), violated_.end(), [](const auto& v) { return v && !v->trace; }) ||
               std::any_of(faults_.begin(), faults_.end(), [](const FaultReport& f) { return !f.trace; });
    }

    void take_traces(ReachabilityObserver& found) {
        for (std::size_t g = 0; g < violated_.size(); ++g)
            if (violated_[g] && found.violated_[g]) violated_[g]->trace = std::move(found.violated_[g]->trace);
        for (const auto& [key, place] : found.fault_index_) {
            const auto mine = fault_index_.find(key);
            if (mine != fault_index_.end()) faults_[mine->second].trace = std::move(found.faults_[place].trace);
        }
    }

    [[nodiscard]] std::span<const std::size_t> watched_labels() const override { return watched_; }
    [[nodiscard]] bool wants_deadlocks() const override {
        return std::any_of(deadlock_goals_.begin(), deadlock_goals_.end(), [this](std::size_t g) { return !violated_[g]; });
    }

    bool label_is_false(SearchView& search, const Found& found, std::size_t label, FaultKind fault) override {
        for (const std::size_t g : state_goals_)
            if (request_.goals[g].label == label && !violated_[g]) violate(search, g, found, fault);
        watch();
        return !is_done();
    }

    bool deadlock(SearchView& search, const Found& found) override {
        for (const std::size_t g : deadlock_goals_)
            if (!violated_[g]) violate(search, g, found, FaultKind::none);
        return !is_done();
    }

    bool faulty(SearchView& search, const Found& source, TransitionId transition, FaultKind kind) override {
        const auto [place, first] = fault_index_.try_emplace({transition, kind}, faults_.size());
        if (first) {
            FaultReport report;
            report.kind = kind;
            const std::vector<Word> state(source.state, source.state + search.system().state_words());
            report.text = fault_text(search.system(), state, transition, kind);
            if (std::optional<Trace> trace = trace_to(search, source)) {
                append_fault(*trace, search.system(), state, transition, kind);
                confirm(*trace);
                report.trace = std::move(trace);
            }
            faults_.push_back(std::move(report));
            if (wanted_faults_ != nullptr && wanted_faults_->contains({transition, kind})) --open_;
        }
        ++faults_[place->second].occurrences;
        return !is_done();
    }

    void tick(const Statistics& statistics) override { request_.tick(statistics); }

    Outcome outcome(const SearchResult& result) {
        Outcome outcome;
        outcome.complete = result.complete;
        outcome.reason = result.reason;
        outcome.statistics = result.statistics;
        outcome.resumable = result.resumable;
        // A target of a regress edge may have been met before.
        outcome.counts_known = !result.forgets || result.statistics.persistent == 0;
        if (result.offending) outcome.measure_error = measure_error(result);
        if (request_.exploration) {
            for (std::size_t g = 0; g < request_.goals.size(); ++g)
                if (violated_[g])
                    faults_.push_back({violated_[g]->fault, true, "assertion " + request_.goals[g].formula + " fails", 1,
                                       std::move(violated_[g]->trace)});
        } else {
            for (std::size_t g = 0; g < request_.goals.size(); ++g) outcome.verdicts.push_back(verdict(g, result));
        }
        outcome.faults = std::move(faults_);
        return outcome;
    }

private:
    struct Violation {
        FaultKind fault;
        std::uint64_t states;
        std::uint64_t expanded;
        std::uint64_t peak_states;
        std::optional<Trace> trace;  // absent where the search has forgotten the way
    };

    [[nodiscard]] bool is_done() const { return ends_early_ && open_ == 0; }

    void add_goal(std::size_t g) {
        (request_.goals[g].kind == Goal::Kind::deadlock ? deadlock_goals_ : state_goals_).push_back(g);
        watch();
    }

    // Labels of goals that have not been violated yet.
    void watch() {
        watched_.clear();
        for (const std::size_t g : state_goals_)
            if (!violated_[g]) watched_.push_back(request_.goals[g].label);
    }

    static std::optional<Trace> trace_to(SearchView& search, const Found& found) {
        const std::vector<std::vector<Word>> path = search.path_to(found);
        if (path.empty()) return std::nullopt;
        return rebuild_trace(search.system(), path);
    }

    static MeasureError measure_error(const SearchResult& result) {
        std::vector<std::vector<Word>> path{result.offending->from};
        if (!result.offending->to.empty()) path.push_back(result.offending->to);
        return {result.reason, rebuild_trace(*result.system, path), result.offending->from_values, result.offending->to_values};
    }

    void confirm(const Trace& trace) {
        if (!request_.confirm) return;
        if (const std::optional<std::string> disagreement = request_.confirm(trace)) throw UnconfirmedTrace(*disagreement);
    }

    void violate(SearchView& search, std::size_t goal, const Found& found, FaultKind fault) {
        std::optional<Trace> trace = trace_to(search, found);
        if (trace) confirm(*trace);
        const Statistics& s = search.statistics();
        violated_[goal] = Violation{fault, s.states, s.expanded, s.peak_states, std::move(trace)};
        --open_;
    }

    Verdict verdict(std::size_t goal, const SearchResult& result) {
        static constexpr const char* kLogics[] = {"invariant", "assert", "deadlock"};
        Verdict verdict;
        verdict.name = request_.goals[goal].name;
        verdict.logic = kLogics[static_cast<std::size_t>(request_.goals[goal].kind)];
        verdict.formula = request_.goals[goal].formula;
        verdict.seconds = result.statistics.seconds;
        verdict.states = result.statistics.states;
        verdict.expanded = result.statistics.expanded;
        verdict.peak_states = result.statistics.peak_states;
        if (violated_[goal]) {
            verdict.answer = Answer::violated;
            if (violated_[goal]->fault != FaultKind::none)
                verdict.reason = "it cannot be evaluated there: " + std::string(to_string(violated_[goal]->fault)) + " fault";
            verdict.trace = std::move(violated_[goal]->trace);
            verdict.states = violated_[goal]->states;
            verdict.expanded = violated_[goal]->expanded;
            verdict.peak_states = violated_[goal]->peak_states;
        } else if (!result.complete) {
            verdict.reason = to_string(result.reason);
        } else if (!faults_.empty()) {
            verdict.reason = "fault";
        } else {
            verdict.answer = Answer::holds;
        }
        return verdict;
    }

    const ReachabilityRequest& request_;
    std::vector<std::optional<Violation>> violated_;
    std::vector<std::size_t> state_goals_;
    std::vector<std::size_t> watched_;
    std::vector<std::size_t> deadlock_goals_;
    std::size_t open_ = 0;     // what is still looked for
    bool ends_early_ = true;   // when nothing is; an exploration does not
    const std::map<FaultKey, std::size_t>* wanted_faults_ = nullptr;
    std::map<FaultKey, std::size_t> fault_index_;
    std::vector<FaultReport> faults_;
};

}  // namespace

Outcome decide_reachability(const ReachabilityRequest& request) {
    SearchSettings settings = request.settings;
    settings.paths = !request.goals.empty();
    auto observer = std::make_unique<ReachabilityObserver>(request);
    SearchResult result = search(request.system, request.order, settings, *observer);
    const auto what_is_left = [&] {
        SearchSettings rest = request.settings;
        rest.threads = 1;
        rest.ledger = nullptr;
        return rest;
    };
    // How far several threads get before they stop depends on their number. One thread tells it again, so that the report is always the
    // same; where the limits end that, what is known stands.
    if ((result.reason == StopReason::violation || result.offending) && result.statistics.threads > 1 && settings.ledger == nullptr) {
        auto again = std::make_unique<ReachabilityObserver>(request);
        SearchResult alone = search(request.system, request.order, what_is_left(), *again);
        if (alone.reason == result.reason) {
            observer = std::move(again);
            result = std::move(alone);
        }
    }
    // A sweep forgets how it got to a state, and other searches do not keep it when nothing is asked. The path is then looked for
    // breadth-first, within the same limits; a violation stands also where no path is found.
    if (observer->lacks_traces()) {
        ReachabilityObserver finder(request, *observer);
        (void)search(request.system, WalkOrder::breadth_first, what_is_left(), finder);
        observer->take_traces(finder);
    }
    Outcome outcome = observer->outcome(result);
    outcome.engine = to_string(request.order);
    return outcome;
}

}  // namespace tideline
