#include "report/json.hpp"

#include <nlohmann/json.hpp>

#include "trace/itf.hpp"

namespace tideline {
namespace {

using nlohmann::ordered_json;

ordered_json trace_or_null(const std::optional<Trace>& trace, const std::string& description, const RunReport& report) {
    if (!trace) return nullptr;
    return to_itf(*trace, {description, report.model_path});
}

ordered_json text_or_null(const std::string& text) { return text.empty() ? ordered_json(nullptr) : ordered_json(text); }

ordered_json count_or_null(std::uint64_t count, const RunReport& report) {
    return report.outcome.counts_known ? ordered_json(count) : ordered_json(nullptr);
}

ordered_json fault_json(const FaultReport& fault, const RunReport& report) {
    ordered_json result = ordered_json::object();
    result["kind"] = fault_kind_text(fault);
    result["in_assertion"] = fault.in_assertion;
    result["text"] = fault.text;
    result["occurrences"] = fault.occurrences;
    result["trace"] = trace_or_null(fault.trace, fault.text, report);
    return result;
}

ordered_json property_json(const Verdict& verdict, const RunReport& report) {
    const Answer answer = told_answer(report.outcome, verdict);
    ordered_json result = ordered_json::object();
    result["name"] = verdict.name;
    result["logic"] = verdict.logic;
    result["formula"] = verdict.formula;
    result["verdict"] = to_string(answer);
    result["reason"] = text_or_null(told_reason(report.outcome, verdict));
    result["seconds"] = verdict.seconds;
    result["states"] = count_or_null(verdict.states, report);
    result["expanded"] = verdict.expanded;
    result["peak_states"] = verdict.peak_states;
    if (verdict.expected) result["expected"] = to_string(*verdict.expected);
    result["trace"] = trace_or_null(verdict.trace, verdict.name + ": " + std::string(to_string(answer)), report);
    return result;
}

void add_counts(ordered_json& object, const RunReport& report) {
    const Statistics& statistics = report.outcome.statistics;
    object["states"] = count_or_null(statistics.states, report);
    object["states_exact"] = report.outcome.counts_known && statistics.states_exact;
    object["transitions"] = count_or_null(statistics.transitions, report);
    object["deadlocks"] = count_or_null(statistics.deadlocks, report);
    object["layers"] = statistics.layers;
    object["sweeps"] = statistics.sweeps;
    ordered_json details = ordered_json::array();
    for (const SweepCount& sweep : statistics.sweep_details)
        details.push_back({{"peak_states", sweep.peak_states}, {"expanded", sweep.expanded}});
    object["sweep_details"] = std::move(details);
    object["expanded"] = statistics.expanded;
    object["reread"] = statistics.reread;
    object["spilled"] = statistics.spilled;
    object["persistent"] = statistics.persistent;
    object["peak_states"] = statistics.peak_states;
    object["peak_rss_bytes"] = report.peak_rss_bytes;
    object["ledger_bytes"] = report.ledger_bytes;
    object["seconds"] = statistics.seconds;
    object["depth"] = statistics.depth;
    object["regress_edges"] = statistics.regress_edges;
    object["widest_layer"] = statistics.widest_layer;
    object["state_bytes"] = statistics.state_bytes;
    object["threads"] = statistics.threads;
    object["compile_seconds"] = statistics.compile_seconds;
}

}  // namespace

std::string to_json(const RunReport& report) {
    const Outcome& outcome = report.outcome;
    ordered_json object = ordered_json::object();
    object["tool"]["name"] = "tideline";
    object["tool"]["version"] = report.version;
    object["model"]["path"] = report.model_path;
    object["model"]["format"] = report.format;
    object["engine"] = outcome.engine;
    object["complete"] = outcome.complete;
    object["reason"] = outcome.reason == StopReason::none ? ordered_json(nullptr) : ordered_json(to_string(outcome.reason));
    object["progress"]["source"] = report.progress_source;
    object["progress"]["monotonic"] = report.monotonic;
    object["progress"]["components"] = report.components;
    object["progress"]["predicted_share"] = report.predicted_share ? nlohmann::ordered_json(*report.predicted_share) : nlohmann::ordered_json(nullptr);
    object["engine_reason"] = report.engine_reason.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(report.engine_reason);
    add_counts(object, report);
    ordered_json& faults = object["faults"] = ordered_json::array();
    for (const FaultReport& fault : outcome.faults) faults.push_back(fault_json(fault, report));
    // `object` may move its members when it grows: `faults` is not used beyond this point.
    ordered_json& properties = object["properties"] = ordered_json::array();
    for (const Verdict& verdict : outcome.verdicts) properties.push_back(property_json(verdict, report));
    return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace tideline
