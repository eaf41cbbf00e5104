// What the engines for branching time have in common: verdicts without evidence, and the evidence of decided
// properties.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check/branching.hpp"

namespace tideline::check {

// Of property p, undecided as yet.
[[nodiscard]] Verdict verdict_of(const BranchingRequest& request, std::size_t p, const explore::Statistics& statistics);

// Where a limit ended the search or what followed it.
[[nodiscard]] Decision undecided(const BranchingRequest& request, Outcome outcome, support::StopReason reason);

// x = 1, y = 2
[[nodiscard]] std::string state_text(const successor::System& system, const successor::Word* state);

// The evidence of decided properties.
class BranchingEvidence final : public Evidence {
public:
    struct Shown {
        std::size_t property;
        ctl::Oracle::State initial;
        std::size_t index;  // of the initial state
        std::size_t of;     // initial states
    };

    BranchingEvidence(BranchingRequest request, std::unique_ptr<ctl::Oracle> oracle, std::vector<Shown> shown)
        : request_(std::move(request)), oracle_(std::move(oracle)), shown_(std::move(shown)) {}

    void add_to(Outcome& outcome, const support::Budget& budget) override;

private:
    void add(Verdict& verdict, const Shown& shown, const support::Budget& budget);

    BranchingRequest request_;
    std::unique_ptr<ctl::Oracle> oracle_;
    std::vector<Shown> shown_;
};

}  // namespace tideline::check
