#include "cli/subject.hpp"

#include "reference/load.hpp"
#include "successor/interpret/pilot.hpp"
#include "trace/confirm.hpp"

namespace tideline {

Result<Subject> make_subject(const std::string& path, LoadedModel loaded, const LoadOptions& options) {
    Subject subject;
    subject.path = path;
    subject.names = loaded.model;
    Result<Measure> own = own_measure(*loaded.model);
    if (!own) return std::move(own).diagnostics();
    if (!own->components.empty()) subject.own_measure = *std::move(own);
    // What the pilot of the packing has seen holds for all systems of the model.
    auto observed = std::make_shared<std::optional<Layout>>();
    subject.make_system = [model = loaded.model, own = subject.own_measure, observed](std::vector<Expression> labels, const Measure* measure,
                                                                                     Successors successors, std::optional<Layout> layout,
                                                                                     const Budget& budget, std::string& notice) {
        KeyProgram key;
        if (measure != nullptr)
            key = measure->program;
        else if (own)
            key = own->program;
        if (!layout) {
            if (!*observed) *observed = Layout::observed(*model, observe_ranges(*model, budget));
            layout = *observed;
        }
        const bool has_tables = measure != nullptr && !measure->tables.empty();
        return make_model_system(has_tables ? std::make_shared<const Model>(with_tables(*model, *measure)) : model, std::move(labels), *std::move(layout), std::move(key), successors, budget,
                                 notice);
    };
    // The machine is made when the first trace asks for it.
    auto machine = std::make_shared<std::unique_ptr<reference::Machine>>();
    subject.confirm = [machine, loaded = std::move(loaded), options](const Trace& trace) {
        if (!*machine) *machine = reference::make_machine(loaded, options);
        return confirm(trace, **machine);
    };
    return subject;
}

}  // namespace tideline
