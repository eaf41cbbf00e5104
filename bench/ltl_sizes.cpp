// Sizes of the automata for a list of LTL formulas, beside those of other tools, as CSV on standard output; totals on
// standard error.
//   ltl_sizes FILE.csv      FILE has the columns formula, spot_tgba_states, spot_ba_states, ...; others are passed over
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "automata/translate.hpp"
#include "logic/parse.hpp"

namespace {

using namespace tideline;

struct Size {
    std::size_t states = 0;
    double seconds = 0;
};

Size translated(const std::string& text, tideline::automata::AutomatonKind kind) {
    const auto begin = std::chrono::steady_clock::now();
    tideline::logic::Formulas formulas;
    tideline::automata::Labels labels;
    const tideline::support::Result<tideline::logic::Formula> f =
        tideline::logic::parse_formula(formulas, tideline::support::SourceText("formula", text));
    const tideline::support::Result<tideline::automata::Automaton> automaton =
        f ? tideline::automata::translate(formulas, *f, labels, kind)
          : tideline::support::Result<tideline::automata::Automaton>(f.diagnostics());
    if (!automaton) {
        std::cerr << tideline::support::to_text(automaton.diagnostics().at(0));
        std::exit(1);
    }
    return {automaton->size(), std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
}

std::string next_field(const std::string& line, std::size_t& at) {
    const std::size_t end = std::min(line.find(',', at), line.size());
    const std::string field = line.substr(at, end - at);
    at = std::min(end + 1, line.size());
    return field;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: ltl_sizes FILE.csv\n";
        return 2;
    }
    std::ifstream file(argv[1]);
    std::string line;
    std::getline(file, line);
    std::cout << "formula,tgba_states,ba_states,spot_tgba_states,spot_ba_states,tgba_seconds,ba_seconds\n";
    std::size_t totals[4] = {};
    double slowest = 0;
    while (std::getline(file, line)) {
        std::size_t at = 0;
        const std::string formula = next_field(line, at);
        const std::string spot_tgba = next_field(line, at);
        const std::string spot_ba = next_field(line, at);
        const Size tgba = translated(formula, tideline::automata::AutomatonKind::generalised);
        const Size ba = translated(formula, tideline::automata::AutomatonKind::state_based);
        std::cout << formula << ',' << tgba.states << ',' << ba.states << ',' << spot_tgba << ',' << spot_ba << ','
                  << tgba.seconds << ',' << ba.seconds << '\n';
        totals[0] += tgba.states;
        totals[1] += ba.states;
        totals[2] += static_cast<std::size_t>(std::strtoull(spot_tgba.c_str(), nullptr, 10));
        totals[3] += static_cast<std::size_t>(std::strtoull(spot_ba.c_str(), nullptr, 10));
        slowest = std::max({slowest, tgba.seconds, ba.seconds});
    }
    std::cerr << "total: generalised " << totals[0] << " (Spot " << totals[2] << "), state-based " << totals[1]
              << " (Spot " << totals[3] << "); slowest " << slowest << " s\n";
    return 0;
}
