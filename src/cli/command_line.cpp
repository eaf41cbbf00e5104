#include "cli/command_line.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "cli/command_line_library.hpp"
#include "cli/completion.hpp"
#include "cli/declare_options.hpp"
#include "cli/help_formatter.hpp"
#include "cli/read_commands.hpp"
#include "cli/terminal_output.hpp"
#include "cli/usage_error.hpp"
#include "input/language.hpp"

namespace tideline::cli {
namespace {

using ReadCommand = CommandLine (*)(const GivenOptions&);
constexpr std::array<std::pair<std::string_view, ReadCommand>, 8> kCommands = {{{"explore", read_explore},
                                                                                {"check", read_check},
                                                                                {"progress", read_progress},
                                                                                {"simulate", read_simulate},
                                                                                {"resume", read_resume},
                                                                                {"audit", read_audit},
                                                                                {"trace", read_trace},
                                                                                {"convert", read_convert}}};

// A word of a command line, so that a shell reads it as it is.
std::string in_shell_quotes(std::string_view word) {
    constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./=:,+@%-";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
    std::string result = "'";
    for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    return names;
}

// Those that were given, by all their names.
std::set<std::string, std::less<>> given_names(const CLI::App& command) {
    std::set<std::string, std::less<>> names;
    for (const CLI::Option* option : command.get_options()) {
        if (option->count() == 0) continue;
        for (const std::string& name : option->get_lnames()) names.insert("--" + name);
        for (const std::string& name : option->get_snames()) names.insert("-" + name);
        if (option->get_positional()) names.insert(option->get_name(true, false));
    }
    return names;
}

class CommandLineParser {
public:
    CommandLineParser(const CppOptions* program, const std::string& name) : program_(program), name_(name) {
        app_.name(name_);
        app_.formatter(std::make_shared<HelpFormatter>(traits_of(STDOUT_FILENO).width));
        app_.set_version_flag("--version", "tideline " TIDELINE_VERSION);
        app_.require_subcommand(1);
        declare_commands(app_, values_, program);
    }

    CommandLine parse(int argc, const char* const* argv) {
        if (argc > 0) values_.command = std::string_view(argv[0]).substr(std::string_view(argv[0]).rfind('/') + 1);
        for (int i = 1; i < argc; ++i) values_.command += ' ' + in_shell_quotes(argv[i]);
        if (argc > 1 && std::string(argv[1]) == "help") return help_command(argc, argv);
        if (argc > 1 && std::string(argv[1]) == "completion") return completion_command(argc, argv);
        if (std::optional<UsageError> error = swallowed_option(argc, argv)) return std::move(*error);
        try {
            app_.parse(argc, argv);
        } catch (const CLI::CallForHelp&) {
            return UsageError{chosen().help(), 0};
        } catch (const CLI::CallForVersion&) {
            return UsageError{"tideline " TIDELINE_VERSION "\n", 0};
        } catch (const CLI::ExtrasError&) {
            return unexpected();
        } catch (const CLI::RequiredError& error) {
            return app_.remaining(true).empty() ? missing(error.what()) : unexpected();
        } catch (const CLI::ParseError& error) {
            return app_.remaining(true).empty() ? explained(error.what()) : unexpected();
        }
        const auto* const command =
            std::ranges::find(kCommands, chosen().get_name(), &std::pair<std::string_view, ReadCommand>::first);
        return command->second({values_, given_names(chosen()), program_ != nullptr, help_hint()});
    }

private:
    // completion bash|zsh|man
    [[nodiscard]] UsageError completion_command(int argc, const char* const* argv) const {
        const std::optional<std::string> text = argc == 3 ? generated(app_, argv[2]) : std::nullopt;
        if (text) return {*text, 0};
        return usage_error("completion: for which shell?", "expected " + name_ + " completion bash, zsh or man");
    }

    // help, help COMMAND
    [[nodiscard]] UsageError help_command(int argc, const char* const* argv) const {
        if (argc == 2) return {app_.help(), 0};
        std::vector<std::string> names;
        for (const CLI::App* command : app_.get_subcommands({})) {
            if (command->get_name() == argv[2]) return {command->help(), 0};
            names.push_back(command->get_name());
        }
        const std::string hint = support::suggestion(argv[2], names);
        return usage_error("unknown command " + support::in_quotes(argv[2]),
                           hint.empty() ? "see '" + name_ + " --help'" : hint);
    }

    // An option whose value is missing must not take the next option for it. A value that begins with -- is given with
    // '='.
    [[nodiscard]] std::optional<UsageError> swallowed_option(int argc, const char* const* argv) const {
        const CLI::App* command = nullptr;
        for (int i = 1; i < argc; ++i) {
            const std::string word = argv[i];
            if (command == nullptr) {
                for (const CLI::App* candidate : app_.get_subcommands({}))
                    if (candidate->get_name() == word) command = candidate;
                continue;
            }
            const CLI::Option* option = word.starts_with('-') ? command->get_option_no_throw(word) : nullptr;
            if (option == nullptr || option->get_items_expected_max() == 0) continue;
            const std::string next = ++i < argc ? argv[i] : "";
            if (!next.starts_with("--")) continue;
            return usage_error(word + " needs a value, found " + support::in_quotes(next),
                               "expected " + word + ' ' + option->get_type_name() +
                                   "; a value that begins with -- is given as " + word + "=VALUE");
        }
        return std::nullopt;
    }

    [[nodiscard]] const CLI::App& chosen() const {
        const std::vector<CLI::App*> chosen = app_.get_subcommands();
        return chosen.empty() ? app_ : *chosen.front();
    }

    [[nodiscard]] std::string command_name() const { return &chosen() == &app_ ? "" : ' ' + chosen().get_name(); }

    [[nodiscard]] std::string help_hint() const { return "see '" + name_ + command_name() + " --help'"; }

    // The library's message about a missing argument, in our wording.
    [[nodiscard]] UsageError missing(const std::string& message) const {
        if (&chosen() == &app_)
            return usage_error(
                "the command is missing",
                (program_ == nullptr ? "expected explore, check, simulate, progress, resume, audit, trace or convert; "
                                     : "expected explore, check, simulate, progress, resume or audit; ") +
                    help_hint());
        if (chosen().get_option_no_throw("FILE") != nullptr)
            return usage_error("the file of the trace is missing",
                               "expected " + name_ + command_name() + " FILE; " + help_hint());
        if (chosen().get_option_no_throw("DIR") != nullptr)
            return usage_error("the directory of the ledger is missing",
                               "expected " + name_ + command_name() + " DIR; " + help_hint());
        if (program_ == nullptr && chosen().count("MODEL") == 0)
            return usage_error("the model is missing", "expected tideline" + command_name() + " MODEL; " + help_hint());
        return usage_error(message, help_hint());
    }

    // What the library found wrong with an option, whose name its message begins with.
    [[nodiscard]] UsageError explained(const std::string& message) const {
        const std::string word = message.substr(0, message.find_first_of(": "));
        const std::string name = word.starts_with('-') ? word : "--" + word;
        const CLI::Option* option = chosen().get_option_no_throw(name);
        if (option == nullptr) return usage_error(message, help_hint());
        if (option->get_items_expected_max() == 0) return usage_error(name + " takes no value", help_hint());
        if (option->count() > 1) return usage_error(name + " is given more than once", help_hint());
        const std::string expected = "expected " + name + ' ' + option->get_type_name();
        if (option->count() == 1)
            return usage_error(name + ": unexpected value " + support::in_quotes(option->results().front()), expected);
        return usage_error(name + " needs a value", expected);
    }

    [[nodiscard]] UsageError unexpected() const {
        const std::vector<std::string> rest = app_.remaining(true);
        const std::string word = rest.empty() ? "" : rest.front();
        const std::string name = word.substr(0, word.find('='));
        std::string hint = support::suggestion(name, option_names(chosen()));
        if (&chosen() == &app_ && program_ == nullptr && input::language_of(word, "") != nullptr)
            hint = "a command comes first: " + name_ + " check " + word + ", or " + name_ + " explore " + word;
        if (!word.starts_with('-'))
            return usage_error(
                (&chosen() == &app_ ? "unknown command " : "unexpected argument ") + support::in_quotes(word),
                hint.empty() || &chosen() != &app_ ? help_hint() : hint);
        for (const CLI::App* command : app_.get_subcommands({}))
            if (command->get_option_no_throw(name) != nullptr)
                hint = "it is an option of '" + name_ + ' ' + command->get_name() + "'";
        return usage_error("unknown option " + support::in_quotes(word), hint.empty() ? help_hint() : hint);
    }

    const CppOptions* program_;
    std::string name_;
    OptionValues values_;
    CLI::App app_{"Tideline checks concurrent systems by visiting every state they can reach."};
};

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv, const CppOptions* program) {
    const std::string path = argc > 0 ? argv[0] : "tideline";
    return CommandLineParser(program, program == nullptr ? "tideline" : path.substr(path.rfind('/') + 1))
        .parse(argc, argv);
}

}  // namespace tideline::cli
