// Measures the component search (support/components.hpp) on generated graphs, as arrays.
//
//     components NODES DEGREE random|near [--repeat N]
//
// `random`: targets anywhere. `near`: targets within a fiftieth of the nodes, most of them behind the source, as in a
// state space whose states are numbered in breadth-first order. Prints millions of edges per second of processor time,
// the best of some repetitions, and the number of components.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "support/components.hpp"

namespace {

[[noreturn]] void fail(const std::string& message) {
    std::fprintf(stderr, "components: %s\n", message.c_str());
    std::exit(2);
}

std::uint64_t number(const char* text) {
    char* end = nullptr;
    const std::uint64_t value = std::strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || value == 0)
        fail("'" + std::string(text) + "' is not a positive number");
    return value;
}

double processor_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4 && argc != 6) fail("usage: components NODES DEGREE random|near [--repeat N]");
    const std::uint64_t nodes = number(argv[1]);
    const std::uint64_t degree = number(argv[2]);
    const bool is_near = std::string(argv[3]) == "near";
    if (!is_near && std::string(argv[3]) != "random") fail("random or near?");
    if (argc == 6 && std::string(argv[4]) != "--repeat") fail("unknown: " + std::string(argv[4]));
    const std::uint64_t repetitions = argc == 6 ? number(argv[5]) : 5;
    if (nodes >= ~std::uint32_t{0}) fail("too many nodes");

    std::mt19937_64 random(1);
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint32_t> targets;
    offsets.reserve(nodes + 1);
    targets.reserve(nodes * degree);
    const std::uint64_t span = nodes / 50 + 1;
    for (std::uint64_t v = 0; v < nodes; ++v) {
        for (std::uint64_t i = 0; i < degree; ++i) {
            const std::uint64_t drawn = random();
            const std::uint64_t target = is_near ? v + drawn % (2 * span) + nodes - span / 2 : drawn;
            targets.push_back(static_cast<std::uint32_t>(target % nodes));
        }
        offsets.push_back(targets.size());
    }
    const tideline::support::ArrayGraph<std::uint32_t> graph(offsets, targets);
    double best = 1e9;
    std::uint32_t count = 0;
    for (std::uint64_t i = 0; i < repetitions; ++i) {
        const double start = processor_seconds();
        count = tideline::support::component_numbers(graph).count;
        best = std::min(best, processor_seconds() - start);
    }
    std::printf("%.1f million edges per second, %u components\n", static_cast<double>(targets.size()) / best / 1e6,
                count);
    return 0;
}
