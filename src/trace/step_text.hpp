// What a step is called, for people: who moves, between which locations, by which label, and where that is written.
// Traces show steps so, and exported graphs name their edges so.
#pragma once

#include <limits>
#include <string>
#include <utility>

#include "trace/trace.hpp"

namespace tideline::trace {

struct StepTextOptions {
    bool utf8 = false;
    bool colour = false;
    std::string file;  // of the model, shown with the lines of the steps; empty: lines alone
    std::size_t width = std::numeric_limits<std::size_t>::max();  // where a list of participants ends
};

// "q!7,1", "q?7,1", "prints \"x = 7\"".
std::string event_text(const successor::StepEvent& event);

class StepWords {
public:
    explicit StepWords(StepTextOptions options) : options_(std::move(options)) {}

    // The whole step in one line: "P0: idle -> asking (line 17)", or the participants and what each of them does.
    [[nodiscard]] std::string whole(const TraceStep& step) const;
    // Who moves: "S -> R on c, with Property", "A, B, C", or the label alone where a step has no participants.
    [[nodiscard]] std::string participants(const TraceStep& step) const;
    // What one participant does: "P0: idle -> asking".
    [[nodiscard]] std::string moved(const successor::StepPart& part) const;
    // " (line 17)"; empty where that is not known.
    [[nodiscard]] std::string place(const successor::StepPart& part) const;
    [[nodiscard]] const char* arrow() const { return options_.utf8 ? "\u2192" : "->"; }

private:
    StepTextOptions options_;
};

}  // namespace tideline::trace
