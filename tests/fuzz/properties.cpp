// Files of properties, with the expressions, measures and formulas in them over the names of a model.
#include <memory>

#include "audit/error.hpp"
#include "audit/expression.hpp"
#include "input/load.hpp"
#include "model/evaluate.hpp"
#include "model/parse_expression.hpp"
#include "model/print.hpp"
#include "progress/measure.hpp"
#include "reference/machines.hpp"
#include "run/linear_property.hpp"
#include "run/properties_file.hpp"
#include "tests/fuzz/expect.hpp"

namespace tideline::fuzz {
namespace {

constexpr const char* kModel = R"(const int limit = 3;
int x = 2;
byte a[3] = {1, 2, 0};
channel {byte} c[2];
process P {
    int y = -1;
    state s, t;
    init s;
    trans s -> t { guard x > 0; sync c!x; effect y = x, a[1] = 1; }, t -> s {};
}
process Q {
    byte got;
    state wait, done;
    init wait;
    trans wait -> done { sync c?got; };
}
system async;
)";

struct Names {
    input::LoadedModel loaded;
    std::unique_ptr<reference::Machine> machine;
    audit::Vocabulary vocabulary;

    explicit Names(support::Result<input::LoadedModel> model)
        : loaded(*std::move(model)), machine(reference::make_machine(loaded, {})), vocabulary(*machine) {}
};

const Names& names() {
    static const Names result(input::load_model_text("names.dve", kModel, {}));
    return result;
}

// Its value in the initial state, by the program and by the audit's own reading.
void compare_values(const std::string& text, const model::Expression& expression) {
    const model::Model& model = *names().loaded.model;
    const model::Evaluation ours = model::evaluate(expression, model.tables, model.initial);
    const std::string printed = model::to_text(model, expression);
    try {
        const audit::Formula formula(text, names().vocabulary);
        const reference::Answer theirs = formula.evaluate(names().machine->initial_states().front());
        expect(ours.fault == theirs.fault, "both readings of an expression have the same faults",
               text + '\n' + printed);
        expect(ours.fault != model::FaultKind::none || (ours.value != 0) == (theirs.value != 0),
               "both readings of an expression have the same value", text + '\n' + printed);
    } catch (const audit::Objection& objection) {
        expect(false, "the audit reads every expression that the program reads", text + '\n' + objection.what());
    }
}

}  // namespace

void properties(Input input) {
    const model::Model& model = *names().loaded.model;
    const auto source = std::make_shared<const support::SourceText>("fuzz.properties", text_of(input));
    const support::Result<std::vector<run::PropertySpec>> parsed = run::parse_properties(source);
    expect_sound(parsed);
    if (!parsed) return;
    const support::Budget unlimited;
    for (const run::PropertySpec& property : *parsed) {
        expect(!property.name.empty(), "a property has a name");
        if (property.kind == run::PropertyKind::ltl)
            for (const support::Diagnostic& diagnostic : run::check_linear_property(property, model, unlimited))
                expect(!to_text(diagnostic).empty(), "a diagnostic has a text");
        if (property.kind != run::PropertyKind::invariant) continue;
        const support::Result<model::Expression> expression =
            model::parse_expression(model, *property.source, property.span, model::LocationNumbers::refused);
        expect_sound(expression);
        if (expression) compare_values(property.text, *expression);
        const support::Result<progress::Measure> measure = progress::parse_measure(model, property.text);
        expect_sound(measure);
        if (measure)
            expect(static_cast<bool>(progress::parse_measure(model, progress::measure_text(*measure))),
                   "a printed measure is parsed", property.text);
    }
}

}  // namespace tideline::fuzz
