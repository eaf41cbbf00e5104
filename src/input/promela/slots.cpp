#include "input/promela/slots.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "input/promela/certain_steps.hpp"

namespace tideline::input::promela {

model::Range range_of(const Type& type) {
    switch (type.base) {
        case Base::bit:
        case Base::boolean: return {0, 1};
        case Base::short_int: return {-32768, 32767};
        case Base::integer: return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
        case Base::unsigned_bits: return {0, (std::int64_t{1} << type.bits) - 1};
        default: return {0, 255};
    }
}

Slots::Slots(const Program& of, const std::vector<Control>& flows,
             const std::vector<ProcessInstance>& further_instances, bool with_claim, model::Model& model)
    : program(of), controls(flows), model_(model) {
    list_message_types();
    find_assigned();
    model::Variable count;
    count.name = "_nr_pr";
    count.range = {0, 255};
    process_count = model_.add_variable(count, {0});
    for (std::uint32_t i = 0; i < program.globals.size(); ++i)
        globals.push_back(declare(program.globals[i], "", {std::nullopt, i}, std::nullopt));
    std::uint32_t pid = 0;
    for (std::uint32_t p = 0; p < program.processes.size(); ++p) {
        const Process& process = program.processes[p];
        if (process.kind != Process::Kind::proctype && process.kind != Process::Kind::init) continue;
        for (std::uint32_t i = 0; i < process.active; ++i) add_instance(pid++, p);
    }
    initial_instances = instances.size();
    for (const ProcessInstance& further : further_instances)
        for (std::uint32_t p = 0; p < program.processes.size(); ++p)
            if (program.processes[p].kind == Process::Kind::proctype && program.processes[p].name == further.type &&
                find(further.pid, p) == nullptr)
                add_instance(further.pid, p);
    if (with_claim)
        for (std::uint32_t p = 0; p < program.processes.size(); ++p)
            if (program.processes[p].kind == Process::Kind::never) {
                claim = static_cast<InstanceId>(instances.size());
                add_instance(0, p);
            }
    name_channels();
    if (program.uses_last) {
        model::Variable variable;
        variable.name = "_last";
        variable.range = {0, 255};
        last = model_.add_variable(variable, {0});
    }
    declare_trace();
    bool is_atomic = false;
    for (std::uint32_t p = 0; p < program.processes.size(); ++p)
        is_atomic |= CertainWalk(program, program.processes[p], controls[p]).must_continue();
    if (is_atomic) {
        model::Variable variable;
        variable.name = "atomic";
        variable.range = {0, static_cast<model::Value>(model_.processes.size())};
        holder = model_.add_variable(variable, {0});
        model_.atomic = holder;
    }
}

void Slots::declare_trace() {
    for (std::uint32_t p = 0; p < program.processes.size(); ++p) {
        const Process& process = program.processes[p];
        if (process.kind != Process::Kind::trace && process.kind != Process::Kind::notrace) continue;
        trace = p;
        model::Variable variable;
        variable.name = "_event";
        variable.range = {0, static_cast<model::Value>(controls[p].locations.size()) - 1};
        event = model_.add_variable(std::move(variable), {static_cast<model::Value>(controls[p].start)});
    }
}

void Slots::list_message_types() {
    model_.value_lists.emplace_back();  // of channels
    for (const MessageType& type : program.message_types) {
        const auto [set, is_new] =
            message_lists_.try_emplace(type.set, static_cast<std::uint32_t>(model_.value_lists.size()));
        if (is_new) model_.value_lists.emplace_back();
        std::vector<std::string>& names = model_.value_lists[set->second];
        names.resize(std::max(names.size(), static_cast<std::size_t>(type.number) + 1));
        names[static_cast<std::size_t>(type.number)] = type.name;
    }
}

std::uint32_t Slots::names_of(const Type& type) const {
    if (type.base == Base::chan) return 1;
    if (type.base != Base::mtype) return 0;
    const auto set = message_lists_.find(type.set);
    return set == message_lists_.end() ? 0 : 1 + set->second;
}

// Once all are declared.
void Slots::name_channels() {
    std::vector<std::string>& names = model_.value_lists.front();
    names.emplace_back();
    for (const Channel& channel : channels) {
        names.push_back(channel.name);
        model::Channel& shown = model_.channels.emplace_back();
        shown.name = channel.name;
        if (!channel.buffered()) continue;
        shown.length = channel.length;
        shown.contents = channel.contents;
    }
    const auto name_values = [&](model::VariableId variable, const Type& type) {
        if (const std::uint32_t list = names_of(type); list != 0)
            model_.variables[variable].value_names = model_.value_lists[list - 1];
    };
    const auto name_leaves = [&](const Leaves& leaves) {
        for (const auto& [path, leaf] : leaves)
            if (leaf.variable) name_values(*leaf.variable, leaf.type);
    };
    for (const Leaves& leaves : globals) name_leaves(leaves);
    for (const Instance& instance : instances)
        for (const Leaves& leaves : instance.locals) name_leaves(leaves);
    for (const Channel& channel : channels)
        for (std::size_t f = 0; f < channel.contents.size(); ++f) name_values(channel.contents[f], channel.fields[f]);
}

const Instance* Slots::find(std::uint32_t pid, std::uint32_t type) const {
    for (const Instance& instance : instances)
        if (instance.pid == pid && instance.type == type) return &instance;
    return nullptr;
}

const Leaf& Slots::leaf(const Reference& reference, const Instance* self) const {
    const Leaves& leaves = reference.global ? globals[reference.declaration] : self->locals[reference.declaration];
    return leaves.at(reference.fields);
}

void Slots::mark_assigned(const Reference& target, std::uint32_t process) {
    if (target.scratch || target.type.base != Base::chan) return;
    assigned_.push_back({target.global ? std::nullopt : std::optional<std::uint32_t>(process), target.declaration});
}

void Slots::mark_assigned(const Sequence& sequence, std::uint32_t process) {
    for (const StatementPtr& statement : sequence) {
        if (statement->target) mark_assigned(*statement->target, process);
        for (const Pattern& pattern : statement->patterns)
            if (pattern.target) mark_assigned(*pattern.target, process);
        for (const Sequence& option : statement->options) mark_assigned(option, process);
    }
}

void Slots::find_assigned() {
    for (std::uint32_t p = 0; p < program.processes.size(); ++p) mark_assigned(program.processes[p].body, p);
    std::sort(assigned_.begin(), assigned_.end());
}

Leaves Slots::declare(const Declaration& declaration, const std::string& prefix, VariableKey key,
                      std::optional<InstanceId> owner) {
    Leaves leaves;
    declare_leaves(declaration, prefix + declaration.unique, "", {}, {}, key, owner, leaves);
    return leaves;
}

// `name` [i] `after`: an outer array stays visible in the names of its elements.
void Slots::declare_leaves(const Declaration& declaration, const std::string& name, const std::string& after,
                           std::vector<std::uint32_t> path, std::vector<std::optional<std::uint32_t>> lengths,
                           VariableKey key, std::optional<InstanceId> owner, Leaves& out) {
    lengths.push_back(declaration.length);
    const auto arrays = std::count_if(lengths.begin(), lengths.end(), [](const auto& length) { return length; });
    if (declaration.type.base == Base::structure) {
        const std::vector<Declaration>& fields = program.structures[declaration.type.structure].fields;
        for (std::uint32_t f = 0; f < fields.size(); ++f) {
            std::vector<std::uint32_t> to_field = path;
            to_field.push_back(f);
            if (arrays > 0)
                declare_leaves(fields[f], name, after + '.' + fields[f].name, std::move(to_field), lengths, key, owner,
                               out);
            else
                declare_leaves(fields[f], name + '.' + fields[f].name, "", std::move(to_field), lengths, key, owner,
                               out);
        }
        return;
    }
    Leaf leaf;
    leaf.declaration = &declaration;
    leaf.type = declaration.type;
    leaf.lengths = std::move(lengths);
    for (const std::optional<std::uint32_t>& length : leaf.lengths) leaf.count *= length.value_or(1);
    const bool nested = arrays > 1;
    const std::string full = nested ? name + after : name;
    if (declaration.channel) declare_channels(*declaration.channel, full, key, owner, leaf);
    const bool constant =
        declaration.channel && !declaration.parameter && !std::binary_search(assigned_.begin(), assigned_.end(), key);
    if (constant) {
        if (arrays > 0) {
            model::Table table;
            table.name = full;
            for (std::uint32_t i = 0; i < leaf.count; ++i) table.values.push_back(leaf.first_channel + i);
            table.array = true;
            leaf.table = static_cast<model::TableId>(model_.tables.size());
            model_.tables.push_back(std::move(table));
        }
    } else {
        model::Variable variable;
        variable.name = full;
        variable.range = range_of(leaf.type);
        if (leaf.type.base == Base::chan) variable.range.high = 65535;
        if (arrays > 0) {
            variable.length = leaf.count;
            if (!nested) variable.element_suffix = after;
        }
        if (owner) variable.owner = instances[*owner].process;
        leaf.variable = model_.add_variable(std::move(variable), std::vector<model::Value>(leaf.count));
    }
    out.emplace(std::move(path), std::move(leaf));
}

void Slots::declare_channels(const ChannelType& type, const std::string& name, VariableKey key,
                             std::optional<InstanceId> owner, Leaf& leaf) {
    leaf.first_channel = static_cast<ChannelId>(channels.size() + 1);
    for (std::uint32_t i = 0; i < leaf.count; ++i) {
        Channel channel;
        channel.name = leaf.is_array() ? name + '[' + std::to_string(i) + ']' : name;
        channel.origin = key;
        channel.capacity = type.capacity;
        channel.fields = type.fields;
        channel.owner = owner;
        if (channel.buffered()) {
            const auto slots = static_cast<std::uint32_t>(channel.capacity);
            model::Variable length;
            length.name = channel.name + ".length";
            length.kind = model::Variable::Kind::channel;
            length.range = {0, channel.capacity};
            if (owner) length.owner = instances[*owner].process;
            channel.length = model_.add_variable(length, {0});
            for (std::size_t f = 0; f < channel.fields.size(); ++f) {
                model::Variable contents;
                contents.name = channel.name + ".message";
                if (channel.fields.size() > 1) contents.element_suffix = '.' + std::to_string(f + 1);
                contents.kind = model::Variable::Kind::channel;
                contents.range = range_of(channel.fields[f]);
                if (channel.fields[f].base == Base::chan) contents.range.high = 65535;
                contents.length = slots;
                if (owner) contents.owner = instances[*owner].process;
                channel.contents.push_back(model_.add_variable(contents, std::vector<model::Value>(slots)));
            }
        }
        channels.push_back(std::move(channel));
    }
}

std::vector<std::string> Slots::location_names(const Process& process, const Control& control) const {
    std::vector<std::string> names{"-"};
    std::set<std::string> used{"-"};
    for (const Location& location : control.locations) {
        std::string name;
        if (location.statement == nullptr) {
            name = "end";
        } else if (!location.labels.empty()) {
            name = location.labels.front();
        } else {
            const Place place = location.statement->place;
            name = "line" + std::to_string(program.files[place.file].line_number(place.span.begin));
        }
        std::string unique = name;
        for (int copy = 2; !used.insert(unique).second; ++copy) unique = name + '_' + std::to_string(copy);
        names.push_back(unique);
    }
    (void)process;
    return names;
}

void Slots::add_instance(std::uint32_t pid, std::uint32_t type) {
    const Process& process = program.processes[type];
    const auto id = static_cast<InstanceId>(instances.size());
    Instance instance;
    instance.pid = pid;
    instance.type = type;
    instance.process = static_cast<model::ProcessId>(model_.processes.size());
    model::Process made;
    made.name = process.kind == Process::Kind::proctype ? process.name + '_' + std::to_string(pid) : process.name;
    made.span = program.in_main(process.place);
    model::Variable location;
    location.name = made.name;
    location.kind = model::Variable::Kind::location;
    location.value_names = location_names(process, controls[type]);
    location.range = {0, static_cast<model::Value>(location.value_names.size()) - 1};
    location.owner = instance.process;
    made.outgoing.resize(location.value_names.size());
    const std::string prefix = made.name + '.';
    instance.location = made.location = model_.add_variable(std::move(location), {0});
    model_.processes.push_back(std::move(made));
    instances.push_back(std::move(instance));
    std::vector<Leaves> locals;
    for (std::uint32_t i = 0; i < process.locals.size(); ++i)
        locals.push_back(declare(process.locals[i], prefix, {type, i}, id));
    instances[id].locals = std::move(locals);
    if (program.uses_priorities && process.kind != Process::Kind::never) {
        model::Variable priority;
        priority.name = prefix + "_priority";
        priority.range = {0, 255};
        priority.owner = instances[id].process;
        instances[id].priority = model_.add_variable(std::move(priority), {0});
    }
}

}  // namespace tideline::input::promela
