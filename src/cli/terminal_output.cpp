#include "cli/terminal_output.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace tideline::cli {
namespace {

bool can_write(const std::string& path) {
    const std::ofstream file(path, std::ios::app);
    if (file) return true;
    print({diagnostic_about(path, "cannot be written", "is the folder there, and may it be written to?")});
    return false;
}

}  // namespace

void print(const Diagnostics& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics) std::fputs(to_text(diagnostic).c_str(), stderr);
}

int print(const run::Refusal& refusal) {
    print(refusal.diagnostics);
    return refusal.stopped == StopReason::none ? kWrongInput : kUndecided;
}

TextSink sink_into(std::FILE* stream) {
    return [stream](std::string_view piece) { std::fwrite(piece.data(), 1, piece.size(), stream); };
}

bool write_file(const std::string& path, const std::string& text) {
    return write_file(path, [&](const TextSink& sink) { sink(text); });
}

bool write_file(const std::string& path, const std::function<void(const TextSink&)>& write) {
    std::ofstream file(path, std::ios::trunc);
    write([&](std::string_view piece) { file << piece; });
    file.close();
    if (file) return true;
    // Half a report must not be taken for a whole one.
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored)) std::filesystem::resize_file(path, 0, ignored);
    print({diagnostic_about(path, "could not be written completely")});
    return false;
}

bool outputs_are_writable(const OutputOptions& output) {
    if (output.json && *output.json != "-" && !can_write(*output.json)) return false;
    return !output.itf || can_write(*output.itf);
}

int end_of_output(int status) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    print({diagnostic_about("", "standard output could not be written completely")});
    return kInternalError;
}

std::string environment_variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

TerminalTraits traits_of(int descriptor) {
    return terminal_traits(descriptor, {environment_variable("NO_COLOR"), environment_variable("TERM"), environment_variable("LC_ALL"),
                                        environment_variable("LC_CTYPE"), environment_variable("LANG")});
}

SummaryOptions summary_options(int descriptor, TraceStyle style) {
    const TerminalTraits traits = traits_of(descriptor);
    SummaryOptions options;
    options.utf8 = traits.utf8;
    options.colour = traits.colour;
    options.style = style;
    return options;
}

}  // namespace tideline::cli
