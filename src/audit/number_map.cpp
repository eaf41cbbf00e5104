#include "audit/number_map.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "support/quantity.hpp"

namespace tideline::audit {
namespace {

constexpr std::size_t kLeastBlock = 128;  // records; so that writing them one by one is not too slow
constexpr std::size_t kLargestBlock = 32768;

}  // namespace

// Half of the memory for the pairs of a partition, half for the buffers of both kinds of records.
NumberMap::Plan NumberMap::plan(std::uint64_t pairs, std::uint64_t memory) {
    constexpr std::uint64_t kLeastMemory = std::uint64_t{1} << 20U;
    const std::uint64_t half = std::max(memory, kLeastMemory) / 2;
    Plan plan;
    while ((pairs >> plan.bits) > half / sizeof(Pair)) ++plan.bits;
    const std::uint64_t block = half / ((sizeof(Pair) + sizeof(Edge)) << plan.bits);
    if (block < kLeastBlock)
        throw AuditError(AuditFault::memory, fmt::format("{} is not enough memory to audit edges with {} temporary ids",
                                                         support::bytes_text(memory), support::count_text(pairs)));
    plan.block_records = std::min<std::uint64_t>(block, kLargestBlock);
    return plan;
}

NumberMap::NumberMap(std::uint64_t pairs, std::uint64_t memory, const std::string& directory)
    : NumberMap(plan(pairs, memory), directory) {}

NumberMap::NumberMap(const Plan& plan, const std::string& directory)
    : bits_(plan.bits),
      pairs_(directory, std::size_t{1} << plan.bits, plan.block_records),
      edges_(directory, std::size_t{1} << plan.bits, plan.block_records) {}

NumberMapResult NumberMap::decide(const std::function<void(std::uint64_t done)>& tick) {
    pairs_.finish();
    edges_.finish();
    NumberMapResult result;
    const auto before = [](const Pair& left, std::uint64_t right) { return left.temporary < right; };
    for (std::size_t partition = 0; partition < partitions(); ++partition) {
        sorted_.clear();
        pairs_.visit(partition, [&](std::span<const Pair> block) {
            tick(partition);
            sorted_.insert(sorted_.end(), block.begin(), block.end());
        });
        std::sort(sorted_.begin(), sorted_.end(), [](const Pair& left, const Pair& right) {
            return std::tie(left.temporary, left.number) < std::tie(right.temporary, right.number);
        });
        for (std::size_t i = 1; i < sorted_.size(); ++i)
            if (sorted_[i].temporary == sorted_[i - 1].temporary && sorted_[i].number != sorted_[i - 1].number)
                result.contradictory.add(sorted_[i].temporary, sorted_[i].number);
        edges_.visit(partition, [&](std::span<const Edge> block) {
            tick(partition);
            for (const Edge& edge : block) {
                const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), edge.pair.temporary, before);
                if (found == sorted_.end() || found->temporary != edge.pair.temporary)
                    result.unresolved.add(edge.source, edge.pair.temporary);
                else if (found->number != edge.pair.number) result.wrong.add(edge.source, found->number);
            }
        });
    }
    tick(partitions());
    return result;
}

}  // namespace tideline::audit
