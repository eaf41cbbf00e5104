// A system whose states are not expanded where a condition holds, so that searches of it end although the system goes
// on for ever (K. Jensen, L. M. Kristensen, T. Mailund, The sweep-line state space exploration method, 2012,
// section 3.3, after T. Mailund, ICATPN 2002).
//
// The successors of a state that is cut are computed and counted, but not given to the search. They are kept here: the
// search has visited everything if each of them is visited in another way. Which ones are, a second search of the same
// system shows (CutOff::Phase::recall), whatever the engine; searches need not know. Departure from the paper, where
// cut-off predicates come with a proof that nothing is lost.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "successor/system.hpp"

namespace tideline::reduce {

// Of one run; shared by threads.
class CutOff {
public:
    enum class Phase : std::uint8_t {
        cut,     // successors of cut states are noted
        recall,  // nothing new is noted; visited states are crossed out
    };

    void begin(Phase phase) { phase_ = phase; }
    [[nodiscard]] Phase phase() const { return phase_; }
    // In phase cut.
    void note(std::vector<model::Value> successor);
    // In phase recall: a state was visited.
    void visit(const std::vector<model::Value>& state);
    // A successor of a cut state is not known.
    void lose() { has_lost_ = true; }
    // Successors of cut states that no search has visited.
    [[nodiscard]] std::uint64_t left() const;

private:
    struct Hash {
        std::size_t operator()(const std::vector<model::Value>& values) const;
    };
    std::atomic<Phase> phase_{Phase::cut};
    std::atomic<bool> has_lost_{false};
    std::mutex mutex_;
    std::unordered_map<std::vector<model::Value>, std::atomic<bool>, Hash> successors_;  // whether it was visited
};

// The last label of the system is the condition, and no label of the new one. A state where it cannot be evaluated is
// expanded.
[[nodiscard]] std::shared_ptr<const successor::System> make_cut_off(std::shared_ptr<const successor::System> system,
                                                                    std::shared_ptr<CutOff> cut_off);

}  // namespace tideline::reduce
