// The input languages: what loads is also executed, by the program and by reference/, and the two must agree.
#include <algorithm>
#include <memory>

#include "input/dve/parser.hpp"
#include "input/load.hpp"
#include "model/print.hpp"
#include "reference/explorer.hpp"
#include "reference/machines.hpp"
#include "tests/differential/agreement.hpp"
#include "tests/differential/print_dve.hpp"
#include "tests/fuzz/expect.hpp"

namespace tideline::fuzz {
namespace {

// Enough for what a fuzzer makes of a small file; larger systems are parsed and not executed.
constexpr std::size_t kMostStates = 40;
constexpr std::size_t kMostSlots = 64;
constexpr std::size_t kMostTransitions = 1000;

// A few states of the machine that executes the text by itself.
void execute(const input::LoadedModel& loaded, const input::LoadOptions& options) {
    expect(!to_text(*loaded.model).empty(), "a model has a text");
    const std::unique_ptr<reference::Machine> machine = reference::make_machine(loaded, options);
    expect(machine->names().size() == loaded.model->slot_count(), "both implementations have the same variables");
    const reference::Graph graph = reference::explore(*machine, {kMostStates, false});
    expect(!graph.states.empty(), "there is an initial state");
}

void load_explicit_system(const char* path, Input input) {
    const input::LoadOptions options;
    const support::Budget budget(limits());
    const support::Result<input::LoadedModel> loaded = input::load_model_text(path, text_of(input), options, budget);
    expect_sound(loaded);
    if (loaded && loaded->model->transitions.size() < kMostTransitions) execute(*loaded, options);
}

}  // namespace

void aut(Input input) { load_explicit_system("fuzz.aut", input); }

void kripke(Input input) { load_explicit_system("fuzz.json", input); }

void dve(Input input) {
    const std::string text = text_of(input);
    const support::Budget budget(limits());
    const input::LoadOptions options{.wrap = text.size() % 2 == 1, .with_property = text.size() % 4 < 2};
    const support::Result<input::LoadedModel> loaded = input::load_model_text("fuzz.dve", text, options, budget);
    expect_sound(loaded);
    if (!loaded) return;
    const support::Result<input::dve::Program> program = input::dve::parse(support::SourceText("fuzz.dve", text));
    expect(static_cast<bool>(program), "what loads can be parsed");
    const std::string printed = differential::to_dve_text(*program);
    const support::Result<input::dve::Program> again = input::dve::parse(support::SourceText("printed.dve", printed));
    expect(again && differential::to_dve_text(*again) == printed, "a printed model is parsed to the same", printed);
    if (loaded->model->slot_count() > kMostSlots) return;
    execute(*loaded, options);
    const differential::AgreementResult result = differential::compare_with_reference(
        text, {}, {.wrap = options.wrap, .max_states = kMostStates, .native = false, .seed = text.size()});
    expect(!result.disagreement, "both implementations agree", result.disagreement.value_or(""));
}

void promela(Input input) {
    // Files of the machine that the fuzzer runs on are none of its business.
    const std::string text = text_of(input);
    if (text.find("include") != std::string::npos) return;
    const support::Budget budget(limits());
    const input::LoadOptions options{.wrap = false, .with_property = text.size() % 2 == 0};
    const support::Result<input::LoadedModel> loaded = input::load_model_text("fuzz.pml", text, options, budget);
    expect_sound(loaded);
    if (!loaded || loaded->model->slot_count() > kMostSlots || loaded->model->transitions.size() > kMostTransitions)
        return;
    execute(*loaded, options);
}

}  // namespace tideline::fuzz
