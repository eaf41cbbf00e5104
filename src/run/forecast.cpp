#include "run/forecast.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <utility>

#include "explore/frontier_trend.hpp"
#include "ledger/error.hpp"
#include "support/memory.hpp"

namespace tideline::run {
namespace {

constexpr std::chrono::milliseconds kTrial{1500};
constexpr double kReadCost = 0.2;  // of a state that is read back, beside one that is expanded

// Keeps the figures of a run, and prints nothing.
class TrialSink final : public Sink {
public:
    TrialSink() : memory_before_(support::resident_memory()) {}

    void progress(const explore::Statistics& statistics) override {
        looks_.push_back({statistics.expanded, statistics.states});
        last_ = statistics;
        bytes_ = std::max(bytes_, difference(support::resident_memory()));
    }

    [[nodiscard]] Trial trial(const RunReport& report) const {
        const explore::Statistics& statistics = report.outcome.statistics;
        Trial trial;
        trial.complete = report.outcome.complete;
        trial.states = statistics.states;
        trial.expanded = statistics.expanded;
        trial.seconds = statistics.seconds;
        trial.compile_seconds = std::min(statistics.compile_seconds, statistics.seconds);
        trial.bytes = bytes_;
        trial.peak_states = statistics.peak_states;
        // The trend of the second half.
        if (looks_.size() >= 2)
            trial.left = explore::states_left(looks_[looks_.size() / 2 - 1], looks_.back(), last_.waiting);
        return trial;
    }

private:
    [[nodiscard]] std::uint64_t difference(std::uint64_t now) const {
        return now > memory_before_ ? now - memory_before_ : 0;
    }

    std::uint64_t memory_before_;
    std::uint64_t bytes_ = 0;
    std::deque<explore::FrontierLook> looks_;
    explore::Statistics last_;
};

std::optional<Trial> try_out(RunSpec spec, const LoadedInput& input, const support::Budget& budget) {
    const support::Budget share(spec.limits, [&budget] { return budget.is_interrupted(); });
    OrRefusal<RunPlan> planned = plan(std::move(spec), input);
    if (std::holds_alternative<Refusal>(planned)) return std::nullopt;
    support::release_free_memory();
    TrialSink sink;
    try {
        OrRefusal<RunReport> result = execute(std::get<RunPlan>(std::move(planned)), input, sink, share);
        if (std::holds_alternative<Refusal>(result)) return std::nullopt;
        const auto& report = std::get<RunReport>(result);
        if (!report.resumable.empty()) {  // nobody resumes a trial
            std::error_code ignored;
            std::filesystem::remove_all(report.resumable, ignored);
        }
        return sink.trial(report);
    } catch (const ledger::LedgerError&) {  // there is no place for one
        return std::nullopt;
    }
}

double seconds_per_state(const Trial& trial) {
    return (trial.seconds - trial.compile_seconds) / static_cast<double>(std::max<std::uint64_t>(1, trial.expanded));
}

}  // namespace

Forecast forecast_of(const Trial& in_memory, const std::optional<Trial>& sweep, const std::optional<SweepToTry>& tried,
                     std::optional<std::uint64_t> memory) {
    Forecast result;
    result.visited = in_memory.states;
    result.trial_seconds = in_memory.seconds;
    result.memory = memory;
    result.states_exact = in_memory.complete || (sweep && sweep->complete);
    if (in_memory.complete) result.states = in_memory.states;
    else if (sweep && sweep->complete) result.states = sweep->states;
    else if (in_memory.left) result.states = in_memory.expanded + static_cast<std::uint64_t>(*in_memory.left);
    const auto search = [&](const Trial& trial, double reread) {
        const double per_state = seconds_per_state(trial) * (1 + kReadCost * reread);
        Forecast::Search predicted{.seconds_per_million = 1e6 * per_state, .seconds = {}};
        if (trial.complete) predicted.seconds = trial.seconds;
        else if (result.states)
            predicted.seconds = trial.compile_seconds + per_state * static_cast<double>(*result.states);
        return predicted;
    };
    result.in_memory = search(in_memory, 0);
    result.bytes_per_state =
        static_cast<double>(in_memory.bytes) / static_cast<double>(std::max<std::uint64_t>(1, in_memory.states));
    if (result.states)
        result.bytes = in_memory.complete
                           ? in_memory.bytes
                           : static_cast<std::uint64_t>(result.bytes_per_state * static_cast<double>(*result.states));
    if (memory && result.bytes_per_state > 0)
        result.most_states = static_cast<std::uint64_t>(static_cast<double>(*memory) / result.bytes_per_state);
    if (in_memory.complete) result.fits = true;
    else if (memory && result.bytes) result.fits = *result.bytes <= *memory;
    if (sweep && tried) {
        result.sweep = search(*sweep, sweep->complete ? 0 : tried->reread_share);
        if (sweep->complete) result.peak_states = sweep->peak_states;
        else if (result.states)
            result.peak_states =
                static_cast<std::uint64_t>(tried->predicted_share * static_cast<double>(*result.states));
    }
    return result;
}

std::optional<Forecast> forecast(const RunSpec& spec, const LoadedInput& input, const std::optional<SweepToTry>& sweep,
                                 const support::Budget& budget) {
    if (budget.is_exhausted()) return std::nullopt;
    RunSpec trial = spec;
    trial.task = Task::explore;
    trial.properties.clear();
    trial.states.reset();
    trial.ledger = {};
    trial.record = explore::Recorded::tree;
    trial.limits = budget.limits();
    trial.limits.time = kTrial;
    if (const std::optional<std::chrono::nanoseconds> left = budget.time_left())
        trial.limits.time = std::min<std::chrono::nanoseconds>(kTrial, *left / 8);
    RunSpec in_memory = trial;
    in_memory.engine = Engine::bfs;
    in_memory.progress = {};
    const std::optional<Trial> first = try_out(std::move(in_memory), input, budget);
    if (!first || budget.is_exhausted()) return std::nullopt;
    std::optional<Trial> second;
    if (sweep) {
        trial.engine = Engine::sweep;
        trial.progress = {};
        if (!sweep->own) {
            trial.progress.kind = ProgressChoice::Kind::given;
            trial.progress.measure = sweep->measure;
        }
        second = try_out(std::move(trial), input, budget);
    }
    return forecast_of(*first, second, sweep, budget.limits().memory);
}

}  // namespace tideline::run
