// Whether states whose parents are not known can be reached: those that a run discovered in memory, before it changed
// to the sweep (docs/algorithms/change-over.md).
//
// Such a run expands, in memory, only what it discovered there. So each of these states must have a path from an
// initial state over other states of this kind. Others have a parent with a smaller number, and by induction a path
// that begins with such a state. Steps to states of this kind are collected, those that come from other states are left
// out. Where they fit into memory they are followed from the initial states on. Otherwise they are read again and
// again: a step from a reached state reaches its target, steps to reached states are dropped, and the others are
// written for the next time, until the rest fits into memory or nothing changes.
//
// Memory: two bits per state of the ledger, and half of what is given for steps.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "audit/membership.hpp"
#include "audit/partitions.hpp"

namespace tideline::audit {

class Unrooted {
public:
    // For a ledger with this number of states. Throws AuditError where the memory is not enough.
    Unrooted(std::uint64_t states, std::uint64_t memory, std::string directory);

    // The memory that it needs at least.
    [[nodiscard]] static std::uint64_t bytes(std::uint64_t states) { return 2 * (states / 8 + 8); }

    void add_state(std::uint64_t number) { unrooted_[number] = true; }
    void add_initial(std::uint64_t number) { reached_[number] = true; }
    // A step to a state without a known parent, when all states have been added.
    void add_step(std::uint64_t source, std::uint64_t target);

    // The states that cannot be reached. Once, when all steps have been added. `tick` is called periodically and may
    // throw.
    [[nodiscard]] Tally decide(const std::function<void()>& tick);
    [[nodiscard]] std::uint64_t temporary_bytes() const { return temporary_bytes_; }

private:
    struct Step {
        std::uint64_t source;
        std::uint64_t target;
    };
    using Steps = Partitions<Step>;

    [[nodiscard]] std::unique_ptr<Steps> empty() const;
    // Reads all steps once; whether a state was reached.
    bool pass(const std::function<void()>& tick);
    void finish_in_memory(const std::function<void()>& tick);

    std::string directory_;
    std::uint64_t most_in_memory_;  // steps
    std::vector<bool> unrooted_;
    std::vector<bool> reached_;
    std::unique_ptr<Steps> steps_;
    std::uint64_t temporary_bytes_ = 0;
};

}  // namespace tideline::audit
