#include "explore/change_over.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "explore/initial_states.hpp"
#include "explore/open_columns.hpp"
#include "explore/sweep_decisions.hpp"
#include "store/state_table.hpp"
#include "support/memory.hpp"

namespace tideline::explore {
namespace {

using successor::Key;
using successor::Word;

constexpr std::uint64_t kLeastChunk = std::uint64_t{128} << 10U;
constexpr std::uint64_t kLargestChunk = std::uint64_t{64} << 20U;

std::uint64_t chunk_bytes(const support::Budget& budget) {
    const std::optional<std::uint64_t>& memory = budget.limits().memory;
    return memory ? std::clamp(*memory / 16, kLeastChunk, kLargestChunk) : kLargestChunk;
}

// States with their keys, as many as fit, to be visited by key.
class Chunk {
public:
    Chunk(std::size_t state_bytes, std::uint64_t bytes)
        : state_bytes_(state_bytes),
          most_(std::clamp<std::uint64_t>(
              bytes / (state_bytes + sizeof(Key) + sizeof(StateNumber) + sizeof(std::uint32_t)), 16,
              std::numeric_limits<std::uint32_t>::max())) {}

    [[nodiscard]] bool is_full() const { return keys_.size() >= most_; }
    void add(const Word* state, StateNumber id, Key key) {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(state);
        states_.insert(states_.end(), bytes, bytes + state_bytes_);
        ids_.push_back(id);
        keys_.push_back(key);
    }

    // visit(key, positions) for the states of each key, keys ascending.
    template <class Visit>
    void take(Visit visit) {
        order_.resize(keys_.size());
        std::iota(order_.begin(), order_.end(), 0U);
        std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
            return keys_[a] != keys_[b] ? keys_[a] < keys_[b] : a < b;
        });
        for (std::size_t begin = 0; begin < order_.size();) {
            std::size_t end = begin;
            while (end < order_.size() && keys_[order_[end]] == keys_[order_[begin]]) ++end;
            visit(keys_[order_[begin]], std::span<const std::uint32_t>(order_).subspan(begin, end - begin));
            begin = end;
        }
        states_.clear();
        ids_.clear();
        keys_.clear();
    }
    [[nodiscard]] const std::uint8_t* state(std::uint32_t position) const {
        return states_.data() + position * state_bytes_;
    }
    [[nodiscard]] StateNumber id(std::uint32_t position) const { return ids_[position]; }

private:
    std::size_t state_bytes_;
    std::uint64_t most_;
    std::vector<std::uint8_t> states_;
    std::vector<StateNumber> ids_;
    std::vector<Key> keys_;
    std::vector<std::uint32_t> order_;
};

class CheckpointWriter {
public:
    CheckpointWriter(StatesInMemory& states, const ChangeTarget& target, const support::Budget& budget)
        : states_(states),
          ledger_(*target.ledger),
          system_(*target.system),
          expander_(system_.expander()),
          initial_(system_),
          rows_(states.rows()),
          poll_(budget, 4096),
          bytes_(system_.state_bytes()),
          chunk_(bytes_, chunk_bytes(budget)),
          open_(system_.state_words(), bytes_, unlimited_) {
        assert(states.system().state_words() == system_.state_words() && states.system().state_bytes() == bytes_ &&
               "states are packed in one way");
        assert((rows_ != nullptr) == ledger_.writer.header().edges && "the sweep records what the search has kept");
    }

    support::StopReason run(SavedSearch saved, std::vector<Word>& undefined) {
        if (rows_ != nullptr) saved.next_temporary_id = states_.size();
        if (!write_all_open() || !write_all_expanded()) {
            undefined = std::move(undefined_);
            return undefined.empty() ? poll_.reason() : support::StopReason::no_key;
        }
        assert(ledger_.writer.states() == saved.statistics.expanded && "what is not open has been expanded");
        saved.key_records = key_records_;
        ledger_.writer.commit(to_text(saved));
        ledger_.writer.wait();
        ledger_.resumed = true;
        ledger_.saved = std::move(saved);
        return support::StopReason::none;
    }

private:
    [[nodiscard]] std::uint64_t hash_of(const Word* state) const {
        return successor::hash_state(state, system_.state_words());
    }

    bool write_all_open() {
        bool continues = true;
        if (rows_ != nullptr) {
            rows_->close(states_.number_bound());
            is_open_.assign(states_.size(), false);
            states_.take_open([&](const Word* state, StateNumber number) {
                const StateNumber id = rows_->id(number);
                is_open_[id] = true;
                continues = continues && add(state, id, &CheckpointWriter::write_open);
            });
        } else {
            states_.take_open(
                [this](const Word* state, StateNumber /*number*/) { open_.insert(state, hash_of(state)); });
            support::release_free_memory();
            open_.for_each(
                [&](const Word* state) { continues = continues && add(state, 0, &CheckpointWriter::write_open); });
        }
        if (continues) write_open();
        return continues;
    }

    bool write_all_expanded() {
        const bool continues = states_.take_all([this](const Word* state, StateNumber number) {
            const StateNumber id = rows_ != nullptr ? rows_->id(number) : 0;
            const bool is_open = rows_ != nullptr ? is_open_[id] : open_.contains(state, hash_of(state));
            return is_open || add(state, id, &CheckpointWriter::write_expanded);
        });
        if (continues) write_expanded();
        return continues;
    }

    // False: the writing stops.
    bool add(const Word* state, StateNumber id, void (CheckpointWriter::*write)()) {
        if (poll_.is_exhausted() && poll_.reason() != support::StopReason::memory) return false;
        const std::optional<Key> key = expander_->key(state);
        if (!key) {
            undefined_.assign(state, state + system_.state_words());
            return false;
        }
        chunk_.add(state, id, *key);
        if (chunk_.is_full()) (this->*write)();
        return true;
    }

    void write_open() {
        constexpr std::size_t kLargestBatch = 16384;
        OpenColumns batch;
        OpenColumns mixed;
        Key least = 0;
        const auto append = [&](OpenColumns& columns, Key key, std::uint32_t pass) {
            if (columns.empty()) return;
            key_records_ += columns.key_records;
            ledger_.writer.append_waiting(key, pass, columns.columns());
            columns.clear();
        };
        const auto push = [&](OpenColumns& columns, std::uint32_t position) {
            columns.push({reinterpret_cast<const std::byte*>(chunk_.state(position)), ledger::kUnknownParent, 0},
                         bytes_);
            if (rows_ != nullptr) columns.numbers.push_back(chunk_.id(position));
        };
        chunk_.take([&](Key key, std::span<const std::uint32_t> positions) {
            if (goes_into_mixed_batch(positions.size(), rows_ != nullptr)) {
                if (mixed.empty()) least = key;
                mixed.push_key(key, positions.size(), bytes_);
                for (const std::uint32_t position : positions) push(mixed, position);
                if (mixed.size() >= kMixedBatchStates) append(mixed, least, kMixedBatch);
                return;
            }
            for (const std::uint32_t position : positions) {
                push(batch, position);
                if (batch.size() == kLargestBatch) append(batch, key, 0);
            }
            append(batch, key, 0);
        });
        append(mixed, least, kMixedBatch);
    }

    void write_expanded() {
        constexpr std::size_t kAtATime = 16384;
        std::vector<std::uint8_t> states;
        std::vector<std::uint64_t> parents;
        std::vector<StateNumber> ids;
        const std::vector<std::uint32_t> transitions(kAtATime);
        const auto append = [&](Key key) {
            ledger_.writer.append_states(
                key, 0, {parents.size(), states, parents, std::span(transitions).first(parents.size()), {}});
            if (rows_ != nullptr) append_rows(ids);
            states.clear();
            parents.clear();
            ids.clear();
        };
        chunk_.take([&](Key key, std::span<const std::uint32_t> positions) {
            for (const std::uint32_t position : positions) {
                const std::uint8_t* state = chunk_.state(position);
                const bool is_initial = !initial_.are_all_recorded() && initial_.record(state);
                parents.push_back(is_initial ? ledger_.writer.states() + parents.size() : ledger::kUnknownParent);
                states.insert(states.end(), state, state + bytes_);
                ids.push_back(chunk_.id(position));
                if (parents.size() == kAtATime) append(key);
            }
            if (!parents.empty()) append(key);
        });
    }

    // The edges of the states that were appended last, and which final numbers belong to their ids.
    void append_rows(std::span<const StateNumber> ids) {
        KeptRows::Columns columns;
        std::vector<std::uint32_t> degrees;
        std::vector<std::uint64_t> numbers;
        const std::uint64_t first = ledger_.writer.states() - ids.size();
        for (const StateNumber id : ids) {
            const std::size_t before = columns.targets.size();
            rows_->append_row(id, columns);
            degrees.push_back(static_cast<std::uint32_t>(columns.targets.size() - before));
            numbers.push_back(first + numbers.size());
        }
        for (StateNumber& target : columns.targets) target |= ledger::kTemporaryId;
        ledger_.writer.append_edges(degrees, columns.targets, columns.transitions,
                                    ledger_.writer.header().marks ? std::span<const std::uint64_t>(columns.marks)
                                                                  : std::span<const std::uint64_t>());
        ledger_.writer.append_numbers(ids, numbers);
    }

    StatesInMemory& states_;
    LedgerRun& ledger_;
    const successor::System& system_;
    std::unique_ptr<successor::Expander> expander_;
    InitialStates initial_;
    KeptRows* rows_;  // null: the sweep records no edges
    support::BudgetPoll poll_;
    std::size_t bytes_;
    Chunk chunk_;
    store::MemoryBudget unlimited_ = [](std::uint64_t) { return true; };
    store::StateTable open_;         // the open states; where states have ids,
    std::vector<bool> is_open_;      // a bit for each
    std::uint64_t key_records_ = 0;  // of the mixed batches
    std::vector<Word> undefined_;
};

}  // namespace

support::StopReason write_checkpoint(StatesInMemory& states, const ChangeTarget& target, SavedSearch saved,
                                     const support::Budget& budget, std::vector<Word>& undefined) {
    return CheckpointWriter(states, target, budget).run(std::move(saved), undefined);
}

}  // namespace tideline::explore
