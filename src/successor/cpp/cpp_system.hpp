// A system written in C++ as a System. The class that a user writes:
//
//     struct Counter {
//         struct State { std::uint8_t n; };                        // plain data without padding
//         State initial() const { return {0}; }                    // or a range of states
//         template <class Emit>
//         void successors(const State& s, Emit&& emit) const {     // every step: emit(next state, name of the step)
//             if (s.n < 9) emit(State{static_cast<std::uint8_t>(s.n + 1)}, "increment");
//         }
//         void describe(const State& s, tideline::Description& d) const {
//             d.value("n", s.n);
//             d.label("done", s.n == 9);
//         }
//         // Optional; the most significant component first.
//         std::array<std::uint32_t, 1> progress(const State& s) const { return {s.n}; }
//     };
//
// A packed state is the object's bytes; successors are generated without virtual calls or allocation.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstring>
#include <memory>
#include <ranges>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include "model/evaluate.hpp"
#include "model/footprint.hpp"
#include "successor/cpp/description.hpp"
#include "successor/system.hpp"

namespace tideline::successor {

template <class S>
concept HasProgress = requires(const S& system, const typename S::State& state) { system.progress(state); };

// Other types would be truncated or would sort wrongly as bits.
template <class T>
inline constexpr bool kIsProgress = false;
template <std::size_t N>
inline constexpr bool kIsProgress<std::array<std::uint32_t, N>> = N >= 1 && N <= sizeof(Key) / sizeof(std::uint32_t);

// What initial() returns: a state, or a range of states.
template <class T, class State>
concept InitialStates = std::same_as<std::remove_cvref_t<T>, State> ||
                        (std::ranges::input_range<T> && std::same_as<std::ranges::range_value_t<T>, State>);

template <class S>
concept CppModel =
    std::is_trivially_copyable_v<typename S::State> && std::has_unique_object_representations_v<typename S::State> &&
    requires(const S& system, const typename S::State& state, Description& description) {
        { system.initial() } -> InitialStates<typename S::State>;
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
    words[cpp::kWords<State> - 1] = 0;
    std::memcpy(words, &state, sizeof(State));
}

// All initial states, each once. Throws std::logic_error where the class has none.
template <CppModel S>
std::vector<typename S::State> initial_states(const S& system) {
    using State = typename S::State;
    if constexpr (std::same_as<std::remove_cvref_t<decltype(system.initial())>, State>) {
        return {system.initial()};
    } else {
        std::vector<State> result;
        std::unordered_set<std::string> known;
        for (const State& state : system.initial())
            if (known.emplace(reinterpret_cast<const char*>(&state), sizeof(State)).second) result.push_back(state);
        if (result.empty()) throw std::logic_error("initial() gives no state");
        return result;
    }
}

// The values of a state by name, `count` of them; throws std::logic_error where the class describes this state
// otherwise.
template <CppModel S>
const std::vector<model::Value>& described(const S& system, const typename S::State& state, Description& description,
                                           std::size_t count) {
    description.restart(false);
    system.describe(state, description);
    if (description.slots().size() != count)
        throw std::logic_error("describe() gives " + std::to_string(count) + " values for the initial state, but " +
                               std::to_string(description.slots().size()) + " for another one");
    return description.slots();
}

}  // namespace cpp

// Shared by the expanders of a C++ system.
template <CppModel S>
struct CppShared {
    [[nodiscard]] const std::vector<model::Value>& describe(const typename S::State& state,
                                                            Description& description) const {
        return cpp::described(system, state, description, names->slot_count());
    }

    S system;
    std::shared_ptr<const model::Model> names;
    std::vector<model::Expression> labels;
    KeyProgram key;  // over the names; unused where the class has its own progress
    bool own_progress = false;
};

template <CppModel S>
class CppExpander final : public Expander {
public:
    explicit CppExpander(std::shared_ptr<const CppShared<S>> shared) : shared_(std::move(shared)) {
        std::size_t depth = 1;
        for (const model::Expression& label : shared_->labels) depth = std::max(depth, label.stack_depth() + 1);
        for (const KeyComponent& component : shared_->key.components)
            depth = std::max(depth, component.expression.stack_depth() + 1);
        stack_.resize(depth);
        std::set<model::SlotId> read;
        const auto add = [&](const model::Expression& expression) {
            const std::vector<model::SlotId> slots = model::slots_read(expression);
            read.insert(slots.begin(), slots.end());
        };
        for (const model::Expression& label : shared_->labels) add(label);
        for (const KeyComponent& component : shared_->key.components) add(component.expression);
        description_.want_only({read.begin(), read.end()});
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
                    result = key ? Expansion::full : Expansion::key_undefined;
                    return;
                }
                cpp::store_state(next, out.next_state());
                out.push(seen - 1, 0, model::FaultKind::none, *key);
                ++cursor.delivered;
            });
            if (result != Expansion::done) return result;
            out.complete_source();
        }
        return Expansion::done;
    }

    void labels(const Word* state, std::uint64_t* bits, model::FaultKind* faults) override {
        const std::vector<model::Value>& slots = shared_->describe(cpp::load_state<State>(state), description_);
        std::fill_n(bits, (shared_->labels.size() + 63) / 64, 0);
        for (std::size_t i = 0; i < shared_->labels.size(); ++i) {
            const model::Evaluation result =
                model::evaluate(shared_->labels[i], shared_->names->tables, slots.data(), stack_.data());
            faults[i] = result.fault;
            if (result.fault == model::FaultKind::none && result.value != 0)
                bits[i / 64] |= std::uint64_t{1} << (i % 64);
        }
    }

    std::optional<Key> key(const Word* state) override { return key_of(cpp::load_state<State>(state)); }

private:
    using State = typename S::State;

    std::optional<Key> key_of(const State& state) {
        if constexpr (HasProgress<S>) {
            static_assert(kIsProgress<decltype(shared_->system.progress(state))>,
                          "progress() returns one to four std::uint32_t in a std::array");
            if (shared_->own_progress) {
                Key result = 0;
                for (const std::uint32_t component : shared_->system.progress(state))
                    result = (result << 32U) | component;
                return result;
            }
        }
        if (shared_->key.components.empty()) return Key{0};
        const std::vector<model::Value>& slots = shared_->describe(state, description_);
        return evaluate_key(shared_->key, shared_->names->tables, slots.data(), stack_.data());
    }

    std::shared_ptr<const CppShared<S>> shared_;
    Description description_;
    std::vector<model::Value> stack_;
};

template <CppModel S>
class CppSystem final : public System {
public:
    explicit CppSystem(std::shared_ptr<const CppShared<S>> shared) : shared_(std::move(shared)) {
        for (const model::Model::SlotOwner owner : shared_->names->slot_owners())
            names_.push_back(shared_->names->slot_name(owner));
    }

    [[nodiscard]] std::size_t state_words() const override { return cpp::kWords<State>; }
    [[nodiscard]] std::size_t state_bytes() const override { return sizeof(State); }
    [[nodiscard]] std::size_t label_count() const override { return shared_->labels.size(); }
    [[nodiscard]] const std::vector<std::string>& slot_names() const override { return names_; }
    [[nodiscard]] std::vector<model::Value> key_values(Key key) const override {
        if (!shared_->own_progress) return successor::key_values(shared_->key, key);
        if constexpr (HasProgress<S>) {
            std::vector<model::Value> values(
                std::tuple_size_v<decltype(shared_->system.progress(std::declval<const State&>()))>);
            for (std::size_t i = values.size(); i-- > 0; key >>= 32U)
                values[i] = static_cast<model::Value>(key & 0xFFFFFFFFU);
            return values;
        }
        return {};
    }
    [[nodiscard]] std::unique_ptr<Expander> expander() const override {
        return std::make_unique<CppExpander<S>>(shared_);
    }
    [[nodiscard]] std::unique_ptr<System> with_wider_fields(const Expander& /*stopped*/) const override {
        return nullptr;
    }
    [[nodiscard]] Repacking repacking(const System& /*older*/) const override {
        return [words = state_words()](const Word* from, Word* to) { std::copy_n(from, words, to); };
    }

    [[nodiscard]] std::vector<std::vector<Word>> initial_states() const override {
        std::vector<std::vector<Word>> result;
        for (const State& state : cpp::initial_states(shared_->system))
            cpp::store_state(state, result.emplace_back(state_words()).data());
        return result;
    }

    [[nodiscard]] std::vector<model::Value> decode(const Word* state) const override {
        Description description;
        return shared_->describe(cpp::load_state<State>(state), description);
    }

    [[nodiscard]] std::string value_text(model::SlotId /*slot*/, model::Value value) const override {
        return std::to_string(value);
    }

    [[nodiscard]] std::vector<StepDetail> steps(const Word* state) const override {
        std::vector<StepDetail> result;
        shared_->system.successors(cpp::load_state<State>(state), [&](const State& next, const char* name) {
            StepDetail step;
            step.transition = static_cast<model::TransitionId>(result.size());
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

}  // namespace tideline::successor
