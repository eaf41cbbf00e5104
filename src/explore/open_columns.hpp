// Open states as a batch of the ledger has them, in columns.
//
// A batch is of one layer, or it is mixed: of several layers whose open states are few. In a mixed batch the states of
// a layer follow two records that have no state: the first has the upper half of the key in place of the parent, the
// second the lower half, and the number of states in place of the transition.
#pragma once

#include <cstdint>
#include <vector>

#include "ledger/ledger.hpp"
#include "store/record_log.hpp"
#include "successor/key.hpp"

namespace tideline::explore {

// Beside the pass of a batch: it is mixed, and its key is the least of its layers.
inline constexpr std::uint32_t kMixedBatch = 1U << 31U;
// Before the states of a layer in a mixed batch.
inline constexpr std::uint64_t kRecordsOfKey = 2;

// Open states to be written to the ledger, of one layer or of several.
struct OpenColumns {
    void push(const store::RecordLog::Record& record, std::size_t state_bytes) {
        const auto* state = reinterpret_cast<const std::uint8_t*>(record.state);
        states.insert(states.end(), state, state + state_bytes);
        parents.push_back(record.parent);
        transitions.push_back(record.transition);
    }
    // Of several layers: `count` states of this key follow.
    void push_key(successor::Key key, std::uint64_t count, std::size_t state_bytes) {
        key_records += kRecordsOfKey;
        states.resize(states.size() + kRecordsOfKey * state_bytes);
        parents.insert(parents.end(), {static_cast<std::uint64_t>(key >> 64U), static_cast<std::uint64_t>(key)});
        transitions.insert(transitions.end(), {0, static_cast<std::uint32_t>(count)});
    }
    [[nodiscard]] bool empty() const { return parents.empty(); }
    // With the records of keys.
    [[nodiscard]] std::size_t size() const { return parents.size(); }
    [[nodiscard]] ledger::AppendedWaiting columns() const {
        return {parents.size(), states, parents, transitions, numbers};
    }
    void clear() {
        states.clear();
        parents.clear();
        transitions.clear();
        numbers.clear();
        key_records = 0;
    }

    std::vector<std::uint8_t> states;
    std::vector<std::uint64_t> parents;
    std::vector<std::uint32_t> transitions;
    std::vector<std::uint64_t> numbers;  // temporary ids, where states have numbers
    std::uint64_t key_records = 0;
};

// Finds the layers of a mixed batch, which comes in pieces.
class MixedReader {
public:
    // Calls visit(key, i) for the i-th of these records, where it is a state.
    template <class Visit>
    void read(const ledger::Records& records, Visit visit) {
        for (std::uint64_t i = 0; i < records.count; ++i) {
            if (left_ > 0) {
                --left_;
                visit(key_, i);
                continue;
            }
            ++key_records_;
            key_ = key_ << 64U | records.numbers[i];
            if (is_lower_half_) left_ = records.tags[i];
            is_lower_half_ = !is_lower_half_;
        }
    }

    // Those that it has read.
    [[nodiscard]] std::uint64_t key_records() const { return key_records_; }

private:
    successor::Key key_ = 0;
    std::uint64_t left_ = 0;      // of its states
    bool is_lower_half_ = false;  // of the key is the next record
    std::uint64_t key_records_ = 0;
};

}  // namespace tideline::explore
