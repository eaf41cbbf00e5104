#include "report/html.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "report/html_page.hpp"
#include "report/json.hpp"
#include "support/json_text.hpp"

namespace tideline::report {
namespace {

// In JSON, '<' occurs in strings only. Written as an escape, no text of a model can end the script element.
support::TextSink without_markup(const support::TextSink& sink) {
    return [&sink](std::string_view text) {
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t found = std::min(text.find('<', at), text.size());
            if (found > at) sink(text.substr(at, found - at));
            if (found < text.size()) sink("\\u003c");
            at = found + 1;
        }
    };
}

nlohmann::ordered_json to_json(const RunHistory& history) {
    nlohmann::ordered_json samples = nlohmann::ordered_json::array();
    for (const RunHistory::Sample& sample : history.samples())
        samples.push_back({{"seconds", sample.seconds},
                           {"states", sample.states},
                           {"waiting", sample.waiting},
                           {"peak_states", sample.peak_states},
                           {"ledger_bytes", sample.ledger_bytes},
                           {"layers", sample.layers}});
    return samples;
}

}  // namespace

void write_html(const run::RunReport& report, const RunHistory& history, const std::string& command,
                const support::TextSink& sink, const support::Budget& budget) {
    sink(kPageBeforeData);
    const support::TextSink data = without_markup(sink);
    data("{\"command\": " + support::to_json_text(nlohmann::ordered_json(command)));
    data(",\n\"history\": " + support::to_json_text(to_json(history)));
    data(",\n\"report\": ");
    write_json(report, data, budget);
    data("}\n");
    sink(kPageAfterData);
}

}  // namespace tideline::report
