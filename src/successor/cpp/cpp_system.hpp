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
//         // Optional; for --symmetry auto: the state that represents all those that symmetries make of this one.
//         State canonical(const State& s) const { return s; }
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
#include "successor/run_lifter.hpp"
#include "successor/system.hpp"

namespace tideline::successor {

template <class S>
concept HasProgress = requires(const S& system, const typename S::State& state) { system.progress(state); };

// The representative of the class of a state: the same for all states of a class, and one of them. Where a state has a
// step into a class, all states of its class have one, and labels are the same in all of them.
template <class S>
concept HasCanonical = requires(const S& system, const typename S::State& state) {
    { system.canonical(state) } -> std::same_as<typename S::State>;
};

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
    bool is_canonical = false;  // states are represented by what canonical() gives
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
                if constexpr (HasCanonical<S>)
                    if (shared_->is_canonical && !out.full())
                        return deliver(represented(next), seen, cursor, out, result);
                deliver(next, seen, cursor, out, result);
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

    void deliver(const State& next, std::uint32_t seen, Cursor& cursor, SuccessorBatch& out, Expansion& result) {
        const std::optional<Key> key = out.full() ? Key{0} : key_of(next);
        if (out.full() || !key) {
            result = key ? Expansion::full : Expansion::key_undefined;
            return;
        }
        cpp::store_state(next, out.next_state());
        out.push(seen - 1, 0, model::FaultKind::none, *key);
        ++cursor.delivered;
    }

    // Throws std::logic_error where a label distinguishes a state from its representative.
    State represented(const State& state)
        requires HasCanonical<S>
    {
        const State representative = shared_->system.canonical(state);
        if (shared_->labels.empty() || std::memcmp(&state, &representative, sizeof(State)) == 0) return representative;
        for (const model::Expression& label : shared_->labels) {
            const auto value = [&](const State& of) {
                const std::vector<model::Value>& slots = shared_->describe(of, description_);
                const model::Evaluation result =
                    model::evaluate(label, shared_->names->tables, slots.data(), stack_.data());
                return std::pair(result.fault, result.value);
            };
            if (value(state) != value(representative))
                throw std::logic_error("a condition is not the same in a state and in what canonical() makes of it");
        }
        return representative;
    }

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
class CppLifter;

template <CppModel S>
class CppSystem final : public System, public HasLifter {
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
        for (const State& state : cpp::initial_states(shared_->system)) {
            std::vector<Word> packed(state_words());
            cpp::store_state(represented(state), packed.data());
            if (std::find(result.begin(), result.end(), packed) == result.end()) result.push_back(std::move(packed));
        }
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
            cpp::store_state(represented(next), step.next.data());
            result.push_back(std::move(step));
        });
        return result;
    }
    [[nodiscard]] std::unique_ptr<RunLifter> lifter() const override {
        if constexpr (HasCanonical<S>)
            if (shared_->is_canonical) return std::make_unique<CppLifter<S>>(shared_);
        return nullptr;
    }

private:
    using State = typename S::State;

    [[nodiscard]] State represented(const State& state) const {
        if constexpr (HasCanonical<S>)
            if (shared_->is_canonical) return shared_->system.canonical(state);
        return state;
    }

    std::shared_ptr<const CppShared<S>> shared_;
    std::vector<std::string> names_;
};

// Every state of a class has a step into the classes that its representative has steps into.
template <CppModel S>
class CppLifter final : public RunLifter {
public:
    explicit CppLifter(const std::shared_ptr<const CppShared<S>>& shared) : shared_(shared) {
        auto plain = std::make_shared<CppShared<S>>(*shared);
        plain->is_canonical = false;
        system_ = std::make_shared<const CppSystem<S>>(std::move(plain));
    }

    [[nodiscard]] const std::shared_ptr<const System>& system() const override { return system_; }
    std::vector<Word> follow(const Word* representative) override {
        const auto is_represented = [&](const std::vector<Word>& state) {
            std::vector<Word> packed(state.size());
            cpp::store_state(shared_->system.canonical(cpp::load_state<typename S::State>(state.data())),
                             packed.data());
            return std::equal(packed.begin(), packed.end(), representative);
        };
        if (at_.empty()) {
            for (std::vector<Word>& state : system_->initial_states())
                if (is_represented(state)) return at_ = std::move(state);
            return at_ = std::vector<Word>(representative, representative + system_->state_words());
        }
        std::vector<StepDetail> steps = system_->steps(at_.data());
        for (StepDetail& step : steps)
            if (is_represented(step.next)) return at_ = std::move(step.next);
        if (steps.empty() && is_represented(at_)) return at_;
        return {};
    }
    [[nodiscard]] model::TransitionId transition(model::TransitionId transition) const override { return transition; }

private:
    std::shared_ptr<const CppShared<S>> shared_;
    std::shared_ptr<const System> system_;
    std::vector<Word> at_;
};

}  // namespace tideline::successor
