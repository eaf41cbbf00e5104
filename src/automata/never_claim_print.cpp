#include "automata/never_claim_print.hpp"

#include <algorithm>
#include <cassert>

#include "automata/label_text.hpp"

namespace tideline::automata {
namespace {

bool is_word(const std::string& text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

// A state that accepts whatever follows.
bool accepts_all(const Automaton& automaton, StateNumber s) {
    const std::vector<Edge>& edges = automaton.states[s];
    return automaton.is_accepting(s) && edges.size() == 1 && edges[0].target == s &&
           edges[0].label == automaton.labels->truth();
}

// SPIN starts at the first state and takes labels that begin with `accept` for accepting. A claim that reaches its end
// has been matched: one state that accepts everything may be written as `skip` at the end.
struct Layout {
    std::vector<StateNumber> order;
    bool ends_with_skip = false;
};

Layout layout(const Automaton& automaton) {
    Layout result;
    result.order.push_back(automaton.initial);
    for (StateNumber s = 0; s < automaton.size(); ++s)
        if (s != automaton.initial) result.order.push_back(s);
    const auto found = std::find_if(result.order.begin(), result.order.end(),
                                    [&](StateNumber s) { return accepts_all(automaton, s); });
    if (found != result.order.end() && (found != result.order.begin() || result.order.size() == 1)) {
        std::rotate(found, found + 1, result.order.end());
        result.ends_with_skip = true;
    }
    return result;
}

std::string state_label(const Automaton& automaton, const Layout& layout, StateNumber s) {
    if (layout.ends_with_skip && s == layout.order.back() && s != automaton.initial) return "accept_all";
    const std::string prefix = automaton.is_accepting(s) ? "accept_" : "T0_";
    return s == automaton.initial ? prefix + "init" : prefix + 'S' + std::to_string(s);
}

std::string without_comment_end(std::string text) {
    for (std::size_t at = text.find("*/"); at != std::string::npos; at = text.find("*/")) text.insert(at + 1, " ");
    return text;
}

}  // namespace

std::string to_never_claim(const Automaton& automaton, const std::string& formula) {
    assert(automaton.state_based && automaton.sets == 1);
    const LabelStyle style{"1", "0", " && ", " || ", true, [&](std::size_t i) {
                               const std::string& atom = automaton.atoms[i];
                               return is_word(atom) ? atom : '(' + atom + ')';
                           }};
    std::string result = "never {" + (formula.empty() ? "" : "    /* " + without_comment_end(formula) + " */") + '\n';
    const Layout places = layout(automaton);
    for (const StateNumber s : places.order) {
        result += state_label(automaton, places, s) + ":\n";
        if (places.ends_with_skip && s == places.order.back()) {
            result += "  skip\n";
            continue;
        }
        if (automaton.states[s].empty()) {
            result += "  false;\n";
            continue;
        }
        result += "  if\n";
        for (const Edge& e : automaton.states[s])
            result += "  :: (" + label_text(*automaton.labels, e.label, style) + ") -> goto " +
                      state_label(automaton, places, e.target) + '\n';
        result += "  fi;\n";
    }
    return result + "}\n";
}

}  // namespace tideline::automata
