#include "check/ctl/layer_components.hpp"

#include <algorithm>
#include <cassert>

#include "support/components.hpp"

namespace tideline::check::ctl {
namespace {

constexpr std::size_t kSources = 64;  // expanded at a time
constexpr std::size_t kBatch = 1024;  // successors

}  // namespace

LayerComponents::LayerComponents(std::shared_ptr<const successor::System> system, const Program& program,
                                 std::vector<LayerProperty> properties, const explore::SearchSettings& settings,
                                 std::function<void(const explore::Statistics&)> tick)
    : system_(std::move(system)),
      program_(program),
      properties_(std::move(properties)),
      settings_(settings),
      tick_(std::move(tick)),
      memory_(settings.limits().limits().memory),
      try_reserve_([this](std::uint64_t bytes) { return memory_.allows(bytes); }),
      work_(settings.limits()),
      start_(Clock::now()),
      next_tick_(start_),
      values_(properties_.size()),
      violations_(properties_.size()),
      open_(properties_.size()) {
    if (settings.ledger != nullptr) tree_.emplace(*settings.ledger, *system_);
    renew();
}

void LayerComponents::run() {
    for (const std::vector<successor::Word>& state : system_->initial_states()) {
        const std::optional<successor::Key> key = expander_->key(state.data());
        if (!key) {
            is_key_undefined_ = true;
            offending_ = explore::OffendingStep{state, {}, {}, {}};
            return;
        }
        if (!states_of(*key).insert(state.data(), successor::hash_state(state.data(), state.size())).is_new) continue;
        ++waiting_;
        if (tree_) tree_->add_initial(*key);
    }
    while (!ahead_.empty()) {
        auto first = ahead_.extract(ahead_.begin());
        key_ = first.key();
        layer_ = std::move(first.mapped());
        waiting_ -= layer_->size();
        if (!expand_layer()) return;
        try {
            check_layer();
        } catch (const Fault& fault) {
            fault_ = fault;
            return;
        }
        if (tree_) tree_->leave(key_, *layer_);
        states_ += layer_->size();
        widest_ = std::max<std::uint64_t>(widest_, layer_->size());
        ++layers_;
        layer_.reset();
        if (open_ == 0) return;
    }
    is_complete_ = true;
    if (tree_) tree_->finish(statistics());
}

// ---- the sweep ------------------------------------------------------------------------------------------------------

// To its closure. False: the sweep ends.
bool LayerComponents::expand_layer() {
    offsets_.assign(1, 0);
    targets_.clear();
    leaves_.clear();
    is_deadlock_.clear();
    std::uint64_t next = 0;
    while (next < layer_->size()) {
        look_at_limits();
        const std::size_t words = system_->state_words();
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kSources, layer_->size() - next));
        sources_.resize(count * words);
        for (std::size_t i = 0; i < count; ++i) layer_->read(static_cast<Local>(next + i), sources_.data() + i * words);
        successor::Cursor cursor;
        // Edges of the source that is not complete yet lie behind the last offset.
        while (cursor.state < count) {
            batch_->restart(cursor.state);
            const std::uint32_t first = cursor.state;
            const successor::Expansion expansion = expander_->expand(sources_.data(), count, cursor, *batch_);
            batch_->compute_hashes();
            if (!insert_successors(static_cast<Local>(next + first))) return false;
            if (expansion == successor::Expansion::done) break;
            if (expansion == successor::Expansion::key_undefined) {
                is_key_undefined_ = true;
                offending_ = explore::OffendingStep{packed(static_cast<Local>(next + cursor.state)), {}, {}, {}};
                return false;
            }
            if (expansion == successor::Expansion::needs_repacking) {
                widen();
                sources_.resize(count * system_->state_words());
                for (std::size_t i = 0; i < count; ++i)
                    layer_->read(static_cast<Local>(next + i), sources_.data() + i * system_->state_words());
            }
        }
        next += count;
        peak_ = std::max(peak_, layer_->size() + waiting_);
    }
    return true;
}

// The table of each entry, whose bucket is asked for.
void LayerComponents::find_tables(const successor::SuccessorBatch& batch) {
    tables_.resize(batch.size());
    successor::Key last_key = key_;
    store::NumberedTable* last = layer_.get();
    for (std::size_t i = 0; i < batch.size(); ++i) {
        tables_[i] = nullptr;
        if (batch.fault(i) != model::FaultKind::none) continue;
        const successor::Key key = batch.key(i);
        if (key < key_) continue;
        if (key != last_key) {
            last = key == key_ ? layer_.get() : &states_of(key);
            last_key = key;
        }
        tables_[i] = last;
        last->prefetch(batch.hash(i));
    }
}

// What the batch holds, whose first source is this state of the layer. Sources that are complete get their offsets.
bool LayerComponents::insert_successors(Local first) {
    const successor::SuccessorBatch& batch = *batch_;
    find_tables(batch);
    constexpr std::size_t kAhead = 16;
    const auto prefetch_state = [&](std::size_t i) {
        if (i < batch.size() && tables_[i] != nullptr) tables_[i]->prefetch_state(batch.hash(i));
    };
    for (std::size_t i = 0; i < kAhead; ++i) prefetch_state(i);
    std::size_t entry = 0;
    std::size_t complete = 0;
    const auto is_open = [&] { return leaves_.size() >= offsets_.size(); };
    const auto begin_source = [&] {
        if (is_open()) return;
        work_.grow(leaves_);
        leaves_.push_back(0);
        work_.grow(is_deadlock_);
        is_deadlock_.push_back(1);
    };
    for (; entry < batch.size() || complete < batch.complete_sources();) {
        while (complete < batch.complete_sources() && batch.end(complete) == entry) {
            begin_source();
            deadlocks_ += is_deadlock_.back();
            work_.grow(offsets_);
            offsets_.push_back(targets_.size());
            ++complete;
            ++expanded_;
        }
        if (entry == batch.size()) break;
        prefetch_state(entry + kAhead);
        begin_source();
        is_deadlock_.back() = 0;
        const Local source = first + static_cast<Local>(complete);
        if (batch.fault(entry) != model::FaultKind::none) {
            ++faults_;
            fault_ = Fault{packed(source), batch.fault(entry), batch.transition(entry), std::nullopt};
            return false;
        }
        ++transitions_;
        const successor::Key key = batch.key(entry);
        if (key == key_) {
            const store::NumberedTable::Insertion inserted = layer_->insert(batch.state(entry), batch.hash(entry));
            if (tree_ && inserted.is_new) tree_->add(key, source, batch.transition(entry));
            work_.grow(targets_);
            targets_.push_back(static_cast<Local>(inserted.number));
        } else if (key > key_) {
            leaves_.back() = 1;
            if (tables_[entry]->insert(batch.state(entry), batch.hash(entry)).is_new) {
                ++waiting_;
                if (tree_) tree_->add(key, source, batch.transition(entry));
            }
        } else {
            const std::size_t words = system_->state_words();
            offending_ = explore::OffendingStep{
                packed(source), std::vector<successor::Word>(batch.state(entry), batch.state(entry) + words),
                system_->key_values(key_), system_->key_values(key)};
            return false;
        }
        ++entry;
    }
    return true;
}

store::NumberedTable& LayerComponents::states_of(successor::Key key) {
    std::unique_ptr<store::NumberedTable>& states = ahead_[key];
    if (!states)
        states = std::make_unique<store::NumberedTable>(system_->state_words(), system_->state_bytes(), try_reserve_,
                                                        store::NumberedTable::Settings{.most_states = ~Local{0} - 1});
    return *states;
}

std::vector<successor::Word> LayerComponents::packed(Local state) const {
    std::vector<successor::Word> words(system_->state_words());
    layer_->read(state, words.data());
    return words;
}

void LayerComponents::widen() {
    const std::uint64_t before = memory_.taken();
    std::shared_ptr<const successor::System> wider = system_->with_wider_fields(*expander_);
    if (const std::uint64_t now = memory_.taken(); now > before) memory_.set_aside(now - before);
    assert(wider && "a system that says needs_repacking can be with_wider_fields");
    const successor::Repacking repacking = wider->repacking(*system_);
    layer_->repack(wider->state_words(), wider->state_bytes(), repacking);
    for (auto& [key, states] : ahead_) states->repack(wider->state_words(), wider->state_bytes(), repacking);
    system_ = std::move(wider);
    if (tree_) tree_->change_packing(*system_);
    renew();
}

// What depends on the packing.
void LayerComponents::renew() {
    expander_ = system_->search_expander();
    batch_.emplace(system_->state_words(), kBatch);
}

void LayerComponents::look_at_limits() {
    constexpr std::uint64_t kStatesPerLook = 4096;
    constexpr std::chrono::milliseconds kTick{100};
    if (settings_.states && states_ + layer_->size() + waiting_ >= *settings_.states)
        throw Stopped{support::StopReason::states};
    if (expanded_ % kStatesPerLook >= kSources) return;
    if (const support::StopReason reason = settings_.limits().exhausted(); reason != support::StopReason::none)
        throw Stopped{reason};
    const Clock::time_point now = Clock::now();
    if (now < next_tick_) return;
    next_tick_ = now + kTick;
    if (tick_) tick_(statistics());
}

// ---- the layer ------------------------------------------------------------------------------------------------------

// The predicate of a property in a state of the layer. Throws Fault where an atom cannot be evaluated.
bool LayerComponents::holds(std::size_t property, Local state) {
    std::uint8_t& known = values_[property][state];
    if (known != 0) return known == 2;
    work_.poll();
    sources_.resize(system_->state_words());
    layer_->read(state, sources_.data());
    label_faults_.assign(system_->label_count(), model::FaultKind::none);
    labels_.resize(system_->label_words());
    expander_->labels(sources_.data(), labels_.data(), label_faults_.data());
    for (std::size_t atom = 0; atom < program_.atoms.size(); ++atom)
        if (label_faults_[atom] != model::FaultKind::none)
            throw Fault{packed(state), label_faults_[atom], std::nullopt, atom};
    const auto is_true = [&](std::size_t atom) { return ((labels_[atom / 64] >> (atom % 64)) & 1U) != 0; };
    for (std::size_t p = 0; p < properties_.size(); ++p)
        if (!violations_[p])
            values_[p][state] = boolean_value(program_, properties_[p].recurrence.predicate, is_true) ? 2 : 1;
    return values_[property][state] == 2;
}

void LayerComponents::check_layer() {
    for (std::size_t p = 0; p < properties_.size(); ++p) {
        if (violations_[p]) continue;
        work_.ask(layer_->size());
        values_[p].assign(layer_->size(), 0);
    }
    for (std::size_t p = 0; p < properties_.size(); ++p) {
        if (violations_[p]) continue;
        if (properties_[p].recurrence.is_inevitable) check_cycles(p);
        else check_terminal(p);
    }
}

void LayerComponents::violate(std::size_t property, Local state) {
    violations_[property] = Violation{packed(state), layers_};
    --open_;
}

// AG EF: a terminal component without a state of the predicate. Most states are seen to reach an exit of the layer by
// looking at their edges in order, twice or so; only what is left is searched for components.
void LayerComponents::check_terminal(std::size_t property) {
    using View = support::ArrayGraph<Local>;
    const std::uint64_t count = layer_->size();
    work_.ask(count);
    std::vector<std::uint8_t> reaches = leaves_;
    std::uint64_t left = count - static_cast<std::uint64_t>(std::count(reaches.begin(), reaches.end(), 1));
    for (std::uint64_t before = left + 1; left > 0 && left < before;) {
        before = left;
        for (std::uint64_t s = count; s-- > 0;) {
            if (reaches[s] != 0) continue;
            for (std::uint64_t e = offsets_[s]; e < offsets_[s + 1] && reaches[s] == 0; ++e) {
                ++edge_visits_;
                reaches[s] = reaches[targets_[e]];
            }
            left -= reaches[s];
        }
        work_.check();
        // Each pass must be worth its time.
        if (before - left < before / 8) break;
    }
    if (left == 0) return;
    const View view(offsets_, targets_);
    support::ComponentSearch<View> search(view);
    const auto keep = [&](Local, const View::Edge& edge) {
        ++edge_visits_;
        return reaches[edge.target] == 0;
    };
    // A component is good if it has a state of the predicate or leads to another component.
    const auto complete = [&](std::span<const Local> members) {
        work_.poll();
        const Local number = search.number(members[0]);
        for (const Local member : members)
            for (std::uint64_t e = offsets_[member]; e < offsets_[std::size_t{member} + 1]; ++e) {
                ++edge_visits_;
                if (reaches[targets_[e]] != 0 || search.number(targets_[e]) != number) return true;
            }
        for (const Local member : members)
            if (holds(property, member)) return true;
        violate(property, members[0]);
        return false;
    };
    for (Local s = 0; s < count; ++s)
        if (reaches[s] == 0 && !search.search_from(s, keep, complete)) return;
}

// AG AF: a cycle outside the predicate, or a deadlock. Every cycle has an edge from a state to one that was not
// discovered after it: so it goes through a source, and through a target, of such an edge. Only the states of the
// smaller of these two sets are evaluated; where one is outside the predicate, its component among such states is
// searched for.
void LayerComponents::check_cycles(std::size_t property) {
    using View = support::ArrayGraph<Local>;
    const std::uint64_t count = layer_->size();
    work_.ask(2 * count);
    std::vector<std::uint8_t> is_source(count, 0);
    std::vector<std::uint8_t> is_target(count, 0);
    std::uint64_t targets = 0;
    for (Local s = 0; s < count; ++s) {
        for (std::uint64_t e = offsets_[s]; e < offsets_[std::size_t{s} + 1]; ++e) {
            const Local target = targets_[e];
            if (target > s) continue;
            is_source[s] = 1;
            targets += 1U - is_target[target];
            is_target[target] = 1;
        }
    }
    edge_visits_ += targets_.size();
    work_.check();
    const auto sources = static_cast<std::uint64_t>(std::count(is_source.begin(), is_source.end(), 1));
    const std::vector<std::uint8_t>& is_on_every_cycle = sources < targets ? is_source : is_target;
    const View view(offsets_, targets_);
    support::ComponentSearch<View> search(view);
    std::optional<Local> loop;
    const auto keep = [&](Local source, const View::Edge& edge) {
        ++edge_visits_;
        if (edge.target == source) loop = source;
        return !holds(property, edge.target);
    };
    const auto complete = [&](std::span<const Local> members) {
        work_.poll();
        if (members.size() == 1 && !loop) return true;
        violate(property, loop ? *loop : members[0]);
        return false;
    };
    for (Local s = 0; s < count; ++s) {
        if (is_deadlock_[s] == 0 && is_on_every_cycle[s] == 0) continue;
        if (holds(property, s)) continue;
        if (is_deadlock_[s] != 0) return violate(property, s);
        if (!search.search_from(s, keep, complete)) return;
    }
}

explore::Statistics LayerComponents::statistics() const {
    explore::Statistics statistics;
    const std::uint64_t current = layer_ ? layer_->size() : 0;
    statistics.states = states_ + current + waiting_;
    statistics.peak_states = peak_;
    statistics.expanded = expanded_;
    statistics.transitions = transitions_;
    statistics.deadlocks = deadlocks_;
    statistics.faults = faults_;
    statistics.waiting = statistics.states - expanded_;
    statistics.layers = layers_;
    statistics.widest_layer = widest_;
    statistics.sweeps = 1;
    statistics.sweep_details = {{peak_, expanded_}};
    statistics.state_bytes = system_->state_bytes();
    statistics.compile_seconds = system_->compile_seconds();
    statistics.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    return statistics;
}

}  // namespace tideline::check::ctl
