// The product of a system with an automaton, by its definition: every step of the system with every edge whose label
// fits the state before it; where the system has no step, the automaton moves alone; an atom that cannot be evaluated
// is a faulty step where an edge depends on it.
#include <algorithm>
#include <bit>

#include "audit/audited_system.hpp"
#include "audit/automaton.hpp"

namespace tideline::audit {
namespace {

class AuditedProduct final : public AuditedSystem {
public:
    AuditedProduct(std::unique_ptr<AuditedSystem> system, const std::string& hoa)
        : system_(std::move(system)), automaton_(hoa), names_(system_->names()) {
        if (!names_.empty()) names_.emplace_back("(automaton)");
        for (const std::string& atom : automaton_.atoms()) system_->prepare(atom);
    }

    [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
    [[nodiscard]] std::size_t state_bytes() const override { return system_->state_bytes(); }
    [[nodiscard]] std::size_t automaton_bytes() const override {
        return std::max<std::size_t>(1, (static_cast<std::size_t>(std::bit_width(automaton_.states() - 1)) + 7) / 8);
    }
    [[nodiscard]] std::vector<State> initial_states() const override {
        std::vector<State> result = system_->initial_states();
        for (State& state : result) state = joined(std::move(state), automaton_.initial());
        return result;
    }
    [[nodiscard]] std::size_t acceptance_sets() const override { return automaton_.sets(); }
    [[nodiscard]] std::vector<Step> steps(const State& state) override {
        State own = state;
        const auto automaton_state = static_cast<std::uint64_t>(own.back());
        own.pop_back();
        if (automaton_state >= automaton_.states())
            throw Objection("a state of the ledger has a state of the automaton that does not exist");
        std::uint64_t valuation = 0;
        std::uint64_t unknown = 0;
        model::FaultKind fault = model::FaultKind::none;
        for (std::size_t i = 0; i < automaton_.atoms().size(); ++i) {
            const reference::Answer answer = system_->evaluate(automaton_.atoms()[i], own);
            valuation |= std::uint64_t{answer.value != 0} << i;
            unknown |= std::uint64_t{answer.fault != model::FaultKind::none} << i;
            if (answer.fault != model::FaultKind::none) fault = answer.fault;
        }
        const Automaton::Choice choice = automaton_.choose(automaton_state, valuation, unknown);
        std::vector<Step> result;
        if (choice.depends_on_unknown) result.push_back({fault, {}, std::nullopt, 0});
        std::vector<Step> own_steps = system_->steps(own);
        if (own_steps.empty()) own_steps.push_back({model::FaultKind::none, own, 0, 0});
        for (const Step& step : own_steps) {
            if (step.fault != model::FaultKind::none) {
                result.push_back(step);
                continue;
            }
            for (const Automaton::Target& target : choice.targets)
                result.push_back({model::FaultKind::none, joined(step.next, target.state), step.transition, step.actor,
                                  target.marks});
        }
        return result;
    }
    void prepare(const std::string& formula) override { system_->prepare(formula); }
    void prepare(const ClaimedProperty& property) override { system_->prepare(property); }
    [[nodiscard]] reference::Answer evaluate(const std::string& formula, const State& state) override {
        return system_->evaluate(formula, own_part(state));
    }
    [[nodiscard]] bool holds(const ClaimedProperty& property, const State& state) override {
        return system_->holds(property, own_part(state));
    }

private:
    [[nodiscard]] static State joined(State own, std::uint64_t automaton_state) {
        own.push_back(static_cast<std::int64_t>(automaton_state));
        return own;
    }
    [[nodiscard]] static State own_part(State state) {
        state.pop_back();
        return state;
    }

    std::unique_ptr<AuditedSystem> system_;
    Automaton automaton_;
    std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<AuditedSystem> audited_product(std::unique_ptr<AuditedSystem> system, const std::string& hoa) {
    return std::make_unique<AuditedProduct>(std::move(system), hoa);
}

}  // namespace tideline::audit
