// A handler may only do what POSIX calls async-signal-safe: here it counts in a lock-free atomic, and on the second
// signal restores the default action and raises the signal again. The signal is blocked while its handler runs, so it
// is delivered, and ends the process with the status that a shell expects, when the handler returns.
#include "support/signals.hpp"

#include <atomic>
#include <cassert>
#include <mutex>

namespace tideline::support {
namespace {

// A handler has no argument of ours, so its data cannot belong to an object.
std::atomic<int> requests = 0;
static_assert(std::atomic<int>::is_always_lock_free);

// The number of objects, and the actions before the first.
std::mutex mutex;
int interrupts = 0;
struct sigaction previous_interrupt{};
struct sigaction previous_terminate{};

extern "C" void count_request(int number) {
    if (requests.fetch_add(1, std::memory_order_relaxed) == 0) return;
    std::signal(number, SIG_DFL);
    std::raise(number);
}

extern "C" void do_nothing(int /*number*/) {}

}  // namespace

Interrupt::Interrupt() {
    const std::lock_guard lock(mutex);
    if (interrupts++ > 0) return;
    requests.store(0);
    struct sigaction action{};
    action.sa_handler = count_request;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;  // reading and writing files continues
    sigaction(SIGINT, &action, &previous_interrupt);
    sigaction(SIGTERM, &action, &previous_terminate);
}

Interrupt::~Interrupt() {
    const std::lock_guard lock(mutex);
    assert(interrupts > 0);
    if (--interrupts > 0) return;
    sigaction(SIGTERM, &previous_terminate, nullptr);
    sigaction(SIGINT, &previous_interrupt, nullptr);
}

bool Interrupt::requested() const { return requests.load(std::memory_order_relaxed) > 0; }

// The default action, and not a check for EPIPE after every write: it is what every other program in a pipe does, it
// cannot be forgotten where something is printed, and results reach standard output only when there is nothing left to
// lose. It has to be asked for, since a parent may have left the signal ignored.
void end_quietly_on_closed_pipe() { std::signal(SIGPIPE, SIG_DFL); }

// A handler, and not SIG_IGN, which programs that are started from here would inherit.
void let_too_large_writes_fail() {
    struct sigaction action{};
    action.sa_handler = do_nothing;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGXFSZ, &action, nullptr);
}

}  // namespace tideline::support
