// The models of tests/models state their figures in their first lines:
//
//   // expect: states=904 transitions=3468 deadlocks=0
//   // faults: index=3 range=5            faulty steps by kind; by default none
//   // failed assertions: P.in=2          states in which an assertion of that location fails; by default none
//
// Both searches in every packing, the checks that the program runs and the reference implementation must find exactly
// that.
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "check/reachability.hpp"
#include "reference/machines.hpp"
#include "tests/conformance/census.hpp"
#include "trace/confirm.hpp"

namespace tideline::conformance {
namespace {

using Counts = std::map<std::string, std::uint64_t>;

// The items name=number of a line; an invalid number makes the test fail.
Counts counts_in(const std::string& line) {
    Counts counts;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        if (equals != std::string::npos) counts[word.substr(0, equals)] = std::stoull(word.substr(equals + 1));
    }
    return counts;
}

struct Head {
    Counts expect;
    Counts faults;
    Counts failed;
};

Head head_of(const std::filesystem::path& path) {
    Head head;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line) && line.starts_with("//");) {
        if (line.starts_with("// expect:")) head.expect = counts_in(line);
        if (line.starts_with("// faults:")) head.faults = counts_in(line);
        if (line.starts_with("// failed assertions:")) head.failed = counts_in(line);
    }
    return head;
}

// The results of a search, in the form of the first lines.
Head head_of(const Census& census, const model::Model& model) {
    Head head;
    head.expect = {{"states", census.states}, {"transitions", census.transitions}, {"deadlocks", census.deadlocks}};
    head.faults = Counts(census.faults.begin(), census.faults.end());
    for (std::size_t i = 0; i < census.failed.size(); ++i) {
        const std::string& name = model.assertions[i].name;
        if (census.failed[i] > 0) head.failed[name.substr(0, name.find(':'))] += census.failed[i];
    }
    return head;
}

void expect_same(const Head& found, const Head& expected, const std::string& by) {
    EXPECT_EQ(found.expect, expected.expect) << by;
    EXPECT_EQ(found.faults, expected.faults) << by;
    EXPECT_EQ(found.failed, expected.failed) << by;
}

// The exploration as the program runs it: every trace is confirmed by the reference implementation.
void expect_explored(const input::LoadedModel& loaded, explore::WalkOrder order, const Head& expected) {
    const std::unique_ptr<reference::Machine> machine = reference::make_machine(loaded, {});
    check::ReachabilityRequest request;
    request.system = system_of(loaded, Packing::observed);
    request.order = order;
    request.exploration = true;
    request.confirm = [&](const trace::Trace& trace, const support::Budget& budget) {
        return trace::confirm(trace, *machine, budget);
    };
    for (const model::NamedExpression& assertion : loaded.model->assertions)
        request.properties.push_back(
            {check::StateProperty::Kind::assertion, assertion.name, assertion.name, request.properties.size()});
    const support::Budget unlimited;
    const check::Outcome outcome = check::with_evidence(check::decide_reachability(request), unlimited);
    EXPECT_TRUE(outcome.complete);
    Counts faults;
    std::size_t failed = 0;
    for (const check::FaultReport& fault : outcome.faults) {
        EXPECT_TRUE(fault.trace) << fault.text;
        if (fault.in_assertion) ++failed;
        else faults[std::string(model::to_string(fault.kind))] += fault.occurrences;
    }
    EXPECT_EQ(faults, expected.faults);
    EXPECT_EQ(failed, expected.failed.size());
    const explore::Statistics& s = outcome.statistics;
    EXPECT_EQ((Counts{{"states", s.states}, {"transitions", s.transitions}, {"deadlocks", s.deadlocks}}),
              expected.expect);
}

void expect_everywhere(const std::filesystem::path& path, const Head& expected) {
    SCOPED_TRACE(path.filename().string());
    ASSERT_EQ(expected.expect.size(), 3u) << "an expectation has states, transitions and deadlocks";
    const support::Result<input::LoadedModel> loaded = input::load_model(path.string(), {});
    ASSERT_TRUE(loaded) << support::to_text(loaded.diagnostics().front());
    for (const explore::WalkOrder order : kOrders) {
        for (const Packing packing : kPackings) {
            const Census found = census(*loaded, order, packing);
            EXPECT_TRUE(found.complete);
            expect_same(head_of(found, *loaded->model), expected,
                        std::string(to_text(order)) + ", " + to_text(packing));
        }
        SCOPED_TRACE(to_text(order));
        expect_explored(*loaded, order, expected);
    }
    expect_same(head_of(reference_census(*loaded), *loaded->model), expected, "reference");
}

TEST(TestModels, HaveWhatTheirHeadLinesSayForEverySearchAndTheReference) {
    const std::vector<std::filesystem::path> models = test_models();
    ASSERT_GE(models.size(), 20u);
    for (const std::filesystem::path& path : models) expect_everywhere(path, head_of(path));
}

TEST(TestModels, HaveHeadLinesOfEveryKind) {
    Counts faults;
    std::size_t failed = 0;
    for (const std::filesystem::path& path : test_models()) {
        const Head head = head_of(path);
        faults.insert(head.faults.begin(), head.faults.end());
        failed += head.failed.size();
    }
    EXPECT_EQ(faults.size(), 5u);  // every kind of fault
    EXPECT_GT(failed, 0u);
}

TEST(Examples, HaveTheseStatesTransitionsAndDeadlocks) {
    struct Example {
        const char* name;
        std::uint64_t states, transitions, deadlocks;
    };
    const std::vector<Example> examples = {
        {"lossy_channel.dve", 1320, 4266, 0}, {"peterson.dve", 20, 34, 0},           {"philosophers.dve", 242, 805, 1},
        {"traffic_light.json", 6, 8, 0},      {"vending_machine.aut", 6, 9, 1},      {"layers.json", 12, 15, 0},
        {"connection.dve", 288, 736, 5},      {"connection_service.aut", 11, 12, 2},
    };
    std::size_t models = 0;
    for (const auto& entry : std::filesystem::directory_iterator(source_root() / "examples")) {
        const std::string ending = entry.path().extension().string();
        if (ending == ".dve" || ending == ".aut" || ending == ".json") ++models;
    }
    EXPECT_EQ(models, examples.size()) << "an example without an expectation here";
    for (const Example& example : examples) {
        Head expected;
        expected.expect = {
            {"states", example.states}, {"transitions", example.transitions}, {"deadlocks", example.deadlocks}};
        expect_everywhere(source_root() / "examples" / example.name, expected);
    }
}

}  // namespace
}  // namespace tideline::conformance
