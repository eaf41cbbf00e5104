// Whether edges with temporary ids lead to the states that they should, in bounded memory. The ledger has pairs of a
// temporary id and the final one; of every such edge it is known by now which number its target has. Both are
// partitioned by the temporary id, so that each partition can be decided by itself: its pairs are sorted in memory, its
// edges are streamed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "audit/membership.hpp"
#include "audit/partitions.hpp"

namespace tideline::audit {

struct NumberMapResult {
    Tally contradictory;  // temporary ids that stand for several states
    Tally unresolved;     // edges to a temporary id that stands for no state, `other`, by their sources
    Tally wrong;          // edges to one that stands for another state, `other`, than the step leads to
};

class NumberMap {
public:
    // For this number of pairs. Throws AuditError where the memory is not enough for the buffers.
    NumberMap(std::uint64_t pairs, std::uint64_t memory, const std::string& directory);

    void add_pair(std::uint64_t temporary, std::uint64_t number) {
        pairs_.add(partition_of(temporary), {temporary, number});
    }
    // An edge to this temporary id, whose target has that number.
    void add_edge(std::uint64_t temporary, std::uint64_t number, std::uint64_t source) {
        edges_.add(partition_of(temporary), {{temporary, number}, source});
    }

    // Once, when everything has been added.
    [[nodiscard]] NumberMapResult decide(const std::function<void(std::uint64_t done)>& tick);
    [[nodiscard]] std::size_t partitions() const { return pairs_.count(); }
    [[nodiscard]] std::uint64_t temporary_bytes() const { return pairs_.bytes() + edges_.bytes(); }

private:
    struct Pair {
        std::uint64_t temporary;
        std::uint64_t number;
    };
    struct Edge {
        Pair pair;
        std::uint64_t source;
    };
    struct Plan {
        unsigned bits = 0;  // of the number's hash that choose the partition
        std::size_t block_records = 0;
    };

    NumberMap(const Plan& plan, const std::string& directory);
    [[nodiscard]] static Plan plan(std::uint64_t pairs, std::uint64_t memory);
    [[nodiscard]] std::size_t partition_of(std::uint64_t temporary) const {
        return bits_ == 0 ? 0 : static_cast<std::size_t>(temporary * 0x9E3779B97F4A7C15U >> (64 - bits_));
    }

    unsigned bits_;
    Partitions<Pair> pairs_;
    Partitions<Edge> edges_;
    std::vector<Pair> sorted_;
};

}  // namespace tideline::audit
