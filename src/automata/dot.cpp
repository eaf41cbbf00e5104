#include "automata/dot.hpp"

#include "automata/components.hpp"
#include "automata/label_text.hpp"
#include "logic/print.hpp"

namespace tideline::automata {
namespace {

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c == '\n' ? ' ' : c;
    }
    return result;
}

std::string marks_text(Marks marks) {
    std::string result;
    for (std::size_t i = 0; i < kMostSets; ++i)
        if (((marks >> i) & 1U) != 0) result += (result.empty() ? "\\n{" : ",") + std::to_string(i);
    return result.empty() ? result : result + '}';
}

}  // namespace

std::string to_dot(const Automaton& automaton, const std::string& name) {
    const LabelStyle style{"true", "false", " && ",
                           " || ", true,    [&](std::size_t i) { return logic::atom_text(automaton.atoms[i]); }};
    std::string result = "digraph \"" + escaped(name) +
                         "\" {\n  rankdir=LR\n  node [shape=circle]\n  start [shape=point, label=\"\"]\n  start -> " +
                         std::to_string(automaton.initial) + '\n';
    const Components c = components(automaton);
    for (std::uint32_t component = 0; component < c.count(); ++component) {
        if (!c.is_accepting(component)) continue;
        result += "  subgraph cluster_" + std::to_string(component) + " {";
        for (StateNumber s = 0; s < automaton.size(); ++s)
            if (c.of[s] == component) result += ' ' + std::to_string(s);
        result += " }\n";
    }
    for (StateNumber s = 0; s < automaton.size(); ++s) {
        if (automaton.state_based && automaton.is_accepting(s))
            result += "  " + std::to_string(s) + " [shape=doublecircle]\n";
        for (const Edge& e : automaton.states[s])
            result += "  " + std::to_string(s) + " -> " + std::to_string(e.target) + " [label=\"" +
                      escaped(label_text(*automaton.labels, e.label, style)) +
                      (automaton.state_based ? "" : marks_text(e.marks)) + "\"]\n";
    }
    return result + "}\n";
}

}  // namespace tideline::automata
