// Two passes: first everything is declared (a guard may name a process that comes later), then transitions are
// translated with their send or receive side unpaired, and then paired into the model's transitions: a send on a
// rendezvous channel is paired with every receive of the channel in every other process, one transition per pair, in
// the order that docs/dve.md gives.
#include "input/dve/translate.hpp"

#include <set>

#include "input/dve/expressions.hpp"

namespace tideline::input::dve {
namespace {

constexpr model::Value kMostSlots = 1'000'000;
constexpr std::size_t kMostMessages = 20;
constexpr std::uint64_t kMostTransitions = 4'000'000;

model::Range range_of(Type type) { return type == Type::byte ? model::Range{0, 255} : model::Range{-32768, 32767}; }
const char* name_of(Type type) { return type == Type::byte ? "byte" : "int"; }

struct Channel {
    const ChannelDeclaration* declaration = nullptr;
    model::Value capacity = 0;
    model::VariableId length = 0;
    std::vector<model::VariableId> contents;  // one per field
    bool buffered() const { return capacity > 0; }
};

// A transition of the file, before rendezvous are paired.
struct UnpairedTransition {
    const Transition* syntax = nullptr;
    model::ProcessId process = 0;
    model::Value from = 0;
    model::Value to = 0;
    std::optional<model::Expression> guard;
    std::uint32_t channel = 0;
    std::vector<model::Expression> sent;
    std::vector<model::Target> received;
    std::vector<model::Effect> effects;
};

class Translator {
public:
    Translator(const Program& program, const TranslateOptions& options, const support::Budget& budget)
        : program_(program),
          options_(options),
          poll_(budget, 16),
          expressions_(program.source, model_, globals_, processes_, diagnostics_) {}

    support::Result<model::Model> run() {
        model_.format = "dve";
        model_.source = program_.source;
        choose_processes();
        declare_globals();
        processes_.reserve(chosen_.size());
        for (const Process* process : chosen_) declare_process(*process);
        if (!failed()) {
            check_property();
            for (model::ProcessId p = 0; p < chosen_.size(); ++p) translate_process(p);
        }
        if (!failed()) check_untyped_channels();
        if (!failed()) build_transitions();
        if (poll_.reason() != support::StopReason::none)
            return support::diagnostic_of_stop(program_.source.path(), poll_.reason(), "the model was translated");
        if (failed()) return diagnostics();
        return support::Result<model::Model>(std::move(model_), diagnostics());
    }

private:
    // An error, or an exhausted budget.
    bool failed() const { return expressions_.error_count() > 0 || poll_.reason() != support::StopReason::none; }

    void error(support::SourceSpan span, std::string message, std::string hint = {}) {
        expressions_.error(span, std::move(message), std::move(hint));
    }

    // A generated model repeats its errors: the first ones are enough, and no warning displaces an error.
    support::Diagnostics diagnostics() {
        if (failed() && diagnostics_.size() > kMostMessages)
            std::erase_if(diagnostics_,
                          [](const support::Diagnostic& d) { return d.severity == support::Severity::warning; });
        if (diagnostics_.size() > kMostMessages) {
            const std::string more =
                std::to_string(diagnostics_.size() - kMostMessages) + " more warnings are not shown";
            diagnostics_.resize(kMostMessages);
            diagnostics_.push_back(
                support::diagnostic_about(program_.source.path(), failed() ? "there are more errors" : more));
            if (!failed()) diagnostics_.back().severity = support::Severity::warning;
        }
        return std::move(diagnostics_);
    }

    void choose_processes() {
        for (const Process& process : program_.processes) {
            const bool is_property = program_.property && process.name.text == program_.property->text;
            if (!is_property || options_.with_property) chosen_.push_back(&process);
            else expressions_.leave_out(process.name.text);
        }
    }

    bool add_name(Scope& scope, const Name& name, Symbol symbol) {
        symbol.declared = name.span;
        if (scope.add(name.text, symbol)) return true;
        const Symbol* earlier = scope.find_here(name.text);
        error(name.span, "duplicate name " + support::in_quotes(name.text),
              "already declared as " + std::string(describe(earlier->kind)) + " in line " +
                  std::to_string(program_.source.line_number(earlier->declared.begin)));
        return false;
    }

    void declare_globals() {
        for (const VariableDeclaration& v : program_.variables) {
            if (poll_.is_exhausted()) return;
            declare_variable(v, globals_, "", std::nullopt);
        }
        for (const ChannelDeclaration& c : program_.channels) declare_channel(c);
        for (model::ProcessId p = 0; p < chosen_.size(); ++p) {
            Symbol symbol;
            symbol.kind = Symbol::Kind::process;
            symbol.id = p;
            add_name(globals_, chosen_[p]->name, symbol);
        }
    }

    // The number of elements; nothing where it is wrong.
    std::optional<std::uint32_t> array_length(const Expr& expr, const Scope& scope, const Name& name) {
        const std::optional<model::Value> length = expressions_.constant(expr, scope, "the length of " + name.text);
        if (!length) return std::nullopt;
        if (*length < 1) {
            error(expr.span,
                  "the array " + name.text + " has length " + std::to_string(*length) + ", expected at least 1");
            return std::nullopt;
        }
        if (*length > kMostSlots - model_.slot_count()) {
            error(expr.span, "the array " + name.text + " is too large",
                  "a state has at most " + std::to_string(kMostSlots) + " elements in all");
            return std::nullopt;
        }
        return static_cast<std::uint32_t>(*length);
    }

    void declare_variable(const VariableDeclaration& declaration, Scope& scope, const std::string& prefix,
                          std::optional<model::ProcessId> owner) {
        const Name& name = declaration.name;
        std::optional<std::uint32_t> length;
        if (declaration.length) {
            length = array_length(*declaration.length, scope, name);
            if (!length) length = 1;  // reported; the name stays usable
        }
        std::vector<model::Value> values = initial_values(declaration, scope, length);
        Symbol symbol;
        if (declaration.constant) {
            symbol.kind = length ? Symbol::Kind::constant_array : Symbol::Kind::constant;
            symbol.value = values[0];
            symbol.id = static_cast<std::uint32_t>(model_.tables.size());
            model_.tables.push_back({prefix + name.text, std::move(values), length.has_value(), owner});
        } else {
            model::Variable variable;
            variable.name = prefix + name.text;
            variable.range = range_of(declaration.type);
            variable.length = length;
            variable.owner = owner;
            symbol.id = model_.add_variable(std::move(variable), values);
        }
        add_name(scope, name, symbol);
    }

    std::vector<model::Value> initial_values(const VariableDeclaration& declaration, const Scope& scope,
                                             std::optional<std::uint32_t> length) {
        const Name& name = declaration.name;
        std::vector<model::Value> values(length.value_or(1), 0);
        if (length && !declaration.initial.empty() && !declaration.braces)
            error(declaration.initial[0]->span, "the array " + name.text + " needs a list of initial values",
                  "expected { value, ... }");
        if (!length && declaration.braces) {
            error(name.span, support::in_quotes(name.text) + " is not an array and takes a single initial value");
            return values;
        }
        for (std::size_t i = 0; i < declaration.initial.size(); ++i) {
            const Expr& expr = *declaration.initial[i];
            if (i == values.size()) {
                expressions_.warning(expr.span, "more initial values than the array " + name.text +
                                                    " has elements; the rest is ignored");
                break;
            }
            const std::optional<model::Value> value =
                expressions_.constant(expr, scope, "the initial value of " + name.text);
            if (!value) continue;
            const model::Range range = range_of(declaration.type);
            if (range.holds(*value)) {
                values[i] = *value;
            } else {
                error(expr.span,
                      "the initial value " + std::to_string(*value) + " does not fit " + name_of(declaration.type) +
                          ' ' + name.text,
                      "expected " + std::to_string(range.low) + " to " + std::to_string(range.high));
            }
        }
        return values;
    }

    void declare_channel(const ChannelDeclaration& declaration) {
        Channel channel;
        channel.declaration = &declaration;
        if (declaration.capacity) {
            const Name& name = declaration.name;
            const std::optional<model::Value> capacity =
                expressions_.constant(*declaration.capacity, globals_, "the capacity of " + name.text);
            if (capacity && *capacity < 0)
                error(declaration.capacity->span, "the channel " + name.text + " has capacity " +
                                                      std::to_string(*capacity) + ", expected 0 or more");
            else if (capacity &&
                     (*capacity > kMostSlots || *capacity * static_cast<model::Value>(declaration.fields.size() + 1) >
                                                    kMostSlots - model_.slot_count()))
                error(declaration.capacity->span, "the channel " + name.text + " is too large",
                      "a state has at most " + std::to_string(kMostSlots) + " elements in all");
            else channel.capacity = capacity.value_or(0);
        }
        model_.channels.push_back({declaration.name.text, std::nullopt, {}});
        if (channel.buffered()) declare_buffer(channel);
        Symbol symbol;
        symbol.kind = Symbol::Kind::channel;
        symbol.id = static_cast<std::uint32_t>(channels_.size());
        channels_.push_back(std::move(channel));
        add_name(globals_, declaration.name, symbol);
    }

    void declare_buffer(Channel& channel) {
        const std::string& name = channel.declaration->name.text;
        model::Variable length;
        length.name = name + ".length";
        length.kind = model::Variable::Kind::channel;
        length.range = {0, channel.capacity};
        channel.length = model_.add_variable(std::move(length), {0});
        model_.channels.back().length = channel.length;
        const std::vector<Type>& fields = channel.declaration->fields;
        for (std::size_t f = 0; f < fields.size(); ++f) {
            model::Variable content;
            content.name = name;
            content.kind = model::Variable::Kind::channel;
            content.range = range_of(fields[f]);
            content.length = static_cast<std::uint32_t>(channel.capacity);
            if (fields.size() > 1) content.element_suffix = '.' + std::to_string(f);
            channel.contents.push_back(model_.add_variable(
                std::move(content), std::vector<model::Value>(static_cast<std::size_t>(channel.capacity), 0)));
        }
        model_.channels.back().contents = channel.contents;
    }

    void declare_process(const Process& syntax) {
        const auto id = static_cast<model::ProcessId>(model_.processes.size());
        ProcessNames& names = processes_.emplace_back(ProcessNames{Scope(&globals_), {}, {}});
        for (const Name& location : syntax.locations) {
            if (!names.locations.emplace(location.text, static_cast<model::Value>(names.location_names.size())).second)
                error(location.span,
                      "duplicate location " + support::in_quotes(location.text) + " in process " + syntax.name.text);
            else names.location_names.push_back(location.text);
        }
        model::Process process;
        process.name = syntax.name.text;
        process.span = syntax.name.span;
        process.outgoing.resize(names.location_names.size());
        const std::optional<model::Value> initial = location_of(names, syntax.initial, syntax.name.text);
        model::Variable location;
        location.name = syntax.name.text;
        location.kind = model::Variable::Kind::location;
        location.range = {0, static_cast<model::Value>(names.location_names.size()) - 1};
        location.owner = id;
        location.value_names = names.location_names;
        process.location = model_.add_variable(std::move(location), {initial.value_or(0)});
        process.committed = committed_locations(syntax, names);
        model_.processes.push_back(std::move(process));
        for (const VariableDeclaration& v : syntax.variables) {
            if (poll_.is_exhausted()) return;
            declare_variable(v, names.scope, syntax.name.text + '.', id);
        }
    }

    std::vector<bool> committed_locations(const Process& syntax, const ProcessNames& names) {
        std::vector<bool> committed;
        if (syntax.committed.empty()) return committed;
        committed.resize(names.location_names.size());
        const bool is_property = program_.property && syntax.name.text == program_.property->text;
        if (program_.synchronous || is_property)
            expressions_.warning(syntax.committed[0].span,
                                 is_property ? "a property process is never committed; this has no effect"
                                             : "committed locations have no effect in a synchronous system");
        for (const Name& name : syntax.committed) {
            const std::optional<model::Value> location = location_of(names, name, syntax.name.text);
            if (location) committed[static_cast<std::size_t>(*location)] = !program_.synchronous && !is_property;
        }
        return committed;
    }

    std::optional<model::Value> location_of(const ProcessNames& names, const Name& name, const std::string& process) {
        const auto found = names.locations.find(name.text);
        if (found != names.locations.end()) return found->second;
        error(name.span, "process " + process + " has no location " + support::in_quotes(name.text),
              support::suggestion(name.text, names.location_names));
        return std::nullopt;
    }

    void check_property() {
        if (!program_.property || !options_.with_property) return;
        const Symbol* symbol = globals_.find(program_.property->text);
        if (symbol == nullptr || symbol->kind != Symbol::Kind::process) {
            std::vector<std::string> names;
            for (const Process* process : chosen_) names.push_back(process->name.text);
            error(program_.property->span,
                  "the property " + support::in_quotes(program_.property->text) + " is not a process",
                  support::suggestion(program_.property->text, names));
            return;
        }
        model_.observer = symbol->id;
    }

    void translate_process(model::ProcessId id) {
        const Process& syntax = *chosen_[id];
        const ProcessNames& names = processes_[id];
        for (const Transition& t : syntax.transitions) {
            if (expressions_.error_count() > kMostMessages || poll_.is_exhausted()) return;
            translate_transition(id, t);
        }
        for (const Assertion& assertion : syntax.assertions) {
            const std::optional<model::Value> location = location_of(names, assertion.location, syntax.name.text);
            const model::Expression condition = expressions_.translate(*assertion.condition, names.scope);
            if (!location) continue;
            const std::string text(program_.source.text(assertion.condition->span));
            model_.assertions.push_back({syntax.name.text + '.' + assertion.location.text + ": " + text,
                                         model::Expression::implication(model_.at(id, *location), condition),
                                         assertion.condition->span});
        }
        if (syntax.acceptance.sets.size() > 64)
            error(syntax.name.span, "more than 64 acceptance sets are not supported");
        for (const std::vector<Name>& set : syntax.acceptance.sets)
            for (const Name& name : set) (void)location_of(names, name, syntax.name.text);
        if (model_.observer == id) model_.acceptance_sets = static_cast<std::uint32_t>(syntax.acceptance.sets.size());
    }

    void translate_transition(model::ProcessId id, const Transition& syntax) {
        const ProcessNames& names = processes_[id];
        const std::string& process = chosen_[id]->name.text;
        UnpairedTransition unpaired;
        unpaired.syntax = &syntax;
        unpaired.process = id;
        const std::optional<model::Value> from = location_of(names, syntax.from, process);
        const std::optional<model::Value> to = location_of(names, syntax.to, process);
        if (from) unpaired.from = *from;
        if (to) unpaired.to = *to;
        if (syntax.guard) unpaired.guard = expressions_.translate(*syntax.guard, names.scope);
        if (syntax.sync) translate_sync(unpaired, *syntax.sync, names.scope);
        for (const Assignment& assignment : syntax.effects) {
            std::optional<model::Target> target = expressions_.target(*assignment.target, names.scope);
            model::Expression value = expressions_.translate(*assignment.value, names.scope);
            if (!target) continue;
            check_property_writes(id, *target, assignment.target->span);
            model::Assign assign;
            assign.targets.push_back(std::move(*target));
            assign.values.push_back(std::move(value));
            assign.wrap = options_.wrap;
            unpaired.effects.emplace_back(std::move(assign));
        }
        halves_.push_back(std::move(unpaired));
    }

    void check_property_writes(model::ProcessId id, const model::Target& target, support::SourceSpan span) {
        if (model_.observer == id && model_.variables[target.variable].owner != id)
            error(span,
                  "a property process may not change " + support::in_quotes(model_.variables[target.variable].name),
                  "it observes the system; only its own variables may be assigned to");
    }

    void translate_sync(UnpairedTransition& unpaired, const Synchronisation& sync, const Scope& scope) {
        if (program_.synchronous || model_.observer == unpaired.process)
            error(sync.span, program_.synchronous ? "sync is not possible in a synchronous system"
                                                  : "a property process takes no part in synchronisation");
        const Symbol* symbol = globals_.find(sync.channel.text);
        if (symbol == nullptr || symbol->kind != Symbol::Kind::channel) {
            std::vector<std::string> names;
            for (const ChannelDeclaration& c : program_.channels) names.push_back(c.name.text);
            error(sync.channel.span,
                  symbol == nullptr ? "unknown channel " + support::in_quotes(sync.channel.text)
                                    : support::in_quotes(sync.channel.text) + " is " + describe(symbol->kind) +
                                          ", expected a channel",
                  support::suggestion(sync.channel.text, names));
            return;
        }
        unpaired.channel = symbol->id;
        const ChannelDeclaration& declaration = *channels_[symbol->id].declaration;
        const std::size_t expected = declaration.typed ? declaration.fields.size() : 1;
        const std::size_t given = sync.values.size();
        if (declaration.typed ? given != expected : given > expected)
            error(sync.span, "the channel " + sync.channel.text + " passes " + (declaration.typed ? "" : "at most ") +
                                 std::to_string(expected) + (expected == 1 ? " value" : " values") + ", found " +
                                 std::to_string(given));
        for (const ExprPtr& value : sync.values) {
            if (sync.direction == Synchronisation::Direction::send) {
                unpaired.sent.push_back(expressions_.translate(*value, scope));
            } else if (std::optional<model::Target> target = expressions_.target(*value, scope)) {
                unpaired.received.push_back(std::move(*target));
            }
        }
    }

    // On an untyped channel, a receive into a variable needs senders that pass a value.
    void check_untyped_channels() {
        std::set<std::uint32_t> into_variable;
        const auto untyped = [&](const UnpairedTransition& unpaired) {
            return unpaired.syntax->sync && !channels_[unpaired.channel].declaration->typed;
        };
        for (const UnpairedTransition& unpaired : halves_)
            if (untyped(unpaired) && !unpaired.received.empty()) into_variable.insert(unpaired.channel);
        for (const UnpairedTransition& unpaired : halves_)
            if (untyped(unpaired) && unpaired.syntax->sync->direction == Synchronisation::Direction::send &&
                unpaired.sent.empty() && into_variable.count(unpaired.channel) > 0)
                error(unpaired.syntax->sync->span,
                      "the channel " + unpaired.syntax->sync->channel.text +
                          " is received into a variable elsewhere, but no value is sent here");
    }

    void build_transitions() {
        if (program_.synchronous) model_.composition = model::Composition::lockstep;
        std::vector<std::vector<const UnpairedTransition*>> receivers(channels_.size());
        for (const UnpairedTransition& unpaired : halves_)
            if (is_rendezvous(unpaired) && unpaired.syntax->sync->direction == Synchronisation::Direction::receive)
                receivers[unpaired.channel].push_back(&unpaired);
        for (const UnpairedTransition& unpaired : halves_) {
            if (!is_rendezvous(unpaired)) {
                add_single(unpaired);
            } else if (unpaired.syntax->sync->direction == Synchronisation::Direction::send) {
                for (const UnpairedTransition* receiver : receivers[unpaired.channel]) {
                    if (poll_.is_exhausted()) return;
                    if (receiver->process != unpaired.process) add_pair(unpaired, *receiver);
                }
            }
            if (poll_.is_exhausted()) return;
            if (model_.transitions.size() > kMostTransitions) {
                error(unpaired.syntax->span, "too many pairs of sending and receiving transitions",
                      "at most " + std::to_string(kMostTransitions) + " transitions are supported");
                return;
            }
        }
    }

    bool is_rendezvous(const UnpairedTransition& unpaired) const {
        return unpaired.syntax->sync && !channels_[unpaired.channel].buffered();
    }

    model::Participant participant(const UnpairedTransition& unpaired) const {
        return {unpaired.process, unpaired.from, unpaired.to, unpaired.syntax->span};
    }

    bool leaves_committed(const UnpairedTransition& unpaired) const {
        const std::vector<bool>& committed = model_.processes[unpaired.process].committed;
        return !committed.empty() && committed[static_cast<std::size_t>(unpaired.from)];
    }

    void add_single(const UnpairedTransition& unpaired) {
        model::Transition transition;
        transition.participants.push_back(participant(unpaired));
        transition.committed = leaves_committed(unpaired);
        if (unpaired.guard) transition.guards.push_back(*unpaired.guard);
        if (unpaired.syntax->sync) add_buffer_access(unpaired, transition);
        transition.effects.insert(transition.effects.end(), unpaired.effects.begin(), unpaired.effects.end());
        if (model_.observer == unpaired.process) transition.marks = marks_of(unpaired);
        model_.add_transition(std::move(transition));
    }

    model::Marks marks_of(const UnpairedTransition& unpaired) const {
        model::Marks marks = 0;
        const std::vector<std::vector<Name>>& sets = chosen_[unpaired.process]->acceptance.sets;
        for (std::size_t i = 0; i < sets.size(); ++i)
            for (const Name& name : sets[i])
                if (processes_[unpaired.process].locations.at(name.text) == unpaired.from)
                    marks |= model::Marks{1} << i;
        return marks;
    }

    void add_buffer_access(const UnpairedTransition& unpaired, model::Transition& transition) {
        const Channel& channel = channels_[unpaired.channel];
        const bool send = unpaired.syntax->sync->direction == Synchronisation::Direction::send;
        transition.label = channel.declaration->name.text + (send ? "!" : "?");
        const model::Expression length = model_.read(channel.length);
        transition.guards.push_back(
            send ? model::Expression::binary(model::Op::less, length, model::Expression::constant(channel.capacity))
                 : model::Expression::binary(model::Op::greater, length, model::Expression::constant(0)));
        model::Assign message;
        message.wrap = options_.wrap;
        if (send) {
            message.values = unpaired.sent;
            for (const model::VariableId content : channel.contents) message.targets.push_back({content, length});
        } else {
            message.targets = unpaired.received;
            for (const model::VariableId content : channel.contents)
                message.values.push_back(model_.read(content, model::Expression::constant(0)));
        }
        transition.events.push_back(message_event(send, 0, unpaired.channel, message.values));
        transition.effects.emplace_back(std::move(message));
        if (!send)
            for (const model::VariableId content : channel.contents)
                transition.effects.emplace_back(model::Shift{content, model::Expression::constant(0),
                                                             static_cast<std::uint32_t>(channel.capacity)});
        model::Assign count;
        count.targets.push_back({channel.length, std::nullopt});
        count.values.push_back(model::Expression::binary(send ? model::Op::add : model::Op::subtract, length,
                                                         model::Expression::constant(1)));
        transition.effects.emplace_back(std::move(count));
    }

    static model::Event message_event(bool send, std::uint32_t participant, std::uint32_t channel,
                                      const std::vector<model::Expression>& values) {
        model::Event event;
        event.kind = send ? model::Event::Kind::send : model::Event::Kind::receive;
        event.participant = participant;
        event.channel = model::Expression::constant(channel + 1);
        event.values = values;
        return event;
    }

    void add_pair(const UnpairedTransition& sender, const UnpairedTransition& receiver) {
        model::Transition transition;
        transition.participants = {participant(sender), participant(receiver)};
        transition.committed = leaves_committed(sender) && leaves_committed(receiver);
        const ChannelDeclaration& declaration = *channels_[sender.channel].declaration;
        transition.label = declaration.name.text;
        if (sender.guard) transition.guards.push_back(*sender.guard);
        if (receiver.guard) transition.guards.push_back(*receiver.guard);
        transition.events.push_back(message_event(true, 0, sender.channel, sender.sent));
        transition.events.push_back(message_event(false, 1, sender.channel, sender.sent));
        if (!sender.sent.empty()) {
            model::Assign message;
            message.values = sender.sent;
            message.targets = receiver.received;
            message.wrap = options_.wrap;
            if (declaration.typed)
                for (const Type field : declaration.fields) message.passing.push_back(range_of(field));
            transition.effects.emplace_back(std::move(message));
        }
        transition.effects.insert(transition.effects.end(), receiver.effects.begin(), receiver.effects.end());
        transition.effects.insert(transition.effects.end(), sender.effects.begin(), sender.effects.end());
        model_.add_transition(std::move(transition));
    }

    const Program& program_;
    const TranslateOptions& options_;
    support::BudgetPoll poll_;
    model::Model model_;
    support::Diagnostics diagnostics_;
    Scope globals_;
    std::vector<const Process*> chosen_;
    std::vector<ProcessNames> processes_;
    std::vector<Channel> channels_;
    std::vector<UnpairedTransition> halves_;
    ExpressionTranslator expressions_;
};

}  // namespace

support::Result<model::Model> translate(const Program& program, const TranslateOptions& options,
                                        const support::Budget& budget) {
    return Translator(program, options, budget).run();
}

}  // namespace tideline::input::dve
