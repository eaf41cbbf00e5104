// Measures how many random words of a table this machine can read per second, which bounds the speed of a search with a
// hash table.
//
//     random_access BYTES [--pages 4k|2m] [--threads N]
//
// Each thread reads one word from each of 64 cache lines chosen at random: it asks for all of them by prefetch first,
// as a search does with a batch of successors, so that many memory requests are in flight. The positions come from a
// multiplicative generator, mapped to the table by multiply-shift: a few instructions each, no division. All threads
// read the same table. Prints the reads per second of all threads together, the best of some repetitions: other load of
// the machine can only make a repetition slower.
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t kBatch = 64;
constexpr std::size_t kBatchesBetweenClocks = 512;
constexpr std::size_t kLargePage = std::size_t{2} << 20U;
constexpr int kRepetitions = 5;
constexpr std::chrono::duration<double> kShortest{0.25};

struct alignas(64) Line {
    std::uint64_t word;
};

[[noreturn]] void fail(const std::string& message) {
    std::fprintf(stderr, "random_access: %s\n", message.c_str());
    std::exit(2);
}

std::uint64_t number(const char* text) {
    char* end = nullptr;
    const std::uint64_t value = std::strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || value == 0)
        fail("'" + std::string(text) + "' is not a positive number");
    return value;
}

// A table on pages of the requested size; every page is written, since pages that were only read would share the
// system's zero page.
Line* make_table(std::size_t lines, bool large_pages) {
    const std::size_t bytes = (lines * sizeof(Line) + kLargePage - 1) / kLargePage * kLargePage;
    void* place = std::aligned_alloc(kLargePage, bytes);
    if (place == nullptr) fail("there is no memory for the table");
    if (::madvise(place, bytes, large_pages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE) != 0)
        fail("the system does not let us choose the pages");
    auto* table = static_cast<Line*>(place);
    for (std::size_t i = 0; i < lines; ++i) table[i].word = i;
    return table;
}

class Places {
public:
    Places(std::uint64_t seed, std::size_t lines) : state_(2 * seed + 1), lines_(lines) {}

    std::size_t next() {
        state_ *= 0xda942042e4dd58b5U;
        return ((state_ >> 32U) * lines_) >> 32U;
    }

private:
    std::uint64_t state_;  // odd
    std::uint64_t lines_;
};

std::uint64_t read_batch(const Line* table, Places& places) {
    std::array<std::size_t, kBatch> chosen;
    for (std::size_t& place : chosen) {
        place = places.next();
        __builtin_prefetch(&table[place]);
    }
    std::uint64_t sum = 0;
    for (const std::size_t place : chosen) sum += table[place].word;
    return sum;
}

// Reads per second of one thread. What was read goes to `sum`, so that it is not optimised away.
double measure(const Line* table, Places& places, volatile std::uint64_t& sum) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    std::chrono::duration<double> elapsed{};
    std::size_t reads = 0;
    while (elapsed < kShortest) {
        std::uint64_t read = 0;
        for (std::size_t i = 0; i < kBatchesBetweenClocks; ++i) read += read_batch(table, places);
        sum = read;
        reads += kBatchesBetweenClocks * kBatch;
        elapsed = Clock::now() - start;
    }
    return static_cast<double>(reads) / elapsed.count();
}

double best_rate(const Line* table, std::size_t lines, std::size_t threads) {
    std::vector<std::array<double, kRepetitions>> rates(threads);
    std::barrier start(static_cast<std::ptrdiff_t>(threads));
    std::vector<std::thread> running;
    for (std::size_t thread = 0; thread < threads; ++thread) {
        running.emplace_back([&, thread] {
            Places places(thread, lines);
            volatile std::uint64_t sum = 0;
            for (double& rate : rates[thread]) {
                start.arrive_and_wait();
                rate = measure(table, places, sum);
            }
        });
    }
    for (std::thread& thread : running) thread.join();
    double best = 0;
    for (std::size_t repetition = 0; repetition < kRepetitions; ++repetition) {
        double together = 0;
        for (const auto& of_thread : rates) together += of_thread[repetition];
        best = std::max(best, together);
    }
    return best;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) fail("usage: random_access BYTES [--pages 4k|2m] [--threads N]");
    const std::size_t lines = std::max<std::size_t>(number(argv[1]) / sizeof(Line), 1);
    if (lines >> 32U != 0) fail("the table is too large");
    bool large_pages = false;
    std::size_t threads = 1;
    for (int i = 2; i < argc; i += 2) {
        const std::string option = argv[i];
        if (i + 1 == argc) fail(option + " lacks its value");
        const std::string value = argv[i + 1];
        if (option == "--threads") {
            threads = number(argv[i + 1]);
        } else if (option == "--pages" && (value == "4k" || value == "2m")) {
            large_pages = value == "2m";
        } else {
            fail("unknown: " + option + " " + value);
        }
    }
    const Line* table = make_table(lines, large_pages);
    std::printf("%.0f\n", best_rate(table, lines, threads));
    return 0;
}
