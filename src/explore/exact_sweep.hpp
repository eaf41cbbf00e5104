// The exact sweep: states in the order of their progress keys, layers written to a ledger as the line leaves them, and every state expanded
// once, whatever the measure. Without a measure: breadth-first search with the known states on disk.
//
// L. M. Kristensen, T. Mailund and K. Jensen delete a layer and forget it; a regress edge then leads to states that are explored again. Here a layer
// is on disk. Let V(k) be the states of key k there and B(k) those that wait. A pass takes the keys with waiting states in ascending order; for key
// k it reads V(k) into memory beside B(k), drops from B(k) what is known, and expands the rest to closure inside the layer. A successor with
// a larger key waits in this pass, one with a smaller key for the next. Passes repeat until nothing waits. A state is expanded only when it is
// in neither V(k) nor what was expanded since: exactly once. With a monotonic measure there is one pass, and nothing is read back.
//
// A state that is first expanded in pass n + 1 cannot be reached with fewer than n regress edges, and layers come in ascending order: the first
// state that an observer stops at has, of all such states, the fewest regress edges on the way to it, and among those the least progress
// (Theorem 3 of the survey of 2012). Therefore states are looked at when they are taken, not when they are discovered.
//
// Breadth-first (`by_level`): all states have one key, a pass is a level. A successor waits for the next pass; when that begins, everything
// on disk is streamed past what waits (delayed duplicate detection).
//
// When memory is short, layers that are needed last are spilled: their waiting states are written to the ledger and read again when the line
// comes to them, duplicates and all. Layers of few states are spilled together, many in a batch, which is read as a whole when the line comes to
// the first of them: the others then wait in memory again. A layer that is too large itself is cut while the line is on it: some bits of the hash choose a part, and the
// line goes through the parts of the layer, again and again, until none has anything left. V(k) is then read for every part. What
// waits is not cut: the states of a part are picked out when the line comes to it, so that no other layer is touched by the cutting of one.
//
// A layer that few states wait for, compared with V(k), costs more to read than it gives. V(k) is then streamed past what waits instead of being kept
// (`streamed_above`), but for a byte a state in a filter: a successor in the same layer that may be known by that waits, and the line comes to the
// layer again at once. And where the order of states does not
// matter (`thin_above`), the line leaves such a layer to the next pass, in which more may wait.
//
// Where the measure's leading components are known never to decrease, passes are nested: states of one value of them form a block, and a block is
// finished, pass after pass, before the line goes on to the next. No step leads back into it, so it is never read again.
//
// Where the ledger has edges, states have numbers in memory (layer_numbers.hpp), every successor is looked up, and nothing sleeps: the
// edges of a state are written when it has been expanded (edge_log.hpp), to provisional numbers as long as the targets wait.
//
// A commit writes what waits and is not on disk yet, the rest of the layer at hand included; it can be made whenever all states that were
// taken have been expanded completely. A search that is resumed finds what waits in the ledger, and drops from it what V(k) has.
#pragma once

#include <algorithm>
#include <cassert>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "explore/edge_log.hpp"
#include "explore/exact_sweep_share.hpp"
#include "explore/ledger_run.hpp"
#include "explore/search.hpp"
#include "explore/waiting_columns.hpp"
#include "support/memory.hpp"

namespace tideline {

class ExactSweep {
public:
    static constexpr bool kForgets = false;
    static constexpr bool kInOrder = false;
    static constexpr bool kByLevels = false;
    static constexpr bool kJoint = false;
    static constexpr bool kDiscoversOnTake = false;
    static constexpr bool kSleeps = true;
    static constexpr bool kRecords = true;   // what is taken goes to a ledger, and is looked at then

    using Share = ExactSweepShare;
    using Layer = Share::Layer;
    using Layers = Share::Layers;
    using Part = Share::Part;

    ExactSweep(const System& system, const Permission& may_allocate, unsigned shares, LedgerRun& ledger, bool by_level)
        : may_allocate_(&may_allocate), ledger_(&ledger), packings_(ledger.writer, system),
          manner_{.by_level = by_level, .numbered = ledger.writer.header().edges, .postpones = ledger.thin_above.has_value()}, edges_(shares) {
        for (unsigned i = 0; i < shares; ++i) {
            // What sleeps is not looked up, and the numbers of its targets are not known.
            const Commuting* commuting = manner_.numbered ? nullptr : system.commuting();
            shares_.emplace_back(system.state_words(), system.state_bytes(), may_allocate, commuting, manner_);
            shares_.back().next_provisional_ = ledger.saved.provisional + i;
            shares_.back().provisional_step_ = shares;
        }
        bytes_before_ = ledger.writer.bytes();
        if (!ledger.resumed) return;
        // What waits is on disk, for this pass or the next one.
        pass_ = ledger.saved.pass;
        passes_ = ledger.saved.passes;
        peak_ = ledger.saved.statistics.peak_states;
        widest_ = ledger.saved.statistics.widest_layer;
        reread_ = ledger.saved.statistics.reread;
        spilled_ = ledger.saved.statistics.spilled;
        depth_ = ledger.saved.statistics.depth;
        regress_edges_before_ = ledger.saved.statistics.regress_edges;
        for (const auto& [id, batch] : ledger.writer.waiting()) {
            const bool is_ahead = (batch.pass & ~kMixed) <= pass_;
            if ((batch.pass & kMixed) != 0)
                (is_ahead ? mixed_ahead_ : mixed_later_).emplace(batch.key, id);
            else
                (is_ahead ? batches_ahead_ : batches_later_)[batch.key].push_back({id, false});
        }
        // The level that was interrupted is entered again.
        if (by_level && !batches_ahead_.empty()) counted_level_ = pass_;
        is_resuming_ = ledger.saved.in_layer;
        if (some_layer_waits())
            for (Share& share : shares_) share.at_.key = next_key();
    }

    // Brings what waited when the search was interrupted back into memory, as far as there is room for it; the rest is read when its turn comes.
    template <class Owner>
    void load_waiting(Owner owner) {
        is_on_disk_stale_ = true;
        std::vector<Word> state(shares_[0].words_);
        std::uint64_t bytes = 0;
        const auto load = [&](Batches& batches, Layers Share::* layers) {
            for (auto& [key, saved] : batches) {
                bytes += count_of(saved) * (2 * shares_[0].bytes_ + 20);
                if (!has_room(3 * bytes)) return;  // most of the room is for the layer at hand
                for (Saved& each : saved) {
                    read_waiting(each.id, state, owner, [&, k = key](Share& share, std::uint32_t) { return &share.at(share.*layers, k); });
                    each.in_memory = true;
                }
                for (Share& share : shares_)
                    if (const auto found = (share.*layers).find(key); found != (share.*layers).end()) share.elsewhere_ += found->second.waiting.size();
            }
        };
        load(batches_ahead_, &Share::ahead_);
        load(batches_later_, &Share::later_);
    }

    [[nodiscard]] Share& share(std::size_t i) { return shares_[i]; }

    // The states that a share has taken last become part of the ledger, with these labels; the number of the first one.
    std::uint64_t record(std::size_t i, std::span<const std::uint8_t> labels) {
        Share& share = shares_[i];
        const std::uint64_t number = ledger_->writer.states();
        for (std::uint64_t& parent : share.parents_)
            if (parent == RecordLog::kNoParent) parent = number;  // the initial state is its own parent
        ledger_->writer.append_states(share.at_.key, pass_, {share.parents_.size(), share.taken_bytes_, share.parents_, share.transitions_, labels});
        given_ += share.taken_bytes_.size() + labels.size() + share.parents_.size() * kBytesOfStep;
        if (!manner_.numbered) return number;
        LayerNumbers& numbers = *share.line_.numbers;
        for (std::size_t k = 0; k < share.taken_places_.size(); ++k) {
            pairs_.add(numbers.provisional(share.taken_places_[k]), number + k);
            numbers.table.set_number(share.taken_places_[k], number + k);
        }
        write_pairs();
        edges_.begin(i, share.taken_places_.size());
        return number;
    }
    // What a thread has expanded of the states that it took, with the numbers of the targets.
    void record_edges(std::size_t i, const SuccessorBatch& batch, std::span<const std::uint64_t> targets) {
        edges_.add(i, batch, targets);
        given_ += batch.size() * kBytesOfStep;
    }
    void write_edges() { edges_.flush(ledger_->writer); }

    // To the next layer that has something to expand. False: all is done.
    template <class Owner>
    bool advance(Owner owner) {
        is_on_disk_stale_ = true;
        note_peaks();
        leave();
        for (;;) {
            const bool is_block_done = !some_layer_waits() || (ledger_->block_bits && block_of(next_key()) != block_of(shares_[0].at_.key));
            if (is_block_done && some_layer_waits_later()) begin_pass();
            if (!some_layer_waits()) {
                passes_.back().expanded = ledger_->writer.states() - expanded_before();
                return false;
            }
            const Key key = next_key();
            read_mixed(key, owner);
            if (key != shares_[0].at_.key) manner_.bits = streamed_ = 0;
            if (manner_.bits == 0 && streamed_ == 0 && is_to_wait(key)) {
                leave_to_next_pass(key);
                continue;
            }
            is_pass_idle_ = false;
            manner_.streams = is_to_stream(key);
            streamed_ += manner_.streams ? 1 : 0;
            const unsigned bits = manner_.bits;
            while (!has_room_for(key))
                if (!cut_finer(key)) break;
            read_mixed(key, owner);  // it may have had to make way itself
            // All parts one after the other, until nothing waits for any of them.
            const std::uint32_t next = manner_.bits == bits ? shares_[0].at_.part + 1 : 0;
            if (enter({key, next & ((1U << manner_.bits) - 1)}, owner)) return true;
            note_peaks();
            leave();
        }
    }

    // Another packing for everything in memory and for what is written from here on. With several shares states are dealt out anew.
    template <class Owner>
    void repack(const System& wider, const Repacking& translate, Owner owner) {
        // What there is is needed twice for a while, in the new packing too: where that is too much, only the line's states.
        std::uint64_t on_line = 0;
        for (const Share& share : shares_) on_line += share.line_.table.size();
        const std::uint64_t bytes = 2 * wider.state_bytes() + 32;
        if (!has_room((waiting_in_memory() + on_line) * bytes)) {
            spill(~std::uint64_t{0});
            release_free_memory();
        }
        // Where the layer is cut, states change from one part to another, and those of the line are no part any more; nor are they where only
        // some of them can stay. What waits there goes back to the layer then, which the line begins again.
        const bool is_void = manner_.bits > 0 || !has_room(on_line * bytes);
        packings_.change(wider);
        manner_.known.fill();  // hashes change
        std::deque<Share> dealt;
        for (Share& old : shares_) {
            Share& fresh = dealt.emplace_back(wider.state_words(), wider.state_bytes(), *may_allocate_, nullptr, manner_);
            fresh.at_ = old.at_;
            fresh.regress_edges_ = old.regress_edges_;
            fresh.next_provisional_ = old.next_provisional_;
            fresh.provisional_step_ = old.provisional_step_;
        }
        std::vector<Word> from(shares_[0].words_);
        std::vector<Word> to(wider.state_words());
        std::uint64_t hash = 0;
        const auto receiver = [&](const void* state) -> Share& {
            from.back() = 0;
            std::memcpy(from.data(), state, shares_[0].bytes_);
            translate(from.data(), to.data());
            hash = hash_state(to.data(), to.size());
            return dealt[owner(hash)];
        };
        // The known states of the line, then what waits. Places on disk are forgotten: at worst a state is written twice.
        const auto wait_for = [&](const Layer& old, Layers Share::* layers, Key key) {
            std::uint64_t place = old.waiting.begin();
            old.waiting.for_each_from(0, [&](const RecordLog::Record& record) {
                const std::uint64_t its_place = place++;
                Share& owner_share = receiver(record.state);
                Layer& mine = owner_share.at(owner_share.*layers, key);
                const bool is_new = mine.numbers ? Share::insert_numbered(mine, to.data(), hash, old.numbers->provisional(old.numbers->places[its_place]))
                                                 : mine.table.insert(to.data(), hash);
                if (!is_new) return;
                mine.waiting.push(to.data(), record.parent, record.transition);
                ++owner_share.elsewhere_;
            });
            if (!old.numbers) return;
            std::vector<Word> state(shares_[0].words_);
            for (const LayerNumbers::Alias& alias : old.numbers->aliases) {
                if (!old.numbers->is_provisional(alias.place)) {
                    pairs_.add(alias.provisional, old.numbers->table.number(alias.place));
                    continue;
                }
                old.numbers->table.read(alias.place, state.data());
                Share& owner_share = receiver(state.data());
                Share::insert_numbered(owner_share.at(owner_share.*layers, key), to.data(), hash, alias.provisional);
            }
            write_pairs();
        };
        for (Share& share : shares_)
            if (!is_void) share.line_.table.for_each([&](const Word* state) { receiver(state).line_.table.insert(to.data(), hash); });
        if (!is_void)
            for (Share& share : shares_) repack_numbers_of_line(share, receiver, to, hash);
        for (Share& share : shares_) {
            if (is_void) {
                wait_for(share.line_, &Share::ahead_, share.at_.key);
            } else {
                share.line_.waiting.for_each_from(0, [&](const RecordLog::Record& record) {
                    Layer& mine = receiver(record.state).line_;
                    if (mine.numbers) mine.numbers->places.push_back(mine.numbers->table.find(to.data(), hash).value());
                    mine.waiting.push(to.data(), record.parent, record.transition);
                });
            }
            for (Layers Share::* layers : {&Share::ahead_, &Share::later_})
                for (auto& [key, layer] : share.*layers) wait_for(layer, layers, key);
        }
        if (is_void)
            for (Share& share : dealt) share.at_.part = kNoPart;
        for (std::size_t i = 0; i < shares_.size(); ++i) {
            dealt[i].asleep_ = std::move(shares_[i].asleep_);
            dealt[i].asleep_.wake_all(dealt[i].line_.waiting.size());
            std::swap(shares_[i], dealt[i]);  // one by one: the threads know them by their places
            shares_[i].forget_targets();
        }
    }

    // Writes what waits and is only in memory, and makes everything so far durable. Nothing that was taken may be left to expand.
    void commit(SavedSearch saved) {
        is_on_disk_stale_ = true;
        // Every commit adds a batch for each layer: where these become too many, layers of few states are left to the ledger together.
        if (!manner_.numbered && ledger_->writer.waiting().size() > kManyBatches) {
            for (Share& share : shares_) {
                spill(share, share.later_, share.later_.begin(), batches_later_, mixed_later_, pass_ + 1, 0, kTogether, kAll);
                spill(share, share.ahead_, share.ahead_.begin(), batches_ahead_, mixed_ahead_, pass_, 0, kTogether, kAll);
            }
        }
        for (Share& share : shares_) {
            save(share.line_, share.at_.key, pass_, batches_line_);
            for (auto& [key, layer] : share.ahead_)
                if (layer.on_disk < layer.waiting.end()) save(layer, key, pass_, batches_ahead_[key]);
            for (auto& [key, layer] : share.later_)
                if (layer.on_disk < layer.waiting.end()) save(layer, key, pass_ + 1, batches_later_[key]);
        }
        saved.walk = to_string(manner_.by_level ? WalkOrder::breadth_first : WalkOrder::sweep);
        saved.pass = pass_;
        saved.statistics.spilled = spilled_;
        saved.passes = passes_;
        saved.in_layer = !batches_line_.empty();
        assert(edges_.empty() && "everything that was taken has been expanded");
        if (manner_.numbered)
            for (const Share& share : shares_) saved.provisional = std::max(saved.provisional, share.next_provisional_);
        ledger_->writer.commit(to_text(saved));
    }

    // Gives memory back by leaving waiting states to the ledger, those needed last first; but where layers of few states cannot be put together
    // and are soon as large in the ledger's books as in memory, these only when there is nothing else. False: there is nothing more to give.
    bool spill(std::uint64_t bytes) {
        is_on_disk_stale_ = true;
        std::uint64_t given = 0;
        for (const std::uint64_t least : {1024U, 64U, 0U}) {
            if (!manner_.numbered && least > 0) continue;
            for (Share& share : shares_)
                if (given < bytes) given += spill(share, share.later_, share.later_.begin(), batches_later_, mixed_later_, pass_ + 1, least, kAll, bytes - given);
            for (Share& share : shares_)
                if (given < bytes)
                    given += spill(share, share.ahead_, behind_first(share.ahead_), batches_ahead_, mixed_ahead_, pass_, least, kAll, bytes - given);
        }
        return given > 0;
    }

    // Cuts the layer at hand into twice as many parts. What waits is left to the ledger, and the line begins the layer again; nothing that was
    // taken may be left to expand. False: they are as small as they get.
    bool cut() {
        if (manner_.bits == kMostBits) return false;
        is_on_disk_stale_ = true;
        for (Share& share : shares_) {
            spilled_ += share.line_.waiting.size();
            save(share.line_, share.at_.key, pass_, batches_line_);
            share.line_ = share.empty_layer();
            share.asleep_.wake_all(0);
            spill(share, share.ahead_, behind_first(share.ahead_), batches_ahead_, mixed_ahead_, pass_, 0, kAll, kAll);
            spill(share, share.later_, share.later_.begin(), batches_later_, mixed_later_, pass_ + 1, 0, kAll, kAll);
        }
        if (!batches_line_.empty()) {
            std::vector<Saved>& again = batches_ahead_[shares_[0].at_.key];
            for (Saved& each : batches_line_) each.in_memory = false;
            again.insert(again.end(), batches_line_.begin(), batches_line_.end());
            batches_line_.clear();
        }
        return cut_finer(shares_[0].at_.key);
    }

    // At most: a state that waits may be known, or wait twice where one of the two was spilled.
    [[nodiscard]] std::uint64_t states() const { return ledger_->writer.states() + waiting(); }
    // That can be taken before the next advance().
    [[nodiscard]] std::uint64_t ready() const {
        std::uint64_t result = 0;
        for (const Share& share : shares_) result += share.line_.waiting.size();
        return result;
    }

    // Tables may take so much more than the limit between two looks at it; plans for more than a round may not.
    void set_overdraft(std::uint64_t bytes) { overdraft_ = bytes; }

    // What a checkpoint would add to what the ledger has written, about: what the ledger has been given since note_written() and what waits in
    // memory, as far as both can be compressed, and the books.
    [[nodiscard]] std::uint64_t checkpoint_bytes() const {
        constexpr std::uint64_t kOpenFrames = std::uint64_t{128} << 10U;
        constexpr std::uint64_t kBook = 64;  // of a layer or a batch
        std::uint64_t layers = 256;
        for (const Share& share : shares_) layers += share.ahead_.size() + share.later_.size();
        const std::uint64_t raw = given_ - given_before_ + std::min(kOpenFrames, given_) + waiting_in_memory() * (shares_[0].bytes_ + kBytesOfStep);
        return static_cast<std::uint64_t>(static_cast<double>(raw) * std::min(1.0, 2 * compression_)) + layers * kBook;
    }
    // Everything that was given is written, but for frames that are open.
    void note_written() {
        const std::uint64_t written = ledger_->writer.bytes() - std::min(ledger_->writer.bytes(), bytes_before_);
        if (given_ > 0) compression_ = static_cast<double>(written) / static_cast<double>(given_);
        given_before_ = given_;
    }

    void count(Statistics& statistics) {
        note_peaks();
        statistics.states = states();
        statistics.states_exact = are_states_distinct();
        statistics.peak_states = peak_;
        statistics.waiting = waiting();
        statistics.layers = manner_.by_level ? 1 : ledger_->writer.key_count();
        statistics.depth = depth_;
        statistics.sweeps = manner_.by_level ? 0 : passes_.size();
        statistics.widest_layer = widest_;
        statistics.reread = reread_;
        statistics.spilled = spilled_;
        statistics.regress_edges = regress_edges_before_;
        for (const Share& share : shares_) statistics.regress_edges += share.regress_edges_;
        statistics.ledger_bytes = ledger_->writer.bytes();
    }

    [[nodiscard]] const std::vector<SweepCount>& details() const { return passes_; }

    // How the ledger's states become those of the present packing.
    [[nodiscard]] const LedgerPackings& packings() const { return packings_; }
    [[nodiscard]] std::vector<Word> state_of(std::uint64_t number) {
        const Records records = ledger_->writer.state(number);
        std::vector<Word> state(shares_[0].words_);
        packings_.unpack(records.packing, records.bytes.data(), state.data());
        return state;
    }

private:
    // Waiting states in the ledger; those of a layer that was spilled are not in memory.
    struct Saved {
        std::uint64_t id = 0;
        bool in_memory = true;
        std::uint64_t parts = ~std::uint64_t{0};  // bit n: the line has not been on part n of the layer yet
    };
    static constexpr unsigned kMostBits = 6;
    static constexpr std::uint32_t kNoPart = ~0U;
    static constexpr unsigned kMostStreamed = 8;         // times in a row
    static constexpr std::uint64_t kFewerStates = 2;     // that wait, than are known
    [[nodiscard]] std::uint64_t all_parts() const { return manner_.bits == kMostBits ? ~std::uint64_t{0} : (std::uint64_t{1} << (1U << manner_.bits)) - 1; }
    using Batches = std::map<Key, std::vector<Saved>>;

    // Batches of several layers, by the least key (waiting_columns.hpp). What is in such a batch is not in memory, and when it is read, the batch
    // goes: the next commit writes what still waits then. Not where states have numbers: a state that was written twice has two, and both
    // must stay in the ledger until the state has its place.
    using Mixed = std::multimap<Key, std::uint64_t>;
    static constexpr std::uint32_t kMixed = 1U << 31U;        // such a batch, beside the pass
    static constexpr std::size_t kTogether = 1024;            // states of such a batch; layers of more have their own
    static constexpr std::size_t kManyBatches = 4096;
    static constexpr std::uint64_t kAll = ~std::uint64_t{0};
    static constexpr std::uint64_t kBytesOfStep = 12;         // of a parent and a transition

    [[nodiscard]] std::uint64_t waiting() const { return waiting_in_memory() + count_on_disk(); }
    [[nodiscard]] std::uint64_t waiting_in_memory() const {
        std::uint64_t result = 0;
        for (const Share& share : shares_) result += share.line_.waiting.size() + share.elsewhere_;
        return result;
    }
    // Of waiting states that are on disk only.
    [[nodiscard]] std::uint64_t count_on_disk() const {
        if (!std::exchange(is_on_disk_stale_, false)) return on_disk_;
        on_disk_ = 0;
        for (const Batches* batches : {&batches_ahead_, &batches_later_})
            for (const auto& [key, saved] : *batches) on_disk_ += count_of(saved);
        for (const Mixed* mixed : {&mixed_ahead_, &mixed_later_})
            for (const auto& [key, id] : *mixed) on_disk_ += ledger_->writer.waiting().at(id).count;
        return on_disk_;
    }
    // Whether no state that waits is known or waits twice. So it is when every layer that has been on the line was left for good, and what waits is
    // in memory, where each layer is a set.
    [[nodiscard]] bool are_states_distinct() const {
        if (waiting() == 0) return true;
        if (manner_.by_level || manner_.streams || manner_.bits > 0 || is_resuming_ || count_on_disk() > 0) return false;
        std::uint64_t regress = regress_edges_before_;
        for (const Share& share : shares_) regress += share.regress_edges_;
        return regress == 0;
    }

    // Whether so much may be taken for longer than a round.
    [[nodiscard]] bool has_room(std::uint64_t bytes) const { return (*may_allocate_)(bytes + overdraft_); }

    [[nodiscard]] bool some_layer_waits() const {
        return !batches_ahead_.empty() || !mixed_ahead_.empty() || std::any_of(shares_.begin(), shares_.end(), [](const Share& share) { return !share.ahead_.empty(); });
    }
    [[nodiscard]] bool some_layer_waits_later() const {
        return !batches_later_.empty() || !mixed_later_.empty() || std::any_of(shares_.begin(), shares_.end(), [](const Share& share) { return !share.later_.empty(); });
    }
    [[nodiscard]] Key next_key() const {
        Key next = ~Key{0};
        if (!batches_ahead_.empty()) next = batches_ahead_.begin()->first;
        if (!mixed_ahead_.empty()) next = std::min(next, mixed_ahead_.begin()->first);
        for (const Share& share : shares_)
            if (!share.ahead_.empty()) next = std::min(next, share.ahead_.begin()->first);
        return next;
    }
    [[nodiscard]] std::uint64_t expanded_before() const {
        std::uint64_t before = 0;
        for (std::size_t i = 0; i + 1 < passes_.size(); ++i) before += passes_[i].expanded;
        return before;
    }

    [[nodiscard]] Key block_of(Key key) const { return *ledger_->block_bits >= 128 ? 0 : key >> *ledger_->block_bits; }

    // What waited for the next pass waits in this one from now on, beside what waits in blocks ahead.
    void begin_pass() {
        passes_.back().expanded = ledger_->writer.states() - expanded_before();
        for (Share& share : shares_) {
            share.ahead_.merge(share.later_);
            assert(share.later_.empty() && "a layer waits in one pass only");
            share.forget_targets();
        }
        for (auto& [key, saved] : batches_later_) {
            std::vector<Saved>& ahead = batches_ahead_[key];
            ahead.insert(ahead.end(), saved.begin(), saved.end());
        }
        batches_later_.clear();
        mixed_ahead_.merge(mixed_later_);
        manner_.bits = streamed_ = 0;
        if (std::exchange(is_pass_idle_, true)) return;  // a pass that has left every layer to the next one is none
        ++pass_;
        passes_.emplace_back();
    }

    // Of states that are not in memory.
    [[nodiscard]] std::uint64_t count_of(const std::vector<Saved>& batches) const {
        std::uint64_t count = 0;
        for (const Saved& saved : batches)
            if (!saved.in_memory) count += ledger_->writer.waiting().at(saved.id).count;
        return count;
    }
    [[nodiscard]] std::uint64_t known_count(Key key) const {
        std::uint64_t count = 0;
        for (const Extent& extent : ledger_->writer.extents_of(key)) count += extent.count;
        return count;
    }

    [[nodiscard]] std::uint64_t waiting_count(Key key) const {
        std::uint64_t count = 0;
        for (const Share& share : shares_)
            if (const auto found = share.ahead_.find(key); found != share.ahead_.end()) count += found->second.waiting.size();
        if (const auto found = batches_ahead_.find(key); found != batches_ahead_.end()) count += count_of(found->second);
        return count;
    }

    // Whether so few states wait for a layer that V(k) is not to be kept: reading it several times takes no longer then. How often it has to be
    // read is not known, so not more often than that. A layer that was interrupted is as it was then: most of V(k) may have come in this visit.
    [[nodiscard]] bool is_to_stream(Key key) const {
        if (manner_.by_level || manner_.numbered || manner_.bits > 0 || streamed_ == kMostStreamed || is_resuming_) return false;
        const std::uint64_t known = known_count(key);
        return known > ledger_->streamed_above && kFewerStates * waiting_count(key) <= known;
    }

    // Whether so few states wait for a layer that it is better left to the next pass; not where that has not brought more of them before.
    [[nodiscard]] bool is_to_wait(Key key) {
        if (!ledger_->thin_above || manner_.by_level || is_resuming_) return false;
        // Where the line was interrupted on it, some of its states may wait for the next pass already.
        if (std::any_of(shares_.begin(), shares_.end(), [&](const Share& share) { return share.later_.contains(key); })) return false;
        const std::uint64_t known = known_count(key);
        if (known <= *ledger_->thin_above) return false;
        const std::uint64_t waiting = waiting_count(key);
        if (2 * waiting >= known) {
            left_.erase(key);
            return false;
        }
        const auto [before, is_first] = left_.try_emplace(key, waiting);
        const bool is_growing = is_first || waiting > before->second + before->second / 8;
        if (is_growing)
            before->second = waiting;
        else
            left_.erase(before);
        return is_growing;
    }

    void leave_to_next_pass(Key key) {
        for (Share& share : shares_) {
            if (auto layer = share.ahead_.extract(key)) {
                [[maybe_unused]] const auto left = share.later_.insert(std::move(layer));
                assert(left.inserted && "a layer waits in one pass only");
            }
            share.forget_targets();
        }
        if (auto saved = batches_ahead_.extract(key)) {
            std::vector<Saved>& later = batches_later_[key];
            later.insert(later.end(), saved.mapped().begin(), saved.mapped().end());
        }
    }

    // Whether the states of a layer, or of a part of it, that are on disk can be brought back, when what waits elsewhere has made way.
    [[nodiscard]] bool has_room_for(Key key) {
        const std::uint64_t known = manner_.by_level ? 0 : known_count(key);
        std::uint64_t waiting = 0;
        if (const auto found = batches_ahead_.find(key); found != batches_ahead_.end()) waiting += count_of(found->second);
        // A table is filled by two thirds at least.
        const std::size_t bytes = shares_[0].bytes_;
        const std::uint64_t entry = 3 * (bytes <= 16 ? std::max<std::size_t>(bytes, 8) : bytes + 8) / 2 + (manner_.numbered ? 20 : 0);
        const std::uint64_t needed = (known * (manner_.streams ? 1 : entry) + waiting * (entry + bytes + 10)) >> manner_.bits;
        constexpr std::uint64_t kLittle = std::uint64_t{512} << 10U;  // not worth a question
        if (needed <= kLittle || has_room(needed)) return true;
        for (const std::uint64_t enough : {needed, ~std::uint64_t{0}}) {
            spill(enough);
            release_free_memory();
            if (has_room(needed)) return true;
        }
        return false;
    }

    // What waits in the ledger for a layer is read anew for the smaller parts.
    bool cut_finer(Key key) {
        if (manner_.bits == kMostBits) return false;
        ++manner_.bits;
        manner_.streams = false;
        if (const auto found = batches_ahead_.find(key); found != batches_ahead_.end())
            for (Saved& each : found->second) each.parts = ~std::uint64_t{0};
        return true;
    }

    void leave() {
        for (Share& share : shares_) {
            // All states of the layer have final numbers now.
            if (const LayerNumbers* numbers = share.line_.numbers.get())
                for (const LayerNumbers::Alias& alias : numbers->aliases) pairs_.add(alias.provisional, numbers->table.number(alias.place));
            share.line_ = share.empty_layer();
        }
        write_pairs();
        for (const Saved& saved : batches_line_) ledger_->writer.drop_waiting(saved.id);
        batches_line_.clear();
        manner_.known.release();
    }

    // Whether there is anything to expand.
    template <class Owner>
    bool enter(const Part& part, Owner owner) {
        for (Share& share : shares_) {
            share.at_ = part;
            share.forget_targets();
            const auto found = share.ahead_.find(part.key);
            if (found == share.ahead_.end()) continue;
            if (manner_.bits == 0)
                share.line_ = std::move(found->second);
            else
                share.pick_part(found->second);
            share.elsewhere_ -= share.line_.waiting.size();
            if (manner_.bits == 0 || found->second.waiting.size() == 0) share.ahead_.erase(found);
        }
        std::vector<Word> state(shares_[0].words_);
        if (const auto found = batches_ahead_.find(part.key); found != batches_ahead_.end()) {
            const std::uint64_t bit = std::uint64_t{1} << part.part;
            for (Saved& saved : found->second) {
                if (!saved.in_memory && (saved.parts & bit) != 0)
                    read_waiting(saved.id, state, owner, [&](Share& share, std::uint32_t its) { return its == part.part ? &share.line_ : nullptr; });
                saved.parts &= ~bit;
                if ((saved.parts & all_parts()) == 0) batches_line_.push_back(saved);
            }
            std::erase_if(found->second, [this](const Saved& saved) { return (saved.parts & all_parts()) == 0; });
            if (found->second.empty()) batches_ahead_.erase(found);
        }
        bool some = std::any_of(shares_.begin(), shares_.end(), [](const Share& share) { return share.line_.waiting.size() > 0; });
        if (some) drop_known(part, state, owner);
        is_resuming_ = false;
        some = false;
        for (Share& share : shares_) {
            some = some || share.line_.waiting.size() > 0;
            share.asleep_.wake_all(share.line_.waiting.size());
        }
        if (manner_.by_level && some && counted_level_ != pass_) {
            counted_level_ = pass_;
            ++depth_;
        }
        return some;
    }

    // What was spilled, or waited when the search was interrupted.
    template <class Owner, class LayerOf>
    void read_waiting(std::uint64_t id, std::vector<Word>& state, Owner owner, LayerOf layer_of) {
        ledger_->writer.read_waiting(ledger_->writer.waiting().at(id), [&](const Records& records) {
            for (std::uint64_t i = 0; i < records.count; ++i) {
                packings_.unpack(records.packing, records.bytes.data() + i * records.record_bytes, state.data());
                const std::uint64_t hash = hash_state(state.data(), state.size());
                Layer* layer = layer_of(shares_[owner(hash)], manner_.part_of(hash));
                if (layer == nullptr) continue;
                if (!(layer->numbers ? Share::insert_numbered(*layer, state.data(), hash, records.others[i]) : layer->table.insert(state.data(), hash))) continue;
                layer->waiting.push(state.data(), records.numbers[i], records.tags[i]);
                // Only where nothing before it is missing on disk.
                if (layer->on_disk + 1 == layer->waiting.end()) ++layer->on_disk;
            }
        });
    }

    // The layers that were left to the ledger together with this one wait in memory again. What is in their batches is to be written anew if need be.
    template <class Owner>
    void read_mixed(Key key, Owner owner) {
        std::vector<Word> state(shares_[0].words_);
        for (; !mixed_ahead_.empty() && mixed_ahead_.begin()->first == key; mixed_ahead_.erase(mixed_ahead_.begin())) {
            const std::uint64_t id = mixed_ahead_.begin()->second;
            MixedReader reader;
            ledger_->writer.read_waiting(ledger_->writer.waiting().at(id), [&](const Records& records) {
                reader.read(records, [&](Key its, std::uint64_t i) {
                    packings_.unpack(records.packing, records.bytes.data() + i * records.record_bytes, state.data());
                    const std::uint64_t hash = hash_state(state.data(), state.size());
                    Share& share = shares_[owner(hash)];
                    Layer& layer = share.at(share.ahead_, its);
                    if (!layer.table.insert(state.data(), hash)) return;
                    layer.waiting.push(state.data(), records.numbers[i], records.tags[i]);
                    ++share.elsewhere_;
                });
            });
            ledger_->writer.drop_waiting(id);
        }
    }

    // Reads V(k) past what waits. By level, and where it is streamed, it is not kept; else it becomes part of the layer in memory.
    template <class Owner>
    void drop_known(const Part& part, std::vector<Word>& state, Owner owner) {
        const std::vector<Extent> extents = ledger_->writer.extents_of(part.key);
        if (extents.empty()) return;
        if (manner_.numbered) return drop_known_numbered(part, extents, owner);
        HashFilter waiting;
        if (manner_.streams) {
            std::uint64_t count = 0;
            for (const Share& share : shares_) count += share.line_.table.size();
            waiting.reset(2 * count);
            for (const Share& share : shares_) share.line_.table.for_each([&](const Word* each) { waiting.add(hash_state(each, share.words_)); });
            manner_.known.reset(known_count(part.key));
        }
        std::deque<StateTable> known;
        for (const Share& share : shares_) known.emplace_back(share.words_, share.bytes_, *may_allocate_);
        std::uint64_t hits = 0;
        for (const Extent& extent : extents) {
            if (!is_resuming_) reread_ += extent.count;
            ledger_->writer.read_extent(extent, [&](const Records& records) {
                for_each_state(records, owner, [&](std::size_t s, const Word* read, std::uint64_t hash, std::uint64_t /*number*/) {
                    if (manner_.part_of(hash) != part.part) return;
                    if (manner_.streams) {
                        manner_.known.add(hash);
                        if (!waiting.may_contain(hash)) return;
                    }
                    StateTable& table = shares_[s].line_.table;
                    const bool waits = manner_.by_level || manner_.streams ? table.contains(read, hash) : !table.insert(read, hash);
                    if (waits) hits += known[s].insert(read, hash);
                });
            });
        }
        if (hits == 0) return;
        for (std::size_t s = 0; s < shares_.size(); ++s) {
            RecordLog rest(shares_[s].bytes_);
            for (RecordLog& all = shares_[s].line_.waiting; all.size() > 0;) {
                const RecordLog::Record record = all.pop();
                state.back() = 0;
                std::memcpy(state.data(), record.state, shares_[s].bytes_);
                if (!known[s].contains(state.data(), hash_state(state.data(), state.size())))
                    rest.push(state.data(), record.parent, record.transition);
            }
            shares_[s].line_.waiting = std::move(rest);
            shares_[s].line_.on_disk = 0;
        }
    }

    // The same where states have numbers. What waits and is known keeps its place, with the number that it has in the ledger.
    template <class Owner>
    void drop_known_numbered(const Part& part, const std::vector<Extent>& extents, Owner owner) {
        std::uint64_t hits = 0;
        const auto settle = [&](LayerNumbers& numbers, NumberTable::Place place, std::uint64_t number) {
            ++hits;
            pairs_.add(numbers.provisional(place), number);
            numbers.table.set_number(place, number);
        };
        for (const Extent& extent : extents) {
            if (!is_resuming_) reread_ += extent.count;
            ledger_->writer.read_extent(extent, [&](const Records& records) {
                for_each_state(records, owner, [&](std::size_t s, const Word* read, std::uint64_t hash, std::uint64_t number) {
                    if (manner_.part_of(hash) != part.part) return;
                    LayerNumbers& numbers = *shares_[s].line_.numbers;
                    if (manner_.by_level) {
                        if (const std::optional<NumberTable::Place> place = numbers.table.find(read, hash)) settle(numbers, *place, number);
                        return;
                    }
                    const NumberTable::Insertion inserted = numbers.table.insert(read, hash);
                    if (inserted.is_new)
                        numbers.table.set_number(inserted.place, number);
                    else
                        settle(numbers, inserted.place, number);
                });
            });
            write_pairs();
        }
        if (hits == 0) return;
        for (Share& share : shares_) {
            RecordLog rest(share.bytes_);
            std::vector<NumberTable::Place> places;
            for (RecordLog& all = share.line_.waiting; all.size() > 0;) {
                const NumberTable::Place place = share.line_.numbers->places[all.begin()];
                const RecordLog::Record record = all.pop();
                if (!share.line_.numbers->is_provisional(place)) continue;
                rest.push(record.state, record.parent, record.transition);
                places.push_back(place);
            }
            share.line_.waiting = std::move(rest);
            share.line_.numbers->places = std::move(places);
            share.line_.on_disk = 0;
        }
    }

    // Carries the numbers of a share's line over to the lines that its states belong to now. receiver(state) translates the state to `to`,
    // with its hash.
    template <class Receiver>
    void repack_numbers_of_line(const Share& share, Receiver receiver, const std::vector<Word>& to, const std::uint64_t& hash) const {
        const LayerNumbers* old = share.line_.numbers.get();
        if (old == nullptr) return;
        std::vector<Word> state(share.words_);
        const auto mine = [&](NumberTable::Place place) -> LayerNumbers& {
            old->table.read(place, state.data());
            return *receiver(state.data()).line_.numbers;
        };
        for (std::uint64_t i = 0; i < old->table.size(); ++i) {
            const auto place = static_cast<NumberTable::Place>(i);
            NumberTable& table = mine(place).table;
            table.set_number(table.insert(to.data(), hash).place, old->table.number(place));
        }
        for (const LayerNumbers::Alias& alias : old->aliases) {
            LayerNumbers& numbers = mine(alias.place);
            numbers.aliases.push_back({alias.provisional, numbers.table.find(to.data(), hash).value()});
        }
    }

    void write_pairs() {
        if (pairs_.provisional.empty()) return;
        ledger_->writer.append_numbers(pairs_.provisional, pairs_.final_numbers);
        pairs_.clear();
    }

    // Calls visit(share, state, hash, number) for states that were read, when their places in the tables of the line are in the cache.
    template <class Owner, class Visit>
    void for_each_state(const Records& records, Owner owner, Visit visit) {
        constexpr std::uint64_t kBlock = 64;
        const std::size_t words = shares_[0].words_;
        read_.resize(kBlock * words);
        std::uint64_t hashes[kBlock];
        for (std::uint64_t begin = 0; begin < records.count; begin += kBlock) {
            const std::uint64_t count = std::min(kBlock, records.count - begin);
            for (std::uint64_t i = 0; i < count; ++i) {
                Word* state = read_.data() + i * words;
                packings_.unpack(records.packing, records.bytes.data() + (begin + i) * records.record_bytes, state);
                hashes[i] = hash_state(state, words);
                if (!manner_.streams) shares_[owner(hashes[i])].line_.table.prefetch(hashes[i]);
            }
            for (std::uint64_t i = 0; i < count; ++i) visit(owner(hashes[i]), read_.data() + i * words, hashes[i], records.first + begin + i);
        }
    }

    void save(Layer& layer, Key key, std::uint32_t pass, std::vector<Saved>& batches) {
        const std::uint64_t from = std::max(layer.on_disk, layer.waiting.begin());
        if (from == layer.waiting.end()) return;
        constexpr std::size_t kAtATime = 4096;  // memory may be short
        WaitingColumns outgoing;
        std::uint64_t place = from;
        const auto write = [&] {
            if (outgoing.parents.empty()) return;
            given_ += outgoing.parents.size() * (layer.table.state_bytes() + kBytesOfStep);
            batches.push_back({ledger_->writer.append_waiting(key, pass, outgoing.columns()), true});
            outgoing.clear();
        };
        layer.waiting.for_each_from(from, [&](const RecordLog::Record& record) {
            outgoing.push(record, layer.table.state_bytes());
            if (layer.numbers) outgoing.numbers.push_back(layer.numbers->provisional(layer.numbers->places[place++]));
            if (outgoing.parents.size() == kAtATime) write();
        });
        write();
        layer.on_disk = layer.waiting.end();
    }

    // Behind the small layers that the line comes to first, as many as were read with a mixed batch: if these made way, the same states would come and
    // go for every layer.
    [[nodiscard]] Layers::iterator behind_first(Layers& layers) const {
        if (manner_.numbered) return layers.begin();
        std::uint64_t count = 0;
        auto first = layers.begin();
        while (first != layers.end() && (count += first->second.waiting.size()) < kTogether) ++first;
        return first;
    }

    // Layers from the given one on that have so many waiting states, the last ones first, until so many bytes are given.
    std::uint64_t spill(Share& share, Layers& layers, Layers::iterator first, Batches& batches, Mixed& mixed, std::uint32_t pass, std::uint64_t least,
                        std::uint64_t below, std::uint64_t bytes) {
        std::uint64_t given = 0;
        WaitingColumns together;
        Key lowest = 0;
        const auto write_mixed = [&] {
            if (together.parents.empty()) return;
            given_ += together.parents.size() * (share.bytes_ + kBytesOfStep);
            mixed.emplace(lowest, ledger_->writer.append_waiting(lowest, pass | kMixed, together.columns()));
            together.clear();
        };
        for (auto end = layers.end(); end != first && given < bytes;) {
            const auto last = std::prev(end);
            const auto& [key, layer] = *last;
            const std::uint64_t count = layer.waiting.size();
            if (count < least || count >= below) {
                end = last;
                continue;
            }
            if (last == first) ++first;
            if (count < kTogether && !manner_.numbered) {
                spilled_ += count;
                lowest = key;
                together.push_key(key, count, share.bytes_);
                layer.waiting.for_each_from(0, [&](const RecordLog::Record& record) { together.push(record, share.bytes_); });
                if (together.parents.size() >= kTogether) write_mixed();
            } else {
                spilled_ += layer.waiting.end() - std::max(layer.on_disk, layer.waiting.begin());
                std::vector<Saved>& saved = batches[key];
                save(last->second, key, pass, saved);
                for (Saved& each : saved) each.in_memory = false;
            }
            given += count * (2 * share.bytes_ + 20) + 1;
            share.elsewhere_ -= count;
            end = layers.erase(last);
        }
        write_mixed();
        share.forget_targets();
        return given;
    }

    void note_peaks() {
        std::uint64_t on_line = 0;
        std::uint64_t stored = 0;
        for (const Share& share : shares_) {
            on_line += share.line_.size();
            stored += share.elsewhere_;
        }
        widest_ = std::max(widest_, on_line);
        peak_ = std::max(peak_, stored + on_line);
        passes_.back().peak_states = std::max(passes_.back().peak_states, stored + on_line);
    }

    const Permission* may_allocate_;
    LedgerRun* ledger_;
    LedgerPackings packings_;
    Share::Manner manner_;
    std::deque<Share> shares_;
    std::uint32_t pass_ = 0;
    std::vector<SweepCount> passes_ = std::vector<SweepCount>(1);
    Batches batches_ahead_;                    // in the ledger, of layers that wait,
    Batches batches_later_;
    Mixed mixed_ahead_;                        // and of several,
    Mixed mixed_later_;
    std::vector<Saved> batches_line_;          // and of the one that the line is on
    std::vector<Word> read_;                   // from the ledger
    NumberPairs pairs_;                        // on their way to it
    EdgeLog edges_;
    std::map<Key, std::uint64_t> left_;        // layers that were left to the next pass, with the states that waited for them
    unsigned streamed_ = 0;                    // times in a row that the line has come to its layer without V(k)
    bool is_pass_idle_ = false;                // this pass has entered no layer yet
    bool is_resuming_ = false;                 // until the layer that was interrupted has been entered again
    std::uint64_t peak_ = 0;
    std::uint64_t widest_ = 0;
    std::uint64_t reread_ = 0;
    std::uint64_t spilled_ = 0;
    std::uint64_t depth_ = 0;
    std::uint64_t counted_level_ = ~std::uint64_t{0};  // the last pass that counts in depth_
    std::uint64_t regress_edges_before_ = 0;   // of the search that was resumed
    mutable bool is_on_disk_stale_ = true;     // the next figure
    mutable std::uint64_t on_disk_ = 0;        // waiting states that are on disk only
    std::uint64_t overdraft_ = 0;
    // Of what the ledger has been given: bytes before they were compressed, in all and up to note_written().
    std::uint64_t given_ = 0;
    std::uint64_t given_before_ = 0;
    std::uint64_t bytes_before_ = 0;           // of the ledger, before this search
    double compression_ = 1;
};

}  // namespace tideline
