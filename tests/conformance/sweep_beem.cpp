#include "tests/conformance/sweep_beem.hpp"

#include <fstream>
#include <sstream>
#include <unordered_map>

#include <gtest/gtest.h>

#include "explore/search.hpp"
#include "input/load.hpp"
#include "progress/measure.hpp"
#include "successor/interpret/interpreted_system.hpp"
#include "tests/conformance/beem.hpp"
#include "tests/conformance/census.hpp"

namespace tideline::conformance {
namespace {

// Packed states as text, so that the set is the standard library's and not the one under test; each with how often it
// was discovered.
using States = std::unordered_map<std::string, std::uint32_t>;

std::string bytes_of(const successor::Word* state, std::size_t words) {
    return {reinterpret_cast<const char*>(state), words * sizeof(successor::Word)};
}

class Discoveries final : public explore::SearchObserver {
public:
    [[nodiscard]] bool wants_discoveries() const override { return true; }
    bool discovered(explore::SearchView& search, std::span<const explore::StateRef> fresh) override {
        for (const explore::StateRef& found : fresh) ++states_[bytes_of(found.state, search.system().state_words())];
        return true;
    }
    [[nodiscard]] const States& states() const { return states_; }

private:
    States states_;
};

// All declared values fit: the packing never changes during the search, and is the same in both searches.
std::shared_ptr<const successor::System> declared_system(const input::LoadedModel& loaded, successor::KeyProgram key) {
    return successor::make_interpreted_system(loaded.model, {}, successor::Layout::declared(*loaded.model),
                                              std::move(key));
}

void expect_equal(const States& swept, const States& all, bool once) {
    EXPECT_EQ(swept.size(), all.size());
    std::uint64_t unknown = 0;
    std::uint64_t repeated = 0;
    for (const auto& [state, times] : swept) {
        if (!all.contains(state)) ++unknown;
        if (times > 1) ++repeated;
    }
    EXPECT_EQ(unknown, 0u) << "states that breadth-first search does not know";
    EXPECT_TRUE(!once || repeated == 0) << repeated << " states that a single sweep discovers twice";
}

}  // namespace

std::vector<SweepCase> sweep_cases(std::uint64_t above, std::uint64_t up_to) {
    std::vector<SweepCase> cases;
    std::ifstream file(source_root() / "scripts/beem_measures.csv");
    std::string line;
    std::getline(file, line);  // the heads of the columns
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        SweepCase row;
        std::string states;
        std::string monotonic;
        std::getline(fields, row.model, ',');
        std::getline(fields, states, ',');
        std::getline(fields, monotonic, ',');
        std::getline(fields, row.measure);  // the rest of the line, including commas
        row.states = std::stoull(states);
        row.monotonic = monotonic == "yes";
        if (row.states > above && row.states <= up_to) cases.push_back(std::move(row));
    }
    return cases;
}

void expect_same_states(const SweepCase& row) {
    SCOPED_TRACE(row.model + " by " + row.measure);
    const support::Result<input::LoadedModel> loaded =
        input::load_model((beem_folder() / (row.model + ".dve")).string(), {});
    ASSERT_TRUE(loaded) << support::to_text(loaded.diagnostics().front());
    const support::Result<progress::Measure> measure = progress::parse_measure(*loaded->model, row.measure);
    ASSERT_TRUE(measure) << support::to_text(measure.diagnostics().front());

    Discoveries all;
    const explore::SearchResult full =
        explore::search(declared_system(*loaded, {}), explore::WalkOrder::breadth_first, {}, all);
    ASSERT_TRUE(full.complete);
    ASSERT_EQ(all.states().size(), row.states);

    Discoveries swept;
    const explore::WalkOrder order = row.monotonic ? explore::WalkOrder::sweep_basic : explore::WalkOrder::sweep;
    const explore::SearchResult result = explore::search(declared_system(*loaded, measure->program), order, {}, swept);
    ASSERT_TRUE(result.complete) << support::to_string(result.reason);
    expect_equal(swept.states(), all.states(), row.monotonic);
    EXPECT_LE(result.statistics.expanded, result.statistics.sweeps * row.states);
    EXPECT_LE(result.statistics.sweeps, result.statistics.persistent + 1);
    if (row.monotonic) {
        EXPECT_EQ(result.statistics.sweeps, 1u);
        EXPECT_EQ(result.statistics.transitions, full.statistics.transitions);
        EXPECT_EQ(result.statistics.deadlocks, full.statistics.deadlocks);
        EXPECT_LT(result.statistics.peak_states, row.states) << "the measure is of no use";
    } else {
        EXPECT_GT(result.statistics.sweeps, 1u) << "the table says that the measure is not monotonic";
    }
}

}  // namespace tideline::conformance
