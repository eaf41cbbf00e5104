#include "tests/toys/language/boxes_machine.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "input/dve/parser.hpp"
#include "reference/dve_expression.hpp"
#include "tests/toys/language/boxes.hpp"

namespace tideline::toys {
namespace {

// A state: 0, the only location of the process, then the balls of each box.
class BoxesMachine final : public reference::Machine {
public:
    BoxesMachine(Boxes boxes, support::SourceText source) : boxes_(std::move(boxes)), source_(std::move(source)) {
        for (const Box& box : boxes_.boxes) names_.push_back(box.name);
    }

    [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }

    [[nodiscard]] std::vector<reference::State> initial_states() const override {
        reference::State state{0};
        for (const Box& box : boxes_.boxes) state.push_back(box.balls);
        return {state};
    }

    [[nodiscard]] reference::OutsideNames outside_names() const override {
        reference::OutsideNames result;
        result.locations["mover.here"] = {0, 0};
        return result;
    }

    [[nodiscard]] std::vector<reference::Step> steps(const reference::State& state) const override {
        std::vector<reference::Step> result;
        for (const Move& move : boxes_.moves) {
            if (state[1 + move.from] == 0 || state[1 + move.to] == boxes_.boxes[move.to].capacity) continue;
            reference::Step step{{{"mover", source_.line_number(move.span.begin)}}, model::FaultKind::none, state};
            --step.next[1 + move.from];
            ++step.next[1 + move.to];
            result.push_back(std::move(step));
        }
        return result;
    }

    // Expressions are those of DVE; names are boxes.
    [[nodiscard]] support::Result<reference::Answer> evaluate(const std::string& expression,
                                                              const reference::State& state) const override {
        support::Result<input::dve::ExprPtr> tree = input::dve::parse_expression(support::SourceText("", expression));
        if (!tree) return tree.diagnostics();
        return reference::evaluate(**tree, Balls(names_, state));
    }

    [[nodiscard]] std::vector<FailedAssertion> failed_assertions(const reference::State&) const override { return {}; }

private:
    class Balls final : public reference::NameValues {
    public:
        Balls(const std::vector<std::string>& names, const reference::State& state) : names_(names), state_(state) {}
        [[nodiscard]] reference::Answer value_of(const input::dve::Expr& leaf) const override {
            const auto name = std::find(names_.begin(), names_.end(), leaf.name.text);
            return {model::FaultKind::none,
                    name == names_.end() ? 0 : state_[static_cast<std::size_t>(name - names_.begin())]};
        }

    private:
        const std::vector<std::string>& names_;
        const reference::State& state_;
    };

    Boxes boxes_;
    support::SourceText source_;
    std::vector<std::string> names_{"mover"};
};

}  // namespace

std::unique_ptr<reference::Machine> machine_of_boxes(const support::SourceText& source,
                                                     const input::LoadOptions& /*options*/) {
    support::Result<Boxes> boxes = parse_boxes(source);
    if (!boxes) throw std::logic_error("a model that was loaded cannot be parsed again");
    return std::make_unique<BoxesMachine>(*std::move(boxes), source);
}

}  // namespace tideline::toys
