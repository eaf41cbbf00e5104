// The numbers of a layer's states, where a search records edges.
//
// An open state has a temporary id, given when it was discovered. It gets its final number, its position in the ledger,
// when it is taken, or when it turns out to be in the ledger already. Edges that were written in between have the
// temporary id, and a fix-up in the ledger's stream `numbers` resolves it. A state that was spilled and discovered
// again has several temporary ids: those that it is not open under are aliases, kept until the layer is left, when all
// of its states have final numbers.
//
// Invariant: every temporary id belongs to a state that is open, in memory or in a batch of the ledger, or has its
// fix-up.
#pragma once

#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "ledger/ledger.hpp"
#include "store/numbered_table.hpp"
#include "store/packed_number.hpp"

namespace tideline::explore {

// The temporary ids that one partition gives: partitions take turns, so that no two give the same.
class TemporaryIds {
public:
    TemporaryIds(std::uint64_t first, std::uint64_t partitions) : next_(first), step_(partitions) {}
    std::uint64_t give() { return std::exchange(next_, next_ + step_); }
    [[nodiscard]] std::uint64_t next() const { return next_; }

private:
    std::uint64_t next_;
    std::uint64_t step_;
};

// Fix-ups that are not in the ledger yet.
class IdFixups {
public:
    void add(std::uint64_t temporary, std::uint64_t final_number) {
        temporary_.push_back(temporary);
        final_.push_back(final_number);
    }
    [[nodiscard]] bool empty() const { return temporary_.empty(); }
    void write(ledger::LedgerWriter& writer) {
        if (empty()) return;
        writer.append_numbers(temporary_, final_);
        temporary_.clear();
        final_.clear();
    }

private:
    std::vector<std::uint64_t> temporary_;
    std::vector<std::uint64_t> final_;
};

class LayerNumbers {
public:
    using Position = store::NumberedTable::Number;
    struct Alias {
        std::uint64_t temporary;
        Position position;
    };

    LayerNumbers(std::size_t words, std::size_t bytes, const store::MemoryBudget& try_reserve)
        : table(words, bytes, try_reserve,
                {.payload_bytes = sizeof(std::uint64_t), .growth = store::NumberedTable::kFast}) {}

    [[nodiscard]] bool is_temporary(Position position) const {
        return (table.payload(position) & ledger::kTemporaryId) != 0;
    }
    [[nodiscard]] std::uint64_t temporary(Position position) const {
        return table.payload(position) & ~ledger::kTemporaryId;
    }

    // A new state of the table is open from here on.
    void open(Position position, std::uint64_t temporary) {
        table.set_payload(position, temporary | ledger::kTemporaryId);
        positions.emplace_back(position);
    }
    // A state that was open before, in a batch of the ledger or in another packing, is open again; false where it is
    // already. Then it is so under another id, or it was written twice.
    bool reopen(const successor::Word* state, std::uint64_t hash, std::uint64_t id) {
        const store::NumberedTable::Insertion inserted = table.insert(state, hash);
        if (inserted.is_new) open(inserted.number, id);
        else if (temporary(inserted.number) != id) aliases.push_back({id, inserted.number});
        return inserted.is_new;
    }
    // A state gets its final number.
    void resolve(Position position, std::uint64_t final_number, IdFixups& fixups) {
        fixups.add(temporary(position), final_number);
        table.set_payload(position, final_number);
    }
    // All states have final numbers now.
    void resolve_aliases(IdFixups& fixups) const {
        for (const Alias& alias : aliases) {
            assert(!is_temporary(alias.position) && "a layer is left when all of its states have final numbers");
            fixups.add(alias.temporary, table.payload(alias.position));
        }
    }

    store::NumberedTable table;  // all states of the layer; temporary ids have the bit kTemporaryId
    std::vector<store::PackedNumber>
        positions;  // in the table, of the open states, by their indices in the log of those
    std::vector<Alias> aliases;
};

}  // namespace tideline::explore
