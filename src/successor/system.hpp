// What an engine sees of a system, whether interpreted, compiled, written in C++ or a product.
//
// A System is immutable and shared by threads; each thread works with an Expander of its own, which holds the scratch
// memory. The hot call is Expander::expand: one virtual call per batch of states, none per successor, no allocation.
// Everything that serves people (names, steps with their source) is separate, slow and obvious: System::steps.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/fault.hpp"
#include "model/model.hpp"
#include "successor/commuting.hpp"
#include "successor/hash.hpp"
#include "successor/key.hpp"
#include "successor/layout.hpp"

namespace tideline::successor {

// A packed state is an array of state_words() words, of which the first state_bytes() bytes matter (the rest is 0).

// The successors of consecutive states ("sources"), as parallel arrays. An entry with a fault has no state. Keys are
// present only where the system has a measure, and hashes once compute_hashes() was called. Steps that sleep in their
// source are left out and counted separately (commuting.hpp).
class SuccessorBatch {
public:
    SuccessorBatch(std::size_t state_words, std::size_t capacity);

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t capacity() const { return transitions_.size(); }
    [[nodiscard]] bool full() const { return size_ == capacity(); }
    // Empties it; `source` is the index, among the states to be expanded, of the one whose successors come first.
    // asleep[i]: what sleeps in the i-th of the states to be expanded; null: nothing does.
    void restart(std::uint32_t source, const SleepSet* asleep = nullptr);
    void compute_hashes();

    [[nodiscard]] const Word* state(std::size_t i) const { return states_.data() + i * state_words_; }
    [[nodiscard]] std::uint64_t hash(std::size_t i) const { return hashes_[i]; }
    [[nodiscard]] model::TransitionId transition(std::size_t i) const { return transitions_[i]; }
    [[nodiscard]] model::Marks marks(std::size_t i) const { return marks_[i]; }
    // The same of all entries.
    [[nodiscard]] std::span<const model::TransitionId> transitions() const {
        return std::span(transitions_).first(size_);
    }
    [[nodiscard]] std::span<const model::Marks> marks() const { return std::span(marks_).first(size_); }
    [[nodiscard]] model::FaultKind fault(std::size_t i) const { return faults_[i]; }
    [[nodiscard]] bool has_faults() const { return has_faults_; }
    [[nodiscard]] Key key(std::size_t i) const { return keys_[i]; }
    // What sleeps in a successor; only where restart() was given the sets of the sources.
    [[nodiscard]] SleepSet asleep(std::size_t i) const { return asleep_[i]; }
    // Wakes in every successor what already slept in its source; what remains was taken from the source before this
    // step.
    void wake_inherited();
    // Lets everything sleep in a successor that commutes with the step to it and comes before it in the order of
    // transitions, whether it slept in the source or not.
    void sleep_by_order(const Commuting& commuting);
    [[nodiscard]] const std::uint64_t* hashes() const { return hashes_.data(); }

    // The source of an entry; slow.
    [[nodiscard]] std::uint32_t source(std::size_t i) const;
    [[nodiscard]] std::uint32_t first_source() const { return first_source_; }
    // The number of the first source, where states are numbered; those that follow it have the next ones.
    [[nodiscard]] std::uint64_t first_number() const { return first_number_; }
    void set_first_number(std::uint64_t number) { first_number_ = number; }
    // How many sources are complete, beginning with the first, and where the entries of the n-th of them end.
    [[nodiscard]] std::size_t complete_sources() const { return ends_.size(); }
    [[nodiscard]] std::uint32_t end(std::size_t n) const { return ends_[n]; }
    [[nodiscard]] std::span<const std::uint32_t> ends() const { return ends_; }
    // How many of its steps sleep.
    [[nodiscard]] std::uint32_t skipped(std::size_t n) const { return skipped_[n]; }

    // For systems: the address of the next successor's state, then push() to make it count; complete_source() after its
    // last one.
    Word* next_state() { return states_.data() + size_ * state_words_; }
    void push(model::TransitionId transition, model::Marks marks, model::FaultKind fault, Key key = 0,
              SleepSet asleep = 0) {
        transitions_[size_] = transition;
        marks_[size_] = marks;
        faults_[size_] = fault;
        if (fault != model::FaultKind::none) has_faults_ = true;
        keys_[size_] = key;
        asleep_[size_] = asleep;
        ++size_;
    }
    void complete_source(std::uint32_t skipped = 0) {
        ends_.push_back(static_cast<std::uint32_t>(size_));
        skipped_.push_back(skipped);
    }
    // For products: entries begin ... end - 1 of another batch, none of them faulty, each once per edge of a component
    // that moves with every step. What the edge adds to a state lies in one word, which `keep` has the other bits of;
    // that word may be one more than the states of the other batch have. Keys stay. There is room.
    struct JoinedEdge {
        Word bits = 0;
        model::Marks marks = 0;
    };
    void join(const SuccessorBatch& from, std::size_t begin, std::size_t end, std::span<const JoinedEdge> edges,
              std::size_t word, Word keep);
    // The argument of restart().
    [[nodiscard]] const SleepSet* sources_asleep() const { return sources_asleep_; }

    // For systems that are made of others: another set of marks; and all entries from `size` on, with all sources from
    // `sources` on, are taken back.
    void set_marks(std::size_t i, model::Marks marks) { marks_[i] = marks; }
    void truncate(std::size_t size, std::size_t sources);

    // For generated code: the arrays that it fills itself from index size() on, and where the ends of the next
    // `sources` sources go. Faults are `none` beforehand. commit() then makes the entries below `size` count, and all
    // except `unfinished` of those sources.
    struct Raw {
        Word* states;
        model::TransitionId* transitions;
        model::FaultKind* faults;
        model::Marks* marks;
        Key* keys;
        SleepSet* asleep;
        std::uint32_t* ends;
        std::uint32_t* skipped;
    };
    [[nodiscard]] Raw raw(std::size_t sources) {
        const std::size_t complete = ends_.size();
        ends_.resize(complete + sources);
        skipped_.resize(complete + sources);
        return {states_.data(), transitions_.data(), faults_.data(),          marks_.data(),
                keys_.data(),   asleep_.data(),      ends_.data() + complete, skipped_.data() + complete};
    }
    void commit(std::size_t size, std::size_t unfinished, bool has_faults) {
        size_ = size;
        ends_.resize(ends_.size() - unfinished);
        skipped_.resize(ends_.size());
        has_faults_ |= has_faults;
    }

private:
    std::size_t state_words_;
    std::size_t size_ = 0;
    std::uint32_t first_source_ = 0;
    std::uint64_t first_number_ = 0;
    bool has_faults_ = false;
    const SleepSet* sources_asleep_ = nullptr;
    std::vector<std::uint32_t> ends_;
    std::vector<std::uint32_t> skipped_;
    std::vector<Word> states_;
    std::vector<std::uint64_t> hashes_;
    std::vector<model::TransitionId> transitions_;
    std::vector<model::Marks> marks_;
    std::vector<model::FaultKind> faults_;
    std::vector<Key> keys_;
    std::vector<SleepSet> asleep_;
};

// Where expand() continues: the state of the batch, and how many of its successors have been delivered (where all
// processes move at once, a state can have more than 2^32).
struct Cursor {
    std::uint32_t state = 0;
    std::uint64_t delivered = 0;
};

enum class Expansion : std::uint8_t {
    done,  // all states of the batch have been expanded
    full,  // the batch of successors is full, or it is time to check the limits: use it, clear it, call again
    needs_repacking,  // a value does not fit the packing: use what is there, repack with wider fields, call again
    key_undefined,    // the progress measure cannot be evaluated in a successor: use what is there, then give up
};

class Expander {
public:
    virtual ~Expander() = default;
    // Expands states[cursor.state] ... states[count - 1] in order, until `out` is full or the call takes long. The
    // batch has been restarted at the cursor's state, or at one before it, and has all steps of the states between.
    virtual Expansion expand(const Word* states, std::size_t count, Cursor& cursor, SuccessorBatch& out) = 0;
    // Evaluates the system's labels: bit i % 64 of word i / 64 of a state's label_words() words. A label whose
    // evaluation is faulty is 0; faults[i] (label_count() of them) says so.
    virtual void labels(const Word* state, std::uint64_t* bits, model::FaultKind* faults) = 0;
    // The progress key of a state; nothing where the measure cannot be evaluated there.
    virtual std::optional<Key> key(const Word* state) = 0;
};

// One process's part in a step, for people.
struct StepPart {
    std::string process;
    std::string from;
    std::string to;
    std::uint32_t line = 0;  // in the model's file; 0: none
    std::string text;        // as written there
};

// A message that is sent or received in a step, or a text that is printed.
struct StepEvent {
    model::Event::Kind kind = model::Event::Kind::print;
    std::size_t part = 0;             // who, in StepDetail::parts
    std::string channel;              // of a message
    std::vector<std::string> values;  // of a message
    std::string text;                 // printed
    friend bool operator==(const StepEvent&, const StepEvent&) = default;
};

struct StepDetail {
    model::TransitionId transition = 0;  // as in a SuccessorBatch
    std::vector<StepPart> parts;         // the one that acts first; of a property process last
    std::string label;
    std::vector<StepEvent> events;  // in sequence
    model::FaultKind fault = model::FaultKind::none;
    std::string fault_text;  // what went wrong: "index 5 of a[4]"
    std::vector<Word> next;  // empty where there is a fault
};

// The slots of a buffered channel: how many messages it holds, then an array per field.
struct ChannelSlots {
    std::string name;
    model::SlotId length = 0;
    std::vector<model::SlotId> contents;  // the first slot of each array
    std::uint32_t capacity = 0;
    [[nodiscard]] std::size_t slot_count() const { return 1 + contents.size() * capacity; }
};

// Writes a state in another packing.
using Repacking = std::function<void(const Word*, Word*)>;

class System {
public:
    virtual ~System() = default;

    [[nodiscard]] virtual std::size_t state_words() const = 0;
    [[nodiscard]] virtual std::size_t state_bytes() const = 0;
    // At least one, each once, always in the same order.
    [[nodiscard]] virtual std::vector<std::vector<Word>> initial_states() const = 0;
    [[nodiscard]] virtual std::unique_ptr<Expander> expander() const = 0;
    // For the search itself, which replaces the system when the expander returns needs_repacking, also for other
    // reasons than a value that does not fit.
    [[nodiscard]] virtual std::unique_ptr<Expander> search_expander() const { return expander(); }
    [[nodiscard]] virtual std::size_t label_count() const = 0;
    // The values of the measure's components that a key stands for, most significant first.
    [[nodiscard]] virtual std::vector<model::Value> key_values(Key key) const = 0;
    // Time spent on compiling machine code.
    [[nodiscard]] virtual double compile_seconds() const { return 0; }
    // How many acceptance sets the marks of its steps tell apart; 0: no step has marks.
    [[nodiscard]] virtual unsigned acceptance_sets() const { return 0; }
    // Which of its steps may sleep; null: it never leaves one out.
    [[nodiscard]] virtual const Commuting* commuting() const { return nullptr; }
    [[nodiscard]] std::size_t label_words() const { return (label_count() + 63) / 64; }

    // A system with the same states and steps whose packing holds the values that made expand() return needs_repacking;
    // its repacking() converts states of this system. Null where the fields cannot become wider.
    [[nodiscard]] virtual std::unique_ptr<System> with_wider_fields(const Expander& stopped) const = 0;
    // How states of an older system become this one's; it holds as long as both systems.
    [[nodiscard]] virtual Repacking repacking(const System& older) const = 0;
    // How the slots of a model are packed, where the system is one.
    [[nodiscard]] virtual const Layout* layout() const { return nullptr; }

    [[nodiscard]] virtual const std::vector<std::string>& slot_names() const = 0;
    [[nodiscard]] virtual std::vector<model::Value> decode(const Word* state) const = 0;
    [[nodiscard]] virtual std::string value_text(model::SlotId slot, model::Value value) const = 0;
    // Of buffered channels; ascending by their slots.
    [[nodiscard]] virtual std::vector<ChannelSlots> channels() const { return {}; }
    // All steps of a state in the order of expand().
    [[nodiscard]] virtual std::vector<StepDetail> steps(const Word* state) const = 0;
};

}  // namespace tideline::successor
