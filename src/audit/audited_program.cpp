// A system written in C++: its own code is all that says what it does. States are the bytes of its objects.
#include <cstring>

#include "audit/audited_system.hpp"
#include "audit/expression.hpp"

namespace tideline::audit {
namespace {

class ProgramSystem final : public AuditedSystem {
public:
    explicit ProgramSystem(const AuditedProgram& program) : program_(program), formulas_(Vocabulary(*program.names)) {}

    [[nodiscard]] const std::vector<std::string>& names() const override { return no_names_; }
    [[nodiscard]] std::size_t state_bytes() const override { return program_.state_bytes; }
    [[nodiscard]] std::vector<State> initial_states() const override {
        std::vector<State> result;
        for (const std::vector<std::uint8_t>& bytes : program_.initial_states()) result.push_back(words_of(bytes));
        return result;
    }
    // A search numbers the steps of a state in the order in which the program reports them.
    [[nodiscard]] std::vector<Step> steps(const State& state) override {
        std::vector<Step> result;
        program_.successors(bytes_of(state), [&](std::span<const std::uint8_t> next) {
            result.push_back({model::FaultKind::none, words_of(next), result.size(), 0});
        });
        return result;
    }
    void prepare(const std::string& formula) override { formulas_.prepare(formula, "formula"); }
    void prepare(const ClaimedProperty& property) override {
        if (property.kind == ClaimedProperty::Kind::assertion)
            throw Objection("a system written in C++ has no assertions");
        formulas_.prepare(property.formula, "invariant");
    }
    [[nodiscard]] reference::Answer evaluate(const std::string& formula, const State& state) override {
        return formulas_.evaluate(formula, program_.values(bytes_of(state)));
    }
    [[nodiscard]] bool holds(const ClaimedProperty& property, const State& state) override {
        const reference::Answer answer = evaluate(property.formula, state);
        return answer.fault == model::FaultKind::none && answer.value != 0;
    }

private:
    [[nodiscard]] static State words_of(std::span<const std::uint8_t> bytes) {
        State state((bytes.size() + 7) / 8);
        std::memcpy(state.data(), bytes.data(), bytes.size());
        return state;
    }
    [[nodiscard]] std::span<const std::uint8_t> bytes_of(const State& state) const {
        return {reinterpret_cast<const std::uint8_t*>(state.data()), program_.state_bytes};
    }

    const AuditedProgram& program_;
    std::vector<std::string> no_names_;
    Formulas formulas_;
};

}  // namespace

std::unique_ptr<AuditedSystem> audited_program(const Claims& claims, const AuditedProgram& program) {
    require_hash(claims, program.path, program.hash);
    return std::make_unique<ProgramSystem>(program);
}

}  // namespace tideline::audit
