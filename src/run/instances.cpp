#include "run/instances.hpp"

#include <algorithm>
#include <deque>
#include <set>

#include "successor/interpret/interpreter.hpp"

namespace tideline::run {
namespace {

constexpr std::size_t kStates = 5000;
constexpr std::size_t kWalks = 8;
constexpr std::size_t kSteps = 1000;

class Pilot {
public:
    Pilot(const model::Model& model, const support::Budget& budget)
        : model_(model), interpreter_(model), poll_(budget, 64) {
        for (const model::Variable& variable : model.variables)
            if (variable.name == "_nr_pr") count_ = variable.first_slot;
    }

    // An instance that is missing.
    std::optional<input::ProcessInstance> run() {
        look_around();
        for (std::size_t i = 0; i < kWalks && !missing_; ++i) walk(i);
        return missing_;
    }

    using State = std::vector<model::Value>;

    std::optional<input::ProcessInstance> missing_at(const State& state) {
        visit(state, [](const State&) {});
        return missing_;
    }

private:
    template <class Visitor>
    void visit(const State& state, Visitor visitor) {
        std::copy(state.begin(), state.end(), interpreter_.values());
        interpreter_.visit_steps([&](const successor::InterpretedStep& step) {
            if (step.fault == model::FaultKind::instance)
                missing_ = input::ProcessInstance{static_cast<std::uint32_t>(interpreter_.values()[count_]),
                                                  interpreter_.explain_fault()};
            else if (step.fault == model::FaultKind::none)
                visitor(State(interpreter_.values(), interpreter_.values() + model_.slot_count()));
            return !missing_;
        });
    }

    void look_around() {
        std::set<State> known{model_.initial};
        std::deque<State> open{model_.initial};
        while (!open.empty() && !missing_ && known.size() < kStates && !poll_.is_exhausted()) {
            const State state = std::move(open.front());
            open.pop_front();
            visit(state, [&](State next) {
                if (known.size() < kStates && known.insert(next).second) open.push_back(std::move(next));
            });
        }
    }

    void walk(std::uint64_t seed) {
        State state = model_.initial;
        std::uint64_t dice = seed * 0x9E3779B97F4A7C15U + 1;
        for (std::size_t i = 0; i < kSteps && !missing_ && !poll_.is_exhausted(); ++i) {
            std::uint64_t steps = 0;
            State chosen;
            visit(state, [&](State next) {
                dice = dice * 6364136223846793005U + 1442695040888963407U;
                if ((dice >> 33U) % ++steps == 0) chosen = std::move(next);
            });
            if (steps == 0) return;
            state = std::move(chosen);
        }
    }

    const model::Model& model_;
    successor::Interpreter interpreter_;
    support::BudgetPoll poll_;
    model::SlotId count_ = 0;
    std::optional<input::ProcessInstance> missing_;
};

}  // namespace

bool creates_processes(const model::Model& model) {
    return std::any_of(model.transitions.begin(), model.transitions.end(), [](const model::Transition& t) {
        return std::any_of(t.effects.begin(), t.effects.end(), [](const model::Effect& effect) {
            const auto* require = std::get_if<model::Require>(&effect);
            return require != nullptr && require->fault == model::FaultKind::instance;
        });
    });
}

std::optional<input::ProcessInstance> missing_instance(const model::Model& model,
                                                       const std::vector<model::Value>& state) {
    const support::Budget unlimited;
    return Pilot(model, unlimited).missing_at(state);
}

support::Result<input::LoadedModel> with_instances(input::LoadedModel loaded, input::LoadOptions& options,
                                                   const support::Budget& budget) {
    if (!creates_processes(*loaded.model)) return loaded;
    for (;;) {
        const std::optional<input::ProcessInstance> missing = Pilot(*loaded.model, budget).run();
        if (!missing || budget.is_exhausted()) return loaded;
        options.instances.push_back(*missing);
        support::Result<input::LoadedModel> again = input::load_again(loaded, options, budget);
        if (!again) return again;
        loaded = *std::move(again);
    }
}

}  // namespace tideline::run
