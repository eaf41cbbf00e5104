#include "tests/conformance/beem.hpp"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "check/ltl.hpp"
#include "reference/machines.hpp"
#include "successor/interpret/pilot.hpp"
#include "successor/native/native_system.hpp"
#include "tests/conformance/census.hpp"
#include "trace/confirm.hpp"

namespace tideline::conformance {
namespace {

const support::Budget kUnlimited;

// The first `count` fields of a line; the last of them takes the rest, including commas.
std::vector<std::string> fields_of(const std::string& line, std::size_t count) {
    std::vector<std::string> fields;
    std::size_t begin = 0;
    while (fields.size() + 1 < count) {
        const std::size_t comma = line.find(',', begin);
        if (comma == std::string::npos) break;
        fields.push_back(line.substr(begin, comma - begin));
        begin = comma + 1;
    }
    fields.push_back(line.substr(begin));
    if (fields.back().ends_with('\r')) fields.back().pop_back();
    fields.resize(count);
    return fields;
}

std::vector<std::vector<std::string>> table(const std::string& name, std::size_t columns) {
    std::vector<std::vector<std::string>> rows;
    const std::optional<std::filesystem::path> folder = shared_folder();
    if (!folder) return rows;
    std::ifstream file(*folder / "reference" / name);
    std::string line;
    std::getline(file, line);  // the heads of the columns
    while (std::getline(file, line)) rows.push_back(fields_of(line, columns));
    return rows;
}

std::optional<std::uint64_t> number(const std::string& text) {
    if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    return std::stoull(text);
}

void add_fact(std::vector<BeemFact>& facts, const std::string& instance, const std::string& states,
              const std::string& transitions, std::uint64_t above, std::uint64_t up_to) {
    const std::optional<std::uint64_t> size = number(states);
    if (!size || *size <= above || *size > up_to) return;
    const std::filesystem::path model = beem_folder() / (instance + ".dve");
    if (std::filesystem::exists(model)) facts.push_back({instance, model, *size, number(transitions)});
}

}  // namespace

std::optional<std::filesystem::path> shared_folder() {
    const char* given = std::getenv("TIDELINE_SHARED");
    const std::filesystem::path folder =
        given != nullptr && *given != '\0' ? std::filesystem::path(given) : source_root() / "../shared";
    if (!std::filesystem::is_directory(folder / "reference") || !std::filesystem::is_directory(folder / "beem"))
        return std::nullopt;
    return folder;
}

std::filesystem::path beem_folder() { return shared_folder().value_or(std::filesystem::path()) / "beem"; }

std::vector<BeemFact> beem_states(std::uint64_t above, std::uint64_t up_to) {
    std::vector<BeemFact> facts;
    for (const std::vector<std::string>& row : table("beem-states.csv", 3))
        add_fact(facts, row[0], row[1], row[2], above, up_to);
    return facts;
}

std::vector<BeemFact> beem_products(std::uint64_t above, std::uint64_t up_to) {
    std::vector<BeemFact> facts;
    for (const std::vector<std::string>& row : table("beem-ltl.csv", 5)) {
        if (row[4].starts_with("one tool") || row[4].starts_with("untrusted")) continue;
        add_fact(facts, row[0], row[2], row[3], above, up_to);
    }
    return facts;
}

std::size_t expect_verdicts(std::uint64_t up_to) {
    std::size_t decided = 0;
    for (const std::vector<std::string>& row : table("beem-ltl.csv", 5)) {
        const std::filesystem::path model = beem_folder() / (row[0] + ".dve");
        if ((row[1] != "holds" && row[1] != "violated") || number(row[2]).value_or(0) > up_to ||
            !std::filesystem::exists(model))
            continue;
        SCOPED_TRACE(row[0]);
        const support::Result<input::LoadedModel> loaded = input::load_model(model.string(), {});
        EXPECT_TRUE(loaded);
        if (!loaded) continue;
        const std::unique_ptr<reference::Machine> machine = reference::make_machine(*loaded, {});
        check::LtlRequest request;
        std::string notice;
        request.system = successor::make_model_system(
            loaded->model, {},
            successor::Layout::observed(*loaded->model, successor::observe_ranges(*loaded->model, kUnlimited)), {},
            successor::Successors::interpret, kUnlimited, notice);
        request.marks = check::accepting_marks(*loaded->model);
        request.is_product = false;
        request.settings.states = up_to;
        request.confirm = [&](const trace::Trace& trace, const support::Budget& budget) {
            return trace::confirm(trace, *machine, budget);
        };
        const support::Budget unlimited;
        const check::Outcome outcome = check::with_evidence(check::decide_ltl(request), unlimited);
        const check::Verdict& verdict = outcome.verdicts.front();
        if (verdict.answer == check::Answer::unknown) {
            EXPECT_EQ(verdict.reason, "states");
            continue;
        }
        ++decided;
        EXPECT_EQ(check::to_string(verdict.answer), row[1]);
        if (verdict.answer == check::Answer::holds) {
            EXPECT_EQ(outcome.statistics.states, number(row[2]));
            EXPECT_EQ(outcome.statistics.transitions, number(row[3]).value_or(outcome.statistics.transitions));
        }
    }
    return decided;
}

void expect_facts(const std::vector<BeemFact>& facts) {
    for (const BeemFact& fact : facts) {
        SCOPED_TRACE(fact.instance);
        const support::Result<input::LoadedModel> loaded = input::load_model(fact.model.string(), {});
        ASSERT_TRUE(loaded) << support::to_text(loaded.diagnostics().front());
        for (const explore::WalkOrder order : kOrders) {
            const Census found = census(*loaded, order);
            EXPECT_TRUE(found.complete) << to_text(order);
            EXPECT_EQ(found.states, fact.states) << to_text(order);
            EXPECT_EQ(found.transitions, fact.transitions.value_or(found.transitions)) << to_text(order);
            EXPECT_TRUE(found.faults.empty()) << to_text(order) << ": " << found;
        }
    }
}

}  // namespace tideline::conformance
