// Whether every step leads to a state that is there, no state is there twice, and every state has the parent that it is
// said to have, in bounded memory: states and steps are partitioned by the fingerprint of the state, or of the step's
// target, so that each partition can be decided by itself. A partition's states are sorted in memory; its steps are
// streamed, one block at a time.
//
// A step has the number of its source. The recorded parent of a state is right if a step from the state of that number
// leads to it, and such a step is in the same partition.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include "audit/fingerprint.hpp"
#include "audit/partitions.hpp"

namespace tideline::audit {

// How many, and an example: that with the smallest number.
struct Tally {
    std::uint64_t count = 0;
    std::uint64_t first = 0;
    std::uint64_t other = 0;  // what belongs to `first`

    void add(std::uint64_t number, std::uint64_t belongs = 0) {
        if (count == 0 || number < first) {
            first = number;
            other = belongs;
        }
        ++count;
    }
};

struct MembershipResult {
    Tally repeated;       // states that are there with a smaller number, `other`
    Tally missing;        // steps to a state that is not there, by their sources
    Tally wrong_parents;  // states without a step from their parent, `other`
    Tally wrong_targets;  // steps that do not lead to the state of the number that they are said to lead to, `other`
};

class Membership {
public:
    static constexpr std::uint64_t kNoParent =
        std::numeric_limits<std::uint64_t>::max();                  // there is nothing to be confirmed
    static constexpr std::uint64_t kUnknownParent = kNoParent - 1;  // steps to such a state are handed on

    // For this number of states. Throws AuditError where the memory is not enough for the buffers.
    Membership(std::uint64_t states, std::uint64_t memory, const std::string& directory, bool has_targets = false);

    void add_state(const Fingerprint& state, std::uint64_t number, std::uint64_t parent) {
        states_.add(partition_of(state), {state, number, parent});
    }
    void add_step(const Fingerprint& target, std::uint64_t source) {
        steps_.add(partition_of(target), {target, source});
    }
    // The same, with the number that the target is said to have, where such targets were announced.
    void add_step(const Fingerprint& target, std::uint64_t source, std::uint64_t claimed) {
        claimed_steps_.add(partition_of(target), {{target, source}, claimed});
    }

    // Once, when everything has been added. `tick` is called periodically with the partitions that are done, and may
    // throw. `on_temporary_id` is called for steps with a temporary id as a target: that number, the target's own, the
    // source. `on_unrooted` is called for steps to a state whose parent is not known.
    using OnTemporaryId = std::function<void(std::uint64_t temporary, std::uint64_t number, std::uint64_t source)>;
    using OnUnrooted = std::function<void(std::uint64_t source, std::uint64_t target)>;
    // `on_edge` is called for each step whose target is there: source and target, as numbers.
    using OnEdge = std::function<void(std::uint64_t source, std::uint64_t target)>;
    [[nodiscard]] MembershipResult decide(const std::function<void(std::uint64_t done)>& tick,
                                          const OnTemporaryId& on_temporary_id = {}, const OnUnrooted& on_unrooted = {},
                                          const OnEdge& on_edge = {});

    [[nodiscard]] std::size_t partitions() const { return states_.count(); }
    [[nodiscard]] std::uint64_t temporary_bytes() const {
        return states_.bytes() + steps_.bytes() + claimed_steps_.bytes();
    }

private:
    struct State {
        Fingerprint fingerprint;
        std::uint64_t number;
        std::uint64_t parent;
    };
    struct Step {
        Fingerprint target;
        std::uint64_t source;
    };
    struct ClaimedStep {
        Step step;
        std::uint64_t claimed;
    };
    struct Plan {
        unsigned bits = 0;  // of a fingerprint that choose the partition
        std::size_t block_records = 0;
    };

    Membership(const Plan& plan, const std::string& directory);
    [[nodiscard]] static Plan plan(std::uint64_t states, std::uint64_t memory, bool has_targets);
    [[nodiscard]] std::size_t partition_of(const Fingerprint& fingerprint) const {
        return bits_ == 0 ? 0 : static_cast<std::size_t>(fingerprint.upper >> (64 - bits_));
    }
    void decide(std::size_t partition, MembershipResult& result, const std::function<void(std::uint64_t done)>& tick,
                const OnTemporaryId& on_temporary_id, const OnUnrooted& on_unrooted, const OnEdge& on_edge);
    // Where the targets of a step begin in sorted_; none: where the next would. Confirms the parents.
    std::vector<State>::iterator find_target(const Step& step, MembershipResult& result, const OnUnrooted& on_unrooted);

    unsigned bits_;
    Partitions<State> states_;
    Partitions<Step> steps_;
    Partitions<ClaimedStep> claimed_steps_;
    std::vector<State> sorted_;
};

}  // namespace tideline::audit
