#include "successor/step_labels.hpp"

#include <map>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "model/example_models.hpp"
#include "successor/native/native_system.hpp"

namespace tideline::successor {
namespace {

using Values = std::vector<model::Value>;
using Step = std::tuple<Values, model::TransitionId, Values, model::Marks>;

const support::Budget kUnlimited;

// All steps with their marks, by a search that packs its states again whenever the system asks for it.
std::set<Step> all_steps(std::shared_ptr<const System> system, unsigned& repackings) {
    std::set<Step> steps;
    std::set<Values> visited;
    std::vector<std::vector<Word>> open = system->initial_states();
    for (const std::vector<Word>& state : open) visited.insert(system->decode(state.data()));
    std::unique_ptr<Expander> expander = system->search_expander();
    while (!open.empty()) {
        const std::vector<Word> state = open.back();
        const Values source = system->decode(state.data());
        SuccessorBatch batch(system->state_words(), 4);
        Cursor cursor;
        Expansion expansion = Expansion::full;
        std::vector<std::vector<Word>> discovered;
        while (expansion == Expansion::full) {
            batch.restart(0);
            expansion = expander->expand(state.data(), 1, cursor, batch);
            for (std::size_t i = 0; i < batch.size(); ++i) {
                const Word* const target = batch.state(i);
                steps.emplace(source, batch.transition(i), system->decode(target), batch.marks(i));
                if (visited.insert(system->decode(target)).second)
                    discovered.emplace_back(target, target + system->state_words());
            }
        }
        if (expansion == Expansion::done) open.pop_back();
        open.insert(expansion == Expansion::done ? open.end() : open.begin(), discovered.begin(), discovered.end());
        if (expansion != Expansion::needs_repacking) continue;
        ++repackings;
        const std::shared_ptr<const System> wider = system->with_wider_fields(*expander);
        const Repacking translate = wider->repacking(*system);
        for (std::vector<Word>& waiting : open) {
            std::vector<Word> translated(wider->state_words());
            translate(waiting.data(), translated.data());
            waiting = translated;
        }
        expander = wider->search_expander();
        system = wider;
    }
    return steps;
}

// A state whose second step does not fit the packing has to be looked at as a whole, since the marks of its first step
// depend on the second: the expander that does so is the one that stops.
TEST(StepLabels, AreThoseOfASystemWithWideFieldsWhereverAValueDoesNotFit) {
    const auto model = std::make_shared<const model::Model>(model::examples::two_counters(40));
    const auto processes = std::make_shared<const ProcessTable>(process_table(*model));
    StepLabelSettings settings;
    settings.fairness = FairnessMarks::weak;
    const auto steps_of = [&](const Layout& layout, Successors successors, unsigned& repackings) {
        std::string notice;
        return all_steps(with_step_labels(make_model_system(model, {}, layout, {}, successors, kUnlimited, notice),
                                          processes, settings),
                         repackings);
    };
    unsigned none = 0;
    const std::set<Step> expected = steps_of(Layout::declared(*model), Successors::interpret, none);
    EXPECT_EQ(none, 0U);
    EXPECT_EQ(expected.size(), 2U * 40 * 41);
    std::vector<model::Range> initial;
    for (const model::Value value : model->initial) initial.push_back({value, value});
    for (const Successors successors : {Successors::interpret, Successors::automatic, Successors::native}) {
        SCOPED_TRACE(static_cast<int>(successors));
        unsigned repackings = 0;
        EXPECT_EQ(steps_of(Layout::observed(*model, initial), successors, repackings), expected);
        EXPECT_GT(repackings, 0U);
    }
}

// A batch may have the steps of states before, and end in the middle of a state: which states the marks belong to must
// be known all the same.
TEST(StepLabels, BelongToTheirStatesWhereABatchIsFilledByAndBy) {
    const auto model = std::make_shared<const model::Model>(model::examples::two_counters(6));
    const auto processes = std::make_shared<const ProcessTable>(process_table(*model));
    for (const FairnessMarks fairness : {FairnessMarks::weak, FairnessMarks::enabled, FairnessMarks::strong}) {
        StepLabelSettings settings;
        settings.fairness = fairness;
        std::string notice;
        const std::shared_ptr<const System> system = with_step_labels(
            make_model_system(model, {}, Layout::declared(*model), {}, Successors::interpret, kUnlimited, notice),
            processes, settings);
        unsigned repackings = 0;
        const std::set<Step> expected = all_steps(system, repackings);
        std::vector<std::vector<Word>> all = system->initial_states();
        std::set<Values> seen{system->decode(all[0].data())};
        for (std::size_t i = 0; i < all.size(); ++i)
            for (const StepDetail& step : system->steps(std::vector(all[i]).data()))
                if (seen.insert(system->decode(step.next.data())).second) all.push_back(step.next);
        std::vector<Word> states;
        for (const std::vector<Word>& state : all) states.insert(states.end(), state.begin(), state.end());
        const std::size_t words = system->state_words();
        const std::size_t count = states.size() / words;
        ASSERT_EQ(count, 49U);
        for (const std::size_t capacity : {3, 5, 7, 8}) {
            std::set<Step> found;
            const std::unique_ptr<Expander> expander = system->expander();
            SuccessorBatch batch(words, capacity);
            Cursor cursor;
            while (cursor.state < count) {
                batch.restart(cursor.state);
                const std::uint32_t first = cursor.state;
                Expansion expansion = Expansion::done;
                while (expansion == Expansion::done && cursor.state < count)
                    expansion = expander->expand(states.data(), cursor.state + 1, cursor, batch);
                std::size_t source = 0;
                for (std::size_t i = 0; i < batch.size(); ++i) {
                    while (source < batch.complete_sources() && batch.end(source) <= i) ++source;
                    found.emplace(system->decode(states.data() + (first + source) * words), batch.transition(i),
                                  system->decode(batch.state(i)), batch.marks(i));
                }
            }
            EXPECT_EQ(found, expected) << capacity;
        }
    }
}

}  // namespace
}  // namespace tideline::successor
