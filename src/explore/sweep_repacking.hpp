// Carries the states of an exact sweep that are in memory over to another packing, when a value does not fit its field
// any more. Hashes change with the packing, and with them the partitions.
//
// What is in the ledger stays as it is: frames say how their states are packed. Which open states are on disk is
// forgotten: at worst a state is written twice.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <vector>

#include "explore/pass_queue.hpp"
#include "explore/sweep_layer.hpp"
#include "successor/system.hpp"

namespace tideline::explore {

template <class Owner>
class SweepRepacking {
public:
    SweepRepacking(const StateShape& from, const StateShape& to, std::size_t partitions,
                   const successor::Repacking& translate, Owner owner)
        : translate_(&translate),
          owner_(owner),
          from_bytes_(from.bytes),
          from_(from.words),
          to_(to.words),
          this_pass_(partitions, to, false),
          next_pass_(partitions, to, true) {
        for (std::size_t i = 0; i < partitions; ++i) current_.emplace_back(to);
    }

    // What has been carried over.
    [[nodiscard]] PassQueue& this_pass() { return this_pass_; }
    [[nodiscard]] PassQueue& next_pass() { return next_pass_; }
    [[nodiscard]] SweepLayer& current(std::size_t partition) { return current_[partition]; }

    // The current layer stays current: first the states of all partitions, then what is open of them.
    void carry_current_states(const SweepLayer& old) {
        old.table.for_each(
            [&](const successor::Word* state) { current_[translate(state)].table.insert(to_.data(), hash_); });
        if (old.numbers) carry_current_numbers(*old.numbers);
    }
    void carry_current_open(const SweepLayer& old) {
        old.open.for_each_from(0, [&](const store::RecordLog::Record& record) {
            SweepLayer& layer = current_[translate(record.state)];
            if (layer.numbers)
                layer.numbers->positions.emplace_back(layer.numbers->table.find(to_.data(), hash_).value());
            layer.open.push(to_.data(), record.parent, record.transition);
        });
    }

    // The open states of a layer wait in a queue, of this pass or the next. Fix-ups are for aliases of states that have
    // final numbers.
    void carry_open(const SweepLayer& old, successor::Key key, PassQueue& queue, IdFixups& fixups) {
        std::uint64_t position = old.open.begin();
        old.open.for_each_from(0, [&](const store::RecordLog::Record& record) {
            const std::size_t partition = translate(record.state);
            const std::uint64_t temporary = old.numbers ? old.temporary_at(position++) : 0;
            queue.open(partition).insert(key, {to_.data(), hash_, record.parent, record.transition, temporary});
        });
        if (!old.numbers) return;
        for (const LayerNumbers::Alias& alias : old.numbers->aliases) {
            if (!old.numbers->is_temporary(alias.position)) {
                fixups.add(alias.temporary, old.numbers->table.payload(alias.position));
                continue;
            }
            const std::size_t partition = translate_position(*old.numbers, alias.position);
            queue.open(partition).at(key).numbers->reopen(to_.data(), hash_, alias.temporary);
        }
    }

private:
    // To to_, with its hash; the partition that it belongs to now.
    std::size_t translate(const void* state) {
        from_.back() = 0;
        std::memcpy(from_.data(), state, from_bytes_);
        (*translate_)(from_.data(), to_.data());
        hash_ = successor::hash_state(to_.data(), to_.size());
        return owner_(hash_);
    }
    std::size_t translate_position(const LayerNumbers& numbers, LayerNumbers::Position position) {
        read_.resize(from_.size());
        numbers.table.read(position, read_.data());
        return translate(read_.data());
    }

    void carry_current_numbers(const LayerNumbers& old) {
        for (std::uint64_t i = 0; i < old.table.size(); ++i) {
            const auto position = static_cast<LayerNumbers::Position>(i);
            store::NumberedTable& table = current_[translate_position(old, position)].numbers->table;
            table.set_payload(table.insert(to_.data(), hash_).number, old.table.payload(position));
        }
        for (const LayerNumbers::Alias& alias : old.aliases) {
            LayerNumbers& numbers = *current_[translate_position(old, alias.position)].numbers;
            numbers.aliases.push_back({alias.temporary, numbers.table.find(to_.data(), hash_).value()});
        }
    }

    const successor::Repacking* translate_;
    Owner owner_;
    std::size_t from_bytes_;
    std::vector<successor::Word> read_;
    std::vector<successor::Word> from_;
    std::vector<successor::Word> to_;
    std::uint64_t hash_ = 0;
    PassQueue this_pass_;
    PassQueue next_pass_;
    std::deque<SweepLayer> current_;  // by partition
};

}  // namespace tideline::explore
