#include "report/measure_error.hpp"

#include <fmt/format.h>

namespace tideline::report {
namespace {

std::string values_text(const std::vector<std::string>& components, const std::vector<model::Value>& values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i)
        text += fmt::format("{}{} = {}", i > 0 ? ", " : "", i < components.size() ? components[i] : "?", values[i]);
    return text;
}

}  // namespace

std::string measure_error_text(const check::MeasureError& error, const std::vector<std::string>& components,
                               const std::string& model_path, const SummaryOptions& options) {
    const std::string step = trace::render(error.step, trace::TraceStyle::changes,
                                           {.utf8 = options.utf8,
                                            .colour = options.colour,
                                            .file = model_path,
                                            .from_initial = false,
                                            .width = options.width});
    if (error.kind == support::StopReason::no_key)
        return "--progress: error: the measure cannot be evaluated in the last of these states\n" + step +
               "  expected a measure without division by zero, indices outside an array and the like\n";
    return fmt::format(
        "--progress: error: the measure is not monotonic: this step goes from {} to {}\n{}"
        "  --engine sweep takes measures that are not monotonic\n",
        values_text(components, error.from_values), values_text(components, error.to_values), step);
}

}  // namespace tideline::report
