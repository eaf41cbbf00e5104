#include "run/loaded_system.hpp"

#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "model/footprint.hpp"
#include "reference/machines.hpp"
#include "run/confirm.hpp"
#include "run/instances.hpp"
#include "run/language.hpp"
#include "successor/interpret/pilot.hpp"
#include "successor/step_labels.hpp"
#include "support/file.hpp"

namespace tideline::run {
namespace {

std::string hexadecimal(std::uint64_t hash) {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
    return digits;
}

template <class T>
Refusal refused(support::Result<T> result) {
    const support::StopReason stopped = result.stopped();
    return {std::move(result).diagnostics(), stopped};
}

support::Result<LoadedSystem> loaded_system(const std::string& path, input::LoadedModel loaded,
                                            const input::LoadOptions& options) {
    LoadedSystem system;
    system.path = path;
    system.names = loaded.model;
    system.hash = loaded.hash;
    support::Result<progress::Measure> own = progress::own_measure(*loaded.model);
    if (!own) return std::move(own).diagnostics();
    if (!own->components.empty()) system.own_measure = *std::move(own);
    system.make_system = systems_of(loaded.model, system.own_measure);
    // The machine is made when the first trace asks for it.
    auto confirmer = std::make_shared<std::optional<ModelConfirmer>>();
    auto made = [confirmer, loaded = std::move(loaded), options]() -> ModelConfirmer& {
        if (!*confirmer) confirmer->emplace(reference::make_machine(loaded, options));
        return **confirmer;
    };
    if (successor::is_between_actions(*system.names))
        system.enabled_at = [model = system.names](const trace::Trace& trace, std::size_t i) {
            std::vector<std::string> actions;
            const auto location = static_cast<std::size_t>(trace.values(i).at(0));
            for (const model::TransitionId t : model->processes.front().outgoing.at(location))
                actions.push_back(model->transitions[t].label);
            return actions;
        };
    else system.enabled_at = [made](const trace::Trace& trace, std::size_t i) { return made().enabled_at(trace, i); };
    system.evaluate = [made](const std::string& atom, const trace::Trace& trace, std::size_t i) {
        return made().evaluate(atom, trace, i);
    };
    system.confirm = [made = std::move(made)](const trace::Trace& trace, const support::Budget& budget) {
        return made().confirm(trace, budget);
    };
    return system;
}

}  // namespace

namespace {

OrRefusal<LoadedInput> with_automaton(LoadedInput input, const RunSpec& spec, const support::Budget& budget) {
    if (!spec.language) return input;
    OrRefusal<LoadedSystem> system = with_language(std::move(input.system), *spec.language, budget);
    if (auto* refusal = std::get_if<Refusal>(&system)) return std::move(*refusal);
    input.system = std::get<LoadedSystem>(std::move(system));
    // States have the automaton's variable as their last slot.
    if (input.grown)
        input.grown = [grown = std::move(input.grown)](const std::vector<model::Value>& state) {
            return grown({state.begin(), std::prev(state.end())});
        };
    return input;
}

OrRefusal<LoadedInput> load_with(RunSpec& spec, input::LoadOptions with_process, const support::Budget& budget) {
    LoadedInput input;
    support::Result<input::LoadedModel> loaded = input::load_model(spec.model.path, with_process, budget);
    if (!loaded) return refused(std::move(loaded));
    if (loaded->language != "promela" && !with_process.include_dirs.empty())
        return Refusal{{support::diagnostic_about(spec.model.path, "-I is for models that include files",
                                                  "only those in Promela do")},
                       support::StopReason::none};
    if (loaded->language != "promela" && loaded->language != "dve" && !with_process.definitions.empty())
        return Refusal{{support::diagnostic_about(spec.model.path, "-D sets a constant, which this model cannot have",
                                                  "it is for models in DVE, and for macros of Promela")},
                       support::StopReason::none};
    if (loaded->language != "dve" && with_process.wrap)
        return Refusal{{support::diagnostic_about(spec.model.path, "--wrap is for models in DVE",
                                                  "in other languages values have no other reading")},
                       support::StopReason::none};
    input.warnings = loaded.diagnostics();
    if (!spec.model.instances) {
        loaded = with_instances(*std::move(loaded), with_process, budget);
        if (!loaded) return refused(std::move(loaded));
        if (creates_processes(*loaded->model)) spec.model.instances = with_process.instances;
    }
    input.instances = with_process.instances;
    input::LoadOptions without_process = with_process;
    without_process.with_property = false;
    spec.model.language = loaded->language;
    spec.model.hash = loaded->hash;
    input.properties = loaded->properties;
    if (creates_processes(*loaded->model))
        input.grown = [spec, with_process, models = std::vector{loaded->model}, loaded = *loaded,
                       &budget](const std::vector<model::Value>& state) mutable -> OrRefusal<LoadedInput> {
            if (state.size() != models.front()->slot_count()) {
                input::LoadOptions alone = with_process;
                alone.with_property = false;
                support::Result<input::LoadedModel> rest = input::load_again(loaded, alone, budget);
                if (!rest) return refused(std::move(rest));
                models.front() = rest->model;
            }
            const std::optional<input::ProcessInstance> missing = missing_instance(*models.front(), state);
            if (!missing) throw std::logic_error("a process could not be created, but none is missing");
            with_process.instances.push_back(*missing);
            spec.model.instances.reset();
            return load_with(spec, with_process, budget);
        };
    support::Result<LoadedSystem> whole = loaded_system(spec.model.path, *loaded, with_process);
    if (!whole) return refused(std::move(whole));
    // Where the property process is not checked, it is left out. Its own property also uses the system without it,
    // unless that has no meaning.
    const bool asks_nothing_else =
        std::all_of(spec.properties.begin(), spec.properties.end(), [](const PropertySpec& property) {
            return property.kind == PropertyKind::process || property.kind == PropertyKind::assertion;
        });
    const bool has_process = whole->names->observer.has_value();
    const bool explores = spec.task == Task::explore && spec.properties.empty();
    if (!has_process || (explores && whole->names->explores_observer)) {
        input.system = *std::move(whole);
        return with_automaton(std::move(input), spec, budget);
    }
    if (asks_nothing_else && model::depends_on_observer(*whole->names)) {
        input.system = *whole;
    } else {
        support::Result<input::LoadedModel> rest = input::load_again(*loaded, without_process, budget);
        if (!rest) return refused(std::move(rest));
        support::Result<LoadedSystem> alone = loaded_system(spec.model.path, *std::move(rest), without_process);
        if (!alone) return refused(std::move(alone));
        input.system = *std::move(alone);
    }
    input.with_process = *std::move(whole);
    return with_automaton(std::move(input), spec, budget);
}

}  // namespace

MakeModelSystem systems_of(std::shared_ptr<const model::Model> model, std::optional<progress::Measure> own) {
    // What the pilot of the packing has seen holds for all systems of the model.
    auto observed = std::make_shared<std::optional<successor::Layout>>();
    return
        [model = std::move(model), own = std::move(own), observed](
            std::vector<model::Expression> labels, const progress::Measure* measure, successor::Successors successors,
            std::optional<successor::Layout> layout, const support::Budget& budget, std::string& notice) {
            successor::KeyProgram key;
            if (measure != nullptr) key = measure->program;
            else if (own) key = own->program;
            if (!layout) {
                if (!*observed)
                    *observed = successor::Layout::observed(*model, successor::observe_ranges(*model, budget));
                layout = *observed;
            }
            const bool has_tables = measure != nullptr && !measure->tables.empty();
            return successor::make_model_system(
                has_tables ? std::make_shared<const model::Model>(progress::with_tables(*model, *measure)) : model,
                std::move(labels), *std::move(layout), std::move(key), successors, budget, notice);
        };
}

OrRefusal<LoadedInput> load(RunSpec& spec, const support::Budget& budget) {
    if (spec.language) {
        if (spec.language->text.empty()) {
            support::Result<std::string> text = support::read_text_file(spec.language->file, budget);
            if (!text) return refused(std::move(text));
            spec.language->text = *std::move(text);
        }
        add_language_properties(spec);
    }
    return load_with(spec,
                     {spec.model.wrap, true, spec.model.instances.value_or(std::vector<input::ProcessInstance>()),
                      spec.model.definitions, spec.model.include_dirs},
                     budget);
}

std::string hash_of_program() {
    std::ifstream in("/proc/self/exe", std::ios::binary);
    if (!in) throw std::runtime_error("the program's own file cannot be read");
    XXH3_state_t* state = XXH3_createState();
    XXH3_64bits_reset(state);
    char buffer[1U << 16U];
    while (in.read(buffer, sizeof buffer) || in.gcount() > 0)
        XXH3_64bits_update(state, buffer, static_cast<std::size_t>(in.gcount()));
    const std::uint64_t hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    if (in.bad()) throw std::runtime_error("the program's own file cannot be read");
    return hexadecimal(hash);
}

}  // namespace tideline::run
