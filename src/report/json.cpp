#include "report/json.hpp"

#include <algorithm>
#include <cassert>

#include <nlohmann/json.hpp>

#include "report/evidence.hpp"
#include "support/json_text.hpp"
#include "trace/itf.hpp"

namespace tideline::report {
namespace {

using nlohmann::ordered_json;

// The text of an object whose lines but the first are shifted, without its closing brace: more members follow.
std::string open_text(const ordered_json& object, std::size_t shift) {
    std::string text = support::to_json_text(object, 2);
    assert(text.ends_with("\n}"));
    text.resize(text.size() - 2);
    std::string shifted;
    for (const char c : text) {
        shifted += c;
        if (c == '\n') shifted.append(shift, ' ');
    }
    return shifted;
}

// Writes objects with traces, as elements of an array that is a member of the report.
class ElementWriter {
public:
    static constexpr std::size_t kShift = 4;   // of an element
    static constexpr std::size_t kMember = 6;  // of its members

    ElementWriter(const run::RunReport& report, const support::TextSink& sink, const support::Budget& budget)
        : report_(report), sink_(sink), budget_(budget) {}

    void write(const ordered_json& object, const std::optional<trace::Trace>& trace, std::string reason,
               const std::string& description) {
        sink_((is_first_ ? "\n" : ",\n") + std::string(kShift, ' ') + open_text(object, kShift));
        is_first_ = false;
        member("trace");
        support::StopReason stopped = trace ? budget_.exhausted() : support::StopReason::none;
        if (!trace || stopped != support::StopReason::none) sink_("null");
        else stopped = trace::write_itf(*trace, {description, report_.model_path, kMember}, sink_, budget_);
        if (stopped != support::StopReason::none) reason = support::to_string(stopped);
        if (trace && trace->shortest) {
            member("trace_shortest");
            sink_(*trace->shortest ? "true" : "false");
        }
        if (!reason.empty()) {
            member("trace_reason");
            sink_(support::to_json_text(ordered_json(reason)));
        }
        sink_("\n" + std::string(kShift, ' ') + "}");
    }

    // After the last one.
    void end() { sink_(is_first_ ? "]" : "\n  ]"); }

private:
    void member(const char* name) { sink_(",\n" + std::string(kMember, ' ') + '"' + name + "\": "); }

    const run::RunReport& report_;
    const support::TextSink& sink_;
    const support::Budget& budget_;
    bool is_first_ = true;
};

ordered_json text_or_null(const std::string& text) { return text.empty() ? ordered_json(nullptr) : ordered_json(text); }

ordered_json count_or_null(std::uint64_t count, const run::RunReport& report) {
    return report.outcome.counts_known ? ordered_json(count) : ordered_json(nullptr);
}

ordered_json fault_json(const check::FaultReport& fault) {
    ordered_json result = ordered_json::object();
    result["kind"] = run::fault_kind_text(fault);
    result["in_assertion"] = fault.in_assertion;
    result["text"] = fault.text;
    result["occurrences"] = fault.occurrences;
    return result;
}

ordered_json figures_json(const check::BranchingFigures& figures) {
    return {{"operations", figures.operations},
            {"edges", figures.edges},
            {"edge_visits", figures.edge_visits},
            {"most_edge_visits", figures.most_edge_visits},
            {"product_nodes", figures.product_nodes},
            {"deepest_stack", figures.deepest_stack},
            {"deepest_by_components", figures.deepest_by_components},
            {"clusters", figures.clusters},
            {"largest_cluster", figures.largest_cluster},
            {"scans", figures.scans}};
}

ordered_json property_json(const check::Verdict& verdict, const run::RunReport& report) {
    const check::Answer answer = verdict.answer;
    ordered_json result = ordered_json::object();
    result["name"] = verdict.name;
    result["logic"] = verdict.logic;
    result["formula"] = verdict.formula;
    result["verdict"] = check::to_string(answer);
    result["reason"] = text_or_null(verdict.reason);
    if (!verdict.note.empty()) result["note"] = verdict.note;
    if (!verdict.vacuous.empty()) result["vacuous"] = true;
    if (verdict.residual)
        result["residual"] = {{"nodes", verdict.residual->nodes},
                              {"edges", verdict.residual->edges},
                              {"bytes", verdict.residual->bytes},
                              {"disk_bytes", verdict.residual->disk_bytes},
                              {"passes", verdict.residual->passes}};
    result["seconds"] = verdict.seconds;
    result["states"] = count_or_null(verdict.states, report);
    result["expanded"] = verdict.expanded;
    result["peak_states"] = verdict.peak_states;
    if (verdict.cycle) result["cycle"] = check::to_string(*verdict.cycle);
    if (verdict.expected) result["expected"] = check::to_string(*verdict.expected);
    if (verdict.branching) result["figures"] = figures_json(*verdict.branching);
    if (!verdict.satisfying.empty()) {
        result["satisfying"] = ordered_json::array();
        for (const check::Satisfying& each : verdict.satisfying)
            result["satisfying"].push_back(
                {{"formula", each.formula}, {"states", each.states}, {"listed", each.listed}});
    }
    if (const auto i = static_cast<std::size_t>(&verdict - report.outcome.verdicts.data()); i < report.reasons.size()) {
        const run::Reasons& found = report.reasons[i];
        if (!found.values.empty()) result["values"] = found.values;
        for (const run::BlockedProcess& process : found.blocked) {
            ordered_json transitions = ordered_json::array();
            for (const run::BlockedTransition& each : process.transitions)
                transitions.push_back({{"to", each.to}, {"line", each.line}, {"by", each.by}});
            result["blocked"].push_back({{"process", process.process},
                                         {"location", process.location},
                                         {"transitions", std::move(transitions)}});
        }
    }
    if (verdict.tree) result["evidence"] = evidence_json(*verdict.tree);
    return result;
}

ordered_json symmetry_json(const run::SymmetryReport& symmetry) {
    return {{"requested", symmetry.requested},
            {"order", symmetry.order ? ordered_json(*symmetry.order) : ordered_json(nullptr)},
            {"exchangeable", symmetry.exchangeable},
            {"others", symmetry.others},
            {"states_are_classes", symmetry.is_canonical},
            {"measure_kept", symmetry.is_measure_kept}};
}

void add_counts(ordered_json& object, const run::RunReport& report) {
    const explore::Statistics& statistics = report.outcome.statistics;
    object["states"] = count_or_null(statistics.states, report);
    object["states_exact"] = report.outcome.counts_known && statistics.states_exact;
    object["transitions"] = count_or_null(statistics.transitions, report);
    object["deadlocks"] = count_or_null(statistics.deadlocks, report);
    object["layers"] = statistics.layers;
    object["sweeps"] = statistics.sweeps;
    ordered_json details = ordered_json::array();
    for (const explore::SweepCount& sweep : statistics.sweep_details)
        details.push_back({{"peak_states", sweep.peak_states}, {"expanded", sweep.expanded}});
    object["sweep_details"] = std::move(details);
    object["expanded"] = statistics.expanded;
    object["reread"] = statistics.reread;
    object["spilled"] = statistics.spilled;
    object["persistent"] = statistics.persistent;
    object["peak_states"] = statistics.peak_states;
    object["peak_rss_bytes"] = report.peak_rss_bytes;
    object["ledger_bytes"] = report.ledger_bytes;
    object["seconds"] = std::max(report.seconds, statistics.seconds);
    object["depth"] = statistics.depth;
    object["regress_edges"] = statistics.regress_edges;
    object["widest_layer"] = statistics.widest_layer;
    object["state_bytes"] = statistics.state_bytes;
    object["threads"] = statistics.threads;
    object["compile_seconds"] = statistics.compile_seconds;
    object["search_seconds"] = statistics.seconds;
    object["measure_seconds"] = report.measure_seconds;
    object["changed_over"] = nullptr;
    if (const std::optional<explore::ChangedOver>& change = statistics.changed_over)
        object["changed_over"] = {{"states", change->states}, {"seconds", change->seconds}, {"reason", change->reason}};
}

}  // namespace

void write_json(const run::RunReport& report, const support::TextSink& sink, const support::Budget& budget) {
    const check::Outcome& outcome = report.outcome;
    ordered_json object = ordered_json::object();
    object["tool"]["name"] = "tideline";
    object["tool"]["version"] = report.version;
    object["model"]["path"] = report.model_path;
    object["model"]["format"] = report.format;
    for (const std::string& definition : report.definitions) {
        const std::size_t sign = definition.find('=');
        object["model"]["definitions"][definition.substr(0, sign)] =
            sign == std::string::npos ? "" : definition.substr(sign + 1);
    }
    object["engine"] = outcome.engine;
    object["complete"] = outcome.complete;
    object["reason"] = outcome.reason == support::StopReason::none ? ordered_json(nullptr)
                                                                   : ordered_json(support::to_string(outcome.reason));
    object["progress"]["source"] = report.progress_source;
    object["progress"]["monotonic"] = report.monotonic;
    object["progress"]["components"] = report.components;
    object["progress"]["predicted_share"] =
        report.predicted_share ? nlohmann::ordered_json(*report.predicted_share) : nlohmann::ordered_json(nullptr);
    if (report.cut_off)
        object["cut_off"] = {
            {"condition", report.cut_off->condition},
            {"exact", report.cut_off->is_exact ? ordered_json(*report.cut_off->is_exact) : ordered_json(nullptr)},
            {"unvisited", report.cut_off->unvisited}};
    if (report.symmetry) object["symmetry"] = symmetry_json(*report.symmetry);
    if (report.stubborn != "none") object["stubborn"] = report.stubborn;
    object["engine_reason"] =
        report.engine_reason.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(report.engine_reason);
    add_counts(object, report);
    sink(open_text(object, 0));
    sink(",\n  \"faults\": [");
    ElementWriter faults(report, sink, budget);
    for (const check::FaultReport& fault : outcome.faults)
        faults.write(fault_json(fault), fault.trace, fault.trace_reason, fault.text);
    faults.end();
    sink(",\n  \"properties\": [");
    ElementWriter properties(report, sink, budget);
    for (const check::Verdict& verdict : outcome.verdicts)
        properties.write(property_json(verdict, report), verdict.trace, verdict.trace_reason,
                         verdict.name + ": " + std::string(check::to_string(verdict.answer)));
    properties.end();
    sink("\n}\n");
}

std::string to_json(const run::RunReport& report) {
    std::string text;
    const support::Budget unlimited;
    write_json(report, support::sink_into(text), unlimited);
    return text;
}

}  // namespace tideline::report
