#include "reference/promela_state.hpp"

#include "input/promela/certain_steps.hpp"

namespace tideline::reference {

PromelaState::PromelaState(const promela::Program& of, const PromelaMachineOptions& options) : program(of) {
    for (std::uint32_t p = 0; p < program.processes.size(); ++p) {
        controls.push_back(promela::control_flow(program.processes[p]));
        find_changed(program.processes[p].body, p);
    }
    process_count = add("_nr_pr");
    for (std::uint32_t i = 0; i < program.globals.size(); ++i) {
        globals.emplace_back();
        declare(program.globals[i], program.globals[i].unique, "", {}, {}, {-1, i}, std::nullopt, globals.back());
    }
    using Kind = promela::Process::Kind;
    std::uint32_t pid = 0;
    for (std::uint32_t p = 0; p < program.processes.size(); ++p)
        if (program.processes[p].kind == Kind::proctype || program.processes[p].kind == Kind::init)
            for (std::uint32_t i = 0; i < program.processes[p].active; ++i) add_instance(pid++, p);
    initial_instances = instances.size();
    for (const input::ProcessInstance& further : options.instances)
        for (std::uint32_t p = 0; p < program.processes.size(); ++p)
            if (program.processes[p].kind == Kind::proctype && program.processes[p].name == further.type)
                add_instance(further.pid, p);
    if (options.with_claim)
        for (std::uint32_t p = 0; p < program.processes.size(); ++p)
            if (program.processes[p].kind == Kind::never) {
                claim = instances.size();
                add_instance(0, p);
            }
    if (program.uses_last) last = add("_last");
    for (std::uint32_t p = 0; p < program.processes.size(); ++p)
        if (program.processes[p].kind == Kind::trace || program.processes[p].kind == Kind::notrace) trace = p;
    if (trace) event = add("_event");
    for (std::uint32_t p = 0; p < program.processes.size(); ++p)
        has_holder |= promela::CertainWalk(program, program.processes[p], controls[p]).must_continue();
    if (has_holder) add("atomic");
}

std::size_t PromelaState::add(const std::string& name) {
    names.push_back(name);
    return names.size() - 1;
}

void PromelaState::find_changed(const promela::Sequence& sequence, std::uint32_t process) {
    const auto note = [&](const promela::Reference& target) {
        if (!target.scratch)
            changed_[{target.global ? -1 : static_cast<std::int64_t>(process), target.declaration}] = true;
    };
    for (const promela::StatementPtr& statement : sequence) {
        if (statement->target) note(*statement->target);
        for (const promela::Pattern& pattern : statement->patterns)
            if (pattern.target) note(*pattern.target);
        for (const promela::Sequence& option : statement->options) find_changed(option, process);
    }
}

void PromelaState::declare(const promela::Declaration& declaration, const std::string& name, const std::string& after,
                           std::vector<std::uint32_t> path, std::vector<std::optional<std::uint32_t>> lengths,
                           std::pair<std::int64_t, std::uint32_t> key, std::optional<std::size_t> owner,
                           PromelaVariable& out) {
    lengths.push_back(declaration.length);
    std::size_t arrays = 0;
    for (const auto& length : lengths) arrays += length ? 1 : 0;
    if (declaration.type.base == promela::Base::structure) {
        const std::vector<promela::Declaration>& fields = program.structures[declaration.type.structure].fields;
        for (std::uint32_t f = 0; f < fields.size(); ++f) {
            std::vector<std::uint32_t> further = path;
            further.push_back(f);
            const std::string field = '.' + fields[f].name;
            declare(fields[f], arrays > 0 ? name : name + field, arrays > 0 ? after + field : "", further, lengths, key,
                    owner, out);
        }
        return;
    }
    PromelaCells cells;
    cells.type = declaration.type;
    cells.declaration = &declaration;
    cells.lengths = lengths;
    for (const auto& length : lengths) cells.count *= length.value_or(1);
    const std::string full = arrays > 1 ? name + after : name;
    if (declaration.channel) {
        cells.channel = static_cast<std::int64_t>(channels.size()) + 1;
        for (std::uint32_t i = 0; i < cells.count; ++i) {
            const std::string of_channel = arrays > 0 ? full + '[' + std::to_string(i) + ']' : full;
            PromelaChannel channel{declaration.channel->capacity, declaration.channel->fields, 0, {}, owner};
            if (channel.capacity > 0) {
                channel.length = add(of_channel + ".length");
                for (std::size_t f = 0; f < channel.fields.size(); ++f) {
                    channel.contents.push_back(names.size());
                    for (std::int64_t k = 0; k < channel.capacity; ++k)
                        add(of_channel + ".message[" + std::to_string(k) + ']' +
                            (channel.fields.size() > 1 ? '.' + std::to_string(f + 1) : ""));
                }
            }
            channels.push_back(std::move(channel));
        }
    }
    if (!declaration.channel || declaration.parameter || changed_.count(key) != 0) {
        cells.first = names.size();
        for (std::uint32_t i = 0; i < cells.count; ++i)
            add(arrays == 0 ? full : full + '[' + std::to_string(i) + ']' + (arrays == 1 ? after : ""));
    }
    out.emplace(path, cells);
}

void PromelaState::add_instance(std::uint32_t pid, std::uint32_t type) {
    const promela::Process& process = program.processes[type];
    PromelaInstance instance;
    instance.pid = pid;
    instance.type = type;
    instance.name =
        process.kind == promela::Process::Kind::proctype ? process.name + '_' + std::to_string(pid) : process.name;
    instance.location = add(instance.name);
    for (std::uint32_t i = 0; i < process.locals.size(); ++i) {
        instance.locals.emplace_back();
        declare(process.locals[i], instance.name + '.' + process.locals[i].unique, "", {}, {}, {type, i},
                instances.size(), instance.locals.back());
    }
    if (program.uses_priorities && process.kind != promela::Process::Kind::never)
        instance.priority = add(instance.name + "._priority");
    instance.end = names.size();
    instances.push_back(std::move(instance));
}

}  // namespace tideline::reference
