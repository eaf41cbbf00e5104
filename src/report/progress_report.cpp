#include "report/progress_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "support/json_text.hpp"
#include "support/quantity.hpp"

namespace tideline::report {
namespace {

constexpr std::size_t kPlotWidth = 64;
constexpr std::size_t kPlotHeight = 6;
constexpr std::size_t kMostTransitions = 12;
constexpr std::size_t kLongText = 96;

std::string shortened(const std::string& text) {
    return text.size() <= kLongText ? text : text.substr(0, kLongText - 3) + "...";
}

std::string joined(const std::vector<std::string>& components) {
    std::string text;
    for (const std::string& component : components) text += (text.empty() ? "" : ", ") + component;
    return text;
}

// Layers side by side, several in a column where there are many: the states of the column's widest.
std::vector<std::uint64_t> columns(const std::vector<std::uint64_t>& layers, std::size_t most) {
    if (layers.size() <= most) return layers;
    std::vector<std::uint64_t> result(most, 0);
    for (std::size_t i = 0; i < layers.size(); ++i)
        result[i * most / layers.size()] = std::max(result[i * most / layers.size()], layers[i]);
    return result;
}

std::string plot(const std::vector<std::uint64_t>& layers, const SummaryOptions& options) {
    static constexpr std::array<const char*, 9> kBlocks = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const std::vector<std::uint64_t> bars = columns(layers, kPlotWidth);
    const std::uint64_t most = std::max<std::uint64_t>(1, *std::max_element(bars.begin(), bars.end()));
    std::string text;
    const std::string top = support::count_text(most);
    for (std::size_t row = kPlotHeight; row-- > 0;) {
        const std::string scale = row + 1 == kPlotHeight ? top : row == 0 ? "0" : "";
        std::string line = fmt::format("{:>{}} {} ", scale, top.size(), options.utf8 ? "┤" : "|");
        for (const std::uint64_t bar : bars) {
            // In eighths of a row; a bar that is not empty is visible.
            const std::uint64_t height = bar == 0 ? 0 : std::max<std::uint64_t>(1, bar * 8 * kPlotHeight / most);
            const std::uint64_t here = std::clamp<std::uint64_t>(height, 8 * row, 8 * row + 8) - 8 * row;
            line += options.utf8 ? kBlocks[here] : here >= 4 || (row == 0 && here > 0) ? "#" : " ";
        }
        while (!line.empty() && line.back() == ' ') line.pop_back();
        text += "  " + line + '\n';
    }
    const std::string last = support::count_text(layers.size());
    text += fmt::format("  {:>{}}   1{:>{}}\n", "", top.size(), last,
                        std::max<std::size_t>(bars.size(), last.size() + 2) - 1);
    text += fmt::format("  states per layer: {} layers, the widest with {} states\n", last, top);
    return text;
}

std::string percent(double share) { return fmt::format("{:.{}f} %", 100 * share, share < 0.1 ? 1 : 0); }

std::string kind_of(const ProgressReport& report) {
    const MeasureReport& chosen = report.measures.front();
    if (chosen.monotonic == chosen.components.size())
        return fmt::format("monotonic: none of the {} transitions can decrease it (certified)",
                           report.certified_transitions);
    std::string text = "not known to be monotonic";
    if (!report.transitions.empty() && report.transitions.front().back > 0)
        text = fmt::format("not monotonic: {} goes back, {} times in the pilot run",
                           shortened(report.transitions.front().text),
                           support::count_text(report.transitions.front().back));
    if (chosen.monotonic > 0)
        text += fmt::format("; its first {} never decrease{} (certified)",
                            chosen.monotonic == 1 ? "component" : fmt::format("{} components", chosen.monotonic),
                            chosen.monotonic == 1 ? "s" : "");
    return text;
}

std::string forecast_text(const run::Forecast& forecast) {
    const auto time_of = [](const run::Forecast::Search& search) {
        return search.seconds ? support::duration_text(*search.seconds)
                              : support::duration_text(search.seconds_per_million) + " per million states";
    };
    std::string out = "\nForecast     ";
    if (forecast.states)
        out +=
            fmt::format("{}{} states", forecast.states_exact ? "" : "perhaps ", support::count_text(*forecast.states));
    else out += fmt::format("more than {} states, no end in sight", support::count_text(forecast.visited));
    out += fmt::format(" (after {} of breadth-first search)\n", support::duration_text(forecast.trial_seconds));
    out += fmt::format("in memory    {}, {}", time_of(forecast.in_memory),
                       forecast.bytes ? support::bytes_text(*forecast.bytes)
                                      : fmt::format("{:.0f} bytes per state", forecast.bytes_per_state));
    if (forecast.fits)
        out += forecast.memory ? fmt::format(": {} into {}", *forecast.fits ? "fits" : "does not fit",
                                             support::bytes_text(*forecast.memory))
                               : ": fits";
    else if (forecast.most_states && forecast.memory)
        out += fmt::format(": {} have room for {} states", support::bytes_text(*forecast.memory),
                           support::count_text(*forecast.most_states));
    out += '\n';
    if (!forecast.sweep) return out;
    out += fmt::format("sweep        {}", time_of(*forecast.sweep));
    if (forecast.peak_states) out += fmt::format(", {} states at the peak", support::count_text(*forecast.peak_states));
    return out + '\n';
}

nlohmann::ordered_json forecast_json(const run::Forecast& forecast) {
    const auto or_null = [](const auto& value) {
        return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
    };
    nlohmann::ordered_json object;
    object["states"] = or_null(forecast.states);
    object["states_exact"] = forecast.states_exact;
    object["visited"] = forecast.visited;
    object["trial_seconds"] = forecast.trial_seconds;
    object["memory"] = or_null(forecast.memory);
    object["bfs"] = {{"seconds", or_null(forecast.in_memory.seconds)},
                     {"seconds_per_million", forecast.in_memory.seconds_per_million},
                     {"bytes", or_null(forecast.bytes)},
                     {"bytes_per_state", forecast.bytes_per_state},
                     {"fits", or_null(forecast.fits)},
                     {"most_states", or_null(forecast.most_states)}};
    object["sweep"] = nullptr;
    if (forecast.sweep)
        object["sweep"] = {{"seconds", or_null(forecast.sweep->seconds)},
                           {"seconds_per_million", forecast.sweep->seconds_per_million},
                           {"peak_states", or_null(forecast.peak_states)}};
    return object;
}

std::string xml(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    return result;
}

std::string svg_bars(const std::vector<std::uint64_t>& layers, int top, const std::string& title, const char* colour) {
    constexpr int kWidth = 720;
    constexpr int kLeft = 100;
    constexpr int kHeight = 160;
    const std::vector<std::uint64_t> bars = columns(layers, 360);
    const auto most = static_cast<double>(std::max<std::uint64_t>(1, *std::max_element(bars.begin(), bars.end())));
    const auto label = [](int x, int y, const char* anchor, const std::string& words, int size) {
        return fmt::format(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" font-family=\"sans-serif\" font-size=\"{}\">{}</text>\n", x, y,
            anchor, size, words);
    };
    const int bottom = top + 10 + kHeight;
    std::string text = label(kLeft, top, "start", title, 14);
    text += fmt::format("<path d=\"M{0} {1} V{2} H{3}\" fill=\"none\" stroke=\"black\"/>\n", kLeft, top + 10, bottom,
                        kLeft + kWidth);
    text += label(kLeft - 4, top + 20, "end", support::count_text(static_cast<std::uint64_t>(most)), 11);
    text += label(kLeft - 4, bottom, "end", "0 states", 11);
    text += label(kLeft, bottom + 14, "start", "layer 1", 11);
    text += label(kLeft + kWidth, bottom + 14, "end", "layer " + support::count_text(layers.size()), 11);
    const double width = static_cast<double>(kWidth) / static_cast<double>(bars.size());
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const double height = kHeight * static_cast<double>(bars[i]) / most;
        text += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                            kLeft + static_cast<double>(i) * width, top + 10 + kHeight - height,
                            std::max(0.5, width - 0.2), height, colour);
    }
    return text;
}

}  // namespace

std::string to_text(const ProgressReport& report, const SummaryOptions& options) {
    if (report.measures.empty())
        return fmt::format(
                   "No measure of progress was found that keeps states out of memory, in a pilot run of {} states.\n"
                   "A full search is used. If you know of progress, give it with --progress EXPR[,EXPR...].\n",
                   support::count_text(report.pilot_states)) +
               (report.forecast ? forecast_text(*report.forecast) : "");
    const MeasureReport& chosen = report.measures.front();
    std::string out = report.given        ? "Measure (given)\n"
                      : report.own        ? "Measure (of the model)\n"
                      : report.projection ? "Measure (values of single variables)\n"
                                          : "Measure\n";
    for (std::size_t i = 0; i < chosen.components.size(); ++i)
        out += fmt::format("  {}. {}{}\n", i + 1, chosen.components[i],
                           i < chosen.monotonic ? "   [never decreases]" : "");
    out += "\n" + kind_of(report) + "\n";
    out += fmt::format("\nPilot run    {} states{}\n", support::count_text(report.pilot_states),
                       report.pilot_complete ? ", all there are" : "");
    out += fmt::format("in memory    {} of them at the peak; {} of all states predicted\n", percent(chosen.peak_share),
                       percent(chosen.predicted_share));
    if (report.ledger)
        out += fmt::format("read back    {:.2f} times each from the ledger, in {} passes\n", chosen.reread_share,
                           chosen.passes);
    else out += fmt::format("expanded     {:.2f} times each, in {} sweeps\n", chosen.expanded_share, chosen.passes);
    if (report.forecast) out += forecast_text(*report.forecast);
    if (!report.predicted_layers.empty()) out += "\nPredicted layers\n" + plot(report.predicted_layers, options);
    if (!report.actual_layers.empty()) {
        out += "\nActual layers\n" + plot(report.actual_layers, options);
        out += fmt::format("  {} states, {} in memory at the peak ({})\n", support::count_text(report.actual_states),
                           support::count_text(report.actual_peak),
                           percent(static_cast<double>(report.actual_peak) /
                                   static_cast<double>(std::max<std::uint64_t>(1, report.actual_states))));
    }
    if (!report.transitions.empty()) {
        out += fmt::format("\n{:>10} {:>10} {:>10}  transitions in the pilot run\n", "forward", "level", "back");
        for (std::size_t i = 0; i < std::min(kMostTransitions, report.transitions.size()); ++i) {
            const TransitionReport& transition = report.transitions[i];
            out += fmt::format("{:>10} {:>10} {:>10}  {}\n", support::count_text(transition.forward),
                               support::count_text(transition.level), support::count_text(transition.back),
                               shortened(transition.text));
        }
        if (report.transitions.size() > kMostTransitions)
            out +=
                fmt::format("  and {} more; --json FILE has them all\n", report.transitions.size() - kMostTransitions);
    }
    if (report.measures.size() > 1) {
        out += report.given || report.own ? "\nFound by itself\n" : "\nNext best\n";
        std::vector<std::string> shown{joined(chosen.components)};
        for (std::size_t i = 1; i < report.measures.size(); ++i) {
            const std::string text = joined(report.measures[i].components);
            if (std::find(shown.begin(), shown.end(), text) != shown.end()) continue;
            shown.push_back(text);
            out += fmt::format("  {:>6}  --progress '{}'\n", percent(report.measures[i].predicted_share), text);
        }
    }
    out += fmt::format("\nTo use another one: --progress EXPR[,EXPR...]; to do without: --engine bfs\n");
    return out;
}

std::string to_json(const ProgressReport& report) {
    nlohmann::ordered_json object;
    object["tool"] = {{"name", "tideline"}, {"version", report.version}};
    object["model"] = {{"path", report.model_path}};
    object["ledger"] = report.ledger;
    object["given"] = report.given;
    object["source"] = report.given ? "user" : report.own ? "model" : report.projection ? "projection" : "auto";
    object["pilot"] = {{"states", report.pilot_states}, {"complete", report.pilot_complete}};
    object["measures"] = nlohmann::ordered_json::array();
    for (const MeasureReport& measure : report.measures)
        object["measures"].push_back({{"components", measure.components},
                                      {"monotonic_components", measure.monotonic},
                                      {"peak_share", measure.peak_share},
                                      {"predicted_share", measure.predicted_share},
                                      {"reread_share", measure.reread_share},
                                      {"expanded_share", measure.expanded_share},
                                      {"layers", measure.layers},
                                      {"passes", measure.passes}});
    object["transitions"] = nlohmann::ordered_json::array();
    for (const TransitionReport& transition : report.transitions)
        object["transitions"].push_back({{"text", transition.text},
                                         {"forward", transition.forward},
                                         {"level", transition.level},
                                         {"back", transition.back}});
    object["predicted_layers"] = report.predicted_layers;
    object["actual_layers"] = report.actual_layers;
    object["actual_states"] = report.actual_states;
    object["actual_peak"] = report.actual_peak;
    object["forecast"] = report.forecast ? forecast_json(*report.forecast) : nlohmann::ordered_json(nullptr);
    return support::to_json_text(object, 2) + "\n";
}

std::string to_svg(const ProgressReport& report) {
    std::string text = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"850\" height=\"{}\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        report.actual_layers.empty() ? 270 : 480);
    text += fmt::format(
        "<text x=\"20\" y=\"22\" font-family=\"sans-serif\" font-size=\"14\">{}: states per layer of the measure {}</text>\n",
        xml(report.model_path),
        report.measures.empty() ? "" : xml(shortened(joined(report.measures.front().components))));
    if (!report.predicted_layers.empty())
        text += svg_bars(report.predicted_layers, 55,
                         fmt::format("Pilot run: {} states in {} layers", support::count_text(report.pilot_states),
                                     support::count_text(report.predicted_layers.size())),
                         "#4878a8");
    if (!report.actual_layers.empty())
        text += svg_bars(report.actual_layers, 265,
                         fmt::format("All {} states in {} layers", support::count_text(report.actual_states),
                                     support::count_text(report.actual_layers.size())),
                         "#a86848");
    return text + "</svg>\n";
}

}  // namespace tideline::report
