// How the command-line library prints help: usage lines with the whole command, descriptions wrapped at the width of
// the terminal.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "cli/command_line_library.hpp"

namespace tideline::cli {

class HelpFormatter final : public CLI::Formatter {
public:
    explicit HelpFormatter(std::size_t width) : width_(std::max<std::size_t>(width, 60)) {}

    std::string make_usage(const CLI::App* app, std::string /*name*/) const override {
        const CLI::App* const parent = app->get_parent();
        std::string text =
            CLI::Formatter::make_usage(app, (parent == nullptr ? "" : parent->get_name() + ' ') + app->get_name());
        text.erase(0, text.find_first_not_of("\r\n"));
        return "\n" + text;
    }

    std::string make_option(const CLI::Option* option, bool is_positional) const override {
        return entry(make_option_name(option, is_positional) + make_option_opts(option), make_option_desc(option));
    }

    // The type alone: what is needed is said where it is missing.
    std::string make_option_opts(const CLI::Option* option) const override {
        const std::string type = option->get_type_name();
        if (option->get_items_expected_max() == 0 || option->get_positional() || type.empty()) return "";
        return ' ' + type + (option->get_default_str().empty() ? "" : '=' + option->get_default_str());
    }

    std::string make_subcommand(const CLI::App* app) const override {
        return entry(app->get_name(), app->get_description());
    }

    // An option or a command and what it means, as a hanging paragraph.
    [[nodiscard]] std::string entry(const std::string& name, const std::string& description) const {
        std::string text = "  " + name;
        std::size_t column = text.size();
        if (column + 2 > kColumn) {
            text += '\n';
            column = 0;
        }
        bool is_first = true;
        for (std::size_t at = 0; at < description.size();) {
            const std::size_t end = std::min(description.find(' ', at), description.size());
            const std::string word = description.substr(at, end - at);
            at = end + 1;
            if (word.empty()) continue;
            if (!is_first && column + 1 + word.size() > width_) {
                text += '\n';
                column = 0;
                is_first = true;
            }
            if (is_first) {
                text.append(kColumn - column, ' ');
                column = kColumn;
            } else {
                text += ' ';
                ++column;
            }
            text += word;
            column += word.size();
            is_first = false;
        }
        return text + '\n';
    }

private:
    static constexpr std::size_t kColumn = 30;
    std::size_t width_;
};

}  // namespace tideline::cli
