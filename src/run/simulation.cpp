#include "run/simulation.hpp"

#include <algorithm>
#include <cassert>

#include <nlohmann/json.hpp>

#include "model/evaluate.hpp"
#include "model/parse_expression.hpp"
#include "trace/itf.hpp"

namespace tideline::run {
namespace {

// Whether a value is shown by a name may depend on the rest of the trace: both are compared as texts.
bool is_same_value(const nlohmann::json& a, const nlohmann::json& b) {
    if (a.is_array() && b.is_array())
        return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), is_same_value);
    const auto text = [](const nlohmann::json& value) {
        if (value.is_string()) return value.get<std::string>();
        if (value.is_object() && value.contains("#bigint")) return value["#bigint"].dump();
        return value.dump();
    };
    return text(a) == text(b);
}

}  // namespace

support::Result<WatchedExpression> watched_expression(const model::Model& model, const std::string& text,
                                                      const std::string& option) {
    support::Result<model::Expression> parsed = model::parse_expression(model, support::SourceText(option, text));
    if (!parsed) return std::move(parsed).diagnostics();
    return WatchedExpression{text, *std::move(parsed)};
}

Simulation::Simulation(const LoadedSystem& system, std::vector<WatchedExpression> invariants,
                       const support::Budget& budget)
    : model_(system.names), invariants_(std::move(invariants)) {
    std::string notice;
    std::optional<successor::Layout> layout;
    if (!system.audited) layout = successor::Layout::declared(*model_);
    system_ = system.make_system({}, nullptr, successor::Successors::interpret, std::move(layout), budget, notice);
    initial_ = system_->initial_states();
    restart();
}

void Simulation::restart(std::size_t initial) {
    words_ = initial_.at(initial);
    transitions_.clear();
    look();
}

void Simulation::look() { steps_ = system_->steps(words_.data() + words_.size() - system_->state_words()); }

void Simulation::take(std::size_t step) {
    assert(steps_.at(step).fault == model::FaultKind::none);
    words_.insert(words_.end(), steps_[step].next.begin(), steps_[step].next.end());
    transitions_.push_back(steps_[step].transition);
    look();
}

void Simulation::go_back_to(std::size_t state) {
    assert(state <= length());
    words_.resize((state + 1) * system_->state_words());
    transitions_.resize(state);
    look();
}

std::vector<model::Value> Simulation::values() const {
    return system_->decode(words_.data() + words_.size() - system_->state_words());
}

std::vector<model::Value> Simulation::values_before() const {
    return length() == 0 ? values() : system_->decode(words_.data() + words_.size() - 2 * system_->state_words());
}

std::string Simulation::value_of(const WatchedExpression& watched) const {
    const model::Evaluation value = model::evaluate(watched.expression, model_->tables, values());
    return value.fault == model::FaultKind::none
               ? std::to_string(value.value)
               : "cannot be evaluated (" + std::string(model::to_string(value.fault)) + ")";
}

std::optional<Simulation::Problem> Simulation::problem() const {
    const std::vector<model::Value> values = this->values();
    for (const WatchedExpression& invariant : invariants_) {
        const model::Evaluation value = model::evaluate(invariant.expression, model_->tables, values);
        if (value.fault != model::FaultKind::none || value.value == 0)
            return Problem{Problem::Kind::invariant, invariant.text};
    }
    if (steps_.empty())
        return is_proper_end(values) ? std::nullopt : std::optional(Problem{Problem::Kind::deadlock, ""});
    const bool is_stuck = std::all_of(steps_.begin(), steps_.end(),
                                      [](const auto& step) { return step.fault != model::FaultKind::none; });
    if (is_stuck) return Problem{Problem::Kind::fault, steps_.front().fault_text};
    return std::nullopt;
}

bool Simulation::is_proper_end(const std::vector<model::Value>& values) const {
    if (model_->end_label.empty()) return false;
    return std::any_of(model_->labels.begin(), model_->labels.end(), [&](const model::NamedExpression& label) {
        return label.name == model_->end_label && model::evaluate(label.expression, model_->tables, values).value != 0;
    });
}

trace::Trace Simulation::trace() const {
    trace::Trace made = trace::make_trace(system_, words_);
    made.transitions = transitions_;
    const std::optional<Problem> found = problem();
    if (!found) return made;
    if (found->kind == Problem::Kind::fault) made.fault = {steps_.front().transition, steps_.front().fault};
    else
        made.violation =
            trace::ShownViolation{found->kind == Problem::Kind::deadlock ? trace::ShownViolation::Kind::deadlock
                                                                         : trace::ShownViolation::Kind::invariant,
                                  found->kind == Problem::Kind::deadlock ? "deadlock" : "invariant", found->text};
    return made;
}

bool Simulation::is_same(const std::vector<successor::Word>& state, const std::string& itf_state) const {
    const nlohmann::json wanted = nlohmann::json::parse(itf_state, nullptr, false);
    const nlohmann::json made =
        nlohmann::json::parse(trace::to_itf_text(trace::make_trace(system_, state), {}), nullptr, false);
    const nlohmann::json& found = made.at("states").at(0);
    for (const auto& [name, value] : found.items())
        if (name != "#meta" && (!wanted.contains(name) || !is_same_value(wanted[name], value))) return false;
    return true;
}

std::optional<std::size_t> Simulation::step_to(const std::string& itf_state) const {
    for (std::size_t i = 0; i < steps_.size(); ++i)
        if (steps_[i].fault == model::FaultKind::none && is_same(steps_[i].next, itf_state)) return i;
    return std::nullopt;
}

bool Simulation::begins_in(const std::string& itf_state) const { return is_same(words_, itf_state); }

}  // namespace tideline::run
