// Promela: the interpreter and machine code against the machine in reference/, on random models. For every reachable
// state of a model (as far as a limit) all three must give the same successors and the same faults; an atomic sequence
// must pass through the same processes and lines. Environment: TIDELINE_RANDOM_MODELS (how many), TIDELINE_RANDOM_SEED
// (the first), TIDELINE_EVERY_NATIVE (every n-th model is compiled too).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <map>
#include <set>

#include "input/load.hpp"
#include "reference/machines.hpp"
#include "run/instances.hpp"
#include "successor/interpret/interpreted_system.hpp"
#include "successor/native/native_system.hpp"
#include "support/file.hpp"
#include "tests/differential/random_promela.hpp"

namespace tideline::differential {
namespace {

const support::Budget kUnlimited;
constexpr std::size_t kMostStates = 400;

std::uint64_t number(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// A step as all three know it: the fault, or where it leads; and who took part.
using Outcome = std::pair<model::FaultKind, std::vector<std::int64_t>>;
using Named = std::pair<Outcome, std::vector<std::pair<std::string, std::uint32_t>>>;

struct Tally {
    std::uint64_t compared = 0;
    std::uint64_t states = 0;
    std::uint64_t faulty = 0;
    std::uint64_t composed = 0;  // steps through atomic sequences
    std::uint64_t meetings = 0;
    std::uint64_t creating = 0;  // models that create processes
};

std::set<Outcome> successors(const successor::System& system, successor::Expander& expander,
                             const std::vector<successor::Word>& state, bool& repack) {
    std::set<Outcome> result;
    successor::SuccessorBatch batch(system.state_words(), 7);
    successor::Cursor cursor;
    successor::Expansion end = successor::Expansion::full;
    while (end == successor::Expansion::full) {
        batch.restart(cursor.state);
        end = expander.expand(state.data(), 1, cursor, batch);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            if (batch.fault(i) != model::FaultKind::none) result.insert({batch.fault(i), {}});
            else result.insert({model::FaultKind::none, system.decode(batch.state(i))});
        }
    }
    repack = end == successor::Expansion::needs_repacking;
    return result;
}

std::string compare(const std::string& text, bool native, Tally& tally) {
    input::LoadOptions options;
    support::Result<input::LoadedModel> loaded = input::load_model_text("model.pml", text, options, kUnlimited);
    if (!loaded) return "not accepted: " + support::to_text(loaded.diagnostics().front());
    loaded = run::with_instances(*std::move(loaded), options, kUnlimited);
    if (!loaded) return "not accepted with its processes";
    const std::unique_ptr<reference::Machine> machine = reference::make_machine(*loaded, options);
    const std::shared_ptr<const model::Model> model = loaded->model;
    const successor::Layout layout = successor::Layout::declared(*model);
    const std::unique_ptr<successor::System> system =
        successor::make_interpreted_system(model, {}, layout, {}, nullptr);
    std::string notice;
    std::unique_ptr<successor::System> compiled;
    if (native)
        compiled =
            successor::make_model_system(model, {}, layout, {}, successor::Successors::native, kUnlimited, notice);
    if (!notice.empty()) return notice;
    if (system->slot_names() != machine->names()) return "the names differ";
    if (system->decode(system->initial_states().front().data()) != machine->initial_states().front())
        return "the initial states differ";
    const std::unique_ptr<successor::Expander> expander = system->expander();
    const std::unique_ptr<successor::Expander> compiled_expander = compiled ? compiled->expander() : nullptr;
    std::deque<std::vector<successor::Word>> open{system->initial_states().front()};
    std::set<std::vector<successor::Word>> known{open.front()};
    while (!open.empty()) {
        const std::vector<successor::Word> state = open.front();
        open.pop_front();
        const std::vector<std::int64_t> values = system->decode(state.data());
        bool repack = false;
        const std::set<Outcome> plain = successors(*system, *expander, state, repack);
        if (repack) return "a value does not fit its declared range";
        if (compiled && successors(*compiled, *compiled_expander, state, repack) != plain)
            return "machine code differs in state " + std::to_string(known.size());
        std::set<Named> by_machine;
        for (const reference::Step& step : machine->steps(values)) {
            std::vector<std::pair<std::string, std::uint32_t>> who;
            for (const reference::Participant& p : step.participants) who.emplace_back(p.process, p.line);
            const bool faulty = step.fault != model::FaultKind::none;
            by_machine.insert({{step.fault, faulty ? std::vector<std::int64_t>() : step.next}, who});
        }
        std::set<Named> by_system;
        for (const successor::StepDetail& step : system->steps(state.data())) {
            std::vector<std::pair<std::string, std::uint32_t>> who;
            for (const successor::StepPart& part : step.parts) who.emplace_back(part.process, part.line);
            const bool faulty = step.fault != model::FaultKind::none;
            by_system.insert(
                {{step.fault, faulty ? std::vector<std::int64_t>() : system->decode(step.next.data())}, who});
            tally.composed += who.size() > 2 ? 1 : 0;
            tally.meetings += who.size() == 2 && who[0].first != who[1].first ? 1 : 0;
            tally.faulty += faulty ? 1 : 0;
        }
        // The machine knows every way through an atomic sequence.
        std::set<Outcome> outcomes;
        for (const Named& named : by_machine) outcomes.insert(named.first);
        if (outcomes != plain ||
            !std::includes(by_machine.begin(), by_machine.end(), by_system.begin(), by_system.end())) {
            std::string difference;
            const auto tell = [&](const char* title, const std::set<Named>& a, const std::set<Named>& b) {
                for (const Named& named : a) {
                    if (b.count(named) != 0) continue;
                    difference += std::string("\n") + title + ": " + std::string(to_string(named.first.first));
                    for (const auto& [process, line] : named.second)
                        difference += " " + process + ":" + std::to_string(line);
                    for (std::size_t i = 0; i < named.first.second.size(); ++i)
                        if (named.first.second[i] != values[i])
                            difference += " " + machine->names()[i] + "=" + std::to_string(named.first.second[i]);
                }
            };
            tell("only the machine", by_machine, by_system);
            tell("only the model", by_system, by_machine);
            return "the steps of a state differ" + difference;
        }
        for (const successor::StepDetail& step : system->steps(state.data()))
            if (step.fault == model::FaultKind::none && known.size() < kMostStates && known.insert(step.next).second)
                open.push_back(step.next);
    }
    ++tally.compared;
    tally.states += known.size();
    tally.creating += options.instances.empty() ? 0 : 1;
    return {};
}

TEST(PromelaCases, EnginesAndReferenceAgree) {
    Tally tally;
    for (const auto& entry : std::filesystem::directory_iterator("tests/promela/cases")) {
        if (entry.path().extension() != ".pml") continue;
        const support::Result<std::string> text = support::read_text_file(entry.path().string(), {});
        ASSERT_TRUE(text) << entry.path();
        EXPECT_EQ(compare(*text, true, tally), "") << entry.path();
    }
    EXPECT_GT(tally.compared, 0U);
}

TEST(RandomPromela, EnginesAndReferenceAgree) {
    const std::uint64_t count = number("TIDELINE_RANDOM_MODELS", 2000);
    const std::uint64_t first = number("TIDELINE_RANDOM_SEED", 0);
    const std::uint64_t every_native = number("TIDELINE_EVERY_NATIVE", 25);  // compiling takes most of the time
    Tally tally;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const std::string text = random_promela(seed);
        const std::string difference = compare(text, seed % every_native == 0, tally);
        ASSERT_EQ(difference, "") << "seed " << seed << "\n" << text;
    }
    EXPECT_EQ(tally.compared, count);
    // Otherwise this test shows little.
    EXPECT_GE(tally.states, 10 * count);
    EXPECT_GE(tally.faulty, count / 10);
    EXPECT_GE(tally.composed, count / 10);
    EXPECT_GE(tally.meetings, count / 10);
    EXPECT_GE(tally.creating, count / 10);
    std::printf("%llu models, %llu states; steps: %llu faulty, %llu atomic, %llu rendezvous\n",
                static_cast<unsigned long long>(tally.compared), static_cast<unsigned long long>(tally.states),
                static_cast<unsigned long long>(tally.faulty), static_cast<unsigned long long>(tally.composed),
                static_cast<unsigned long long>(tally.meetings));
}

}  // namespace
}  // namespace tideline::differential
