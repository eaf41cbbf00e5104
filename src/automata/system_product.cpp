// How a product is packed: where the system has a Layout, the automaton's state is one more slot of it, so that it
// fills bits that are free and ledgers can describe it; otherwise it follows the system's bytes. Slots of the system
// stay where they are.
//
// How it is expanded: the system expands many states at once into a batch of its own, whose entries are then multiplied
// with the edges that fit, source by source; one by one where there are ranks, faults, atoms of steps or such that
// cannot be evaluated. What does not fit into the caller's batch stays there for the next call. The code checks, and
// does not assume, that it still belongs to the same states; so a cursor may be used anywhere.
#include "automata/system_product.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <optional>
#include <span>

#include "automata/edge_choice.hpp"
#include "successor/layout_change.hpp"
#include "successor/run_lifter.hpp"

namespace tideline::automata {
namespace {

// Where the automaton's state lies.
struct Field {
    std::size_t word = 0;
    unsigned shift = 0;
    successor::Word mask = 0;  // unshifted

    [[nodiscard]] StateNumber read(const successor::Word* state) const {
        return static_cast<StateNumber>((state[word] >> shift) & mask);
    }
    [[nodiscard]] successor::Word written(StateNumber s) const { return successor::Word{s} << shift; }
};

// Shared by the expanders of a product.
struct Shared {
    Shared(std::shared_ptr<const successor::System> product_system, std::shared_ptr<const EdgeTable> edge_table,
           const ProductSettings& product_settings)
        : system(std::move(product_system)),
          table(std::move(edge_table)),
          settings(product_settings),
          own_words(system->state_words()) {
        const std::size_t states = table->ranks.size();
        if (const successor::Layout* own = system->layout()) {
            std::vector<model::Range> ranges;
            for (model::SlotId slot = 0; slot < system->slot_names().size(); ++slot) ranges.push_back(own->range(slot));
            ranges.push_back({0, static_cast<model::Value>(states - 1)});
            layout.emplace(std::move(ranges));
            const successor::Layout::Field& last =
                layout->field(static_cast<model::SlotId>(system->slot_names().size()));
            field = {last.word, last.shift, last.mask};
            words = layout->words();
            bytes = layout->bytes();
            return;
        }
        const std::size_t needed =
            std::max<std::size_t>(1, (static_cast<std::size_t>(std::bit_width(states - 1)) + 7) / 8);
        std::size_t at = system->state_bytes();
        if (at % sizeof(successor::Word) + needed > sizeof(successor::Word)) at = own_words * sizeof(successor::Word);
        field = {at / sizeof(successor::Word), static_cast<unsigned>(at % sizeof(successor::Word) * 8),
                 (successor::Word{1} << (8 * needed)) - 1};
        bytes = at + needed;
        words = (bytes + sizeof(successor::Word) - 1) / sizeof(successor::Word);
    }

    // The system's part of a state.
    void strip(const successor::Word* state, successor::Word* own) const {
        std::copy_n(state, own_words, own);
        if (field.word < own_words) own[field.word] &= ~(field.mask << field.shift);
    }
    void join(const successor::Word* own, StateNumber s, successor::Word* state) const {
        std::copy_n(own, own_words, state);
        if (words > own_words) state[own_words] = 0;
        state[field.word] |= field.written(s);
    }
    [[nodiscard]] successor::Key key(successor::Key own, StateNumber s) const {
        switch (settings.rank) {
            case RankPlace::none: break;
            case RankPlace::first:
                return settings.key_bits >= 128 ? own : (successor::Key{table->ranks[s]} << settings.key_bits) | own;
            case RankPlace::last: return (own << table->rank_bits) | table->ranks[s];
        }
        return own;
    }

    [[nodiscard]] std::uint64_t step_letter(model::TransitionId transition) const {
        return transition < settings.step_letters.size() ? settings.step_letters[transition] : 0;
    }
    // Those of a step of the system that the product keeps, behind the automaton's.
    [[nodiscard]] model::Marks own_marks(model::Marks marks) const {
        if (settings.own_marks == 0) return 0;
        const model::Marks mask =
            settings.own_marks >= 64 ? ~model::Marks{0} : (model::Marks{1} << settings.own_marks) - 1;
        return (marks & mask) << table->sets;
    }

    std::shared_ptr<const successor::System> system;
    std::shared_ptr<const EdgeTable> table;
    ProductSettings settings;
    std::optional<successor::Layout> layout;
    Field field;
    std::size_t own_words;
    std::size_t words = 0;
    std::size_t bytes = 0;
};

// The transition of a step that only reports an atom's fault.
model::TransitionId atom_fault(std::size_t atom) {
    return ~model::TransitionId{0} - static_cast<model::TransitionId>(atom);
}

// The edges that fit a letter, in the form in which they are joined with steps. They are looked up rather than computed
// where states and letters are few.
class JoinedEdges {
public:
    using Edge = successor::SuccessorBatch::JoinedEdge;

    JoinedEdges(const Shared& shared, EdgeChoice& choice) : shared_(shared), choice_(choice) {
        const std::size_t atoms = shared.table->atoms.size();
        if (atoms < 16 && (shared.table->ranks.size() << atoms) <= kMostEntries) {
            atoms_ = atoms;
            entries_.resize(shared.table->ranks.size() << atoms);
        }
    }

    // All atoms can be evaluated. `is_looked_up`: known from before; otherwise the choice is that of this state and
    // letter.
    [[nodiscard]] std::span<const Edge> of(StateNumber s, std::uint64_t valuation, bool& is_looked_up) {
        is_looked_up = false;
        if (entries_.empty()) {
            edges_.clear();
            add(s, valuation);
            return edges_;
        }
        Entry& entry = entries_[(std::size_t{s} << atoms_) | valuation];
        is_looked_up = entry.is_known;
        if (!entry.is_known) {
            entry.begin = static_cast<std::uint32_t>(edges_.size());
            add(s, valuation);
            entry.count = static_cast<std::uint32_t>(edges_.size()) - entry.begin;
            entry.is_known = true;
        }
        return std::span<const Edge>(edges_).subspan(entry.begin, entry.count);
    }

private:
    static constexpr std::size_t kMostEntries = 4096;
    struct Entry {
        std::uint32_t begin = 0;
        std::uint32_t count = 0;
        bool is_known = false;
    };

    void add(StateNumber s, std::uint64_t valuation) {
        choice_.look({valuation, 0}, s);
        for (const ProductEdge* edge : choice_.edges())
            edges_.push_back({shared_.field.written(edge->target), edge->marks});
    }

    const Shared& shared_;
    EdgeChoice& choice_;
    std::size_t atoms_ = 0;
    std::vector<Entry> entries_;  // by state and letter; empty: too many
    std::vector<Edge> edges_;
};

class ProductExpander final : public successor::Expander {
public:
    ProductExpander(std::shared_ptr<const Shared> shared, std::unique_ptr<successor::Expander> own)
        : shared_(std::move(shared)),
          own_(std::move(own)),
          choice_(*shared_->table, *shared_->system, shared_->settings.first_atom, shared_->settings.step_atoms),
          joined_(*shared_, choice_),
          is_plain_(shared_->settings.rank == RankPlace::none && shared_->settings.step_atoms == 0 &&
                    shared_->settings.own_marks == 0),
          letter_mask_(shared_->table->atoms.size() >= 64 ? ~std::uint64_t{0}
                                                          : (std::uint64_t{1} << shared_->table->atoms.size()) - 1),
          batch_(shared_->own_words, kBatch),
          source_(shared_->own_words),
          bits_(shared_->system->label_words()),
          faults_(shared_->system->label_count()) {}

    successor::Expansion expand(const successor::Word* states, std::size_t count, successor::Cursor& cursor,
                                successor::SuccessorBatch& out) override {
        if (!continues(states, count, cursor)) complete_ = 0;
        for (; cursor.state < count; ++cursor.state, cursor.delivered = 0) {
            if (cursor.state - first_ >= complete_) fill_batch(states, count, cursor.state);
            const successor::Expansion result =
                expand_one(states + std::size_t{cursor.state} * shared_->words, cursor, out);
            if (result != successor::Expansion::done) {
                if (result == successor::Expansion::full) keep(states, cursor);
                else complete_ = 0;
                return result;
            }
            out.complete_source();
        }
        complete_ = 0;
        return successor::Expansion::done;
    }

    void labels(const successor::Word* state, std::uint64_t* bits, model::FaultKind* faults) override {
        shared_->strip(state, source_.data());
        own_->labels(source_.data(), bits_.data(), faults_.data());
        const std::size_t count = shared_->settings.first_atom;
        std::copy_n(faults_.begin(), count, faults);
        std::copy_n(bits_.begin(), (count + 63) / 64, bits);
        if (count % 64 != 0) bits[count / 64] &= (std::uint64_t{1} << (count % 64)) - 1;
        if (!shared_->settings.is_monitor) return;
        if (count % 64 == 0) bits[count / 64] = 0;
        faults[count] = model::FaultKind::none;
        bits[count / 64] |= std::uint64_t{can_continue(shared_->field.read(state))} << (count % 64);
    }

    std::optional<successor::Key> key(const successor::Word* state) override {
        shared_->strip(state, source_.data());
        const std::optional<successor::Key> own = own_->key(source_.data());
        if (!own) return std::nullopt;
        return shared_->key(*own, shared_->field.read(state));
    }

    [[nodiscard]] const successor::Expander& own() const { return *own_; }

private:
    static constexpr std::size_t kBatch = 1024;
    static constexpr std::size_t kSources = 256;

    // Whether the batch is that of the states from the cursor on.
    [[nodiscard]] bool continues(const successor::Word* states, std::size_t count,
                                 const successor::Cursor& cursor) const {
        const std::uint64_t end = std::uint64_t{first_} + complete_;
        return complete_ > 0 && cursor.state >= first_ && cursor.state < end && end <= count &&
               kept_.size() == (end - cursor.state) * shared_->words &&
               std::equal(kept_.begin(), kept_.end(), states + std::size_t{cursor.state} * shared_->words);
    }
    void keep(const successor::Word* states, const successor::Cursor& cursor) {
        const std::uint64_t end = std::uint64_t{first_} + complete_;
        if (cursor.state < end)
            kept_.assign(states + std::size_t{cursor.state} * shared_->words, states + end * shared_->words);
    }

    void fill_batch(const successor::Word* states, std::size_t count, std::uint32_t from) {
        first_ = from;
        const std::size_t words = shared_->own_words;
        const std::size_t taken = std::min<std::size_t>(count - from, kSources);
        sources_.resize(std::max(sources_.size(), taken * words));
        for (std::size_t i = 0; i < taken; ++i)
            shared_->strip(states + (from + i) * shared_->words, sources_.data() + i * words);
        batch_.restart(0);
        successor::Cursor own;
        // Where it ends early, the cause shows again when that state is the first one to be expanded.
        (void)own_->expand(sources_.data(), taken, own, batch_);
        complete_ = static_cast<std::uint32_t>(batch_.complete_sources());
    }

    successor::Expansion expand_one(const successor::Word* state, successor::Cursor& cursor,
                                    successor::SuccessorBatch& out) {
        const StateNumber s = shared_->field.read(state);
        const std::size_t place = complete_ == 0 ? 0 : cursor.state - first_;
        // Whether it is in the batch or the first state of one that has not got all of its steps.
        const successor::Word* const source = sources_.data() + place * shared_->own_words;
        const EdgeChoice::Letter letter = choice_.read(*own_, source);
        const std::size_t begin = place == 0 ? 0 : batch_.end(place - 1);
        const std::size_t end = complete_ == 0 ? 0 : batch_.end(place);
        if (letter.unknown == 0 && is_plain_ && cursor.delivered == 0 && !batch_.has_faults() && begin != end) {
            bool is_looked_up = false;
            const std::span<const JoinedEdges::Edge> edges =
                joined_.of(s, letter.valuation & letter_mask_, is_looked_up);
            // What is watched depends on the automaton's state and the letter only.
            if (shared_->settings.watch && !is_looked_up) watch(s);
            const std::size_t steps = (end - begin) * edges.size();
            if (steps <= out.capacity() - out.size()) {
                const Field& field = shared_->field;
                out.join(batch_, begin, end, edges, field.word, ~(field.mask << field.shift));
                return successor::Expansion::done;
            }
            if (steps <= out.capacity() && out.size() > 0) return successor::Expansion::full;
        }
        source_.assign(source, source + shared_->own_words);
        choice_.look(letter, s);
        if (shared_->settings.watch) watch(s);
        seen_ = 0;
        if (!tell_faulty_atom(cursor, out)) return successor::Expansion::full;
        if (complete_ == 0) return expand_alone(cursor, out);
        return begin == end ? stay(cursor, out) : multiply(begin, end, cursor, out);
    }

    // Of a monitor: whether it has an edge for the letter of the state in source_.
    bool can_continue(StateNumber s) {
        const EdgeChoice::Letter letter = choice_.read(*own_, source_.data());
        bool is_looked_up = false;
        bool has_edge = false;
        if (letter.unknown == 0) {
            has_edge = !joined_.of(s, letter.valuation & letter_mask_, is_looked_up).empty();
        } else {
            choice_.look(letter, s);
            has_edge = !choice_.edges().empty() || choice_.faulty_atom().has_value();
        }
        if (shared_->settings.watch && !is_looked_up) watch(s);
        return has_edge;
    }

    // Every state of the system is visited with the initial state of the automaton where that one can always stay; with
    // some state of a monitor in any case, as long as there is no bad prefix.
    void watch(StateNumber automaton_state) {
        WatchedCondition& watched = *shared_->settings.watch;
        const auto note = [](std::atomic<bool>& flag) {
            if (!flag.load(std::memory_order_relaxed)) flag.store(true, std::memory_order_relaxed);
        };
        if (!watched.seen.load(std::memory_order_relaxed) && choice_.is_watched_true()) note(watched.seen);
        const StateNumber initial = shared_->table->initial;
        if (!shared_->settings.is_monitor && automaton_state == initial &&
            std::none_of(choice_.edges().begin(), choice_.edges().end(),
                         [&](const ProductEdge* edge) { return edge->target == initial; }))
            note(watched.has_gaps);
    }

    // A state that does not fit into the batch, or where the system needs repacking or a key is undefined.
    successor::Expansion expand_alone(successor::Cursor& cursor, successor::SuccessorBatch& out) {
        successor::Cursor from;
        bool any = false;
        for (;;) {
            batch_.restart(0);
            const successor::Expansion result = own_->expand(source_.data(), 1, from, batch_);
            any = any || batch_.size() > 0;
            if (multiply(0, batch_.size(), cursor, out) == successor::Expansion::full)
                return successor::Expansion::full;
            switch (result) {
                case successor::Expansion::done: return any ? successor::Expansion::done : stay(cursor, out);
                case successor::Expansion::full: break;
                case successor::Expansion::needs_repacking: return successor::Expansion::needs_repacking;
                // Where the automaton takes no step, the key is not needed.
                case successor::Expansion::key_undefined:
                    return choice_.edges().empty() ? successor::Expansion::done : successor::Expansion::key_undefined;
            }
        }
    }

    bool tell_faulty_atom(successor::Cursor& cursor, successor::SuccessorBatch& out) {
        if (!choice_.faulty_atom() || seen_++ < cursor.delivered) return true;
        if (out.full()) return false;
        out.push(atom_fault(*choice_.faulty_atom()), 0, choice_.fault());
        ++cursor.delivered;
        return true;
    }

    // Multiplies the entries of the batch with the edges.
    successor::Expansion multiply(std::size_t begin, std::size_t end, successor::Cursor& cursor,
                                  successor::SuccessorBatch& out) {
        for (std::size_t i = begin; i < end; ++i) {
            if (batch_.fault(i) != model::FaultKind::none) {
                if (seen_++ < cursor.delivered) continue;
                if (out.full()) return successor::Expansion::full;
                out.push(batch_.transition(i), 0, batch_.fault(i));
                ++cursor.delivered;
                continue;
            }
            const model::TransitionId transition = batch_.transition(i);
            if (shared_->settings.step_atoms != 0) choice_.choose(shared_->step_letter(transition));
            if (!add(batch_.state(i), transition, batch_.key(i), shared_->own_marks(batch_.marks(i)), cursor, out))
                return successor::Expansion::full;
        }
        return successor::Expansion::done;
    }

    successor::Expansion stay(successor::Cursor& cursor, successor::SuccessorBatch& out) {
        if (!repeats()) return successor::Expansion::done;
        const std::optional<successor::Key> key = own_->key(source_.data());
        assert(key && "a state that was reached has a key");
        if (shared_->settings.step_atoms != 0) choice_.choose(0);
        return add(source_.data(), shared_->settings.stay_transition, *key,
                   shared_->own_marks(shared_->settings.stay_marks), cursor, out)
                   ? successor::Expansion::done
                   : successor::Expansion::full;
    }

    // Whether the current state, which has no step, repeats.
    bool repeats() {
        const ProductSettings& settings = shared_->settings;
        if (settings.end_label) {
            own_->labels(source_.data(), bits_.data(), faults_.data());
            if (((bits_[*settings.end_label / 64] >> (*settings.end_label % 64)) & 1U) != 0) return true;
        }
        if (settings.has_stayed && !settings.has_stayed->load(std::memory_order_relaxed))
            settings.has_stayed->store(true, std::memory_order_relaxed);
        return settings.deadlocks_repeat;
    }

    // One step of the system with each of the edges.
    bool add(const successor::Word* own, model::TransitionId transition, successor::Key key, model::Marks own_marks,
             successor::Cursor& cursor, successor::SuccessorBatch& out) {
        for (const ProductEdge* edge : choice_.edges()) {
            if (seen_++ < cursor.delivered) continue;
            if (out.full()) return false;
            shared_->join(own, edge->target, out.next_state());
            out.push(transition, edge->marks | own_marks, model::FaultKind::none, shared_->key(key, edge->target));
            ++cursor.delivered;
        }
        return true;
    }

    std::shared_ptr<const Shared> shared_;
    std::unique_ptr<successor::Expander> own_;
    EdgeChoice choice_;
    JoinedEdges joined_;
    bool is_plain_;                         // nothing but the automaton's state and marks is added to steps
    std::uint64_t letter_mask_;             // the bits of the atoms
    successor::SuccessorBatch batch_;       // of the system's steps,
    std::vector<successor::Word> sources_;  // out of these states,
    std::uint32_t first_ = 0;               // the first of which has this index among the caller's states;
    std::uint32_t complete_ = 0;            // the first ones of them, of which all steps are there
    std::vector<successor::Word> kept_;     // the caller's states from the cursor on, between two calls
    std::vector<successor::Word> source_;   // the system's part of the current state
    std::uint64_t seen_ = 0;                // steps of that state, delivered earlier or now
    std::vector<std::uint64_t> bits_;
    std::vector<model::FaultKind> faults_;
};

class SystemProduct final : public successor::System, public successor::HasLifter {
public:
    explicit SystemProduct(std::shared_ptr<const Shared> shared)
        : shared_(std::move(shared)), names_(own().slot_names()) {
        names_.emplace_back(kAutomatonSlot);
    }

    [[nodiscard]] std::size_t state_words() const override { return shared_->words; }
    [[nodiscard]] std::size_t state_bytes() const override { return shared_->bytes; }
    [[nodiscard]] std::size_t label_count() const override {
        return shared_->settings.first_atom + (shared_->settings.is_monitor ? 1 : 0);
    }
    [[nodiscard]] double compile_seconds() const override { return own().compile_seconds(); }
    [[nodiscard]] const successor::Layout* layout() const override {
        return shared_->layout ? &*shared_->layout : nullptr;
    }
    [[nodiscard]] const std::vector<std::string>& slot_names() const override { return names_; }

    [[nodiscard]] unsigned acceptance_sets() const override {
        return shared_->table->sets + std::min(own().acceptance_sets(), shared_->settings.own_marks);
    }
    [[nodiscard]] std::vector<std::vector<successor::Word>> initial_states() const override {
        std::vector<std::vector<successor::Word>> result;
        for (const std::vector<successor::Word>& own_state : own().initial_states())
            shared_->join(own_state.data(), shared_->table->initial, result.emplace_back(state_words()).data());
        return result;
    }
    [[nodiscard]] std::unique_ptr<successor::Expander> expander() const override {
        return std::make_unique<ProductExpander>(shared_, own().expander());
    }
    [[nodiscard]] std::unique_ptr<successor::Expander> search_expander() const override {
        return std::make_unique<ProductExpander>(shared_, own().search_expander());
    }

    [[nodiscard]] std::vector<model::Value> key_values(successor::Key key) const override {
        const ProductSettings& settings = shared_->settings;
        if (settings.rank == RankPlace::none) return own().key_values(key);
        const bool first = settings.rank == RankPlace::first;
        const unsigned below = first ? settings.key_bits : shared_->table->rank_bits;
        const successor::Key upper = below >= 128 ? 0 : key >> below;
        const successor::Key lower = below >= 128 ? key : key - (upper << below);
        std::vector<model::Value> values = own().key_values(first ? lower : upper);
        values.insert(first ? values.begin() : values.end(), static_cast<model::Value>(first ? upper : lower));
        return values;
    }

    [[nodiscard]] std::unique_ptr<successor::System> with_wider_fields(
        const successor::Expander& stopped) const override {
        std::shared_ptr<const successor::System> wider =
            own().with_wider_fields(static_cast<const ProductExpander&>(stopped).own());
        if (!wider) return nullptr;
        return std::make_unique<SystemProduct>(
            std::make_shared<const Shared>(std::move(wider), shared_->table, shared_->settings));
    }
    [[nodiscard]] successor::Repacking repacking(const successor::System& older) const override {
        if (layout() == nullptr)
            return [words = state_words()](const successor::Word* from, successor::Word* to) {
                std::copy_n(from, words, to);
            };
        assert(older.layout() != nullptr && "systems that follow each other are of one kind");
        return [change = successor::LayoutChange(*older.layout(), *layout(), names_.size())](
                   const successor::Word* from, successor::Word* to) { change.apply(from, to); };
    }

    [[nodiscard]] std::vector<model::Value> decode(const successor::Word* state) const override {
        std::vector<model::Value> values = own().decode(stripped(state).data());
        values.push_back(shared_->field.read(state));
        return values;
    }
    [[nodiscard]] std::string value_text(model::SlotId slot, model::Value value) const override {
        return slot + 1 == names_.size() ? std::to_string(value) : own().value_text(slot, value);
    }

    [[nodiscard]] std::vector<successor::ChannelSlots> channels() const override { return own().channels(); }
    [[nodiscard]] std::vector<successor::StepDetail> steps(const successor::Word* state) const override {
        const std::vector<successor::Word> source = stripped(state);
        EdgeChoice choice(*shared_->table, own(), shared_->settings.first_atom, shared_->settings.step_atoms);
        const std::unique_ptr<successor::Expander> expander = own().expander();
        choice.look(*expander, source.data(), shared_->field.read(state));
        std::vector<successor::StepDetail> result;
        if (choice.faulty_atom()) {
            successor::StepDetail& step = result.emplace_back();
            step.transition = atom_fault(*choice.faulty_atom());
            step.fault = choice.fault();
            step.fault_text = text_of_unevaluated(shared_->table->atoms[*choice.faulty_atom()]);
        }
        std::vector<successor::StepDetail> own_steps = own().steps(source.data());
        const bool stays = own_steps.empty();
        if (stays && repeats(*expander, source)) {
            own_steps.emplace_back().next = source;
            own_steps.back().transition = shared_->settings.stay_transition;
        }
        for (const successor::StepDetail& step : own_steps) {
            if (shared_->settings.step_atoms != 0) choice.choose(stays ? 0 : shared_->step_letter(step.transition));
            if (step.fault != model::FaultKind::none) {
                result.push_back(step);
                continue;
            }
            for (const ProductEdge* edge : choice.edges()) {
                successor::StepDetail& joint = result.emplace_back(step);
                if (step.next.empty()) continue;
                joint.next.resize(state_words());
                shared_->join(step.next.data(), edge->target, joint.next.data());
            }
        }
        return result;
    }

    [[nodiscard]] std::unique_ptr<successor::RunLifter> lifter() const override;

private:
    // Whether a state without a step repeats.
    [[nodiscard]] bool repeats(successor::Expander& expander, const std::vector<successor::Word>& state) const {
        const ProductSettings& settings = shared_->settings;
        if (settings.deadlocks_repeat || !settings.end_label) return settings.deadlocks_repeat;
        std::vector<std::uint64_t> bits(own().label_words());
        std::vector<model::FaultKind> faults(own().label_count());
        expander.labels(state.data(), bits.data(), faults.data());
        return ((bits[*settings.end_label / 64] >> (*settings.end_label % 64)) & 1U) != 0;
    }

    [[nodiscard]] const successor::System& own() const { return *shared_->system; }
    [[nodiscard]] std::vector<successor::Word> stripped(const successor::Word* state) const {
        std::vector<successor::Word> result(shared_->own_words);
        shared_->strip(state, result.data());
        return result;
    }

    std::shared_ptr<const Shared> shared_;
    std::vector<std::string> names_;
};

// The automaton reads the same of a state as of its representative, so that it moves alike.
class ProductLifter final : public successor::RunLifter {
public:
    ProductLifter(std::shared_ptr<const Shared> shared, std::unique_ptr<successor::RunLifter> own)
        : shared_(std::move(shared)),
          own_(std::move(own)),
          lifted_(std::make_shared<const Shared>(own_->system(), shared_->table, shared_->settings)),
          system_(std::make_shared<const SystemProduct>(lifted_)) {}

    [[nodiscard]] const std::shared_ptr<const successor::System>& system() const override { return system_; }
    std::vector<successor::Word> follow(const successor::Word* representative) override {
        std::vector<successor::Word> own(shared_->own_words);
        shared_->strip(representative, own.data());
        own = own_->follow(own.data());
        if (own.empty()) return own;
        std::vector<successor::Word> state(lifted_->words);
        lifted_->join(own.data(), shared_->field.read(representative), state.data());
        return state;
    }
    [[nodiscard]] model::TransitionId transition(model::TransitionId transition) const override {
        // Atoms are counted from the last number down.
        const bool is_atom_fault = transition > ~model::TransitionId{0} - shared_->table->atoms.size();
        return is_atom_fault ? transition : own_->transition(transition);
    }

private:
    std::shared_ptr<const Shared> shared_;
    std::unique_ptr<successor::RunLifter> own_;
    std::shared_ptr<const Shared> lifted_;
    std::shared_ptr<const successor::System> system_;
};

std::unique_ptr<successor::RunLifter> SystemProduct::lifter() const {
    std::unique_ptr<successor::RunLifter> own_lifter = successor::lifter_of(own());
    if (!own_lifter) return nullptr;
    return std::make_unique<ProductLifter>(shared_, std::move(own_lifter));
}

}  // namespace

unsigned rank_bits(const Automaton& automaton) { return make_edge_table(automaton)->rank_bits; }

namespace {
constexpr std::string_view kUnevaluated = "' cannot be evaluated";
}

std::string text_of_unevaluated(const std::string& atom) { return "'" + atom + std::string(kUnevaluated); }

std::optional<std::string> unevaluated_atom(const std::string& fault_text) {
    if (!fault_text.starts_with("'") || !fault_text.ends_with(kUnevaluated)) return std::nullopt;
    return fault_text.substr(1, fault_text.size() - 1 - kUnevaluated.size());
}

std::shared_ptr<const successor::System> make_product(std::shared_ptr<const successor::System> system,
                                                      const Automaton& automaton, const ProductSettings& settings) {
    assert(system->label_count() >= settings.first_atom + automaton.atoms.size() &&
           "labels are there for the automaton's atoms");
    assert(!settings.is_monitor || settings.step_atoms == 0);
    std::shared_ptr<const EdgeTable> table = make_edge_table(automaton, settings.watched);
    assert(settings.rank == RankPlace::none || settings.key_bits + table->rank_bits <= 128);
    return std::make_shared<const SystemProduct>(
        std::make_shared<const Shared>(std::move(system), std::move(table), settings));
}

}  // namespace tideline::automata
