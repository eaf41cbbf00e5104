// For tests: the parts of a search on a small system, an observer that writes down what is reported to it, and a view.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "explore/breadth_first.hpp"
#include "explore/search_core.hpp"
#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::explore::sample {

// The numbers below `states` as a binary heap: n has the successors 2n + 1 and 2n + 2. A third step of `faulty` leaves
// the range of n. Label 0: n is even. The progress of n is n, or of `backwards` ones 63 - n.
struct Heap {
    model::Value states = 7;
    model::Value faulty = -1;
    bool backwards = false;
    bool narrow = false;  // packed as if only the initial value had been seen

    [[nodiscard]] std::shared_ptr<const successor::System> system() const {
        using namespace model::examples;
        using model::Expression;
        using model::Op;
        model::Model model;
        const model::VariableId n = add_scalar(model, "n", {0, 63}, 0);
        for (const model::Value side : {1, 2}) {
            const Expression child =
                Expression::binary(Op::add, Expression::binary(Op::multiply, number(2), model.read(n)), number(side));
            model::Transition step;
            step.guards.push_back(Expression::binary(Op::less, child, number(states)));
            step.effects.emplace_back(assign(n, child));
            model.add_transition(step);
        }
        model::Transition bad;
        bad.guards.push_back(Expression::binary(Op::equal, model.read(n), number(faulty)));
        bad.effects.emplace_back(assign(n, number(64)));
        model.add_transition(bad);
        const Expression even =
            Expression::binary(Op::equal, Expression::binary(Op::modulo, model.read(n), number(2)), number(0));
        const Expression progress =
            backwards ? Expression::binary(Op::subtract, number(63), model.read(n)) : model.read(n);
        const std::vector<model::Range> seen{{0, 0}};
        return successor::make_interpreted_system(
            std::make_shared<const model::Model>(model), {even},
            narrow ? successor::Layout::observed(model, seen) : successor::Layout::declared(model),
            successor::KeyProgram{{{progress, 0, 6}}});
    }
};

// Writes everything down; `stop_after` events it has seen enough.
struct NotingObserver : SearchObserver {
    struct Event {
        char kind;  // d: discovered, l: label, x: deadlock, f: faulty step
        std::uint64_t number;
        model::Value n;
        friend bool operator==(const Event&, const Event&) = default;
    };
    [[nodiscard]] bool wants_discoveries() const override { return true; }
    [[nodiscard]] std::span<const std::size_t> watched_labels() const override { return watched; }
    bool discovered(SearchView& search, std::span<const StateRef> states) override {
        for (const StateRef& state : states) note('d', search, state);
        return events.size() < stop_after;
    }
    bool label_is_false(SearchView& search, const StateRef& found, std::size_t /*label*/,
                        model::FaultKind /*fault*/) override {
        return note('l', search, found);
    }
    bool deadlock(SearchView& search, const StateRef& found) override { return note('x', search, found); }
    bool faulty(SearchView& search, const StateRef& source, model::TransitionId /*transition*/,
                model::FaultKind /*kind*/) override {
        return note('f', search, source);
    }
    bool note(char kind, SearchView& search, const StateRef& state) {
        events.push_back({kind, state.number, search.system().decode(state.state)[0]});
        return events.size() < stop_after;
    }

    std::vector<std::size_t> watched;
    std::vector<Event> events;
    std::size_t stop_after = SIZE_MAX;
};

// The core of a search, begun: the initial state can be popped.
template <Walk W>
struct SampleCore final : SearchView {
    template <class... ForWalk>
    explicit SampleCore(std::shared_ptr<const successor::System> system, unsigned threads = 1, ForWalk&&... for_walk)
        : core(std::move(system), settings, observer, threads, 0, false, std::forward<ForWalk>(for_walk)...) {
        core.view = this;
    }
    void insert_initial(model::Value n, std::size_t partition) {
        std::vector<successor::Word> state = core.system->initial_states().front();
        state[0] = static_cast<successor::Word>(n);
        core.walk.partition(partition).insert_initial(state.data(), successor::hash_state(state.data(), state.size()),
                                                      *core.workers[0]->expander->key(state.data()));
    }
    [[nodiscard]] model::Value value(const successor::Word* state) const { return core.system->decode(state)[0]; }
    [[nodiscard]] std::vector<model::Value> values(const successor::SuccessorBatch& batch) const {
        std::vector<model::Value> result;
        for (std::size_t i = 0; i < batch.size(); ++i) result.push_back(value(batch.state(i)));
        return result;
    }

    [[nodiscard]] const successor::System& system() const override { return *core.system; }
    [[nodiscard]] std::optional<PackedPath> current_path(const support::Budget& /*budget*/) override { return {}; }
    [[nodiscard]] const Statistics& statistics() const override { return core.statistics; }

    SearchSettings settings;
    NotingObserver observer;
    SearchCore<W> core;
};

using Breadth = BreadthFirst<PlainVisitedStates>;

}  // namespace tideline::explore::sample
