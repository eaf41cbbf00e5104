#include "audit/claims.hpp"

#include <charconv>

#include "support/json_text.hpp"

namespace tideline::audit {

const char* to_string(ClaimedProperty::Kind kind) {
    switch (kind) {
        case ClaimedProperty::Kind::invariant: return "invariant";
        case ClaimedProperty::Kind::assertion: return "assertion";
        case ClaimedProperty::Kind::deadlock: return "deadlock";
        case ClaimedProperty::Kind::atom: return "atom";
    }
    return "unknown";
}

namespace {

ClaimedProperty::Kind kind_of(const std::string& name) {
    for (const auto kind : {ClaimedProperty::Kind::invariant, ClaimedProperty::Kind::assertion,
                            ClaimedProperty::Kind::deadlock, ClaimedProperty::Kind::atom})
        if (name == to_string(kind)) return kind;
    throw Objection("properties of the kind '" + name + "' cannot be audited");
}

// The run's reported events, as [kind, number of the state, label, ...]; kind 0 is a label that is false, 1 a deadlock.
// Labels are those of the properties other than deadlock, in order.
void take_events(const Json& events, std::vector<ClaimedProperty>& properties) {
    for (const Json& each : events) {
        const bool readable =
            each.is_array() && each.size() >= 3 && each[0].is_number_unsigned() && each[2].is_number_unsigned();
        if (!readable)
            throw Objection("the last commit tells of something that cannot be understood: " +
                            support::to_json_text(each));
        std::uint64_t label = 0;
        for (ClaimedProperty& property : properties) {
            const bool of_deadlock = property.kind == ClaimedProperty::Kind::deadlock;
            property.violated = property.violated || (of_deadlock ? each[0] == 1U : each[0] == 0U && each[2] == label);
            label += of_deadlock ? 0 : 1;
        }
    }
}

// A path that is no UTF-8 is {"hex": "..."}.
std::string path_text(const Json& path) {
    if (path.is_string()) return path.get<std::string>();
    const std::string digits = text(path, "hex", "the path of the model");
    std::string bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        unsigned value = 0;
        const auto [end, error] = std::from_chars(digits.data() + i, digits.data() + i + 2, value, 16);
        if (error != std::errc() || end != digits.data() + i + 2)
            throw Objection("the path of the model cannot be read: " + digits);
        bytes += static_cast<char>(value);
    }
    return bytes;
}

}  // namespace

Claims read_claims(const LedgerFile& ledger) {
    Claims claims;
    const std::string header = "the description in the header";
    const Json& description = ledger.description();
    const Json& plan = member(description, "plan", header);
    const Json& model = member(plan, "model", header);
    claims.model_path = path_text(member(model, "path", header));
    claims.model_hash = text(model, "hash", header);
    claims.options.wrap = boolean(model, "wrap", header);
    for (const auto& [name, values] : {std::pair{"definitions", &claims.options.definitions},
                                       std::pair{"include_dirs", &claims.options.include_dirs}})
        if (model.contains(name))
            for (const Json& value : list(model, name, header)) values->push_back(path_text(value));
    if (model.contains("instances"))
        for (const Json& instance : list(model, "instances", header)) {
            const bool is_known = instance.is_array() && instance.size() == 2 && instance[0].is_number_unsigned() &&
                                  instance[0] <= std::numeric_limits<std::uint32_t>::max() && instance[1].is_string();
            if (!is_known) throw Objection(header + " has a process that cannot be understood");
            claims.options.instances.push_back({instance[0].get<std::uint32_t>(), instance[1].get<std::string>()});
        }
    claims.options.with_property = boolean(plan, "explores_process", header);
    if (description.contains("automaton")) claims.automaton = text(description, "automaton", header);
    for (const Json& property : list(description, "goals", header)) {
        ClaimedProperty& claimed = claims.properties.emplace_back();
        claimed.kind = kind_of(text(property, "kind", header));
        if (property.contains("name")) claimed.name = text(property, "name", header);
        if (claimed.kind != ClaimedProperty::Kind::deadlock) claimed.formula = text(property, "formula", header);
    }

    if (plan.contains("properties")) {
        for (const Json& property : list(plan, "properties", header)) {
            const std::string kind = text(property, "kind", header);
            if (kind != "ctl" && kind != "ctlstar") continue;
            claims.branching.push_back(
                {text(property, "name", header), text(property, "text", header), kind == "ctlstar"});
        }
    }
    if (plan.contains("deadlocks")) claims.ends = text(plan, "deadlocks", header);
    if (plan.contains("end_states")) claims.end_states = path_text(member(plan, "end_states", header));
    if (plan.contains("fair")) claims.fairness = text(plan, "fair", header);
    claims.is_of_labels = plan.contains("language");
    claims.is_reduced = plan.contains("stubborn");
    if (plan.contains("properties"))
        for (const Json& property : list(plan, "properties", header)) {
            const std::string kind = text(property, "kind", header);
            if (kind != "ltl" && kind != "automaton" && kind != "process") continue;
            if (text(plan, "task", header) != "check") continue;
            claims.of_runs.push_back(text(property, "name", header));
            claims.is_of_process = kind == "process";
            // The property process is part of what a sweep for it has explored.
            if (kind == "process" && claims.properties.empty()) claims.options.with_property = true;
        }

    if (ledger.engine().empty()) throw Objection("the run is not complete: it has committed nothing");
    const std::string engine = "the last commit";
    const Json last = parse_json(ledger.engine());
    claims.complete = boolean(last, "complete", engine);
    const Json& statistics = member(last, "statistics", engine);
    claims.states = natural(statistics, "states", engine);
    claims.transitions = natural(statistics, "transitions", engine);
    claims.deadlocks = natural(statistics, "deadlocks", engine);
    claims.faults = natural(statistics, "faults", engine);
    if (last.contains("told")) take_events(list(last, "told", engine), claims.properties);
    return claims;
}

}  // namespace tideline::audit
