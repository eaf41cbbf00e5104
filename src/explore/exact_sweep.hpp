// The exact sweep: states in the order of their progress keys, layers written to a ledger as the sweep line leaves
// them, and every state expanded once, whatever the measure. Without a measure: breadth-first search with the visited
// states on disk.
//
// L. M. Kristensen, T. Mailund and K. Jensen delete a layer and forget it; a regress edge then leads to states that are
// explored again. Here a layer is on disk. Let V(k) be the states of key k there, the visited ones, and B(k) the open
// ones. A pass takes the keys with open states in ascending order. For key k it reads V(k) into memory beside B(k),
// removes the states of V(k) from B(k), and expands the rest to closure inside the layer. A successor with a larger key
// waits in this pass, one with a smaller key for the next. Passes repeat until no state is open. A state is expanded
// only when it is in neither V(k) nor what was expanded since: exactly once. With a monotonic measure there is one
// pass, and nothing is read back.
//
// A state that is first expanded in pass n + 1 cannot be reached with fewer than n regress edges, and layers come in
// ascending order. So the first state that an observer stops at has, of all such states, the fewest regress edges on
// the path to it, and among those the least progress (Theorem 3 of the survey of 2012). Therefore states are checked
// when they are taken, not when they are discovered.
//
// Breadth-first (`by_level`): all states have one key, and a pass is a level. A successor waits for the next pass. When
// that begins, everything on disk is streamed past the open states (delayed duplicate detection).
//
// When memory is short, open states of layers that are needed last are spilled: written to the ledger, and read again
// when the sweep line comes to them, duplicates and all. A layer that is too large itself is split while the sweep line
// is on it: some bits of the hash choose a slice, and the sweep line goes through the slices of the layer, again and
// again, until none has an open state. V(k) is then read for every slice. Open states are not split: those of a slice
// are picked when the sweep line comes to it, so that splitting one layer touches no other.
//
// A layer of which few states are open, compared with V(k), costs more to read than it gives. V(k) is then streamed
// past the open states, or the layer is deferred to the next pass.
//
// Where the ledger has edges, states have numbers in memory, every successor is looked up, and nothing sleeps: the
// edges of a state are written when it has been expanded (ledger_edge_sink.hpp), to temporary ids as long as the
// targets are open.
//
// A checkpoint writes the open states that are not on disk yet, those of the current layer included. It can be made
// whenever all states that were taken have been expanded completely. A search that is resumed finds the open states in
// the ledger, and removes from them what V(k) has.
//
// This file is the course of the search. Its parts: sweep_passes.hpp (which layer comes next), pass_queue.hpp,
// open_layers.hpp and saved_batches.hpp (the queues of this pass and the next), ledger_states.hpp and
// visited_loader.hpp (what is read from the ledger), batch_writer.hpp (what is written to it), sweep_decisions.hpp
// (when a layer is split, streamed, deferred, spilled), layer_numbers.hpp (numbering), sweep_repacking.hpp (wider
// fields), sweep_figures.hpp and checkpoint_estimate.hpp (figures), exact_sweep_partition.hpp (what a thread has of
// it).
#pragma once

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "explore/batch_writer.hpp"
#include "explore/checkpoint_estimate.hpp"
#include "explore/exact_sweep_partition.hpp"
#include "explore/initial_states.hpp"
#include "explore/ledger_run.hpp"
#include "explore/ledger_states.hpp"
#include "explore/pass_queue.hpp"
#include "explore/search.hpp"
#include "explore/sweep_decisions.hpp"
#include "explore/sweep_figures.hpp"
#include "explore/sweep_passes.hpp"
#include "explore/sweep_repacking.hpp"
#include "explore/visited_loader.hpp"
#include "explore/walk.hpp"
#include "support/budget.hpp"
#include "support/memory.hpp"

namespace tideline::explore {

class ExactSweep {
public:
    static constexpr WalkTraits kTraits{.retention = Retention::ledger, .order = ExpansionOrder::keys};

    using Partition = ExactSweepPartition;

    ExactSweep(const WalkSetup& setup, LedgerRun& ledger, bool by_level, bool monotonic_only = false)
        : try_reserve_(&setup.try_reserve),
          budget_(setup.budget),
          ledger_(&ledger),
          packings_(ledger.writer, setup.system),
          shape_{setup.system.state_words(), setup.system.state_bytes(), &setup.try_reserve,
                 ledger.writer.header().edges},
          mode_{.by_level = by_level,
                .is_numbered = shape_.is_numbered,
                .defers = ledger.thin_above.has_value(),
                .monotonic_only = monotonic_only},
          this_pass_(setup.partitions, shape_, false),
          next_pass_(setup.partitions, shape_, true),
          passes_(ledger.resumed ? ledger.saved.pass : 0, ledger.block_bits,
                  by_level ? std::nullopt : ledger.thin_above),
          figures_(ledger.resumed ? SweepFigures(ledger.saved) : SweepFigures()),
          estimate_(ledger.writer.bytes()),
          batch_writer_(ledger.writer, figures_, estimate_),
          ledger_states_(ledger.writer, packings_, shape_.words),
          visited_loader_(ledger_states_, mode_, shape_, current_),
          initial_(setup.system) {
        for (unsigned i = 0; i < setup.partitions; ++i) {
            const TemporaryIds ids(ledger.saved.next_temporary_id + i, setup.partitions);
            current_.push_back(
                &partitions_.emplace_back(shape_, mode_, this_pass_.open(i), next_pass_.open(i), setup.commuting, ids)
                     .current());
        }
        if (!ledger.resumed) return;
        restore_queues();
        for (const std::uint64_t number : ledger.writer.initial_states())
            initial_.record(reinterpret_cast<const std::uint8_t*>(state_of(number).data()));
    }
    ExactSweep(const ExactSweep&) = delete;
    ExactSweep& operator=(const ExactSweep&) = delete;

    [[nodiscard]] Partition& partition(std::size_t i) { return partitions_[i]; }

    // Brings the open states of the checkpoint back into memory, as far as there is room for them. The others are read
    // when the sweep line comes to them.
    template <class Owner>
    void load_open_states(Owner owner) {
        std::uint64_t bytes = 0;
        for (PassQueue* queue : {&this_pass_, &next_pass_}) {
            queue->saved().for_each_layer([&](successor::Key key, std::vector<SavedBatch>& batches) {
                bytes += bytes_of_open_states(queue->saved().spilled_states(key, ledger_->writer), shape_.bytes);
                if (!has_room(3 * bytes)) return false;  // most of the room is for the current layer
                for (SavedBatch& batch : batches) {
                    if (budget_ && interruption() != support::StopReason::none) return false;
                    ledger_states_.for_each_open(batch.id, [&](const OpenState& state) {
                        queue->open(owner(state.hash)).insert_saved(key, state);
                    });
                    batch.is_in_memory = true;
                }
                return true;
            });
        }
    }

    // The states that a partition has taken last become part of the ledger, with these labels; the number of the first
    // one.
    std::uint64_t record(std::size_t i, std::span<const std::uint8_t> labels) {
        Partition::TakenStates& taken = partitions_[i].taken();
        const std::size_t count = taken.parents.size();
        const std::uint64_t number = ledger_->writer.states();
        // An initial state is its own parent.
        for (std::size_t k = 0; k < count && !initial_.are_all_recorded(); ++k)
            if (initial_.record(taken.bytes.data() + k * shape_.bytes)) {
                taken.parents[k] = number + k;
                taken.transitions[k] = 0;
            }
        ledger_->writer.append_states(at_.key, passes_.number(),
                                      {count, taken.bytes, taken.parents, taken.transitions, labels});
        estimate_.note_given(taken.bytes.size() + labels.size() + count * CheckpointEstimate::kBytesOfStep);
        if (!shape_.is_numbered) return number;
        for (std::size_t k = 0; k < count; ++k) current_[i]->numbers->resolve(taken.positions[k], number + k, fixups_);
        fixups_.write(ledger_->writer);
        return number;
    }
    // The ledger was given this number of edges.
    void note_edges(std::uint64_t count) { estimate_.note_given(count * CheckpointEstimate::kBytesOfStep); }

    // To the next layer, or slice of one, that has a state to expand. False: there is none. Where time ends while the
    // layer is loaded (cut_short), its states wait on disk as before, and the search must end.
    template <class Owner>
    bool advance(Owner owner) {
        note_peaks();
        leave();
        for (;;) {
            switch (passes_.next(this_pass_, next_pass_, at_.key)) {
                case SweepPasses::Next::end: figures_.end_pass(ledger_->writer.states()); return false;
                case SweepPasses::Next::pass: begin_pass(); break;
                case SweepPasses::Next::layer: break;
            }
            const successor::Key key = this_pass_.next_key();
            load_mixed(key, owner);
            if (key != at_.key) mode_.split_bits = streamed_visits_ = 0;
            const std::vector<ledger::Extent> visited = ledger_->writer.extents_of(key);
            if (is_to_defer(key, count_states(visited))) {
                defer_to_next_pass(key);
                continue;
            }
            if (visit(key, visited, owner) || cut_short_ != support::StopReason::none) return true;
            note_peaks();
            leave();
        }
    }

    [[nodiscard]] support::StopReason cut_short() const { return cut_short_; }

    // Another packing for everything in memory and for what is written from here on.
    template <class Owner>
    void repack(const successor::System& wider, const successor::Repacking& translate, Owner owner) {
        // The states in memory are needed in both packings for a while: where that is too much, only those of the
        // current layer.
        std::uint64_t current = 0;
        for (const SweepLayer* layer : current_) current += layer->size();
        if (!has_room(bytes_to_repack(open_in_memory() + current, wider.state_bytes()))) {
            spill(kAll);
            support::release_free_memory();
        }
        // The states of a slice do not form one in the other packing. Nor is the layer complete where only some of its
        // states can stay. Then its open states wait again, and the sweep line begins the layer again.
        const bool restarts_layer = mode_.split_bits > 0 || !has_room(bytes_to_repack(current, wider.state_bytes()));
        packings_.change(wider);
        initial_.repack(wider);
        mode_.visited.fill();  // hashes change
        const StateShape shape{wider.state_words(), wider.state_bytes(), try_reserve_, shape_.is_numbered};
        SweepRepacking<Owner> repacking(shape_, shape, partitions_.size(), translate, owner);
        carry_over(repacking, restarts_layer);
        this_pass_.take_repacked(repacking.this_pass());
        next_pass_.take_repacked(repacking.next_pass());
        for (std::size_t i = 0; i < partitions_.size(); ++i)
            partitions_[i].repack(shape, std::move(repacking.current(i)));
        if (restarts_layer) leave_slice();
        shape_ = shape;
        ledger_states_.repack(shape.words);
    }

    // Writes the open states that are only in memory, and makes everything so far durable. All states that were taken
    // have been expanded.
    void checkpoint(SavedSearch saved) {
        // Every checkpoint adds a batch per layer: where these become too many, small layers are spilled together.
        if (has_too_many_batches(ledger_->writer.waiting().size(), shape_.is_numbered))
            for (std::size_t i = 0; i < partitions_.size(); ++i)
                for (PassQueue* queue : {&next_pass_, &this_pass_}) spill(*queue, i, {.below = kMixedBatchStates});
        if (!shape_.is_numbered) drop_superseded_batches();
        for (std::size_t i = 0; i < partitions_.size(); ++i) {
            batch_writer_.save(*current_[i], at_.key, passes_.number(), current_batches_);
            for (PassQueue* queue : {&this_pass_, &next_pass_})
                batch_writer_.save(queue->open(i), pass_of(*queue), queue->saved());
        }
        assert(fixups_.empty() && "every number that was resolved is written");
        assert_invariants();
        saved.walk = to_string(mode_.by_level ? WalkOrder::breadth_first : WalkOrder::sweep);
        saved.pass = passes_.number();
        saved.statistics.spilled = figures_.spilled();
        saved.passes = figures_.passes();
        saved.key_records = figures_.key_records();
        saved.in_layer = !current_batches_.empty() || is_resuming_;
        saved.early_states = ledger_->saved.early_states;
        if (shape_.is_numbered)
            for (const Partition& partition : partitions_)
                saved.next_temporary_id = std::max(saved.next_temporary_id, partition.temporary_ids().next());
        ledger_->writer.commit(to_text(saved));
    }

    // Frees memory by spilling open states, those that are needed last first. False: there is nothing left to spill.
    bool spill(std::uint64_t bytes) {
        std::uint64_t freed = 0;
        for (const std::uint64_t least : spill_rounds(shape_.is_numbered))
            for (PassQueue* queue : {&next_pass_, &this_pass_})
                for (std::size_t i = 0; i < partitions_.size() && freed < bytes; ++i)
                    freed += spill(*queue, i,
                                   {.kept_layers = kept_layers(*queue, i), .least = least, .bytes = bytes - freed});
        return freed > 0;
    }

    // Splits the current layer into twice as many slices. Its open states are spilled, and the sweep line begins the
    // layer again; all states that were taken have been expanded. False: slices are as small as they get.
    bool split_layer() {
        if (mode_.split_bits == kMostSplitBits) return false;
        for (const SweepLayer* layer : current_) figures_.add_spilled(layer->open.size());
        put_back_current();
        for (std::size_t i = 0; i < partitions_.size(); ++i)
            for (PassQueue* queue : {&this_pass_, &next_pass_})
                spill(*queue, i, {.kept_layers = kept_layers(*queue, i)});
        return split_finer(at_.key);
    }

    // At most: an open state may have been visited, or be open twice where one of the two was spilled.
    [[nodiscard]] std::uint64_t states() const { return ledger_->writer.states() + open(); }
    // That can be taken before the next advance().
    [[nodiscard]] std::uint64_t ready() const {
        std::uint64_t count = 0;
        for (const SweepLayer* layer : current_) count += layer->open.size();
        return count;
    }
    // The key of the current layer.
    [[nodiscard]] successor::Key key() const { return at_.key; }

    // Tables may take this much more than the limit between two looks at it. Plans for more than a round may not.
    void set_overdraft(std::uint64_t bytes) { overdraft_ = bytes; }

    // What a checkpoint would add to what the ledger has written, about.
    [[nodiscard]] std::uint64_t checkpoint_bytes() const {
        return estimate_.bytes(open_in_memory() * (shape_.bytes + CheckpointEstimate::kBytesOfStep),
                               this_pass_.layers_in_memory() + next_pass_.layers_in_memory());
    }
    // Everything that was given to the ledger is written, but for frames that are open.
    void note_written() { estimate_.note_written(ledger_->writer.bytes()); }

    void count(Statistics& statistics) {
        note_peaks();
        figures_.write_to(statistics);
        statistics.states = states();
        statistics.states_exact = are_states_distinct();
        statistics.waiting = open();
        if (ledger_->last_key && *ledger_->last_key > 0)
            statistics.measure_share =
                std::min(1.0, static_cast<double>(at_.key) / static_cast<double>(*ledger_->last_key));
        statistics.layers = mode_.by_level ? 1 : ledger_->writer.key_count();
        statistics.sweeps = mode_.by_level ? 0 : figures_.passes().size();
        statistics.regress_edges = regress_edges();
        statistics.ledger_bytes = ledger_->writer.bytes();
    }
    [[nodiscard]] const std::vector<SweepCount>& details() const { return figures_.passes(); }

    // How the ledger's states become those of the current packing.
    [[nodiscard]] const LedgerPackings& packings() const { return packings_; }
    [[nodiscard]] std::vector<successor::Word> state_of(std::uint64_t number) {
        std::vector<successor::Word> state(shape_.words);
        if (number >= kFirstEarlyState) {
            packings_.unpack(0, ledger_->saved.early_states.at(number - kFirstEarlyState).data(), state.data());
            return state;
        }
        const ledger::Records records = ledger_->writer.state(number);
        packings_.unpack(records.packing, records.bytes.data(), state.data());
        return state;
    }

private:
    static constexpr std::uint64_t kAll = ~std::uint64_t{0};
    static constexpr std::uint64_t kReadBetweenLooks = std::uint64_t{1} << 14U;  // at the budget

    // ---- passes -----------------------------------------------------------------------------------------------------

    void begin_pass() {
        figures_.end_pass(ledger_->writer.states());
        const bool counts = passes_.begin(this_pass_, next_pass_);
        for (Partition& partition : partitions_) partition.forget_layers();
        mode_.split_bits = streamed_visits_ = 0;
        if (counts) figures_.begin_pass();
    }

    [[nodiscard]] bool is_to_defer(successor::Key key, std::uint64_t visited) {
        if (mode_.split_bits > 0 || streamed_visits_ > 0 || is_resuming_ || !passes_.may_defer(visited)) return false;
        // Where the sweep line was interrupted on it, some of its states may wait for the next pass already.
        return !next_pass_.has_in_memory(key) && passes_.defers(key, visited, this_pass_.count(key, ledger_->writer));
    }
    void defer_to_next_pass(successor::Key key) {
        this_pass_.move_layer(key, next_pass_);
        for (Partition& partition : partitions_) partition.forget_layers();
    }

    // The sweep line comes to a layer, or to its next slice. Whether there is a state to expand.
    template <class Owner>
    bool visit(successor::Key key, std::span<const ledger::Extent> visited, Owner owner) {
        passes_.visit();
        const std::uint64_t visited_count = count_states(visited);
        mode_.streams = is_to_stream(key, visited_count);
        streamed_visits_ += mode_.streams ? 1 : 0;
        const unsigned split_bits = mode_.split_bits;
        while (!make_room(key, visited_count))
            if (!split_finer(key)) break;
        load_mixed(key, owner);  // the layer itself may have been spilled
        at_ = {key, slice_after(at_.slice, mode_.split_bits, mode_.split_bits != split_bits)};
        for (Partition& partition : partitions_) partition.enter(at_);
        load_spilled(owner);
        if (cut_short_ != support::StopReason::none) {
            abandon_visit();
            return false;
        }
        if (ready() > 0 && !visited.empty()) remove_visited(visited, visited_count, owner);
        is_resuming_ = false;
        for (Partition& partition : partitions_) partition.wake_all();
        const bool has_open = ready() > 0;
        if (mode_.by_level && has_open) figures_.count_level(passes_.number());
        return has_open;
    }

    // Some of the layer could not be read: all of it waits on disk, as before.
    void abandon_visit() {
        put_back_current();
        this_pass_.saved().restart_slices(at_.key);
        leave_slice();
    }
    // Open states of the current layer wait on disk again; those that are only in memory are written.
    void put_back_current() {
        for (std::size_t i = 0; i < partitions_.size(); ++i) {
            batch_writer_.save(*current_[i], at_.key, passes_.number(), current_batches_);
            partitions_[i].leave();
            partitions_[i].wake_all();
        }
        if (current_batches_.empty()) return;
        for (SavedBatch& batch : current_batches_) batch.is_in_memory = false;
        this_pass_.saved().add(at_.key, std::exchange(current_batches_, {}));
    }

    // The current layer is freed: its states are in the ledger.
    void leave() {
        for (Partition& partition : partitions_) {
            if (partition.current().numbers) partition.current().numbers->resolve_aliases(fixups_);
            partition.leave();
        }
        fixups_.write(ledger_->writer);
        for (const SavedBatch& batch : current_batches_) ledger_->writer.drop_waiting(batch.id);
        current_batches_.clear();
        mode_.visited.release();
    }
    // Successors of the layer wait in this pass, where its open states are: not in the next one, even if the layer was
    // streamed.
    void leave_slice() {
        mode_.streams = false;
        at_.slice = kNoSlice;
        for (Partition& partition : partitions_) partition.leave_slice();
    }

    // ---- reading ----------------------------------------------------------------------------------------------------

    // The queues of the search that is resumed. Its open states are on disk, for this pass or the next.
    void restore_queues() {
        for (const auto& [id, batch] : ledger_->writer.waiting()) {
            const bool is_mixed = (batch.pass & kMixedBatch) != 0;
            SavedBatches& saved = ((batch.pass & ~kMixedBatch) <= passes_.number() ? this_pass_ : next_pass_).saved();
            if (is_mixed) saved.add_mixed(batch.key, id);
            else saved.add(batch.key, {id, false});
        }
        // The level that was interrupted is entered again.
        if (mode_.by_level && this_pass_.saved().has_layers()) figures_.set_counted_level(passes_.number());
        is_resuming_ = ledger_->saved.in_layer;
        if (!this_pass_.empty()) at_.key = this_pass_.next_key();
    }

    // Layers that were spilled together with this one wait in memory again. Their batches go: what is still open of
    // them is written again.
    template <class Owner>
    void load_mixed(successor::Key key, Owner owner) {
        while (const std::optional<std::uint64_t> batch = this_pass_.saved().take_mixed(key)) {
            const std::uint64_t key_records =
                ledger_states_.for_each_mixed(*batch, [&](successor::Key of, const OpenState& state) {
                    this_pass_.open(owner(state.hash)).insert(of, state);
                });
            ledger_->writer.drop_waiting(*batch);
            figures_.remove_key_records(key_records);
        }
    }
    // What was spilled of the current slice.
    template <class Owner>
    void load_spilled(Owner owner) {
        const std::uint64_t spilled = this_pass_.saved().spilled_states(at_.key, ledger_->writer) >> mode_.split_bits;
        for (SweepLayer* layer : current_) layer->reserve(spilled / current_.size() + 1);
        std::uint64_t read = 0;
        const auto insert = [&](const OpenState& state) {
            if (++read % kReadBetweenLooks == 0 && budget_) cut_short_ = interruption();
            if (cut_short_ == support::StopReason::none && mode_.slice_of(state.hash) == at_.slice)
                current_[owner(state.hash)]->insert_saved(state);
        };
        this_pass_.saved().take_slice(at_.key, at_.slice, all_slices(mode_.split_bits), current_batches_,
                                      [&](std::uint64_t batch) {
                                          if (cut_short_ == support::StopReason::none)
                                              ledger_states_.for_each_open(batch, insert);
                                      });
    }
    template <class Owner>
    void remove_visited(std::span<const ledger::Extent> visited, std::uint64_t count, Owner owner) {
        if (!is_resuming_) figures_.add_reread(count);
        if (shape_.is_numbered)
            visited_loader_.remove_from_open_numbered(visited, at_.slice, owner, fixups_,
                                                      [this] { fixups_.write(ledger_->writer); });
        else visited_loader_.remove_from_open(visited, at_.slice, owner);
    }

    // Why nothing may be read any more; memory is asked for before.
    [[nodiscard]] support::StopReason interruption() const {
        if (budget_->is_interrupted()) return support::StopReason::interrupted;
        const std::optional<std::chrono::nanoseconds> left = budget_->time_left();
        return left && *left <= std::chrono::nanoseconds(1) ? support::StopReason::time : support::StopReason::none;
    }

    // ---- memory -----------------------------------------------------------------------------------------------------

    // Whether this much may be taken for longer than a round.
    [[nodiscard]] bool has_room(std::uint64_t bytes) const { return (*try_reserve_)(bytes + overdraft_); }

    // A layer that was interrupted is as it was then: most of V(k) may be of this visit.
    [[nodiscard]] bool is_to_stream(successor::Key key, std::uint64_t visited) const {
        if (mode_.by_level || shape_.is_numbered || mode_.split_bits > 0 || streamed_visits_ == kMostStreamedVisits ||
            is_resuming_)
            return false;
        return visited > ledger_->streamed_above && is_worth_streaming(visited, this_pass_.count(key, ledger_->writer));
    }

    // Whether what is on disk of a layer, or of a slice of it, can be loaded, if need be when other layers have been
    // spilled.
    [[nodiscard]] bool make_room(successor::Key key, std::uint64_t visited) {
        const std::uint64_t needed = bytes_to_load({.visited = mode_.by_level ? 0 : visited,
                                                    .open = this_pass_.saved().spilled_states(key, ledger_->writer),
                                                    .state_bytes = shape_.bytes,
                                                    .is_numbered = shape_.is_numbered,
                                                    .is_streamed = mode_.streams,
                                                    .split_bits = mode_.split_bits});
        if (needed <= kLoadedUnasked || has_room(needed)) return true;
        for (const std::uint64_t enough : {needed, kAll}) {
            spill(enough);
            support::release_free_memory();
            if (has_room(needed)) return true;
        }
        return false;
    }

    // Spilled states are read again for the smaller slices.
    bool split_finer(successor::Key key) {
        if (mode_.split_bits == kMostSplitBits) return false;
        ++mode_.split_bits;
        mode_.streams = false;
        this_pass_.saved().restart_slices(key);
        return true;
    }

    std::uint64_t spill(PassQueue& queue, std::size_t partition, const SpillSelection& selection) {
        const std::uint64_t freed =
            batch_writer_.spill(queue.open(partition), pass_of(queue), queue.saved(), selection);
        partitions_[partition].forget_layers();
        return freed;
    }
    // Of layers that have been spilled into mixed batches since they were saved. Those of the current layer stay until
    // it is left: some of its states may be in slices.
    void drop_superseded_batches() {
        for (PassQueue* queue : {&this_pass_, &next_pass_})
            queue->saved().remove_superseded(
                [&](successor::Key key) { return key == at_.key || queue->has_in_memory(key); },
                [this](std::uint64_t id) { ledger_->writer.drop_waiting(id); });
    }
    // The first small layers of this pass, as many as are read with a mixed batch: if these were spilled, the same
    // states would come and go for every layer.
    [[nodiscard]] std::size_t kept_layers(PassQueue& queue, std::size_t partition) const {
        return &queue == &next_pass_ || shape_.is_numbered
                   ? 0
                   : queue.open(partition).first_layers_below(kMixedBatchStates);
    }
    [[nodiscard]] std::uint32_t pass_of(const PassQueue& queue) const {
        return passes_.number() + (&queue == &next_pass_ ? 1 : 0);
    }

    template <class Repacking>
    void carry_over(Repacking& repacking, bool restarts_layer) {
        if (!restarts_layer)
            for (const SweepLayer* layer : current_) repacking.carry_current_states(*layer);
        for (std::size_t i = 0; i < partitions_.size(); ++i) {
            const auto carry = [&](successor::Key key, const SweepLayer& layer, PassQueue& queue) {
                repacking.carry_open(layer, key, queue, fixups_);
                fixups_.write(ledger_->writer);
            };
            if (restarts_layer) carry(at_.key, *current_[i], repacking.this_pass());
            else repacking.carry_current_open(*current_[i]);
            this_pass_.open(i).for_each(
                [&](successor::Key key, const SweepLayer& layer) { carry(key, layer, repacking.this_pass()); });
            next_pass_.open(i).for_each(
                [&](successor::Key key, const SweepLayer& layer) { carry(key, layer, repacking.next_pass()); });
        }
    }

    // ---- figures ----------------------------------------------------------------------------------------------------

    [[nodiscard]] std::uint64_t open() const {
        const std::uint64_t records =
            this_pass_.saved().spilled_records(ledger_->writer) + next_pass_.saved().spilled_records(ledger_->writer);
        return open_in_memory() + records - std::min(records, figures_.key_records());
    }
    [[nodiscard]] std::uint64_t open_in_memory() const {
        return ready() + this_pass_.states_in_memory() + next_pass_.states_in_memory();
    }
    [[nodiscard]] std::uint64_t regress_edges() const {
        std::uint64_t count = figures_.regress_edges_before();
        for (const Partition& partition : partitions_) count += partition.regress_edges();
        return count;
    }
    // Whether no open state has been visited or is open twice. So it is when every layer that was current has been left
    // for good, and open states are in memory, where each layer is a set.
    [[nodiscard]] bool are_states_distinct() const {
        if (open() == 0) return true;
        if (ledger_->saved.statistics.changed_over) return false;  // layers ahead have visited states
        const bool visits_whole_layers =
            !mode_.by_level && !mode_.streams && mode_.split_bits == 0 && at_.slice != kNoSlice && !is_resuming_;
        return visits_whole_layers && open() == open_in_memory() && regress_edges() == 0;
    }
    void note_peaks() {
        std::uint64_t current = 0;
        for (const SweepLayer* layer : current_) current += layer->size();
        figures_.note_states(current, this_pass_.states_in_memory() + next_pass_.states_in_memory());
    }

    // ---- invariants -------------------------------------------------------------------------------------------------

    void assert_invariants() const {
        assert(this_pass_.are_sizes_consistent() && next_pass_.are_sizes_consistent() &&
               "the sizes of the queues add up");
        assert(this_pass_.saved().are_live(ledger_->writer) && next_pass_.saved().are_live(ledger_->writer) &&
               "every saved batch is live in the manifest");
        assert(this_pass_.saved().batch_count() + next_pass_.saved().batch_count() + current_batches_.size() ==
                   ledger_->writer.waiting().size() &&
               "every live batch is in one queue");
#ifdef _GLIBCXX_ASSERTIONS  // takes a lookup per open state of the current key
        // By level, a successor is not compared with the current level before the next one begins.
        for (std::size_t i = 0; i < partitions_.size() && !mode_.by_level; ++i)
            assert(is_open_once(*current_[i], at_.key, this_pass_.open(i), next_pass_.open(i)) &&
                   "a state is in at most one queue of a partition");
#endif
    }

    const store::MemoryBudget* try_reserve_;
    const support::Budget* budget_;
    LedgerRun* ledger_;
    LedgerPackings packings_;
    StateShape shape_;
    SweepMode mode_;
    PassQueue this_pass_;
    PassQueue next_pass_;
    SweepPasses passes_;
    SweepFigures figures_;
    CheckpointEstimate estimate_;
    BatchWriter batch_writer_;
    LedgerStates ledger_states_;
    std::vector<SweepLayer*> current_;  // the current layer, by partition
    VisitedLoader visited_loader_;
    std::deque<Partition> partitions_;
    Slice at_;                                 // where the sweep line is
    std::vector<SavedBatch> current_batches_;  // in the ledger, of the current layer
    IdFixups fixups_;
    InitialStates initial_;
    unsigned streamed_visits_ = 0;  // of the current layer, in a row
    bool is_resuming_ = false;      // until the layer that was interrupted has been entered again
    support::StopReason cut_short_ = support::StopReason::none;  // why the current layer was not read to its end
    std::uint64_t overdraft_ = 0;
};

}  // namespace tideline::explore
