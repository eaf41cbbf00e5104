// One thread's share in an exact sweep (exact_sweep.hpp): of the layers, the states whose hashes make them its own. It takes states from the line,
// and puts successors where they belong: into the layer at hand, or into those that wait in this pass or the next. It knows nothing of the
// ledger but that a part of what waits is there.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "explore/entries_in_order.hpp"
#include "explore/grouped_insertion.hpp"
#include "explore/layer_numbers.hpp"
#include "explore/sleep_queue.hpp"
#include "store/hash_filter.hpp"
#include "store/record_log.hpp"
#include "store/state_table.hpp"

namespace tideline {

class ExactSweepShare {
public:
    // States of one key that wait; on the line also those that are known.
    struct Layer {
        Layer(std::size_t words, std::size_t bytes, const Permission& may_allocate, bool numbered)
            : table(words, bytes, may_allocate), waiting(bytes) {
            if (numbered) numbers = std::make_unique<LayerNumbers>(words, bytes, may_allocate);
        }
        [[nodiscard]] std::uint64_t size() const { return numbers ? numbers->table.size() : table.size(); }

        StateTable table;                   // empty where states have numbers
        std::unique_ptr<LayerNumbers> numbers;
        RecordLog waiting;
        std::uint32_t group = 0;            // for those who insert into several layers at a time
        std::uint64_t on_disk = 0;          // place in `waiting` before which all are in the ledger
    };
    // A layer, or the part of it that some bits of the hash choose.
    struct Part {
        Key key = 0;
        std::uint32_t part = 0;
    };
    using Layers = std::map<Key, Layer>;

    // What is the same for all shares.
    struct Manner {
        bool by_level = false;
        unsigned bits = 0;  // that the layer at hand is cut by
        bool numbered = false;  // edges are recorded
        bool streams = false;   // the layer at hand is without its V(k), but
        HashFilter known{};     // for this of it; what may be in it waits
        bool postpones = false; // for the next pass: the order does not matter

        // Other bits than those by which threads share states, and than the uppermost, by which tables place them.
        [[nodiscard]] std::uint32_t part_of(std::uint64_t hash) const { return static_cast<std::uint32_t>(hash >> 32U) & ((1U << bits) - 1); }
    };

    ExactSweepShare(std::size_t words, std::size_t bytes, const Permission& may_allocate, const Commuting* commuting, const Manner& manner)
        : words_(words), bytes_(bytes), may_allocate_(&may_allocate), line_(words, bytes, may_allocate, manner.numbered), asleep_(commuting),
          manner_(&manner) {}

    void insert_initial(const Word* state, std::uint64_t hash, Key key) {
        Layer& layer = at(ahead_, manner_->by_level ? 0 : key);
        if (layer.numbers)
            push_numbered(layer, layer.numbers->table.insert(state, hash).place, next_provisional());
        else
            layer.table.insert(state, hash);
        layer.waiting.push(state, RecordLog::kNoParent, 0);
        ++elsewhere_;
    }

    std::size_t take(Word* states, SleepSet* asleep, std::size_t most) {
        const std::size_t count = std::min<std::uint64_t>(most, line_.waiting.size());
        taken_bytes_.resize(count * bytes_);
        parents_.resize(count);
        transitions_.resize(count);
        if (line_.numbers) {
            const auto first = line_.numbers->places.begin() + static_cast<std::ptrdiff_t>(line_.waiting.begin());
            taken_places_.assign(first, first + static_cast<std::ptrdiff_t>(count));
        }
        for (std::size_t i = 0; i < count; ++i) {
            const RecordLog::Record record = line_.waiting.pop();
            Word* state = states + i * words_;
            state[words_ - 1] = 0;
            std::memcpy(state, record.state, bytes_);
            std::memcpy(taken_bytes_.data() + i * bytes_, record.state, bytes_);
            parents_[i] = record.parent;
            transitions_[i] = record.transition;
        }
        if (asleep_.in_use()) asleep_.take(asleep, count);
        return count;
    }

    template <class Pick>
    void absorb(const SuccessorBatch& batch, std::size_t count, Pick pick, std::vector<std::uint32_t>& fresh) {
        if (manner_->numbered) return absorb_numbered(batch, count, pick, fresh);
        groups_.start(count);
        for (std::size_t j = 0; j < count; ++j) {
            const std::size_t i = pick(j);
            groups_.add(i, target_of(batch, i));
        }
        find_sources(batch);
        found_.start(batch.size());
        const auto insert = [&](Layer& layer, std::span<const std::uint32_t> entries, std::vector<std::uint32_t>& found) {
            groups_.insert_all(layer.table, batch, entries, found);
        };
        groups_.run(insert, [&](Layer& layer, std::span<const std::uint32_t> found) {
            for (const std::uint32_t i : found) layer.waiting.push(batch.state(i), batch.first_number() + source_of_[i], batch.transition(i));
            found_.add(found);
            if (&layer != &line_)
                elsewhere_ += found.size();
            else if (asleep_.in_use())  // what sleeps must lead to a state of the layer's table
                asleep_.push(found, [&](std::uint32_t i) { return manner_->streams ? 0 : batch.asleep(i); });
        });
        found_.append_to(fresh);
    }
    void expanded() {}
    // The numbers of the entries that were absorbed last, each to its place in the batch.
    template <class Pick>
    void give_numbers(Pick pick, std::vector<std::uint64_t>& to) const {
        for (std::size_t j = 0; j < absorbed_.size(); ++j) to[pick(j)] = absorbed_[j];
    }

private:
    friend class ExactSweep;

    Layer& at(Layers& layers, Key key) {
        return layers.try_emplace(key, words_, bytes_, *may_allocate_, manner_->numbered).first->second;
    }
    [[nodiscard]] Layer empty_layer() const { return Layer(words_, bytes_, *may_allocate_, manner_->numbered); }

    [[gnu::always_inline]] Layer& target_of(const SuccessorBatch& batch, std::size_t i) {
        const Key key = manner_->by_level ? 0 : batch.key(i);
        regress_edges_ += key < at_.key;
        if (manner_->by_level || key != at_.key || manner_->part_of(batch.hash(i)) != at_.part) return target(key);
        return manner_->streams && manner_->known.may_contain(batch.hash(i)) && !line_.table.contains(batch.state(i), batch.hash(i)) ? target(key) : line_;
    }

    // The same where every entry needs the number of its state.
    template <class Pick>
    void absorb_numbered(const SuccessorBatch& batch, std::size_t count, Pick pick, std::vector<std::uint32_t>& fresh) {
        targets_.resize(count);
        absorbed_.resize(count);
        for (std::size_t j = 0; j < count; ++j) {
            const std::size_t i = pick(j);
            targets_[j] = &target_of(batch, i);
            targets_[j]->numbers->table.prefetch(batch.hash(i));
        }
        find_sources(batch);
        constexpr std::size_t kAhead = 16;
        for (std::size_t j = 0; j < std::min(kAhead, count); ++j) targets_[j]->numbers->table.prefetch_state(batch.hash(pick(j)));
        for (std::size_t j = 0; j < count; ++j) {
            if (j + kAhead < count) targets_[j + kAhead]->numbers->table.prefetch_state(batch.hash(pick(j + kAhead)));
            const std::size_t i = pick(j);
            Layer& layer = *targets_[j];
            const NumberTable::Insertion inserted = layer.numbers->table.insert(batch.state(i), batch.hash(i));
            if (inserted.is_new) {
                push_numbered(layer, inserted.place, next_provisional());
                layer.waiting.push(batch.state(i), batch.first_number() + source_of_[i], batch.transition(i));
                elsewhere_ += &layer != &line_;
                fresh.push_back(static_cast<std::uint32_t>(i));
            }
            absorbed_[j] = layer.numbers->table.number(inserted.place);
        }
    }

    // The source of every entry of a batch, among its complete ones; of the last entries perhaps the one behind them.
    void find_sources(const SuccessorBatch& batch) {
        source_of_.resize(batch.size());
        std::uint32_t begin = 0;
        for (std::size_t n = 0; n < batch.complete_sources(); begin = batch.end(n++))
            std::fill(source_of_.begin() + begin, source_of_.begin() + batch.end(n), static_cast<std::uint32_t>(n));
        std::fill(source_of_.begin() + begin, source_of_.end(), static_cast<std::uint32_t>(batch.complete_sources()));
    }

    // For a state that is about to wait.
    static void push_numbered(Layer& layer, NumberTable::Place place, std::uint64_t provisional) {
        layer.numbers->table.set_number(place, provisional | kProvisional);
        layer.numbers->places.push_back(place);
    }
    // A state that was left to the ledger waits again, unless it waits already: then under another number, or it was written twice.
    static bool insert_numbered(Layer& layer, const Word* state, std::uint64_t hash, std::uint64_t provisional) {
        LayerNumbers& numbers = *layer.numbers;
        const NumberTable::Insertion inserted = numbers.table.insert(state, hash);
        if (inserted.is_new)
            push_numbered(layer, inserted.place, provisional);
        else if (numbers.provisional(inserted.place) != provisional)
            numbers.aliases.push_back({provisional, inserted.place});
        return inserted.is_new;
    }
    std::uint64_t next_provisional() { return std::exchange(next_provisional_, next_provisional_ + provisional_step_); }

    // A layer that the line is not on, or the rest of the one that it is on. The successors of a layer lie in few others: the last ones are
    // found without a look-up.
    Layer& target(Key key) {
        const auto mixed = static_cast<std::uint64_t>(key ^ (key >> 64U));
        Remembered& place = remembered_[mixed * 0x9E3779B97F4A7C15U >> 58U];
        if (place.layer == nullptr || place.key != key) place = {key, &at(is_ahead(key) ? ahead_ : later_, key)};
        return *place.layer;
    }
    // Whether a successor of this key, if it cannot join the line, waits in this pass.
    [[nodiscard]] bool is_ahead(Key key) const {
        return !manner_->by_level && (key > at_.key || (key == at_.key && !(manner_->streams && manner_->postpones)));
    }
    void forget_targets() { std::fill(std::begin(remembered_), std::end(remembered_), Remembered{}); }

    // The states of the line's part are picked out of a layer; the others go on waiting.
    void pick_part(Layer& layer) {
        Layer old = std::exchange(layer, empty_layer());  // places on disk are forgotten: at worst a state is written twice
        old.table = StateTable(words_, bytes_, *may_allocate_);
        std::vector<Word> state(words_);
        std::uint64_t hash = 0;
        const auto its_layer = [&]() -> Layer& {
            hash = hash_state(state.data(), words_);
            return manner_->part_of(hash) == at_.part ? line_ : layer;
        };
        while (old.waiting.size() > 0) {
            const std::uint64_t place = old.waiting.begin();
            const RecordLog::Record record = old.waiting.pop();
            state.back() = 0;
            std::memcpy(state.data(), record.state, bytes_);
            Layer& its = its_layer();
            if (old.numbers)
                insert_numbered(its, state.data(), hash, old.numbers->provisional(old.numbers->places[place]));
            else
                its.table.insert(state.data(), hash);
            its.waiting.push(state.data(), record.parent, record.transition);
        }
        if (!old.numbers) return;
        for (const LayerNumbers::Alias& alias : old.numbers->aliases) {
            old.numbers->table.read(alias.place, state.data());
            Layer& its = its_layer();
            insert_numbered(its, state.data(), hash, alias.provisional);
        }
    }

    struct Remembered {
        Key key = 0;
        Layer* layer = nullptr;
    };

    std::size_t words_;
    std::size_t bytes_;
    const Permission* may_allocate_;
    Layer line_;            // the layer that the line is on, or the part of it
    Part at_;               // which that is
    Layers ahead_;          // that wait in this pass,
    Layers later_;          // and in the next
    SleepQueue asleep_;     // in the waiting states of the line
    const Manner* manner_;
    // Of the entries that are being absorbed.
    std::vector<Layer*> targets_;
    std::vector<std::uint32_t> source_of_;
    GroupedInsertion<Layer> groups_;
    EntriesInOrder found_;
    Remembered remembered_[64];
    std::vector<std::uint8_t> taken_bytes_;  // of the states that were taken last
    std::vector<std::uint64_t> parents_;
    std::vector<std::uint32_t> transitions_;
    std::uint64_t regress_edges_ = 0;
    std::uint64_t elsewhere_ = 0;  // states that wait in memory, but for the line
    // Where edges are recorded.
    std::vector<NumberTable::Place> taken_places_;
    std::vector<std::uint64_t> absorbed_;    // numbers of the entries that were absorbed last
    std::uint64_t next_provisional_ = 0;     // shares take turns
    std::uint64_t provisional_step_ = 1;
};

}  // namespace tideline
