// What is made of the table of options, beside help: completions for shells, and the manual page.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace tideline::cli {

// For bash or zsh, or `man`: the manual page; nothing where `kind` is none of these.
[[nodiscard]] std::optional<std::string> generated(const CLI::App& app, std::string_view kind);

}  // namespace tideline::cli
