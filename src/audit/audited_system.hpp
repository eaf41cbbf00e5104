// What an audit needs of a system: the initial state, the steps, and the values of properties and formulas in a state.
// Three kinds: a model by reference/, a program written in C++ by its own code, and a product of one of these with an
// automaton.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/audit.hpp"
#include "audit/claims.hpp"
#include "reference/machine.hpp"

namespace tideline::audit {

class AuditedSystem {
public:
    using State = reference::State;

    struct Step {
        model::FaultKind fault = model::FaultKind::none;
        State next;  // meaningless where there is a fault
        // What the number of its transition is or, where that is not known, a number for who takes it first: the same
        // transition always has the same.
        std::optional<std::uint64_t> transition;
        std::uint64_t actor = 0;
        std::uint64_t marks = 0;            // in acceptance sets
        std::vector<std::string> movers{};  // the processes that take part, where the system names them
    };

    virtual ~AuditedSystem() = default;

    // What the values of a state are; of a system without names, a state is this number of bytes, in words of 64 bits.
    [[nodiscard]] virtual const std::vector<std::string>& names() const = 0;
    [[nodiscard]] virtual std::size_t state_bytes() const = 0;
    // Bytes at the end of such a state, behind what fills up a word, for one more value: the state of an automaton.
    [[nodiscard]] virtual std::size_t automaton_bytes() const { return 0; }
    // At least one, each once.
    [[nodiscard]] virtual std::vector<State> initial_states() const = 0;
    // Whether steps say who moves.
    [[nodiscard]] virtual bool has_processes() const { return false; }
    // Those that fairness is between, in the model's order: a property process is none.
    [[nodiscard]] virtual std::vector<std::string> processes() const { return {}; }
    // Which the marks of steps tell apart.
    [[nodiscard]] virtual std::size_t acceptance_sets() const { return 0; }
    // In the order in which a search takes them.
    [[nodiscard]] virtual std::vector<Step> steps(const State& state) = 0;
    // Objects where the formula or the property, which is none of deadlocks, cannot be understood.
    virtual void prepare(const std::string& formula) = 0;
    virtual void prepare(const ClaimedProperty& property) = 0;
    [[nodiscard]] virtual reference::Answer evaluate(const std::string& formula, const State& state) = 0;
    // Whether the property is true there, and can be evaluated.
    [[nodiscard]] virtual bool holds(const ClaimedProperty& property, const State& state) = 0;
};

// Throws AuditError where the model cannot be read; objects where it is another one.
[[nodiscard]] std::unique_ptr<AuditedSystem> audited_model(const Claims& claims, const std::string& path);
[[nodiscard]] std::unique_ptr<AuditedSystem> audited_program(const Claims& claims, const AuditedProgram& program);
// Which runs a product has, and which of them count.
struct RunReading {
    bool deadlocks_repeat = true;  // otherwise runs that end do not exist
    std::string end_states{};      // a deadlock where this is true repeats in any case, and `deadlock` is false there
    bool is_weakly_fair = false;   // a mark per process, behind those of the automaton: it has no step, or moves
};
// Times the automaton that the run was made with. Its state is the last value.
[[nodiscard]] std::unique_ptr<AuditedSystem> audited_product(std::unique_ptr<AuditedSystem> system,
                                                             const std::string& hoa, const RunReading& reading);

// Whether a property is this assertion: its formula is the whole text of the assertion, or the condition alone, perhaps
// with the location in its name.
[[nodiscard]] bool is_meant(const reference::Machine::Assertion& assertion, const std::string& name,
                            const std::string& formula);

// Objects where the hash is not that of the model that was explored.
void require_hash(const Claims& claims, const std::string& path, const std::string& hash);

[[nodiscard]] std::string all_texts(const support::Diagnostics& diagnostics);

}  // namespace tideline::audit
