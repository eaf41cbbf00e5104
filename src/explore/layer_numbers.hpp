// The numbers of a layer's states, where a search records edges.
//
// A state that waits has a provisional number, given when it was discovered; it gets its final one, its place in the ledger, when it is
// taken, or when it turns out to be in the ledger already. Edges that were written meanwhile have the provisional number, which the
// ledger's stream `numbers` resolves. A state that was left to the ledger and discovered again has several provisional numbers: those
// that it does not wait under are kept as aliases until the layer is left, when all of its states have final numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "ledger/frame.hpp"
#include "store/number_table.hpp"

namespace tideline {

struct LayerNumbers {
    struct Alias {
        std::uint64_t provisional;
        NumberTable::Place place;
    };

    LayerNumbers(std::size_t words, std::size_t bytes, const Permission& may_allocate) : table(words, bytes, may_allocate) {}

    [[nodiscard]] bool is_provisional(NumberTable::Place place) const { return (table.number(place) & kProvisional) != 0; }
    [[nodiscard]] std::uint64_t provisional(NumberTable::Place place) const { return table.number(place) & ~kProvisional; }

    NumberTable table;                       // all states of the layer; provisional numbers have the bit kProvisional
    std::vector<NumberTable::Place> places;  // in the table, of the states that wait, by their places in the log of those
    std::vector<Alias> aliases;
};

// Pairs for the stream `numbers`.
struct NumberPairs {
    std::vector<std::uint64_t> provisional;
    std::vector<std::uint64_t> final_numbers;

    void add(std::uint64_t its_provisional, std::uint64_t its_final) {
        provisional.push_back(its_provisional);
        final_numbers.push_back(its_final);
    }
    void clear() {
        provisional.clear();
        final_numbers.clear();
    }
};

}  // namespace tideline
