// A trace that was written to a file in the Informal Trace Format, read again and shown in other forms: as text, as a
// sequence diagram (Mermaid, PlantUML), as a graph (Graphviz) or as a page for a browser.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.hpp"

namespace tideline::report {

struct SavedTrace {
    struct Part {
        std::string process;
        std::string from;
        std::string to;
        std::uint64_t line = 0;             // of the model; 0: not known
        std::vector<std::string> messages;  // sent and received: req!7, 1
    };
    struct Step {
        std::string action;
        std::vector<Part> parts;
        [[nodiscard]] bool is_empty() const { return action.empty() && parts.empty(); }
    };
    std::string description;
    std::string source;                            // the model's file; may be empty
    std::vector<std::string> names;                // of the variables
    std::vector<std::vector<std::string>> states;  // values as texts, by variable
    std::vector<Step> steps;                       // step i leads to state i + 1; a last one more where there is a loop
    std::optional<std::size_t> loop;               // the state that the last step leads back to
    std::optional<Step> fault;                     // a faulty step at the end
    std::string fault_text;
};

enum class TraceForm : std::uint8_t { text, mermaid, plantuml, dot, html };

// By its name; nothing where there is no such form.
[[nodiscard]] std::optional<TraceForm> trace_form(std::string_view name);

[[nodiscard]] support::Result<SavedTrace> parse_saved_trace(const std::string& path, const std::string& text);

[[nodiscard]] std::string to_text(const SavedTrace& trace, TraceForm form);

}  // namespace tideline::report
