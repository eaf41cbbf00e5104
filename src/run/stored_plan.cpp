#include "run/stored_plan.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "ledger/error.hpp"
#include "run/properties_file.hpp"
#include "support/file.hpp"

namespace tideline::run {
namespace {

using Json = nlohmann::ordered_json;

// JSON is UTF-8, names of files need not be: what is not is held as {"hex": "..."}.
Json text_json(const std::string& text) {
    try {
        (void)Json(text).dump();
        return text;
    } catch (const nlohmann::json::type_error&) {
        static constexpr char kDigits[] = "0123456789abcdef";
        std::string hex;
        for (const unsigned char c : text) hex += {kDigits[c >> 4U], kDigits[c & 15U]};
        return {{"hex", hex}};
    }
}

std::string text_of(const Json& json) {
    if (json.is_string()) return json;
    const std::string hex = json.at("hex");
    std::string text;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        text += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return text;
}

// A path that means the same from everywhere.
std::string absolute(const std::string& path) {
    std::error_code ignored;
    return path.empty() ? path : std::filesystem::absolute(path, ignored).string();
}

Json property_json(const PropertySpec& property) {
    Json json{
        {"kind", to_string(property.kind)}, {"name", text_json(property.name)}, {"text", text_json(property.text)}};
    if (!property.file.empty()) json["file"] = text_json(absolute(property.file));
    if (!property.automaton.empty()) json["automaton"] = property.automaton;
    if (property.is_from_file) json["from_file"] = true;
    if (property.expected) json["expected"] = check::to_string(*property.expected);
    return json;
}

class PlanReader {
public:
    explicit PlanReader(std::string place) : place_(std::move(place)) {}

    RunPlan read(const Json& json) const {
        const int version = json.at("version");
        if (version != kPlanVersion)
            refuse("the run was planned by another version of Tideline (plan " + std::to_string(version) +
                   ", this one reads " + std::to_string(kPlanVersion) + "); start it again");
        RunPlan plan;
        RunSpec& spec = plan.spec;
        spec.task = value<Task>(json, "task");
        const Json& model = json.at("model");
        spec.model = {text_of(model.at("path")), model.at("hash"), model.at("language"), model.at("wrap"),
                      model.at("options")};
        if (model.contains("definitions"))
            for (const Json& definition : model.at("definitions"))
                spec.model.definitions.push_back(text_of(definition));
        if (model.contains("include_dirs"))
            for (const Json& directory : model.at("include_dirs"))
                spec.model.include_dirs.push_back(text_of(directory));
        if (model.contains("instances")) {
            spec.model.instances.emplace();
            for (const Json& instance : model.at("instances"))
                spec.model.instances->push_back({instance.at(0).get<std::uint32_t>(), instance.at(1)});
        }
        for (const Json& property : json.at("properties")) spec.properties.push_back(read_property(property));
        spec.properties_file = text_of(json.at("properties_file"));
        spec.record = value<explore::Recorded>(json, "record");
        spec.deadlocks = value<DeadlockReading>(json, "deadlocks");
        if (json.contains("end_states")) spec.end_states = text_of(json.at("end_states"));
        if (json.contains("branching")) {
            const Json& branching = json.at("branching");
            spec.branching.satisfying = branching.at("satisfying");
            spec.branching.list = branching.at("list");
            spec.branching.order = value<ProdOrder>(branching, "order");
            if (branching.contains("evidence")) spec.branching.evidence = branching.at("evidence");
        }
        if (json.contains("fair")) spec.fairness = value<Fairness>(json, "fair");
        spec.successors = value<successor::Successors>(json, "successors");
        if (json.contains("sleep")) spec.sleep = value<SleepSets>(json, "sleep");
        if (json.contains("cut_off")) spec.cut_off = text_of(json.at("cut_off"));
        if (json.contains("symmetry")) spec.symmetry = text_of(json.at("symmetry"));
        if (json.contains("stubborn")) spec.stubborn = value<StubbornSets>(json, "stubborn");
        if (json.contains("language")) {
            const Json& language = json.at("language");
            spec.language = LanguageSpec{text_of(language.at("file")),
                                         text_of(language.at("text")),
                                         language.at("final"),
                                         text_of(language.at("hide")),
                                         {}};
            for (const Json& pair : language.at("rename"))
                spec.language->rename.emplace_back(text_of(pair.at(0)), text_of(pair.at(1)));
        }
        spec.compress = json.at("compress");
        spec.threads = json.at("threads");
        if (json.contains("memory")) spec.limits.memory = json.at("memory");
        if (json.contains("disk")) spec.limits.disk = json.at("disk");
        spec.presentation = text_of(json.at("presentation"));
        plan.explores_process = json.at("explores_process");
        // Resolved values replace requested ones.
        plan.engine = spec.engine = value<Engine>(json, "engine");
        const Json& measure = json.at("measure");
        const std::string source = measure.at("source");
        for (const MeasureSource each :
             {MeasureSource::none, MeasureSource::own, MeasureSource::given, MeasureSource::found})
            if (source == to_string(each)) plan.measure_source = each;
        if (source != to_string(plan.measure_source))
            refuse("unknown source of a measure: " + support::in_quotes(source));
        plan.measure = text_of(measure.at("text"));
        if (measure.contains("predicted_share")) plan.predicted_share = measure.at("predicted_share");
        spec.progress = plan.measure_source == MeasureSource::none ? ProgressChoice{ProgressChoice::Kind::none, ""}
                        : plan.measure_source == MeasureSource::own
                            ? ProgressChoice{}
                            : ProgressChoice{ProgressChoice::Kind::given, plan.measure};
        plan.engine_reason = json.at("engine_reason");
        // The sweep of a linear-time property is the whole run.
        const bool is_linear =
            spec.task == Task::check && !spec.properties.empty() &&
            std::all_of(spec.properties.begin(), spec.properties.end(), [](const auto& p) { return p.is_linear(); });
        plan.searches_states = plan.engine != Engine::ledger && plan.engine != Engine::scc_ctl && !is_linear;
        // Temporal properties beside those of the search that keeps the ledger have engines of their own.
        if (plan.searches_states && json.contains("asked_engine")) spec.engine = value<Engine>(json, "asked_engine");
        if (!plan.is_resolved()) refuse("the plan leaves the engine open");
        return plan;
    }

    [[noreturn]] void refuse(const std::string& what) const {
        throw ledger::LedgerError(ledger::LedgerFault::damaged, place_, what);
    }

private:
    template <class Enumeration>
    Enumeration value(const Json& json, const char* name) const {
        const std::string text = json.at(name);
        const std::optional<Enumeration> found = named<Enumeration>(text);
        if (!found) refuse("unknown value of '" + std::string(name) + "': " + support::in_quotes(text));
        return *found;
    }

    PropertySpec read_property(const Json& json) const {
        PropertySpec property;
        property.kind = value<PropertyKind>(json, "kind");
        property.name = text_of(json.at("name"));
        property.text = text_of(json.at("text"));
        if (json.contains("file")) property.file = text_of(json.at("file"));
        property.automaton = json.value("automaton", "");
        property.is_from_file = json.value("from_file", false);
        if (!json.contains("expected")) return property;
        const std::string expected = json.at("expected");
        for (const check::Answer answer : {check::Answer::holds, check::Answer::violated, check::Answer::unknown})
            if (expected == check::to_string(answer)) property.expected = answer;
        return property;
    }

    std::string place_;
};

std::string words(const PropertySpec& property) {
    return std::string(to_string(property.kind)) +
           (property.kind == PropertyKind::deadlock ? "" : ' ' + property.shown());
}

// The first difference between the properties of a file as they were and as they are.
std::optional<std::string> difference(const std::vector<PropertySpec>& before, const std::vector<PropertySpec>& now) {
    const auto by_name = [](const std::vector<PropertySpec>& all) {
        std::unordered_map<std::string_view, const PropertySpec*> result;
        for (const PropertySpec& property : all) result.emplace(property.name, &property);
        return result;
    };
    const auto old_names = by_name(before);
    const auto new_names = by_name(now);
    for (const PropertySpec& property : now) {
        const auto found = old_names.find(property.name);
        if (found == old_names.end()) return "the property " + support::in_quotes(property.name) + " is new";
        const PropertySpec* const old = found->second;
        if (old->kind != property.kind ||
            (property.kind == PropertyKind::automaton ? old->file != absolute(property.file)
                                                      : old->text != property.text))
            return "the property " + support::in_quotes(property.name) + " was " + support::in_quotes(words(*old)) +
                   " and is " + support::in_quotes(words(property));
        if (old->text != property.text)
            return "the automaton of the property " + support::in_quotes(property.name) + " is another one";
        if (old->expected != property.expected)
            return "the property " + support::in_quotes(property.name) + " has another expected verdict";
    }
    for (const PropertySpec& property : before)
        if (!new_names.contains(property.name))
            return "the property " + support::in_quotes(property.name) + " is missing";
    return std::nullopt;
}

}  // namespace

Json to_json(const RunPlan& plan) {
    const RunSpec& spec = plan.spec;
    Json json;
    json["version"] = kPlanVersion;
    json["task"] = to_string(spec.task);
    json["model"] = {
        {"path", text_json(spec.model.language == kCppLanguage ? spec.model.path : absolute(spec.model.path))},
        {"hash", spec.model.hash},
        {"language", spec.model.language},
        {"wrap", spec.model.wrap},
        {"options", spec.model.options}};
    for (const std::string& definition : spec.model.definitions)
        json["model"]["definitions"].push_back(text_json(definition));
    for (const std::string& directory : spec.model.include_dirs)
        json["model"]["include_dirs"].push_back(text_json(absolute(directory)));
    if (spec.model.instances) {
        Json& instances = json["model"]["instances"] = Json::array();
        for (const input::ProcessInstance& instance : *spec.model.instances)
            instances.push_back(Json::array({instance.pid, instance.type}));
    }
    json["properties"] = Json::array();
    for (const PropertySpec& property : spec.properties) json["properties"].push_back(property_json(property));
    json["properties_file"] = text_json(absolute(spec.properties_file));
    json["engine"] = to_string(plan.engine);
    if (spec.engine != plan.engine) json["asked_engine"] = to_string(spec.engine);
    json["engine_reason"] = plan.engine_reason;
    json["measure"] = {{"source", to_string(plan.measure_source)}, {"text", text_json(plan.measure)}};
    if (plan.predicted_share) json["measure"]["predicted_share"] = *plan.predicted_share;
    json["explores_process"] = plan.explores_process;
    json["record"] = to_string(spec.record);
    json["deadlocks"] = to_string(spec.deadlocks);
    if (!spec.end_states.empty()) json["end_states"] = text_json(spec.end_states);
    if (spec.branching != BranchingSpec{}) {
        json["branching"] = {{"satisfying", spec.branching.satisfying},
                             {"list", spec.branching.list},
                             {"order", to_string(spec.branching.order)}};
        if (spec.branching.evidence) json["branching"]["evidence"] = *spec.branching.evidence;
    }
    if (spec.fairness != Fairness::none) json["fair"] = to_string(spec.fairness);
    json["successors"] = to_string(spec.successors);
    if (spec.sleep != SleepSets::automatic) json["sleep"] = to_string(spec.sleep);
    if (!spec.cut_off.empty()) json["cut_off"] = text_json(spec.cut_off);
    if (!spec.symmetry.empty()) json["symmetry"] = text_json(spec.symmetry);
    if (spec.language) {
        Json rename = Json::array();
        for (const auto& [from, to] : spec.language->rename)
            rename.push_back(Json::array({text_json(from), text_json(to)}));
        json["language"] = {{"file", text_json(absolute(spec.language->file))},
                            {"text", text_json(spec.language->text)},
                            {"final", spec.language->final},
                            {"hide", text_json(spec.language->hide)},
                            {"rename", std::move(rename)}};
    }
    if (spec.stubborn != StubbornSets::none) json["stubborn"] = to_string(spec.stubborn);
    json["compress"] = spec.compress;
    json["threads"] = spec.threads;
    if (spec.limits.memory) json["memory"] = *spec.limits.memory;
    if (spec.limits.disk) json["disk"] = *spec.limits.disk;
    json["presentation"] = text_json(spec.presentation);
    return json;
}

RunPlan parse_plan(const Json& json, const std::string& place) {
    const PlanReader reader(place);
    try {
        return reader.read(json);
    } catch (const std::invalid_argument& error) {  // of a number
        reader.refuse(std::string("the header does not hold the plan of a run: ") + error.what());
    } catch (const nlohmann::json::exception& error) {
        reader.refuse(std::string("the header does not hold the plan of a run: ") + error.what());
    }
}

std::optional<std::string> difference(const RunPlan& stored, const LoadedInput& now) {
    const RunSpec& spec = stored.spec;
    if (now.system.hash != spec.model.hash) return "the model has changed since the run began: " + spec.model.path;
    std::error_code ignored;
    std::vector<PropertySpec> of_file;
    if (!spec.properties_file.empty() && std::filesystem::is_regular_file(spec.properties_file, ignored)) {
        support::Result<std::vector<PropertySpec>> read = read_properties_file(spec.properties_file);
        if (!read)
            return spec.properties_file + " has changed since the run began: " + read.diagnostics().front().message;
        of_file = *std::move(read);
        // Properties of options have names of their own, as they had when the run began.
        std::vector<PropertySpec> before;
        for (const PropertySpec& property : spec.properties)
            if (property.is_from_file) before.push_back(property);
        if (const std::optional<std::string> what = difference(before, of_file))
            return spec.properties_file + " has changed since the run began: " + *what;
    }
    if (spec.language && std::filesystem::is_regular_file(spec.language->file, ignored)) {
        const support::Result<std::string> read = support::read_text_file(spec.language->file, {});
        if (read && *read != spec.language->text) return spec.language->file + " has changed since the run began";
    }
    for (const PropertySpec& property : spec.properties) {
        if (property.kind != PropertyKind::automaton || property.is_from_file ||
            !std::filesystem::is_regular_file(property.file, ignored))
            continue;
        const support::Result<PropertySpec> read = read_automaton_file(property.name, property.file);
        if (read && read->text != property.text) return property.file + " has changed since the run began";
    }
    return std::nullopt;
}

}  // namespace tideline::run
