#include "input/lts/translate.hpp"

#include <gtest/gtest.h>

#include "input/lts/aut.hpp"
#include "input/lts/kripke_json.hpp"
#include "model/evaluate.hpp"

namespace tideline::input::lts {
namespace {

model::Model model_of_aut(std::string text) {
    support::Result<Graph> graph = parse_aut(support::SourceText("m.aut", std::move(text)));
    EXPECT_TRUE(graph);
    return graph ? *translate(*std::move(graph)) : model::Model();
}

model::Model model_of_kripke(std::string text) {
    support::Result<Graph> graph = parse_kripke(support::SourceText("m.json", std::move(text)));
    EXPECT_TRUE(graph);
    return graph ? *translate(*std::move(graph)) : model::Model();
}

model::Value value_in(const model::Model& model, const model::Expression& expression, model::Value state) {
    const std::vector<model::Value> slots{state};
    const model::Evaluation result = model::evaluate(expression, model.tables, slots);
    EXPECT_EQ(result.fault, model::FaultKind::none);
    return result.value;
}

TEST(LtsTranslate, TheStateIsTheLocationOfTheOnlyProcess) {
    const model::Model model = model_of_aut("des (2, 1, 3)\n(2, a, 0)\n");
    EXPECT_EQ(model.format, "aut");
    EXPECT_EQ(model.source.path(), "m.aut");
    ASSERT_EQ(model.processes.size(), 1U);
    EXPECT_EQ(model.processes[0].name, "lts");
    ASSERT_EQ(model.variables.size(), 1U);
    const model::Variable& state = model.variables[model.processes[0].location];
    EXPECT_EQ(state.name, "state");
    EXPECT_EQ(state.kind, model::Variable::Kind::location);
    EXPECT_EQ(state.range, (model::Range{0, 2}));
    EXPECT_EQ(state.owner, model::ProcessId{0});
    EXPECT_EQ(state.value_names, (std::vector<std::string>{"0", "1", "2"}));
    EXPECT_EQ(model.initial, (std::vector<model::Value>{2}));
    EXPECT_EQ(model.composition, model::Composition::interleaving);
    EXPECT_FALSE(model.observer.has_value());
}

TEST(LtsTranslate, EveryEdgeIsATransitionInTheOrderOfTheFile) {
    const model::Model model = model_of_aut("des (0, 4, 2)\n(0, a, 1)\n(1, b, 0)\n(0, a, 1)\n(0, \"\", 0)\n");
    ASSERT_EQ(model.transitions.size(), 4U);
    EXPECT_EQ(model.processes[0].outgoing, (std::vector<std::vector<model::TransitionId>>{{0, 2, 3}, {1}}));
    EXPECT_TRUE(model.free_transitions.empty());
    const model::Transition& second = model.transitions[1];
    EXPECT_EQ(second.label, "b");
    EXPECT_TRUE(second.guards.empty());
    EXPECT_TRUE(second.effects.empty());
    ASSERT_EQ(second.participants.size(), 1U);
    EXPECT_EQ(second.participants[0].process, 0U);
    EXPECT_EQ(second.participants[0].from, 1);
    EXPECT_EQ(second.participants[0].to, 0);
    EXPECT_EQ(model.source.text(second.participants[0].span), "(1, b, 0)");
    EXPECT_EQ(model.transitions[3].label, "");
}

// A table per label would be quadratic in the states.
TEST(LtsTranslate, ALabelThatFewStatesCarryNeedsNoTable) {
    std::string states;
    const auto carries = [](int label, int state) {
        return label == 0 ? state % 40 == 3 : state == label || (state >= 300 && state < 310);
    };
    for (int state = 0; state < 400; ++state) {
        std::string labels;
        for (int label = 0; label < 5; ++label)
            if (carries(label, state)) labels += (labels.empty() ? "\"l" : ", \"l") + std::to_string(label) + '"';
        states += (state == 0 ? "{\"labels\": [" : ", {\"labels\": [") + labels + "]}";
    }
    const model::Model model = model_of_kripke("{\"states\": [" + states + R"(], "initial": 0, "edges": []})");
    EXPECT_TRUE(model.tables.empty());
    ASSERT_EQ(model.labels.size(), 5U);
    for (const model::NamedExpression& label : model.labels)
        for (int state = 0; state < 400; ++state)
            ASSERT_EQ(value_in(model, label.expression, state), carries(label.name[1] - '0', state) ? 1 : 0)
                << label.name << " in " << state;
}

TEST(LtsTranslate, LabelsHoldExactlyInTheStatesThatCarryThem) {
    const model::Model model =
        model_of_kripke(R"({"states": [{"labels": ["p"]}, {"labels": ["q", "p"]}, {}], "initial": 0, "edges": []})");
    EXPECT_EQ(model.format, "kripke");
    ASSERT_EQ(model.labels.size(), 2U);
    EXPECT_EQ(model.labels[0].name, "p");
    EXPECT_EQ(model.labels[1].name, "q");
    EXPECT_EQ(model.tables[0].name, "label p");
    const std::vector<model::Value> p{1, 1, 0};
    const std::vector<model::Value> q{0, 1, 0};
    for (model::Value state = 0; state < 3; ++state) {
        EXPECT_EQ(value_in(model, model.labels[0].expression, state), p[static_cast<std::size_t>(state)]);
        EXPECT_EQ(value_in(model, model.labels[1].expression, state), q[static_cast<std::size_t>(state)]);
    }
    EXPECT_TRUE(model.progress.empty());
}

TEST(LtsTranslate, ProgressValuesBecomeTheMeasureOfTheModel) {
    const model::Model model =
        model_of_kripke(R"({"states": [{"progress": 5}, {"progress": 9000000000}], "initial": 0, "edges": [[0, 1]]})");
    ASSERT_EQ(model.progress.size(), 1U);
    EXPECT_EQ(value_in(model, model.progress[0][0], 0), 5);
    EXPECT_EQ(value_in(model, model.progress[0][0], 1), 9000000000);
    EXPECT_EQ(model.tables[0].name, "progress");
}

TEST(LtsTranslate, NamesOfStatesAreNamesOfLocations) {
    const model::Model model =
        model_of_kripke(R"({"states": ["red", "green"], "initial": "green", "edges": [["green", "red"]]})");
    EXPECT_EQ(model.location_name(0, 0), "red");
    EXPECT_EQ(model.value_text(0, model.initial[0]), "green");
    EXPECT_EQ(value_in(model, model.at(0, 1), 1), 1);
}

}  // namespace
}  // namespace tideline::input::lts
