// A system written in C++ as a System. The class that a user writes:
//
//     struct Counter {
//         struct State { std::uint8_t n; };                        // plain data without padding
//         State initial() const { return {0}; }
//         template <class Emit>
//         void successors(const State& s, Emit&& emit) const {     // every step: emit(next state, name of the step)
//             if (s.n < 9) emit(State{static_cast<std::uint8_t>(s.n + 1)}, "increment");
//         }
//         void describe(const State& s, tideline::Description& d) const {
//             d.value("n", s.n);
//             d.label("done", s.n == 9);
//         }
//         std::array<std::uint32_t, 1> progress(const State& s) const { return {s.n}; }   // optional; most significant first
//     };
//
// A packed state is the object's bytes; successors are generated without virtual calls or allocation.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "model/evaluate.hpp"
#include "successor/cpp/description.hpp"
#include "successor/system.hpp"

namespace tideline {

template <class S>
concept HasProgress = requires(const S& system, const typename S::State& state) { system.progress(state); };

// Other types would have to be cut or would sort wrongly as bits.
template <class T>
inline constexpr bool kIsProgress = false;
template <std::size_t N>
inline constexpr bool kIsProgress<std::array<std::uint32_t, N>> = N >= 1 && N <= sizeof(Key) / sizeof(std::uint32_t);

template <class S>
concept CppModel = std::is_trivially_copyable_v<typename S::State> &&
                   std::has_unique_object_representations_v<typename S::State> &&
                   requires(const S& system, const typename S::State& state, Description& description) {
                       { system.initial() } -> std::same_as<typename S::State>;
                       system.describe(state, description);
                       system.successors(state, [](const typename S::State&, const char*) {});
                   };

namespace cpp {

template <class State>
State load_state(const Word* words) {
    State state;
    std::memcpy(static_cast<void*>(&state), words, sizeof(State));
    return state;
}

template <class State>
constexpr std::size_t kWords = (sizeof(State) + sizeof(Word) - 1) / sizeof(Word);

template <class State>
void store_state(const State& state, Word* words) {
    words[kWords<State> - 1] = 0;
    std::memcpy(words, &state, sizeof(State));
}

// The values of a state by name, `count` of them; throws std::logic_error where the class describes this state otherwise.
template <CppModel S>
const std::vector<Value>& described(const S& system, const typename S::State& state, Description& description, std::size_t count) {
    description.restart(false);
    system.describe(state, description);
    if (description.slots().size() != count)
        throw std::logic_error("describe() gives " + std::to_string(count) + " values for the initial state, but " +
                               std::to_string(description.slots().size()) + " for another one");
    return description.slots();
}

}  // namespace cpp

// What the expanders of a C++ system share.
template <CppModel S>
struct CppShared {
    [[nodiscard]] const std::vector<Value>& describe(const typename S::State& state, Description& description) const {
        return cpp::described(system, state, description, names->slot_count());
    }

    S system;
    std::shared_ptr<const Model> names;
    std::vector<Expression> labels;
    KeyProgram key;         // over the names; unused where the class has its own progress
    bool own_progress = false;
};

template <CppModel S>
class CppExpander final : public Expander {
public:
    explicit CppExpander(std::shared_ptr<const CppShared<S>> shared) : shared_(std::move(shared)) {
        std::size_t depth = 1;
        for (const Expression& label : shared_->labels) depth = std::max(depth, label.stack_depth() + 1);
        for (const KeyComponent& component : shared_->key.components)
            depth = std::max(depth, component.expression.stack_depth() + 1);
        stack_.resize(depth);
    }

    Expansion expand(const Word* states, std::size_t count, Cursor& cursor, SuccessorBatch& out) override {
        for (; cursor.state < count; ++cursor.state, cursor.delivered = 0) {
            const State state = cpp::load_state<State>(states + cursor.state * cpp::kWords<State>);
            std::uint32_t seen = 0;
            Expansion result = Expansion::done;
            shared_->system.successors(state, [&](const State& next, const char* /*name*/) {
                if (result != Expansion::done || seen++ < cursor.delivered) return;
                const std::optional<Key> key = out.full() ? Key{0} : key_of(next);
                if (out.full() || !key) {
                    result = key ? Expansion::full : Expansion::keyless;
                    return;
                }
                cpp::store_state(next, out.next_state());
                out.push(seen - 1, 0, FaultKind::none, *key);
                ++cursor.delivered;
            });
            if (result != Expansion::done) return result;
            out.complete_source();
        }
        return Expansion::done;
    }

    void labels(const Word* state, std::uint64_t* bits, FaultKind* faults) override {
        const std::vector<Value>& slots = shared_->describe(cpp::load_state<State>(state), description_);
        std::fill_n(bits, (shared_->labels.size() + 63) / 64, 0);
        for (std::size_t i = 0; i < shared_->labels.size(); ++i) {
            const Evaluation result = evaluate(shared_->labels[i], shared_->names->tables, slots.data(), stack_.data());
            faults[i] = result.fault;
            if (result.fault == FaultKind::none && result.value != 0) bits[i / 64] |= std::uint64_t{1} << (i % 64);
        }
    }

    std::optional<Key> key(const Word* state) override { return key_of(cpp::load_state<State>(state)); }

private:
    using State = typename S::State;

    std::optional<Key> key_of(const State& state) {
        if constexpr (HasProgress<S>) {
            static_assert(kIsProgress<decltype(shared_->system.progress(state))>, "progress() returns one to four std::uint32_t in a std::array");
            if (shared_->own_progress) {
                Key result = 0;
                for (const std::uint32_t component : shared_->system.progress(state)) result = (result << 32U) | component;
                return result;
            }
        }
        if (shared_->key.components.empty()) return Key{0};
        const std::vector<Value>& slots = shared_->describe(state, description_);
        return evaluate_key(shared_->key, shared_->names->tables, slots.data(), stack_.data());
    }

    std::shared_ptr<const CppShared<S>> shared_;
    Description description_;
    std::vector<Value> stack_;
};

template <CppModel S>
class CppSystem final : public System {
public:
    explicit CppSystem(std::shared_ptr<const CppShared<S>> shared) : shared_(std::move(shared)) {
        for (const Model::SlotOwner owner : shared_->names->slot_owners()) names_.push_back(shared_->names->slot_name(owner));
    }

    [[nodiscard]] std::size_t state_words() const override { return cpp::kWords<State>; }
    [[nodiscard]] std::size_t state_bytes() const override { return sizeof(State); }
    [[nodiscard]] std::size_t label_count() const override { return shared_->labels.size(); }
    [[nodiscard]] const std::vector<std::string>& slot_names() const override { return names_; }
    [[nodiscard]] std::vector<Value> key_values(Key key) const override {
        if (!shared_->own_progress) return tideline::key_values(shared_->key, key);
        if constexpr (HasProgress<S>) {
            std::vector<Value> values(shared_->system.progress(shared_->system.initial()).size());
            for (std::size_t i = values.size(); i-- > 0; key >>= 32U) values[i] = static_cast<Value>(key & 0xFFFFFFFFU);
            return values;
        }
        return {};
    }
    [[nodiscard]] std::unique_ptr<Expander> expander() const override { return std::make_unique<CppExpander<S>>(shared_); }
    [[nodiscard]] std::unique_ptr<System> widened(const Expander& /*stopped*/) const override { return nullptr; }
    [[nodiscard]] Repacking repacking(const System& /*older*/) const override {
        return [words = state_words()](const Word* from, Word* to) { std::copy_n(from, words, to); };
    }

    [[nodiscard]] std::vector<Word> initial_state() const override {
        std::vector<Word> words(state_words());
        cpp::store_state(shared_->system.initial(), words.data());
        return words;
    }

    [[nodiscard]] std::vector<Value> decode(const Word* state) const override {
        Description description;
        return shared_->describe(cpp::load_state<State>(state), description);
    }

    [[nodiscard]] std::string value_text(SlotId /*slot*/, Value value) const override { return std::to_string(value); }

    [[nodiscard]] std::vector<StepDetail> steps(const Word* state) const override {
        std::vector<StepDetail> result;
        shared_->system.successors(cpp::load_state<State>(state), [&](const State& next, const char* name) {
            StepDetail step;
            step.transition = static_cast<TransitionId>(result.size());
            step.label = name;
            step.next.resize(state_words());
            cpp::store_state(next, step.next.data());
            result.push_back(std::move(step));
        });
        return result;
    }

private:
    using State = typename S::State;

    std::shared_ptr<const CppShared<S>> shared_;
    std::vector<std::string> names_;
};

}  // namespace tideline
