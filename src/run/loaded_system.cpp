#include "run/loaded_system.hpp"

#include <unistd.h>
#include <xxhash.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "reference/load.hpp"
#include "successor/interpret/pilot.hpp"

namespace tideline::run {
namespace {

std::string hexadecimal(std::uint64_t hash) {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
    return digits;
}

Result<LoadedSystem> loaded_system(const std::string& path, LoadedModel loaded, const LoadOptions& options) {
    LoadedSystem system;
    system.path = path;
    system.names = loaded.model;
    system.hash = hash_of_text(loaded.model->source.text());
    Result<Measure> own = own_measure(*loaded.model);
    if (!own) return std::move(own).diagnostics();
    if (!own->components.empty()) system.own_measure = *std::move(own);
    system.make_system = [model = loaded.model, own = system.own_measure](std::vector<Expression> labels, const Measure* measure,
                                                                          Successors successors, std::optional<Layout> layout,
                                                                          const Budget& /*budget*/, std::string& notice) {
        KeyProgram key;
        if (measure != nullptr)
            key = measure->program;
        else if (own)
            key = own->program;
        if (!layout) layout = Layout::observed(*model, observe_ranges(*model));
        const bool has_tables = measure != nullptr && !measure->tables.empty();
        return make_model_system(has_tables ? std::make_shared<const Model>(with_tables(*model, *measure)) : model, std::move(labels),
                                 *std::move(layout), std::move(key), successors, notice);
    };
    // The machine is made when the first trace asks for it.
    auto machine = std::make_shared<std::unique_ptr<reference::Machine>>();
    system.confirm = [machine, loaded = std::move(loaded), options](const Trace& trace, const Budget& budget) {
        if (!*machine) *machine = reference::make_machine(loaded, options);
        return confirm(trace, **machine, budget);
    };
    return system;
}

}  // namespace

OrRefusal<LoadedInput> load(RunSpec& spec, const Budget& budget) {
    // Where another question than that of the property process is asked, it has no part.
    const bool explores_process = spec.task == Task::explore && spec.properties.empty();
    LoadedInput input;
    const auto load_one = [&](bool with_process) -> std::optional<Refusal> {
        const LoadOptions options{spec.model.wrap, with_process};
        Result<LoadedModel> loaded = load_model(spec.model.path, options);
        if (!loaded) return Refusal{std::move(loaded).diagnostics(), StopReason::none};
        if (with_process) input.warnings = loaded.diagnostics();
        spec.model.language = loaded->model->format;
        Result<LoadedSystem> system = loaded_system(spec.model.path, *std::move(loaded), options);
        if (!system) return Refusal{std::move(system).diagnostics(), StopReason::none};
        spec.model.hash = system->hash;
        if (with_process && !explores_process && system->names->observer) {
            input.with_process = *std::move(system);
            return std::nullopt;
        }
        input.system = *std::move(system);
        return std::nullopt;
    };
    if (std::optional<Refusal> refusal = load_one(true)) return *std::move(refusal);
    if (input.with_process)
        if (std::optional<Refusal> refusal = load_one(false)) return *std::move(refusal);
    if (const StopReason reason = budget.exhausted(); reason != StopReason::none)
        return Refusal{{diagnostic_about(spec.model.path, "the limits were reached while the model was loaded")}, reason};
    return input;
}

std::string hash_of_text(std::string_view text) { return hexadecimal(XXH3_64bits(text.data(), text.size())); }

std::string hash_of_program() {
    std::ifstream in("/proc/self/exe", std::ios::binary);
    if (!in) throw std::runtime_error("the program's own file cannot be read");
    XXH3_state_t* state = XXH3_createState();
    XXH3_64bits_reset(state);
    char buffer[1U << 16U];
    while (in.read(buffer, sizeof buffer) || in.gcount() > 0) XXH3_64bits_update(state, buffer, static_cast<std::size_t>(in.gcount()));
    const std::uint64_t hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    if (in.bad()) throw std::runtime_error("the program's own file cannot be read");
    return hexadecimal(hash);
}

}  // namespace tideline::run
