// random_promela SEED [--formula]: prints a random model, with an ltl block where asked for.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/differential/random_promela.hpp"

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    tideline::differential::RandomPromelaOptions options;
    options.with_formula = argc > 2 && std::string_view(argv[2]) == "--formula";
    std::fputs(tideline::differential::random_promela(std::strtoull(argv[1], nullptr, 10), options).c_str(), stdout);
    return 0;
}
