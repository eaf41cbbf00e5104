#include "cli/terminal_output.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace tideline::cli {
namespace {

bool can_write(const std::string& path) {
    const std::ofstream file(path, std::ios::app);
    if (file) return true;
    print({support::diagnostic_about(path, "cannot be written", "is the folder there, and may it be written to?")});
    return false;
}

}  // namespace

void print(const support::Diagnostics& diagnostics) {
    for (const support::Diagnostic& diagnostic : diagnostics) std::fputs(support::to_text(diagnostic).c_str(), stderr);
}

int print(const run::Refusal& refusal) {
    print(refusal.diagnostics);
    return refusal.stopped == support::StopReason::none ? kWrongInput : kUndecided;
}

support::TextSink sink_into(std::FILE* stream) {
    return [stream](std::string_view piece) { std::fwrite(piece.data(), 1, piece.size(), stream); };
}

bool write_file(const std::string& path, const std::string& text) {
    return write_file(path, [&](const support::TextSink& sink) { sink(text); });
}

bool write_file(const std::string& path, const std::function<void(const support::TextSink&)>& write) {
    std::ofstream file(path, std::ios::trunc);
    write([&](std::string_view piece) { file << piece; });
    file.close();
    if (file) return true;
    // A truncated report must not be mistaken for a complete one.
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored)) std::filesystem::resize_file(path, 0, ignored);
    print({support::diagnostic_about(path, "could not be written completely")});
    return false;
}

bool outputs_are_writable(const OutputOptions& output) {
    if (output.json && *output.json != "-" && !can_write(*output.json)) return false;
    for (const auto& path : {output.dot, output.msc, output.junit, output.sarif, output.statistics, output.html})
        if (path && !can_write(*path)) return false;
    return !output.itf || can_write(*output.itf);
}

int end_of_output(int status) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    print({support::diagnostic_about("", "standard output could not be written completely")});
    return kInternalError;
}

std::string environment_variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

support::TerminalTraits traits_of(int descriptor) {
    return support::terminal_traits(
        descriptor, {environment_variable("NO_COLOR"), environment_variable("TERM"), environment_variable("LC_ALL"),
                     environment_variable("LC_CTYPE"), environment_variable("LANG")});
}

report::SummaryOptions summary_options(int descriptor, trace::TraceStyle style) {
    const support::TerminalTraits traits = traits_of(descriptor);
    report::SummaryOptions options;
    options.utf8 = traits.utf8;
    options.colour = traits.colour;
    options.style = style;
    options.is_terminal = traits.terminal;
    constexpr std::size_t kNarrowest = 40;
    if (traits.terminal) options.width = std::max(traits.width, kNarrowest);
    return options;
}

}  // namespace tideline::cli
