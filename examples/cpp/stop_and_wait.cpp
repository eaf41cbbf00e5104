// The stop-and-wait protocol as a system written in C++, and a tutorial for writing one.
//
//     build/release/examples/stop_and_wait explore --engine sweep
//     build/release/examples/stop_and_wait explore --engine sweep --packets 20 --capacity 3
//     build/release/examples/stop_and_wait check --invariant 'n <= k' --engine sweep-basic
//
// A sender repeats packet n until it is acknowledged; the receiver answers with the number k of the packet that it
// expects next. The network holds at most `capacity` messages; it loses some and lets them overtake each other.
//
// A system is a class with a State and four functions. The library stores the states as bytes and does the rest.
#include <algorithm>
#include <array>

#include "cli/cpp_main.hpp"

namespace {

constexpr int kMostMessages = 8;

// A multiset of sequence numbers, kept sorted with zeros at the end: equal multisets are equal bytes.
struct Messages {
    std::array<std::uint8_t, kMostMessages> numbers{};

    int count() const {
        return static_cast<int>(std::count_if(numbers.begin(), numbers.end(), [](int p) { return p != 0; }));
    }

    Messages with(int number) const {
        Messages result = *this;
        result.numbers[kMostMessages - 1] = static_cast<std::uint8_t>(number);
        std::sort(result.numbers.begin(), result.numbers.end(), std::greater<>());
        return result;
    }

    Messages without(int number) const {
        Messages result = *this;
        const auto found = std::find(result.numbers.begin(), result.numbers.end(), number);
        std::move(found + 1, result.numbers.end(), found);
        result.numbers.back() = 0;
        return result;
    }

    // Calls `visit` once for every different number.
    template <class Visit>
    void each(Visit&& visit) const {
        for (int i = 0; i < kMostMessages && numbers[i] != 0; ++i)
            if (i == 0 || numbers[i] != numbers[i - 1]) visit(int{numbers[i]});
    }
};

struct StopAndWait {
    int packets = 10;
    int capacity = 3;
    bool second = false;

    // 1. A state: plain data without padding.
    struct State {
        std::uint8_t n = 0;  // the packet being sent
        std::uint8_t k = 0;  // the packet expected
        Messages sent, arrived, ack_sent, ack_arrived;
    };

    // 2. The initial state (n = k = 0).
    State initial() const { return {}; }

    // 3. The steps of a state: emit(next state, name of the step) for each.
    template <class Emit>
    void successors(const State& s, Emit&& emit) const {
        State t = s;
        if (s.n == 0) {
            t.n = t.k = 1;
            emit(t, "start");
            return;
        }
        const int on_the_way = s.sent.count() + s.arrived.count() + s.ack_sent.count() + s.ack_arrived.count();
        if (s.n <= packets && on_the_way < capacity) {
            t.sent = s.sent.with(s.n);
            emit(t, "send");
        }
        s.sent.each([&](int p) {
            t = s;
            t.sent = s.sent.without(p);
            emit(t, "lose data");
            t.arrived = s.arrived.with(p);
            emit(t, "carry data");
        });
        s.arrived.each([&](int p) {
            t = s;
            t.arrived = s.arrived.without(p);
            if (p == s.k) ++t.k;
            if (p == s.k || !second) t.ack_sent = s.ack_sent.with(t.k);
            emit(t, "receive data");
        });
        s.ack_sent.each([&](int p) {
            t = s;
            t.ack_sent = s.ack_sent.without(p);
            emit(t, "lose acknowledgement");
            t.ack_arrived = s.ack_arrived.with(p);
            emit(t, "carry acknowledgement");
        });
        s.ack_arrived.each([&](int p) {
            t = s;
            t.ack_arrived = s.ack_arrived.without(p);
            t.n = static_cast<std::uint8_t>(std::max<int>(s.n, p));
            emit(t, "receive acknowledgement");
        });
    }

    // 4. What traces show, and the names that invariants and formulas may use.
    void describe(const State& s, tideline::successor::Description& d) const {
        d.value("n", s.n);
        d.value("k", s.k);
        d.values("sent", s.sent.numbers);
        d.values("arrived", s.arrived.numbers);
        d.values("ack_sent", s.ack_sent.numbers);
        d.values("ack_arrived", s.ack_arrived.numbers);
        d.label("all_received", s.k == packets + 1);
        d.label("data_on_the_way", s.sent.count() > 0);
        d.label("acknowledgement_on_the_way", s.ack_sent.count() > 0);
    }

    // Optional: the progress of a state, most significant part first. Here it never decreases.
    std::array<std::uint32_t, 2> progress(const State& s) const { return {s.n, s.k}; }

    // Optional: the system's own command-line options.
    void options(tideline::cli::CppOptions& o) {
        o.number("--packets", packets, 1, 250, "number of data packets");
        o.number("--capacity", capacity, 1, kMostMessages, "messages that the network holds");
        o.flag("--second", second, "acknowledge only the packet that is expected");
    }
};

}  // namespace

int main(int argc, char** argv) { return tideline::cli::main(argc, argv, StopAndWait{}); }
