// The product of a system with an automaton, by its definition: every step of the system with every edge whose label
// fits the state before it; where the system has no step, the automaton moves alone, unless such runs do not count; an
// atom that cannot be evaluated is a faulty step where an edge depends on it. Under weak fairness a step has a mark for
// every process that has no step in the state before it, or that it moves.
#include <algorithm>
#include <bit>

#include "audit/audited_system.hpp"
#include "audit/automaton.hpp"
#include "audit/step_atoms.hpp"
#include "support/quantity.hpp"

namespace tideline::audit {
namespace {

class AuditedProduct final : public AuditedSystem {
public:
    AuditedProduct(std::unique_ptr<AuditedSystem> system, const std::string& hoa, RunReading reading)
        : system_(std::move(system)), automaton_(hoa), reading_(std::move(reading)), names_(system_->names()) {
        if (!names_.empty()) names_.emplace_back("(automaton)");
        for (const std::string& atom : automaton_.atoms()) prepare_atom(atom);
        if (!reading_.end_states.empty()) system_->prepare(reading_.end_states);
        if (!reading_.is_weakly_fair) return;
        if (!system_->has_processes()) throw Objection("fairness is between actions, whose steps are not told apart");
        processes_ = system_->processes();
        if (automaton_.sets() + processes_.size() > 64) throw Objection("there are more than 64 marks");
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
    [[nodiscard]] std::size_t acceptance_sets() const override { return automaton_.sets() + processes_.size(); }
    [[nodiscard]] std::vector<Step> steps(const State& state) override {
        State own = state;
        const auto automaton_state = static_cast<std::uint64_t>(own.back());
        own.pop_back();
        if (automaton_state >= automaton_.states())
            throw Objection("a state of the ledger has a state of the automaton that does not exist");
        std::vector<Step> own_steps = system_->steps(own);
        const bool is_end = own_steps.empty() && is_proper_end(own);
        const std::uint64_t enabled = processes_of(own_steps);
        std::uint64_t valuation = 0;
        std::uint64_t unknown = 0;
        model::FaultKind fault = model::FaultKind::none;
        for (std::size_t i = 0; i < automaton_.atoms().size(); ++i) {
            if (const std::optional<StepAtom>& atom = step_atoms_[i]) {
                const bool value = atom->is_true(own_steps) && (atom->names_a_process() || !is_end);
                valuation |= std::uint64_t{value} << i;
                continue;
            }
            const reference::Answer answer = system_->evaluate(automaton_.atoms()[i], own);
            valuation |= std::uint64_t{answer.value != 0} << i;
            unknown |= std::uint64_t{answer.fault != model::FaultKind::none} << i;
            if (answer.fault != model::FaultKind::none) fault = answer.fault;
        }
        const Automaton::Choice choice = automaton_.choose(automaton_state, valuation, unknown);
        std::vector<Step> result;
        if (choice.depends_on_unknown) result.push_back({fault, {}, std::nullopt, 0});
        // Nobody moves, and nobody has a step.
        if (own_steps.empty() && (reading_.deadlocks_repeat || is_end))
            own_steps.push_back({model::FaultKind::none, own, reading_.is_weakly_fair ? kNobodyMoves : 0, 0});
        for (const Step& step : own_steps) {
            if (step.fault != model::FaultKind::none) {
                result.push_back(step);
                continue;
            }
            const std::uint64_t fair = (~enabled | processes_of({&step, 1})) & all_processes();
            for (const Automaton::Target& target : choice.targets)
                result.push_back({model::FaultKind::none, joined(step.next, target.state), step.transition, step.actor,
                                  processes_.empty() ? target.marks : target.marks | fair << automaton_.sets()});
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
    // The number of the transition where nobody moves, where it is known who does (docs/ledger-format.md).
    static constexpr std::uint64_t kNobodyMoves = 0xFFFFFFBF;

    // Names of the model come first.
    void prepare_atom(const std::string& text) {
        if (text == "(deadlock)") {
            step_atoms_.push_back(StepAtom::parse("deadlock", false));
            return;
        }
        std::optional<Objection> objection;
        try {
            system_->prepare(text);
        } catch (const Objection& found) {
            objection = found;
        }
        step_atoms_.push_back(objection ? StepAtom::parse(text, false) : std::nullopt);
        const std::optional<StepAtom>& atom = step_atoms_.back();
        if (objection && !atom) throw Objection(*objection);
        if (atom && atom->names_a_process() && !system_->has_processes())
            throw Objection("the system has no processes that " + support::in_quotes(text) + " could be compared with");
    }
    [[nodiscard]] bool is_proper_end(const State& state) {
        if (reading_.end_states.empty()) return false;
        const reference::Answer answer = system_->evaluate(reading_.end_states, state);
        return answer.fault == model::FaultKind::none && answer.value != 0;
    }
    [[nodiscard]] std::uint64_t processes_of(std::span<const Step> steps) const {
        std::uint64_t result = 0;
        for (std::size_t p = 0; p < processes_.size(); ++p)
            for (const Step& step : steps)
                if (std::find(step.movers.begin(), step.movers.end(), processes_[p]) != step.movers.end())
                    result |= std::uint64_t{1} << p;
        return result;
    }
    [[nodiscard]] std::uint64_t all_processes() const {
        return processes_.size() >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << processes_.size()) - 1;
    }
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
    RunReading reading_;
    std::vector<std::string> names_;
    std::vector<std::optional<StepAtom>> step_atoms_{};  // by atom; nothing: it is an expression
    std::vector<std::string> processes_{};               // under fairness
};

}  // namespace

std::unique_ptr<AuditedSystem> audited_product(std::unique_ptr<AuditedSystem> system, const std::string& hoa,
                                               const RunReading& reading) {
    return std::make_unique<AuditedProduct>(std::move(system), hoa, reading);
}

}  // namespace tideline::audit
