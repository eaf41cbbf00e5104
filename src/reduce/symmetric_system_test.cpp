// Reduced systems against the definition: the group element by element, states one by one.
#include "reduce/symmetric_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "input/load.hpp"
#include "model/parse_expression.hpp"
#include "reduce/sample_symmetric_model.hpp"
#include "successor/interpret/pilot.hpp"
#include "successor/native/native_system.hpp"
#include "successor/run_lifter.hpp"

namespace tideline::reduce {
namespace {

using successor::Word;
using Values = std::vector<model::Value>;

const support::Budget kUnlimited;
constexpr std::size_t kMostStates = 1'500;

std::shared_ptr<const model::Model> loaded(const std::string& text) {
    support::Result<input::LoadedModel> result = input::load_model_text("m.dve", text, {});
    if (!result) throw std::runtime_error(support::to_text(result.diagnostics().front()) + text);
    return result->model;
}

SymmetryGroup group_of(std::shared_ptr<const model::Model> model, const std::vector<std::string>& chosen = {}) {
    support::Result<SymmetryGroup> group = find_symmetries(std::move(model), chosen, kUnlimited);
    if (!group) throw std::runtime_error(support::to_text(group.diagnostics().front()));
    return *std::move(group);
}

// What a breadth-first search finds.
struct Found {
    std::shared_ptr<const successor::System> system;
    std::set<Values> states;
    std::map<Values, std::multiset<Values>> successors;
    std::map<Values, std::multiset<model::FaultKind>> faults;
    bool is_complete = false;
};

Found explore(std::shared_ptr<const successor::System> system, std::size_t most = kMostStates) {
    Found found;
    for (;;) {
        found = {};
        std::unique_ptr<successor::Expander> expander = system->expander();
        std::deque<std::vector<Word>> open;
        for (const std::vector<Word>& state : system->initial_states())
            if (found.states.insert(system->decode(state.data())).second) open.push_back(state);
        bool is_narrow = false;
        while (!open.empty() && found.states.size() <= most && !is_narrow) {
            const std::vector<Word> state = open.front();
            open.pop_front();
            const Values values = system->decode(state.data());
            successor::SuccessorBatch batch(system->state_words(), 256);
            successor::Cursor cursor;
            batch.restart(0);
            const successor::Expansion result = expander->expand(state.data(), 1, cursor, batch);
            is_narrow = result == successor::Expansion::needs_repacking;
            if (is_narrow) break;
            EXPECT_EQ(result, successor::Expansion::done);
            for (std::size_t i = 0; i < batch.size(); ++i) {
                if (batch.fault(i) != model::FaultKind::none) {
                    found.faults[values].insert(batch.fault(i));
                    continue;
                }
                const std::vector<Word> next(batch.state(i), batch.state(i) + system->state_words());
                const Values next_values = system->decode(next.data());
                found.successors[values].insert(next_values);
                if (found.states.insert(next_values).second) open.push_back(next);
            }
        }
        found.system = system;
        if (!is_narrow) {
            found.is_complete = open.empty();
            return found;
        }
        system = system->with_wider_fields(*expander);
    }
}

std::shared_ptr<const successor::System> packed(const std::shared_ptr<const model::Model>& model,
                                                const successor::Layout* layout, successor::Successors by) {
    std::string notice;
    return successor::make_model_system(
        model, {},
        layout != nullptr ? *layout
                          : successor::Layout::observed(*model, successor::observe_ranges(*model, kUnlimited)),
        {}, by, kUnlimited, notice);
}

Found explore_reduced(const std::shared_ptr<const model::Model>& model, SymmetryGroup group,
                      successor::Successors by = successor::Successors::interpret) {
    return explore(make_symmetric([=](const successor::Layout* layout) { return packed(model, layout, by); },
                                  {std::make_shared<const SymmetryGroup>(std::move(group))}));
}

std::set<Renaming> all_elements(const SymmetryGroup& group) {
    std::set<Renaming> all{identity(*group.model, group.domains)};
    std::vector<Renaming> open(all.begin(), all.end());
    while (!open.empty() && all.size() < 3'000) {
        const Renaming from = std::move(open.back());
        open.pop_back();
        for (const Renaming& generator : group.generators) {
            Renaming next = composed(group.domains, from, generator);
            if (all.insert(next).second) open.push_back(std::move(next));
        }
    }
    return all;
}

Values renamed(const SymmetryGroup& group, const Renaming& renaming, const Values& values) {
    Values image(values.size());
    apply(group.domains, renaming, values.data(), image.data());
    return image;
}

// The least state of an orbit.
Values least(const SymmetryGroup& group, const std::set<Renaming>& elements, const Values& values) {
    Values result = values;
    for (const Renaming& element : elements) result = std::min(result, renamed(group, element, values));
    return result;
}

std::uint64_t models_wanted() {
    const char* given = std::getenv("TIDELINE_RANDOM_MODELS");
    return given == nullptr ? 500 : std::strtoull(given, nullptr, 10);
}

TEST(Symmetry, ReducedSystemsHaveTheOrbitsOfRandomModels) {
    std::uint64_t compared = 0;
    std::uint64_t smaller = 0;
    for (std::uint64_t seed = 0; compared < models_wanted(); ++seed) {
        const samples::SymmetricModel sample = samples::random_symmetric_model(seed);
        SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + sample.text);
        const std::shared_ptr<const model::Model> model = loaded(sample.text);
        const SymmetryGroup group = group_of(model);
        // Copies can be exchanged.
        std::uint64_t expected = 1;
        for (const std::vector<std::string>& copies : sample.copies)
            for (std::uint64_t k = 2; k <= copies.size(); ++k) expected *= k;
        ASSERT_TRUE(group.order());
        ASSERT_EQ(*group.order() % expected, 0U) << *group.order();
        if (*group.order() > 600) continue;  // every element is tried below
        const std::set<Renaming> elements = all_elements(group);
        ASSERT_EQ(elements.size(), *group.order());
        const Found whole = explore(packed(model, nullptr, successor::Successors::interpret));
        if (!whole.is_complete) continue;
        ++compared;
        // Every element maps steps to steps.
        for (const Renaming& generator : group.generators)
            for (const Values& state : whole.states) {
                const Values image = renamed(group, generator, state);
                ASSERT_TRUE(whole.states.contains(image));
                std::multiset<Values> targets;
                if (const auto found = whole.successors.find(state); found != whole.successors.end())
                    for (const Values& next : found->second) targets.insert(renamed(group, generator, next));
                const auto of_image = whole.successors.find(image);
                ASSERT_EQ(targets, of_image == whole.successors.end() ? std::multiset<Values>() : of_image->second);
                const auto faults = whole.faults.find(state);
                const auto faults_of_image = whole.faults.find(image);
                ASSERT_EQ(faults == whole.faults.end(), faults_of_image == whole.faults.end());
                if (faults != whole.faults.end()) {
                    ASSERT_EQ(faults->second, faults_of_image->second);
                }
            }
        std::set<Values> orbits;
        for (const Values& state : whole.states) orbits.insert(least(group, elements, state));
        const Found reduced = explore_reduced(model, group);
        ASSERT_TRUE(reduced.is_complete);
        ASSERT_EQ(reduced.states.size(), orbits.size());
        std::set<Values> represented;
        for (const Values& state : reduced.states) represented.insert(least(group, elements, state));
        ASSERT_EQ(represented, orbits);
        smaller += orbits.size() < whole.states.size() ? 1 : 0;
    }
    EXPECT_GT(smaller, models_wanted() / 2);
}

TEST(Symmetry, MachineCodeAndInterpretationHaveTheSameRepresentatives) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const samples::SymmetricModel sample = samples::random_symmetric_model(seed);
        SCOPED_TRACE(sample.text);
        const std::shared_ptr<const model::Model> model = loaded(sample.text);
        const SymmetryGroup group = group_of(model);
        const Found interpreted = explore_reduced(model, group);
        const Found native = explore_reduced(model, group, successor::Successors::native);
        if (!interpreted.is_complete) continue;
        ASSERT_EQ(interpreted.states, native.states);
        ASSERT_EQ(interpreted.successors, native.successors);
    }
}

TEST(Symmetry, RunsThroughRepresentativesAreLiftedToRunsOfTheModel) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const samples::SymmetricModel sample = samples::random_symmetric_model(seed);
        SCOPED_TRACE(sample.text);
        const std::shared_ptr<const model::Model> model = loaded(sample.text);
        const auto group = std::make_shared<const SymmetryGroup>(group_of(model));
        const successor::Layout declared = successor::Layout::declared(*model);
        const std::shared_ptr<const successor::System> reduced = make_symmetric(
            [&](const successor::Layout* layout) {
                return packed(model, layout != nullptr ? layout : &declared, successor::Successors::interpret);
            },
            {group});
        const std::unique_ptr<successor::RunLifter> lifter = successor::lifter_of(*reduced);
        std::vector<Word> at = reduced->initial_states().front();
        std::vector<Word> state = lifter->follow(at.data());
        ASSERT_EQ(state, lifter->system()->initial_states().front());
        std::mt19937_64 random(seed);
        for (int i = 0; i < 30; ++i) {
            std::vector<successor::StepDetail> steps = reduced->steps(at.data());
            std::erase_if(steps, [](const successor::StepDetail& step) { return step.next.empty(); });
            if (steps.empty()) break;
            at = steps[random() % steps.size()].next;
            const std::vector<Word> before = state;
            state = lifter->follow(at.data());
            const std::vector<successor::StepDetail> real = lifter->system()->steps(before.data());
            ASSERT_TRUE(
                std::ranges::any_of(real, [&](const successor::StepDetail& step) { return step.next == state; }));
        }
    }
}

// Every wrong generator that is made of a right one is refuted, unless it is another symmetry.
TEST(Symmetry, WrongGeneratorsAreRefuted) {
    std::size_t refuted_ones = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const samples::SymmetricModel sample = samples::random_symmetric_model(seed);
        SCOPED_TRACE(sample.text);
        const std::shared_ptr<const model::Model> model = loaded(sample.text);
        const SymmetryGroup group = group_of(model);
        const std::set<Renaming> elements = all_elements(group);
        const TransitionTexts texts(*model, group.domains);
        for (const Renaming& generator : group.generators) {
            ASSERT_EQ(refuted(*model, group.domains, texts, generator), "");
            for (model::SlotId s = 0; s + 1 < generator.slots.size(); ++s) {
                Renaming wrong = generator;
                std::swap(wrong.slots[s], wrong.slots[s + 1]);
                if (elements.contains(wrong)) continue;
                if (!refuted(*model, group.domains, texts, wrong).empty()) {
                    ++refuted_ones;
                    continue;
                }
                // It is one that the search did not propose: then it maps steps to steps.
                const Found whole = explore(packed(model, nullptr, successor::Successors::interpret), 300);
                for (const auto& [state, targets] : whole.successors) {
                    const auto of_image = whole.successors.find(renamed(group, wrong, state));
                    if (of_image == whole.successors.end()) continue;
                    std::multiset<Values> images;
                    for (const Values& next : targets) images.insert(renamed(group, wrong, next));
                    ASSERT_EQ(images, of_image->second) << to_text(*model, wrong);
                }
            }
            Renaming wrong = generator;
            std::swap(wrong.processes.front(), wrong.processes.back());
            if (wrong.processes != generator.processes) {
                EXPECT_NE(refuted(*model, group.domains, texts, wrong), "");
            }
        }
    }
    EXPECT_GT(refuted_ones, 500U);
}

TEST(Symmetry, AtomsThatTellProcessesApartAreFound) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const samples::SymmetricModel sample = samples::random_symmetric_model(seed);
        SCOPED_TRACE(sample.text);
        const std::shared_ptr<const model::Model> model = loaded(sample.text);
        const SymmetryGroup group = group_of(model);
        const auto expression = [&](const std::string& text) {
            return *model::parse_expression(*model, support::SourceText("atom", text));
        };
        for (const std::string& atom : sample.atoms) EXPECT_EQ(group.changes(expression(atom)), nullptr) << atom;
        EXPECT_NE(group.changes(expression(sample.broken_atom)), nullptr);
    }
}

TEST(Symmetry, RingsRotateAndOrderedProcessesStay) {
    std::string ring = "byte fork[5];\n";
    for (int i = 0; i < 5; ++i) {
        const std::string left = "fork[" + std::to_string(i) + "]";
        const std::string right = "fork[" + std::to_string((i + 1) % 5) + "]";
        ring += "process P" + std::to_string(i) + " { state t, l, e; init t; trans t -> l { guard " + left +
                " == 0; effect " + left + " = 1; }, l -> e { guard " + right + " == 0; effect " + right +
                " = 1; }, e -> t { effect " + left + " = 0, " + right + " = 0; }; }\n";
    }
    const std::shared_ptr<const model::Model> model = loaded(ring + "system async;\n");
    const SymmetryGroup group = group_of(model);
    EXPECT_EQ(group.order(), 5U);
    EXPECT_TRUE(group.classes.empty());
    const Found whole = explore(packed(model, nullptr, successor::Successors::interpret));
    const Found reduced = explore_reduced(model, group);
    std::set<Values> orbits;
    const std::set<Renaming> elements = all_elements(group);
    for (const Values& state : whole.states) orbits.insert(least(group, elements, state));
    EXPECT_EQ(reduced.states.size(), orbits.size());
    EXPECT_LT(reduced.states.size(), whole.states.size() / 4);

    const SymmetryGroup ordered = group_of(
        loaded("byte turn; process P0 { state s; init s; trans s -> s { guard turn < 1; effect turn = 1; }; }\n"
               "process P1 { state s; init s; trans s -> s { guard turn < 2; effect turn = 2; }; }\nsystem async;\n"));
    EXPECT_TRUE(ordered.is_trivial());
}

// The commit protocol of the survey of 2012 (examples/two_phase_commit.py): where the workers are decides the class.
std::string commit_protocol(int workers) {
    const auto each = [&](const std::string& form, const std::string& glue) {
        std::string text;
        for (int i = 0; i < workers; ++i) {
            std::string one = form;
            for (std::size_t at = one.find('#'); at != std::string::npos; at = one.find('#'))
                one.replace(at, 1, std::to_string(i));
            text += (i == 0 ? "" : glue) + one;
        }
        return text;
    };
    std::string text = "byte worker[" + std::to_string(workers) +
                       "];\nprocess Coordinator { state idle, votes, acknowledgements; init idle; trans\n"
                       "idle -> votes { effect " +
                       each("worker[#] = 1", ", ") + "; },\nvotes -> acknowledgements { guard " +
                       each("worker[#] == 2", " and ") + "; effect " + each("worker[#] = 4", ", ") +
                       "; },\nvotes -> acknowledgements { guard " + each("worker[#] >= 2", " and ") + " and (" +
                       each("worker[#] == 3", " or ") + "); effect " + each("worker[#] = (worker[#] == 2) * 5", ", ") +
                       "; },\nacknowledgements -> idle { guard " + each("(worker[#] == 0 or worker[#] >= 6)", " and ") +
                       "; effect " + each("worker[#] = 0", ", ") + "; }; }\n";
    for (int i = 0; i < workers; ++i) {
        const std::string own = "worker[" + std::to_string(i) + "]";
        text += "process Worker" + std::to_string(i) + " { state ready; init ready; trans ready -> ready { guard " +
                own + " == 1; effect " + own + " = 2; }, ready -> ready { guard " + own + " == 1; effect " + own +
                " = 3; }, ready -> ready { guard " + own + " == 4; effect " + own + " = 6; }, ready -> ready { guard " +
                own + " == 5; effect " + own + " = 7; }; }\n";
    }
    return text + "system async;\n";
}

TEST(Symmetry, TheCommitProtocolHasAsManyClassesAsCountedByHand) {
    EXPECT_EQ(explore(packed(loaded(commit_protocol(2)), nullptr, successor::Successors::interpret)).states.size(),
              19U);
    for (int n = 1; n <= 8; ++n) {
        const std::shared_ptr<const model::Model> model = loaded(commit_protocol(n));
        const Found reduced = explore_reduced(model, group_of(model));
        EXPECT_EQ(reduced.states.size(), 1U + static_cast<unsigned>((n + 1) * (n + 2)));
        // By the coordinator's phase, which is the measure.
        std::map<model::Value, std::size_t> layers;
        const std::vector<std::string>& names = reduced.system->slot_names();
        const auto phase = std::find(names.begin(), names.end(), "Coordinator") - names.begin();
        for (const Values& state : reduced.states) ++layers[state[static_cast<std::size_t>(phase)]];
        const auto half = static_cast<std::size_t>((n + 1) * (n + 2) / 2);
        EXPECT_EQ(layers, (std::map<model::Value, std::size_t>{{0, 1}, {1, half}, {2, half}}));
    }
}

TEST(Symmetry, OnlyChosenProcessesAreExchanged) {
    const std::string text = [] {
        std::string made = "byte a[4];\n";
        for (int i = 0; i < 4; ++i)
            made += "process P_" + std::to_string(i) + " { state s, t; init s; trans s -> t { effect a[" +
                    std::to_string(i) + "] = 1; }, t -> s {}; }\n";
        return made + "system async;\n";
    }();
    EXPECT_EQ(group_of(loaded(text)).order(), 24U);
    EXPECT_EQ(group_of(loaded(text), {"P"}).order(), 24U);
    const SymmetryGroup chosen = group_of(loaded(text), {"P_0", "P_2"});
    EXPECT_EQ(chosen.order(), 2U);
    ASSERT_EQ(chosen.classes.size(), 1U);
    EXPECT_EQ(chosen.classes[0].processes, (std::vector<model::ProcessId>{0, 2}));
    EXPECT_FALSE(find_symmetries(loaded(text), {"P_9"}, kUnlimited));
    EXPECT_FALSE(find_symmetries(loaded(text), {"P_1"}, kUnlimited));
}

}  // namespace
}  // namespace tideline::reduce
