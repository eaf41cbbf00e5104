#include "cli/completion.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "cli/command_line_library.hpp"

namespace tideline::cli {
namespace {

std::string name_of(const CLI::Option& option) {
    if (!option.get_lnames().empty()) return "--" + option.get_lnames().front();
    return option.get_snames().empty() ? "" : "-" + option.get_snames().front();
}

bool has_value(const CLI::Option& option) { return option.get_items_expected_max() != 0; }

// Those that help shows, without the positional ones.
std::vector<const CLI::Option*> options_of(const CLI::App& app) {
    std::vector<const CLI::Option*> result;
    for (const CLI::Option* option : app.get_options())
        if (!option->get_group().empty() && !name_of(*option).empty()) result.push_back(option);
    return result;
}

// The words that a value may be, where its type lists them: auto|none|DIR has two.
std::vector<std::string> words_of(const CLI::Option& option) {
    std::vector<std::string> result;
    const std::string type = option.get_type_name();
    if (type.find('|') == std::string::npos) return result;
    for (std::size_t begin = 0; begin <= type.size();) {
        const std::size_t end = std::min(type.find('|', begin), type.size());
        const std::string word = type.substr(begin, end - begin);
        if (!word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; }))
            result.push_back(word);
        begin = end + 1;
    }
    return result;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string replaced(const std::string& text, std::string_view special, std::string_view before) {
    std::string result;
    for (const char c : text) {
        if (special.find(c) != std::string_view::npos) result += before;
        result += c;
    }
    return result;
}

std::string bash(const CLI::App& app) {
    std::vector<std::string> commands;
    std::string cases;
    std::string values;
    for (const CLI::App* command : app.get_subcommands({})) {
        commands.push_back(command->get_name());
        std::vector<std::string> names;
        for (const CLI::Option* option : options_of(*command)) {
            names.push_back(name_of(*option));
            if (const std::vector<std::string> words = words_of(*option); !words.empty())
                values += fmt::format("        '{} {}') words='{}' ;;\n", command->get_name(), name_of(*option),
                                      joined(words));
        }
        cases += fmt::format("        {}) options='{}' ;;\n", command->get_name(), joined(names));
    }
    const std::string all = joined(commands);
    return "# bash completion for " + app.get_name() + "; made by '" + app.get_name() + " completion bash'\n_" +
           app.get_name() +
           "() {\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= word options= words=\n"
           "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
           "        case \" " +
           all +
           " \" in *\" $word \"*) command=$word; break ;; esac\n"
           "    done\n"
           "    if [ -z \"$command\" ]; then\n"
           "        COMPREPLY=($(compgen -W '" +
           all +
           " help completion --help --version' -- \"$current\"))\n"
           "        return\n"
           "    fi\n"
           "    case $command in\n" +
           cases +
           "    esac\n"
           "    case \"$command $previous\" in\n" +
           values +
           "    esac\n"
           "    if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
           "    elif [[ $current == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
           "    else COMPREPLY=($(compgen -f -- \"$current\"))\n"
           "    fi\n"
           "}\n"
           "complete -o filenames -F _" +
           app.get_name() + ' ' + app.get_name() + '\n';
}

std::string zsh(const CLI::App& app) {
    const auto quoted = [](const std::string& text) {
        std::string result;
        for (const char c : replaced(text, "[]:\\", "\\"))
            result += c == '\'' ? std::string("'\\''") : std::string(1, c);
        return result;
    };
    std::string commands;
    std::string cases;
    for (const CLI::App* command : app.get_subcommands({})) {
        commands += fmt::format("        '{}:{}'\n", command->get_name(), quoted(command->get_description()));
        cases += fmt::format("        {}) _arguments \\\n", command->get_name());
        for (const CLI::Option* option : options_of(*command)) {
            const std::vector<std::string> words = words_of(*option);
            const std::string value = !has_value(*option) ? ""
                                      : words.empty()
                                          ? ":" + quoted(option->get_type_name()) + ":_files"
                                          : ":" + quoted(option->get_type_name()) + ":(" + joined(words) + ")";
            cases += fmt::format("            '{}{}[{}]{}' \\\n", option->get_expected_max() > 1 ? "*" : "",
                                 name_of(*option), quoted(option->get_description()), value);
        }
        cases += "            '*:file:_files' ;;\n";
    }
    const std::string name = app.get_name();
    return "#compdef " + name + "\n# made by '" + name + " completion zsh'\n_" + name +
           "() {\n    local -a commands=(\n" + commands +
           "    )\n"
           "    if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
           "    local command=$words[2]\n"
           "    shift words; (( CURRENT-- ))\n"
           "    case $command in\n" +
           cases + "    esac\n}\n_" + name + " \"$@\"\n";
}

// Text for troff: signs that it would read otherwise.
std::string troff(const std::string& text) {
    std::string result = replaced(text, "\\", "\\");
    std::string dashes;
    for (const char c : result) dashes += c == '-' ? std::string("\\-") : std::string(1, c);
    if (dashes.starts_with('.') || dashes.starts_with('\'')) dashes.insert(0, "\\&");
    return dashes;
}

std::string manual_page(const CLI::App& app) {
    const std::string name = app.get_name();
    std::string out = fmt::format(".\\\" Made by '{0} completion man'.\n.TH {1} 1 \"\" \"{0} {2}\" \"User Commands\"\n",
                                  name, CLI::detail::to_lower(name) == name ? "TIDELINE" : name, TIDELINE_VERSION);
    out += ".SH NAME\n" + name + " \\- explicit\\-state model checker for concurrent systems\n.SH SYNOPSIS\n";
    for (const CLI::App* command : app.get_subcommands({})) {
        std::string positional;
        for (const CLI::Option* option : command->get_options())
            if (option->get_positional()) positional += " \\fI" + troff(option->get_name(true, false)) + "\\fR";
        out += ".B " + name + ' ' + command->get_name() + "\\fR" + positional + " [\\fIOPTIONS\\fR]\n.br\n";
    }
    out += ".SH DESCRIPTION\n" + troff(app.get_description()) +
           " A model is a file in DVE (.dve), Promela (.pml) or Aldebaran format (.aut), or a Kripke structure as JSON "
           "(.json).\n.SH COMMANDS\n";
    for (const CLI::App* command : app.get_subcommands({})) {
        out += ".SS " + command->get_name() + '\n' + troff(command->get_description()) + ".\n";
        for (const CLI::Option* option : options_of(*command)) {
            out += ".TP\n.B " + troff(name_of(*option));
            if (has_value(*option)) out += " \\fI" + troff(option->get_type_name()) + "\\fR";
            out += '\n' + troff(option->get_description()) + '\n';
        }
    }
    out += ".SH EXIT STATUS\n";
    const std::string footer = app.get_footer();
    const std::size_t begin = footer.find("Exit status:\n");
    for (std::size_t at = footer.find('\n', begin) + 1; at < footer.size();) {
        const std::size_t end = std::min(footer.find('\n', at), footer.size());
        const std::string line = footer.substr(at, end - at);
        at = end + 1;
        if (line.size() > 5) out += ".TP\n.B " + line.substr(2, 1) + '\n' + troff(line.substr(5)) + '\n';
    }
    out +=
        ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf set and not empty, no colours are used.\n.TP\n.B TMPDIR\nWhere temporary "
        "ledgers are made, unless it is in memory; then, and without it, /tmp or /var/tmp.\n";
    out += ".SH EXAMPLES\n.nf\n" + troff(footer.substr(footer.find('\n') + 1, begin - footer.find('\n') - 2)) + ".fi\n";
    return out + ".SH SEE ALSO\nThe manual, docs/manual.md.\n";
}

}  // namespace

std::optional<std::string> generated(const CLI::App& app, std::string_view kind) {
    if (kind == "bash") return bash(app);
    if (kind == "zsh") return zsh(app);
    if (kind == "man") return manual_page(app);
    return std::nullopt;
}

}  // namespace tideline::cli
