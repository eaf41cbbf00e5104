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
    subject.make_system = [model = loaded.model, own = subject.own_measure](std::vector<Expression> labels, const Measure* measure, Successors successors,
                                                                           std::optional<Layout> layout, std::string& notice) {
        KeyProgram key;
        if (measure != nullptr)
            key = measure->program;
        else if (own)
            key = own->program;
        if (!layout) layout = Layout::observed(*model, observe_ranges(*model));
        const bool has_tables = measure != nullptr && !measure->tables.empty();
        return make_model_system(has_tables ? std::make_shared<const Model>(with_tables(*model, *measure)) : model, std::move(labels), *std::move(layout), std::move(key), successors, notice);
    };
    // The machine is made when the first trace asks for it.
    auto machine = std::make_shared<std::unique_ptr<reference::Machine>>();
    subject.confirm = [machine, loaded = std::move(loaded), options](const Trace& trace, const Budget& budget) {
        if (!*machine) *machine = reference::make_machine(loaded, options);
        return confirm(trace, **machine, budget);
    };
    return subject;
}

}  // namespace tideline
