// A model as reference/ executes its text; invariants and atoms are read by expression.hpp, assertions are the model's
// own.
#include <algorithm>

#include <fmt/format.h>
#include <xxhash.h>

#include "audit/audited_system.hpp"
#include "audit/expression.hpp"
#include "reference/machines.hpp"
#include "support/file.hpp"
#include "support/quantity.hpp"

namespace tideline::audit {
namespace {

class AuditedModel final : public AuditedSystem {
public:
    // An explicit system has actions and no processes.
    AuditedModel(const input::LoadedModel& loaded, const input::LoadOptions& options, bool is_explicit)
        : machine_(reference::make_machine(loaded, options)),
          formulas_(Vocabulary(*machine_)),
          assertions_(machine_->assertions()),
          is_explicit_(is_explicit) {
        const model::Model& model = *loaded.model;
        for (model::ProcessId p = 0; p < model.processes.size(); ++p)
            if (model.observer != p) processes_.push_back(model.processes[p].name);
    }

    [[nodiscard]] const std::vector<std::string>& names() const override { return machine_->names(); }
    [[nodiscard]] std::size_t state_bytes() const override { return 0; }
    [[nodiscard]] std::vector<State> initial_states() const override { return machine_->initial_states(); }
    [[nodiscard]] std::size_t acceptance_sets() const override { return machine_->acceptance_sets(); }
    [[nodiscard]] std::vector<Step> steps(const State& state) override {
        std::vector<reference::Step> steps = machine_->steps(state);
        std::vector<Step> result;
        result.reserve(steps.size());
        for (reference::Step& step : steps) {
            result.push_back({step.fault, std::move(step.next), std::nullopt, actor_of(step), step.marks});
            for (reference::Participant& participant : step.participants)
                result.back().movers.push_back(std::move(participant.process));
        }
        return result;
    }
    [[nodiscard]] bool has_processes() const override { return !is_explicit_; }
    [[nodiscard]] std::vector<std::string> processes() const override { return processes_; }
    void prepare(const std::string& formula) override { formulas_.prepare(formula, "formula"); }
    void prepare(const ClaimedProperty& property) override {
        if (property.kind != ClaimedProperty::Kind::assertion) {
            formulas_.prepare(property.formula, to_string(property.kind));
            return;
        }
        const bool known = std::any_of(assertions_.begin(), assertions_.end(),
                                       [&](const auto& a) { return is_meant(a, property.name, property.formula); });
        if (!known) throw Objection("the model has no assertion " + support::in_quotes(property.formula));
    }
    [[nodiscard]] reference::Answer evaluate(const std::string& formula, const State& state) override {
        return formulas_.evaluate(formula, state);
    }
    [[nodiscard]] bool holds(const ClaimedProperty& property, const State& state) override {
        if (property.kind == ClaimedProperty::Kind::assertion) {
            const std::vector<reference::Machine::FailedAssertion> failed = machine_->failed_assertions(state);
            return std::none_of(failed.begin(), failed.end(), [&](const auto& f) {
                return is_meant(assertions_[f.index], property.name, property.formula);
            });
        }
        const reference::Answer answer = formulas_.evaluate(property.formula, state);
        return answer.fault == model::FaultKind::none && answer.value != 0;
    }

private:
    // Who else takes part is no part of the number that a search gives to a transition.
    static std::uint64_t actor_of(const reference::Step& step) {
        if (step.participants.empty()) return 0;
        const reference::Participant& first = step.participants.front();
        return XXH3_64bits_withSeed(first.process.data(), first.process.size(), first.line);
    }

    std::unique_ptr<reference::Machine> machine_;
    Formulas formulas_;
    std::vector<reference::Machine::Assertion> assertions_;
    bool is_explicit_;
    std::vector<std::string> processes_;
};

}  // namespace

bool is_meant(const reference::Machine::Assertion& assertion, const std::string& name, const std::string& formula) {
    if (!assertion.takes_part) return false;
    if (formula == assertion.place + ": " + assertion.condition) return true;
    return formula == assertion.condition && (name.empty() || name == "assert " + assertion.place);
}

std::string all_texts(const support::Diagnostics& diagnostics) {
    std::string result;
    for (const support::Diagnostic& diagnostic : diagnostics) result += support::to_text(diagnostic);
    return result;
}

void require_hash(const Claims& claims, const std::string& path, const std::string& hash) {
    if (hash != claims.model_hash)
        throw Objection(fmt::format("{} is not the model that was explored: its hash is {}, that of the model {}", path,
                                    hash, claims.model_hash));
}

std::unique_ptr<AuditedSystem> audited_model(const Claims& claims, const std::string& path) {
    support::Result<std::string> content = support::read_text_file(path);
    if (!content) throw AuditError(AuditFault::model, all_texts(content.diagnostics()));
    const std::string text_alone = input::text_hash(*content);
    // By its old name: the ending says which language it is.
    const support::Result<input::LoadedModel> loaded =
        input::load_model_text(claims.model_path, *std::move(content), claims.options);
    if (!loaded) {
        require_hash(claims, path, text_alone);
        throw AuditError(AuditFault::model, all_texts(loaded.diagnostics()));
    }
    require_hash(claims, path, loaded->hash);
    const bool is_explicit = claims.model_path.ends_with(".aut") || claims.model_path.ends_with(".json");
    return std::make_unique<AuditedModel>(*loaded, claims.options, is_explicit);
}

}  // namespace tideline::audit
