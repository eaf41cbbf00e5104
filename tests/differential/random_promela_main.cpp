// random_promela SEED: prints a random model.
#include <cstdio>
#include <cstdlib>

#include "tests/differential/random_promela.hpp"

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    std::fputs(tideline::differential::random_promela(std::strtoull(argv[1], nullptr, 10)).c_str(), stdout);
    return 0;
}
