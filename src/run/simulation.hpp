// A run of a system that is made step by step: by a person who chooses, by chance, or along a trace. Nothing is
// searched: what is not met on the way is not known.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/loaded_system.hpp"
#include "support/diagnostic.hpp"
#include "trace/trace.hpp"

namespace tideline::run {

// An expression with its text.
struct WatchedExpression {
    std::string text;
    model::Expression expression;
};
[[nodiscard]] support::Result<WatchedExpression> watched_expression(const model::Model& model, const std::string& text,
                                                                    const std::string& option);

class Simulation {
public:
    // What is wrong with the current state, or its only step.
    struct Problem {
        enum class Kind : std::uint8_t { deadlock, invariant, fault };
        Kind kind = Kind::deadlock;
        std::string text;  // the invariant, or the fault
    };

    // The model of `input`, with all values of its declared ranges; of a program in C++ its own system.
    Simulation(const LoadedSystem& system, std::vector<WatchedExpression> invariants, const support::Budget& budget);

    // Begins again, in this initial state.
    void restart(std::size_t initial = 0);
    [[nodiscard]] std::size_t initial_count() const { return initial_.size(); }
    // The steps of the current state, faulty ones too.
    [[nodiscard]] const std::vector<successor::StepDetail>& steps() const { return steps_; }
    // Takes a step that is not faulty.
    void take(std::size_t step);
    // The run up to its state `state` remains.
    void go_back_to(std::size_t state);
    [[nodiscard]] std::size_t length() const { return transitions_.size(); }

    [[nodiscard]] std::vector<model::Value> values() const;
    [[nodiscard]] std::vector<model::Value> values_before() const;  // the last step
    // The value of an expression, or why it has none.
    [[nodiscard]] std::string value_of(const WatchedExpression& watched) const;
    // Of the current state; a fault counts where no other step is there.
    [[nodiscard]] std::optional<Problem> problem() const;
    // The run as a trace.
    [[nodiscard]] trace::Trace trace() const;
    [[nodiscard]] const successor::System& system() const { return *system_; }
    [[nodiscard]] const model::Model& model() const { return *model_; }
    // The step of the current state that leads to a state that is the same in the Informal Trace Format (text of one
    // state of a trace); nothing where there is none.
    [[nodiscard]] std::optional<std::size_t> step_to(const std::string& itf_state) const;
    [[nodiscard]] bool begins_in(const std::string& itf_state) const;

private:
    void look();
    [[nodiscard]] bool is_proper_end(const std::vector<model::Value>& values) const;
    [[nodiscard]] bool is_same(const std::vector<successor::Word>& state, const std::string& itf_state) const;

    std::shared_ptr<const model::Model> model_;
    std::shared_ptr<const successor::System> system_;
    std::vector<WatchedExpression> invariants_;
    std::vector<std::vector<successor::Word>> initial_;
    std::vector<successor::Word> words_;  // of all states of the run
    std::vector<model::TransitionId> transitions_;
    std::vector<successor::StepDetail> steps_;
};

}  // namespace tideline::run
