// A ledger when memory runs out: at any allocation, on the caller's thread or on the one that writes, the process
// continues, the caller gets an error, and the last commit is intact.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include <gtest/gtest.h>

#include "ledger/ledger.hpp"
#include "ledger/sample_ledger.hpp"

namespace {

// Counts down with the allocations of one thread, or of all others, while armed; the one that finds 1 fails, and so do
// all that follow it.
std::atomic<long> allocations_left = 0;
std::atomic<bool> armed = false;
std::atomic<bool> on_caller = false;
std::atomic<std::thread::id> caller;

bool must_fail() {
    if (!armed.load(std::memory_order_relaxed) || (std::this_thread::get_id() == caller.load()) != on_caller.load())
        return false;
    return allocations_left.fetch_sub(1) <= 1;
}

}  // namespace

// Not inlined: the compiler would take them for a mismatch of allocation and release.
[[gnu::noinline]] void* operator new(std::size_t size) {
    if (must_fail()) throw std::bad_alloc();
    if (void* place = std::malloc(size == 0 ? 1 : size)) return place;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* place) noexcept { std::free(place); }
[[gnu::noinline]] void operator delete(void* place, std::size_t /*size*/) noexcept { std::free(place); }

namespace tideline::ledger {
namespace {

using namespace sample;

struct Outcome {
    bool failed = false;
    bool committed = false;  // after that
    std::size_t durable = 0;
};

// A short run whose n-th allocation on one of the threads fails, and all that follow.
Outcome run_with_failure(const std::string& directory, Scribe& scribe, bool fail_caller, long n) {
    Outcome outcome;
    std::unique_ptr<LedgerWriter> writer = LedgerWriter::create(directory, full_header(), small_settings());
    caller = std::this_thread::get_id();
    on_caller = fail_caller;
    allocations_left = n;
    try {
        for (int i = 0; i < 5; ++i) {
            // What is appended is made without failures: the scribe's own memory is not what is tested.
            scribe.before = [] { armed = true; };
            scribe.after = [] { armed = false; };
            scribe.write(*writer, 8, 30);
            scribe.commit(*writer);
            armed = true;
            writer->wait();
            armed = false;
            outcome.durable = scribe.committed().size() - 1;
        }
    } catch (const std::bad_alloc&) {
        outcome.failed = true;
    } catch (const LedgerError&) {
        outcome.failed = true;
    }
    armed = false;
    if (!outcome.failed) return outcome;
    // What is half done must not be committed; a call that did nothing at all does no harm.
    try {
        writer->commit("afterwards");
        writer->wait();
        outcome.committed = true;
    } catch (const std::bad_alloc&) {
    } catch (const LedgerError&) {
    }
    return outcome;
}

class LedgerMemory : public testing::TestWithParam<bool> {};

TEST_P(LedgerMemory, RunsOutAtAnyAllocation) {
    long failures = 0;
    for (long n = 1;; n += n < 100 ? 1 : 7) {
        const TemporaryDirectory place;
        const std::string directory = place / "ledger";
        Scribe scribe(11);
        const Outcome outcome = run_with_failure(directory, scribe, GetParam(), n);
        const std::unique_ptr<LedgerReader> reader = LedgerReader::open(directory);
        reader->verify();
        if (outcome.committed) {
            ASSERT_TRUE(GetParam()) << "the thread that writes goes on after a failure";
            ASSERT_EQ(reader->engine(), "afterwards");
            const std::vector<State> states = contents_of(*reader).states;
            ASSERT_LE(states.size(), scribe.mirror().states.size()) << n;
            ASSERT_TRUE(std::equal(states.begin(), states.end(), scribe.mirror().states.begin())) << n;
            ++failures;
            continue;
        }
        const std::size_t commit = reader->engine().empty() ? 0 : std::stoul(reader->engine());
        ASSERT_LT(commit, scribe.committed().size()) << n;
        ASSERT_GE(commit, outcome.durable) << n;
        ASSERT_TRUE(same(contents_of(*reader), scribe.committed()[commit])) << n;
        if (!outcome.failed) break;
        ++failures;
    }
    EXPECT_GT(failures, 30);
}

INSTANTIATE_TEST_SUITE_P(OfEitherThread, LedgerMemory, testing::Bool(),
                         [](const auto& which) { return which.param ? "Caller" : "Writer"; });

}  // namespace
}  // namespace tideline::ledger
