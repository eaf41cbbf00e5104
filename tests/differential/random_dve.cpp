// Generates a model from the outside in: which processes, variables and channels there are, then their transitions.
// Every channel gets a sender and a receiver in different processes, so that rendezvous do happen.
#include "tests/differential/random_dve.hpp"

#include <algorithm>

#include "tests/differential/random_dve_expression.hpp"
#include "tests/differential/random_numbers.hpp"

namespace tideline::differential {

namespace {

struct RandomChannel {
    std::string name;
    std::vector<bool> fields;  // true: int; an untyped channel with a value has one as well
    bool typed = false;
    bool rendezvous = true;
    std::size_t sender = 0;  // the processes that are sure to use it
    std::size_t receiver = 0;
};

struct RandomTransition {
    std::size_t from = 0;
    std::size_t to = 0;
    std::string body;
};

std::string comma_separated(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
    return text;
}

class Generator {
public:
    Generator(std::uint64_t seed, const RandomOptions& options)
        : numbers_(seed * 0x2545F4914F6CDD1Du + 0x1234567), options_(options) {}

    RandomModel model() {
        synchronous_ = numbers_.chance(options_.sync_percent);
        dangerous_ = numbers_.chance(options_.fault_percent);
        declare_globals();
        make_processes();
        if (!synchronous_) declare_channels();
        RandomModel result;
        std::string processes;
        for (std::size_t i = 0; i < names_.processes.size(); ++i) processes += process(i);
        result.text = "// a random model\n" + text_ + "\n" + processes + "system " + (synchronous_ ? "sync" : "async");
        if (property_ < names_.processes.size()) result.text += " property " + names_.processes[property_].name;
        result.text += ";\n";
        result.invariants = invariants();
        return result;
    }

private:
    void make_processes() {
        const int count =
            numbers_.between(numbers_.chance(15) ? 1 : std::min(2, options_.max_processes), options_.max_processes);
        for (int i = 0; i < count; ++i) {
            RandomProcess& process = names_.processes.emplace_back();
            process.name = "P" + std::to_string(i);
        }
        property_ = names_.processes.size();
        if (numbers_.chance(options_.property_percent)) {
            property_ = numbers_.chance(70) ? names_.processes.size() : numbers_.below(names_.processes.size());
            RandomProcess observer;
            observer.name = "Prop";
            observer.property = true;
            names_.processes.insert(names_.processes.begin() + static_cast<std::ptrdiff_t>(property_), observer);
        }
        declarations_.resize(names_.processes.size());
        for (std::size_t i = 0; i < names_.processes.size(); ++i) {
            RandomProcess& process = names_.processes[i];
            const int locations =
                process.property ? numbers_.between(1, 2) : numbers_.between(2, numbers_.chance(40) ? 4 : 3);
            for (int s = 0; s < locations; ++s) process.locations.push_back("s" + std::to_string(s));
            const int variables = numbers_.between(0, process.property ? 1 : 2);
            for (int v = 0; v < variables; ++v) {
                // Sometimes the name of a global variable, which is then hidden.
                const std::string name = numbers_.chance(20) ? "x" + std::to_string(v) : "l" + std::to_string(v);
                declarations_[i] += "  " + declare(process.variables, name, 20);
            }
        }
    }

    void declare_globals() {
        const int variables = numbers_.between(1, 3);
        for (int v = 0; v < variables; ++v) {
            text_ += declare(names_.variables, std::to_string(v), 25);
            if (numbers_.chance(10)) text_ += "/* between\n   declarations */\n";
        }
    }

    // One declaration; the variable is added to the list. A global one is given its number only: constants have names
    // of their own, which no process hides, so that all initial values can use them.
    std::string declare(std::vector<RandomVariable>& list, std::string name, unsigned array_percent) {
        RandomVariable variable;
        variable.integer = numbers_.chance(40);
        variable.constant = places_ <= 0 || numbers_.chance(12);
        variable.bound = numbers_.between(2, numbers_.chance(20) ? 4 : 2);
        if (numbers_.chance(array_percent)) variable.length = numbers_.between(2, 3);
        if (!variable.constant) places_ -= std::max(1, variable.length);
        const bool global = &list == &names_.variables;
        if (global) name = (variable.constant ? "k" : "x") + name;
        variable.name = name;
        std::string text =
            std::string(variable.constant ? "const " : "") + (variable.integer ? "int " : "byte ") + name;
        if (variable.length > 0) text += "[" + length_text(variable.length) + "]";
        if (variable.constant || numbers_.chance(60)) text += " = " + initial_text(variable);
        if (variable.constant && variable.length == 0 && global) constants_.push_back(name);
        list.push_back(variable);
        return text + ";" + (numbers_.chance(10) ? " // " + name : "") + "\n";
    }

    std::string length_text(int length) {
        return numbers_.chance(80) ? std::to_string(length) : std::to_string(length - 1) + " + 1";
    }

    std::string initial_text(const RandomVariable& variable) {
        if (variable.length == 0) return initial_value(variable);
        std::vector<std::string> values;
        int count = numbers_.chance(70) ? variable.length : numbers_.between(1, variable.length);
        if (numbers_.chance(4)) ++count;
        for (int i = 0; i < count; ++i) values.push_back(initial_value(variable));
        return "{" + comma_separated(values) + "}";
    }

    std::string initial_value(const RandomVariable& variable) {
        const std::string plain = std::to_string(numbers_.below(static_cast<std::size_t>(variable.bound)));
        if (!constants_.empty() && numbers_.chance(15)) return "(" + numbers_.one_of(constants_) + " & 1)";
        if (variable.integer && numbers_.chance(15)) return "-1";
        return numbers_.chance(85) ? plain : "(" + plain + " * 3 - " + plain + " * 2)";
    }

    void declare_channels() {
        std::vector<std::size_t> users;
        for (std::size_t i = 0; i < names_.processes.size(); ++i) {
            if (i != property_) users.push_back(i);
        }
        const int count = numbers_.between(0, 3);
        for (int c = 0; c < count; ++c) {
            RandomChannel channel;
            channel.name = "c" + std::to_string(c);
            channel.rendezvous = users.size() > 1 && numbers_.chance(60);
            channel.typed = !channel.rendezvous || numbers_.chance(30);
            const int fields = channel.typed ? numbers_.between(1, 2) : numbers_.between(0, 1);
            for (int i = 0; i < fields; ++i) channel.fields.push_back(numbers_.chance(40));
            channel.sender = numbers_.one_of(users);
            channel.receiver = numbers_.one_of(users);
            while (channel.rendezvous && channel.receiver == channel.sender) channel.receiver = numbers_.one_of(users);
            text_ += declaration(channel);
            channels_.push_back(std::move(channel));
        }
    }

    std::string declaration(const RandomChannel& channel) {
        if (!channel.typed) return "channel " + channel.name + ";\n";
        std::vector<std::string> types;
        for (const bool integer : channel.fields) types.push_back(integer ? "int" : "byte");
        const std::string capacity =
            channel.rendezvous ? "0" : std::to_string(numbers_.between(1, numbers_.chance(50) ? 2 : 1));
        return "channel {" + comma_separated(types) + "} " + channel.name + "[" + capacity + "];\n";
    }

    std::string some_locations(const RandomProcess& process) {
        std::vector<std::string> list;
        for (const std::string& location : process.locations) {
            if (numbers_.chance(40)) list.push_back(location);
        }
        if (list.empty()) list.push_back(numbers_.one_of(process.locations));
        return comma_separated(list);
    }

    std::string process(std::size_t number) {
        const RandomProcess& process = names_.processes[number];
        RandomExpressions expressions(numbers_, names_, &process, dangerous_, false);
        std::string text = "process " + process.name + " {\n" + declarations_[number];
        text += "  state " + comma_separated(process.locations) + ";\n";
        const std::string initial =
            "  init " + (numbers_.chance(70) ? process.locations[0] : numbers_.one_of(process.locations)) + ";\n";
        std::string sections;
        if (!process.property && numbers_.chance(20))
            sections += "  commit " + numbers_.one_of(process.locations) + ";\n";
        if (process.property || numbers_.chance(10)) sections += acceptance(process);
        if (numbers_.chance(20)) {
            sections += "  assert " + numbers_.one_of(process.locations) + ": " + expressions.condition(2);
            if (numbers_.chance(30))
                sections += ", " + numbers_.one_of(process.locations) + ": " + expressions.condition(2);
            sections += ";\n";
        }
        text += numbers_.chance(80) ? initial + sections : sections + initial;
        return text + transitions(number, expressions) + "}\n\n";
    }

    std::string acceptance(const RandomProcess& process) {
        switch (numbers_.below(4)) {
            case 0: return "  accept buchi " + some_locations(process) + ";\n";
            case 1: return "  accept genbuchi (" + some_locations(process) + "), (" + some_locations(process) + ");\n";
            default: return "  accept " + some_locations(process) + ";\n";
        }
    }

    std::string transitions(std::size_t number, RandomExpressions& expressions) {
        const RandomProcess& process = names_.processes[number];
        std::vector<RandomTransition> list;
        // A cycle through all locations, then some more transitions.
        const int more = numbers_.between(process.property ? 0 : 1, process.property ? 2 : 3);
        for (std::size_t s = 0; s < process.locations.size(); ++s) {
            if (numbers_.chance(4)) continue;
            list.push_back({s, (s + 1) % process.locations.size(), body(number, expressions, numbers_.chance(30))});
        }
        for (int i = 0; i < more; ++i)
            list.push_back(anywhere(process, body(number, expressions, numbers_.chance(70))));
        if (process.property && numbers_.chance(85)) {
            for (std::size_t s = 0; s < process.locations.size(); ++s) list.push_back({s, s, "{ }"});
        }
        for (const RandomChannel& channel : channels_) {
            if (number == channel.sender) list.push_back(anywhere(process, communication(channel, true, expressions)));
            if (number == channel.receiver)
                list.push_back(anywhere(process, communication(channel, false, expressions)));
        }
        const bool sorted = numbers_.chance(50);
        if (sorted) {
            std::stable_sort(list.begin(), list.end(),
                             [](const RandomTransition& a, const RandomTransition& b) { return a.from < b.from; });
        }
        if (list.empty()) return numbers_.chance(50) ? "" : "  trans ;\n";
        std::string text = "  trans\n";
        for (std::size_t i = 0; i < list.size(); ++i) {
            const bool repeated = i > 0 && list[i].from == list[i - 1].from && (sorted || numbers_.chance(30));
            text += "    " + (repeated ? "" : process.locations[list[i].from] + " ") + "-> " +
                    process.locations[list[i].to] + " " + list[i].body + (i + 1 < list.size() ? ",\n" : ";\n");
        }
        return text;
    }

    RandomTransition anywhere(const RandomProcess& process, std::string body) {
        return {numbers_.below(process.locations.size()), numbers_.below(process.locations.size()), std::move(body)};
    }

    std::string body(std::size_t number, RandomExpressions& expressions, bool guarded) {
        std::string text = "{ ";
        if (guarded) text += "guard " + expressions.condition(2) + "; ";
        if (!channels_.empty() && number != property_ && numbers_.chance(12)) {
            text += synchronisation(numbers_.one_of(channels_), numbers_.chance(50), expressions);
        }
        return text + effects(expressions) + "}";
    }

    std::string communication(const RandomChannel& channel, bool sends, RandomExpressions& expressions) {
        const std::string guard = numbers_.chance(40) ? "guard " + expressions.condition(2) + "; " : "";
        return "{ " + guard + synchronisation(channel, sends, expressions) + effects(expressions) + "}";
    }

    std::string synchronisation(const RandomChannel& channel, bool sends, RandomExpressions& expressions) {
        std::vector<std::string> values;
        for (const bool integer : channel.fields) {
            const RandomVariable* variable = nullptr;
            if (!sends) {
                if (!expressions.has_target()) return "";
                values.push_back(expressions.target(variable));
            } else if (dangerous_ && numbers_.chance(15)) {
                values.push_back(expressions.number(2));
            } else {
                values.push_back(numbers_.chance(90) || !integer ? "(" + expressions.number(1) + ") & 1" : "2");
            }
        }
        std::string text = "sync " + channel.name + (sends ? "!" : "?");
        const bool dropped = !sends && !channel.typed && numbers_.chance(25);
        const bool braces = values.size() > 1 || (values.size() == 1 && numbers_.chance(40));
        if (!dropped) text += (braces ? "{" : "") + comma_separated(values) + (braces ? "}" : "");
        return text + "; ";
    }

    std::string effects(RandomExpressions& expressions) {
        std::vector<std::string> assignments;
        const int count = expressions.has_target() ? numbers_.between(numbers_.chance(50) ? 1 : 0, 2) : 0;
        for (int i = 0; i < count; ++i) {
            const RandomVariable* variable = nullptr;
            const std::string target = expressions.target(variable);
            assignments.push_back(target + " = " + expressions.value_for(*variable, target));
        }
        return assignments.empty() ? "" : "effect " + comma_separated(assignments) + "; ";
    }

    std::vector<std::string> invariants() {
        RandomNames visible = names_;
        std::erase_if(visible.processes, [](const RandomProcess& process) { return process.property; });
        RandomExpressions expressions(numbers_, visible, nullptr, false, true);
        const RandomProcess& process = numbers_.one_of(visible.processes);
        const std::string exclusive = "(not ((" + process.name + "." + process.locations[0] + " and " + process.name +
                                      "." + process.locations[1] + ")))";
        std::string last = process.name + "." + process.locations[0];
        if (numbers_.chance(60)) last = "(" + expressions.number(1) + " == " + std::to_string(numbers_.below(3)) + ")";
        const std::string small = "(" + expressions.number(0) + " <= 3)";
        const std::string first =
            numbers_.chance(50) ? small : "(" + exclusive + " or " + expressions.condition(1) + ")";
        return {first, expressions.condition(2), last};
    }

    RandomNumbers numbers_;
    RandomOptions options_;
    bool synchronous_ = false;
    bool dangerous_ = false;
    RandomNames names_;
    int places_ = 6;                         // for values that may still be declared: more would make too many states
    std::size_t property_ = 0;               // its index among the processes; beyond them: none
    std::vector<std::string> declarations_;  // of the processes' variables
    std::vector<std::string> constants_;     // the scalar ones that are global
    std::vector<RandomChannel> channels_;
    std::string text_;
};

}  // namespace

RandomModel random_model(std::uint64_t seed, const RandomOptions& options) { return Generator(seed, options).model(); }

std::string random_dve_model(std::uint64_t seed, const RandomOptions& options) {
    return random_model(seed, options).text;
}

}  // namespace tideline::differential
