// Runs another program that turns a formula into an automaton.
//
// The command is given to the shell. `%s` in it becomes the formula in SPIN's spelling, `%f` the same with letters (G,
// F, R), both quoted; where neither occurs, the formula in SPIN's spelling is added at the end. The program writes an
// automaton (HOA or a never claim) to its standard output and ends with status 0.
#pragma once

#include <string>

#include "support/budget.hpp"
#include "support/diagnostic.hpp"

namespace tideline::run {

struct TranslatorFailure {
    support::Diagnostic diagnostic;
    bool stopped = false;  // it took too long, or was interrupted
};

// What the program wrote. The budget is asked several times a second; where it is exhausted, the program and what it
// has started are ended.
std::string run_translator(const std::string& command, const std::string& letters, const std::string& spin,
                           const support::Budget& budget);

}  // namespace tideline::run
