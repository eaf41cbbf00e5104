#include "audit/membership.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "audit/ledger_file.hpp"
#include "support/quantity.hpp"

namespace tideline::audit {
namespace {

constexpr std::size_t kLeastBlock = 128;      // records; a few KB, so that writing them one by one is not too slow
constexpr std::size_t kLargestBlock = 32768;  // about 1 MB

}  // namespace

// Half of the memory for the states of a partition, which vary by little because fingerprints are random; half for the
// buffers of both kinds of records.
Membership::Plan Membership::plan(std::uint64_t states, std::uint64_t memory, bool has_targets) {
    constexpr std::uint64_t kLeastMemory = std::uint64_t{1} << 20U;
    const std::uint64_t half = std::max(memory, kLeastMemory) / 2;
    Plan plan;
    while ((states >> plan.bits) > half / sizeof(State)) ++plan.bits;
    const std::size_t of_steps = sizeof(Step) + (has_targets ? sizeof(ClaimedStep) : 0);
    const std::uint64_t block = half / ((sizeof(State) + of_steps) << plan.bits);
    if (block < kLeastBlock)
        throw AuditError(AuditFault::memory, fmt::format("{} is not enough memory to audit {} states",
                                                         support::bytes_text(memory), support::count_text(states)));
    plan.block_records = std::min<std::uint64_t>(block, kLargestBlock);
    return plan;
}

Membership::Membership(std::uint64_t states, std::uint64_t memory, const std::string& directory, bool has_targets)
    : Membership(plan(states, memory, has_targets), directory) {}

Membership::Membership(const Plan& plan, const std::string& directory)
    : bits_(plan.bits),
      states_(directory, std::size_t{1} << plan.bits, plan.block_records),
      steps_(directory, std::size_t{1} << plan.bits, plan.block_records),
      claimed_steps_(directory, std::size_t{1} << plan.bits, plan.block_records) {}

MembershipResult Membership::decide(const std::function<void(std::uint64_t done)>& tick,
                                    const OnTemporaryId& on_temporary_id, const OnUnrooted& on_unrooted,
                                    const OnEdge& on_edge) {
    states_.finish();
    steps_.finish();
    claimed_steps_.finish();
    MembershipResult result;
    for (std::size_t partition = 0; partition < partitions(); ++partition)
        decide(partition, result, tick, on_temporary_id, on_unrooted, on_edge);
    tick(partitions());
    return result;
}

std::vector<Membership::State>::iterator Membership::find_target(const Step& step, MembershipResult& result,
                                                                 const OnUnrooted& on_unrooted) {
    const auto found =
        std::lower_bound(sorted_.begin(), sorted_.end(), step.target,
                         [](const State& left, const Fingerprint& right) { return left.fingerprint < right; });
    if (found == sorted_.end() || found->fingerprint != step.target) result.missing.add(step.source);
    for (auto state = found; state != sorted_.end() && state->fingerprint == step.target; ++state)
        if (state->parent == step.source) state->parent = kNoParent;
        else if (state->parent == kUnknownParent) on_unrooted(step.source, state->number);
    return found;
}

void Membership::decide(std::size_t partition, MembershipResult& result,
                        const std::function<void(std::uint64_t done)>& tick, const OnTemporaryId& on_temporary_id,
                        const OnUnrooted& on_unrooted, const OnEdge& on_edge) {
    const auto take_edge = [&](std::vector<State>::iterator target, const Step& step) {
        const bool is_there = target != sorted_.end() && target->fingerprint == step.target;
        if (is_there && on_edge) on_edge(step.source, target->number);
        return is_there;
    };
    sorted_.clear();
    sorted_.reserve(states_.size(partition));
    states_.visit(partition, [&](std::span<const State> block) {
        tick(partition);
        sorted_.insert(sorted_.end(), block.begin(), block.end());
    });
    std::sort(sorted_.begin(), sorted_.end(), [](const State& left, const State& right) {
        return std::tie(left.fingerprint, left.number) < std::tie(right.fingerprint, right.number);
    });
    for (std::size_t i = 1; i < sorted_.size(); ++i)
        if (sorted_[i].fingerprint == sorted_[i - 1].fingerprint)
            result.repeated.add(sorted_[i].number, sorted_[i - 1].number);

    steps_.visit(partition, [&](std::span<const Step> block) {
        tick(partition);
        for (const Step& step : block) (void)take_edge(find_target(step, result, on_unrooted), step);
    });
    claimed_steps_.visit(partition, [&](std::span<const ClaimedStep> block) {
        tick(partition);
        for (const auto& [step, claimed] : block) {
            const auto state = find_target(step, result, on_unrooted);
            if (!take_edge(state, step)) continue;
            if ((claimed & kTemporaryId) != 0) on_temporary_id(claimed & ~kTemporaryId, state->number, step.source);
            else if (claimed != state->number) result.wrong_targets.add(step.source, claimed);
        }
    });
    for (const State& state : sorted_)
        if (state.parent != kNoParent && state.parent != kUnknownParent)
            result.wrong_parents.add(state.number, state.parent);
}

}  // namespace tideline::audit
