#include "automata/hoa_print.hpp"

#include "automata/label_text.hpp"

namespace tideline::automata {
namespace {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

std::string acceptance(std::size_t sets) {
    std::string formula;
    for (std::size_t i = 0; i < sets; ++i) formula += (i > 0 ? "&Inf(" : "Inf(") + std::to_string(i) + ')';
    const std::string name = sets == 0 ? "all" : sets == 1 ? "Buchi" : "generalized-Buchi " + std::to_string(sets);
    return "acc-name: " + name + "\nAcceptance: " + std::to_string(sets) + ' ' + (sets == 0 ? "t" : formula) + '\n';
}

std::string marks_text(Marks marks) {
    std::string result;
    for (std::size_t i = 0; i < kMostSets; ++i)
        if (((marks >> i) & 1U) != 0) result += (result.empty() ? " {" : " ") + std::to_string(i);
    return result.empty() ? result : result + '}';
}

}  // namespace

std::string to_hoa(const Automaton& automaton, const std::string& name) {
    std::string result = "HOA: v1\n";
    if (!name.empty()) result += "name: " + quoted(name) + '\n';
    result += "States: " + std::to_string(automaton.size()) + "\nStart: " + std::to_string(automaton.initial) +
              "\nAP: " + std::to_string(automaton.atoms.size());
    for (const std::string& atom : automaton.atoms) result += ' ' + quoted(atom);
    result += '\n' + acceptance(automaton.sets);
    result +=
        std::string("properties: trans-labels explicit-labels ") + (automaton.state_based ? "state-acc" : "trans-acc");
    if (is_deterministic(automaton)) result += " deterministic";
    result += "\n--BODY--\n";
    const LabelStyle style{"t", "f", "&", " | ", false, [](std::size_t i) { return std::to_string(i); }};
    for (StateNumber s = 0; s < automaton.size(); ++s) {
        const std::vector<Edge>& edges = automaton.states[s];
        result += "State: " + std::to_string(s);
        if (automaton.state_based && !edges.empty()) result += marks_text(edges.front().marks);
        result += '\n';
        for (const Edge& e : edges) {
            result += '[' + label_text(*automaton.labels, e.label, style) + "] " + std::to_string(e.target);
            if (!automaton.state_based) result += marks_text(e.marks);
            result += '\n';
        }
    }
    return result + "--END--\n";
}

}  // namespace tideline::automata
