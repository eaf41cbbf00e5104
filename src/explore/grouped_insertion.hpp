// Inserts the successors of a batch into the tables of their layers. They lie in few layers: the entries of each are
// grouped, and then inserted together, as those of a search with one table are (batch_insertion.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "explore/batch_insertion.hpp"
#include "store/state_table.hpp"
#include "successor/system.hpp"

namespace tideline::explore {

// A layer has a number `group` that is used here alone.
template <class Layer>
class GroupedInsertion {
public:
    void start(std::size_t most) {
        groups_.clear();
        entries_.resize(most);
        group_of_.resize(most);
        count_ = 0;
    }

    // An entry of the batch that belongs to a layer.
    [[gnu::always_inline]] void add(std::size_t entry, Layer& layer) {
        if (layer.group >= groups_.size() || groups_[layer.group].layer != &layer) [[unlikely]] {
            layer.group = static_cast<std::uint32_t>(groups_.size());
            groups_.push_back({&layer, 0});
        }
        entries_[count_] = static_cast<std::uint32_t>(entry);
        group_of_[count_++] = layer.group;
        ++groups_[layer.group].end;
    }

    // Calls insert(layer, entries, found) for every layer, which is to append those that are new to `found`
    // (insert_all() does), then on_found(layer, found); all in the order of the batch, which is that of add().
    template <class Insert, class OnFound>
    void run(Insert insert, OnFound on_found) {
        std::uint32_t begin = 0;
        for (Group& group : groups_) begin += std::exchange(group.end, begin);
        sorted_.resize(count_);
        // `end` is where the entries of a group begin, and then where they end.
        for (std::size_t n = 0; n < count_; ++n) sorted_[groups_[group_of_[n]].end++] = entries_[n];
        begin = 0;
        for (const Group& group : groups_) {
            found_.clear();
            insert(*group.layer, std::span(sorted_).subspan(begin, group.end - begin), found_);
            if (!found_.empty()) on_found(*group.layer, std::span<const std::uint32_t>(found_));
            begin = group.end;
        }
    }

    void insert_all(store::StateTable& table, const successor::SuccessorBatch& batch,
                    std::span<const std::uint32_t> entries, std::vector<std::uint32_t>& found) {
        if (entries.size() >= kMany) {
            insertion_.insert(
                table, batch, entries.size(), [first = entries.data()](std::size_t j) { return first[j]; }, found);
            return;
        }
        for (const std::uint32_t entry : entries)
            if (table.insert(batch.state(entry), batch.hash(entry))) found.push_back(entry);
    }

private:
    static constexpr std::size_t kMany = 4;

    struct Group {
        Layer* layer;
        std::uint32_t end;
    };

    std::vector<Group> groups_;
    std::vector<std::uint32_t> entries_;
    std::vector<std::uint32_t> group_of_;
    std::size_t count_ = 0;
    std::vector<std::uint32_t> sorted_;  // entries, by group
    std::vector<std::uint32_t> found_;
    BatchInsertion insertion_;
};

}  // namespace tideline::explore
