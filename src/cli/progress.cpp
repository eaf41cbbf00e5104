// tideline progress: the measure that a sweep would use, what is known of it, and what else there is.
#include <unistd.h>

#include <cstdio>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/session.hpp"
#include "progress/explanation.hpp"
#include "report/progress_report.hpp"

namespace tideline {
namespace {

std::string transition_text(const Model& model, TransitionId id) {
    const Transition& transition = model.transitions[id];
    std::string text;
    for (const Participant& p : transition.participants)
        text += fmt::format("{}{}: {} -> {}", text.empty() ? "" : ", ", model.processes[p.process].name, model.location_name(p.process, p.from),
                            model.location_name(p.process, p.to));
    if (!transition.label.empty()) text += (text.empty() ? "" : " ") + transition.label;
    if (!transition.participants.empty() && transition.participants.front().span.end > 0)
        text += fmt::format(" (line {})", model.source.line_number(transition.participants.front().span.begin));
    return text.empty() ? fmt::format("transition {}", id) : text;
}

MeasureReport report_of(const RatedMeasure& rated) {
    MeasureReport report;
    const auto states = static_cast<double>(std::max<std::uint64_t>(1, rated.rating.states));
    report.components = rated.measure.components;
    report.monotonic = rated.monotonic;
    report.peak_share = static_cast<double>(rated.rating.peak) / states;
    report.predicted_share = rated.predicted_share;
    report.reread_share = static_cast<double>(rated.rating.reread) / states;
    report.expanded_share = static_cast<double>(rated.rating.expanded) / states;
    report.layers = rated.ranks.count;
    report.passes = rated.rating.passes;
    return report;
}

}  // namespace

int run(const ProgressCommand& command, const CppProgram* program) {
    int status = kHolds;
    std::optional<Subject> subject =
        program != nullptr ? program->make_subject()
                           : subject_or_explain(command.search, {command.search.wrap, true}, status);
    if (!subject) return status;
    SearchOptions search = command.search;
    if (search.engine == "auto") search.engine = "sweep";
    Session session(search, std::move(*subject));
    ProgressReport report;
    {
        const std::optional<FoundMeasures> found = session.rate_measures();
        if (!found) return kWrongInput;
        if (session.must_stop()) {
            print({diagnostic_about(search.model, "stopped before measures were rated", "an interrupt, or the limit on time or memory")});
            return kUndecided;
        }
        if (const Measure* chosen = session.chosen_measure(); chosen != nullptr && !found->measures.empty() && found->measures[0].ranks.count == 0) {
            const std::string where = unevaluable_text(found->pilot, session.model(), *chosen);
            print({diagnostic_about(search.progress == "auto" ? search.model : "--progress", "the measure cannot be evaluated in a state that is reached: " + where,
                                    "expected a measure without division by zero, indices outside an array and the like")});
            return kWrongInput;
        }
        report.version = TIDELINE_VERSION;
        report.model_path = session.model_path();
        report.ledger = search.ledger != "none";
        report.given = search.progress != "auto" && search.progress != "none";
        report.own = !report.given && session.chosen_measure() != nullptr;
        report.pilot_states = found->pilot.states;
        report.pilot_complete = found->pilot.complete;
        report.certified_transitions = session.model().transitions.size();
        for (const RatedMeasure& rated : found->measures) report.measures.push_back(report_of(rated));
        if (!found->measures.empty() && found->measures[0].ranks.count > 0) {
            const Ranks& ranks = found->measures[0].ranks;
            report.predicted_layers = layer_sizes(ranks);
            for (const Flow& flow : flows(found->pilot, ranks))
                if (flow.transition < session.model().transitions.size())
                    report.transitions.push_back({transition_text(session.model(), flow.transition), flow.forward, flow.level, flow.back});
        }
    }
    if (command.measure && !report.measures.empty()) {
        if (!session.choose_engine()) return kWrongInput;
        const Outcome outcome = session.run({}, {}, true);
        if (!outcome.complete) status = kUndecided;
        report.actual_states = outcome.statistics.states;
        report.actual_peak = outcome.statistics.peak_states;
        report.actual_layers = session.layer_sizes();
    }
    const OutputOptions& output = search.output;
    if (!output.quiet) {
        std::FILE* out = output.json == "-" ? stderr : stdout;
        std::fputs(to_text(report, session.summary_options(output.json == "-" ? STDERR_FILENO : STDOUT_FILENO)).c_str(), out);
    }
    if (output.json == "-")
        std::fputs(to_json(report).c_str(), stdout);
    else if (output.json && !write_file(*output.json, to_json(report)))
        status = kProgramFault;
    if (command.svg && !write_file(*command.svg, to_svg(report))) status = kProgramFault;
    return end_of_output(status);
}

}  // namespace tideline
