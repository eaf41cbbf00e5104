// Measures the numbered graph in memory on one model: bytes per edge, time against the same breadth-first search
// without a graph, and the component search on the graph as an array of rows and as it is.
//
//     graph_figures MODEL [--threads N] [--repeat N] [--only searching|building|components]
//
// Searches alternate in one process, so the model is compiled once and the machine's moods meet both; the smallest time
// of each counts. Prints one line of JSON. bench/graph.py runs it on the benchmark models.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>

#include "graph/build_graph.hpp"
#include "run/loaded_system.hpp"
#include "support/components.hpp"
#include "support/row_array.hpp"

namespace {

using namespace tideline;

[[noreturn]] void fail(const std::string& message) {
    std::fprintf(stderr, "graph_figures: %s\n", message.c_str());
    std::exit(2);
}

unsigned number(const char* text) {
    char* end = nullptr;
    const unsigned long value = std::strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || value == 0 || value > 1000)
        fail("'" + std::string(text) + "' is not a positive number");
    return static_cast<unsigned>(value);
}

double seconds(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// The smallest times, by the clock and of all processors.
struct Times {
    double wall = 1e9;
    double processor = 1e9;

    template <class Work>
    void measure(const Work& work) {
        const double wall_before = seconds(CLOCK_MONOTONIC);
        const double before = seconds(CLOCK_PROCESS_CPUTIME_ID);
        work();
        processor = std::min(processor, seconds(CLOCK_PROCESS_CPUTIME_ID) - before);
        wall = std::min(wall, seconds(CLOCK_MONOTONIC) - wall_before);
    }
};

}  // namespace

int main(int argc, char** argv) {
    std::string path;
    unsigned threads = 1;
    unsigned repetitions = 5;
    std::string only;  // what is measured; empty: all
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if ((word == "--threads" || word == "--repeat") && i + 1 < argc)
            (word == "--threads" ? threads : repetitions) = number(argv[++i]);
        else if (word == "--only" && i + 1 < argc) only = argv[++i];
        else if (path.empty() && !word.starts_with("--")) path = word;
        else fail("unexpected: " + word);
    }
    if (!only.empty() && only != "searching" && only != "building" && only != "components")
        fail("'" + only + "' is none of searching, building, components");
    if (path.empty())
        fail("usage: graph_figures MODEL [--threads N] [--repeat N] [--only searching|building|components]");

    const support::Budget budget;
    run::RunSpec spec;
    spec.model.path = path;
    const run::OrRefusal<run::LoadedInput> loaded = run::load(spec, budget);
    if (std::holds_alternative<run::Refusal>(loaded)) fail(path + " cannot be loaded");
    const run::LoadedSystem& model = std::get<run::LoadedInput>(loaded).system;
    const progress::Measure none;
    std::string notice;
    std::shared_ptr<const successor::System> system =
        model.make_system({}, &none, successor::Successors::native, std::nullopt, budget, notice);
    if (!notice.empty()) fail(notice);

    explore::SearchSettings settings;
    settings.threads = threads;
    settings.sleep = false;
    explore::SearchObserver nobody;
    // Repacked as often as the model needs it, so that no run that is measured is.
    system = explore::search(system, explore::WalkOrder::breadth_first, settings, nobody).system;

    Times search;
    Times build;
    graph::BuiltGraph built;
    const auto measured = [&](const char* what) { return only.empty() || only == what; };
    for (unsigned i = 0; i < (only == "components" ? 1 : repetitions); ++i) {
        if (measured("searching"))
            search.measure([&] { (void)explore::search(system, explore::WalkOrder::breadth_first, settings, nobody); });
        if (only == "searching") continue;
        built = {};
        build.measure([&] { built = graph::build_graph(system, settings); });
        if (!built.complete) fail("the graph is not complete");
    }
    const graph::MemoryGraph& graph = built.graph;
    if (only == "searching" || only == "building") {
        std::printf(
            "{\"search_wall\": %.4f, \"search_processor\": %.4f, \"build_wall\": %.4f, \"build_processor\": %.4f}\n",
            search.wall, search.processor, build.wall, build.processor);
        return 0;
    }

    const graph::SuccessorView<std::uint32_t> compressed(graph);
    const support::RowArray as_arrays(compressed);
    Times on_arrays;
    Times on_compressed;
    std::uint32_t components = 0;
    for (unsigned i = 0; i < repetitions; ++i) {
        on_arrays.measure([&] { components = support::component_numbers(as_arrays).count; });
        on_compressed.measure([&] {
            if (support::component_numbers(compressed).count != components) fail("the components differ");
        });
    }
    const auto edges = static_cast<double>(graph.edge_count());
    std::printf(
        "{\"states\": %llu, \"edges\": %llu, \"levels\": %zu, \"bytes\": %llu, \"search_wall\": %.4f, "
        "\"search_processor\": %.4f, \"build_wall\": %.4f, \"build_processor\": %.4f, \"components\": %u, "
        "\"array_rate\": %.2f, \"compressed_rate\": %.2f}\n",
        static_cast<unsigned long long>(graph.state_count()), static_cast<unsigned long long>(graph.edge_count()),
        graph.levels().size(), static_cast<unsigned long long>(graph.bytes()), search.wall, search.processor,
        build.wall, build.processor, components, edges / on_arrays.processor / 1e6,
        edges / on_compressed.processor / 1e6);
    return 0;
}
