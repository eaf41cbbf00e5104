// Certificates of formulas of CTL and CTL*: those that the engine `ledger` writes are confirmed by an audit; forged
// ones are not, unless all bits are still right. Structures, measures and formulas are random, with all readings of
// deadlocks, and clusters in one part or in many.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <xxhash.h>
#include <nlohmann/json.hpp>

#include "audit/audit.hpp"
#include "audit/certificate_file.hpp"
#include "check/ledger_branching.hpp"
#include "explore/search.hpp"
#include "ledger/certificate_writer.hpp"
#include "ledger/sample_ledger.hpp"
#include "tests/differential/random_branching.hpp"

namespace tideline::differential {
namespace {

using ledger::sample::TemporaryDirectory;
using Json = nlohmann::json;

// A certificate as values by column and state.
struct Columns {
    Json description;
    std::vector<std::vector<std::uint64_t>> values;

    [[nodiscard]] std::string what(std::size_t column) const { return description["columns"][column]["what"]; }
    [[nodiscard]] std::string formula(std::size_t column) const { return description["columns"][column]["formula"]; }
    // What is proved, rather than what proves it.
    [[nodiscard]] bool is_claim(std::size_t column) const {
        return what(column) == "bits" || what(column) == "endless" || what(column).starts_with("good ");
    }
};

class Certificates : public RandomBranching {
protected:
    // A ledger with its certificate.
    void decide(const std::string& formula, bool is_star, DeadlockReading reading, Random& random) {
        directory_.emplace();
        place_ = *directory_ / "ledger";
        const std::string model = *directory_ / "random.json";
        std::ofstream(model) << text_;
        check::BranchingRequest asked = request(formula, reading, random_key(random));
        asked.counts_satisfying = false;
        Json goals = Json::array();
        for (const std::string& atom : asked.program->atoms) goals.push_back({{"kind", "atom"}, {"formula", atom}});
        const Json description{
            {"plan",
             {{"model",
               {{"path", model},
                {"hash", fmt::format("{:016x}", XXH3_64bits(text_.data(), text_.size()))},
                {"wrap", false}}},
              {"explores_process", false},
              {"deadlocks", std::string(check::to_string(reading))},
              {"properties", {{{"kind", is_star ? "ctlstar" : "ctl"}, {"name", "property"}, {"text", formula}}}}}},
            {"goals", goals},
            {"packing", Json::parse(explore::packing_description(*asked.system))}};
        const std::unique_ptr<ledger::LedgerWriter> writer = ledger::LedgerWriter::create(
            place_, explore::ledger_header(*asked.system, explore::Recorded::edges, description.dump()),
            ledger::sample::small_settings(files_));
        explore::LedgerRun run{*writer};
        explore::SearchSettings settings;
        settings.ledger = &run;
        explore::SearchObserver nobody;
        const explore::SearchResult result = explore::search(asked.system, explore::WalkOrder::sweep, settings, nobody);
        ASSERT_TRUE(result.complete);
        asked.system = result.system;
        check::Outcome explored;
        explored.complete = true;
        explored.statistics = result.statistics;
        check::LedgerBranchingRequest on_ledger;
        on_ledger.branching = asked;
        on_ledger.ledger = writer.get();
        on_ledger.directory = place_;
        on_ledger.certifies = true;
        // The whole graph; a few states; a state at a time.
        static constexpr std::uint64_t kUnits[] = {1U << 20U, 200, 1};
        on_ledger.clusters.unit_bytes = kUnits[below(random, 3)];
        const check::Decision decision = check::decide_on_ledger(on_ledger, explored);
        holds_ = decision.outcome.verdicts.at(0).answer == check::Answer::holds;
        ledger_ = writer->header().id;
        states_ = writer->states();
        graph::LedgerGraph graph(*writer);
        ASSERT_EQ(graph.prepare(unlimited_), support::StopReason::none);
        successors_.assign(states_, {});
        graph.read_forward([&](const graph::RowBlock& block) {
            std::size_t at = 0;
            for (std::size_t i = 0; i < block.degrees.size(); ++i)
                for (const std::size_t end = at + block.degrees[i]; at < end; ++at)
                    successors_[block.first + i].push_back(block.targets[at]);
        });
    }

    [[nodiscard]] static successor::KeyProgram random_key(Random& random) {
        using model::Expression;
        successor::KeyProgram key;
        key.components.push_back(
            {Expression::binary(model::Op::modulo,
                                Expression::binary(model::Op::multiply, Expression::slot(0),
                                                   Expression::constant(static_cast<model::Value>(below(random, 8)))),
                                Expression::constant(static_cast<model::Value>(1 + below(random, 6)))),
             0, 8});
        return key;
    }

    [[nodiscard]] audit::AuditReport audited() const { return audit::audit(place_); }

    [[nodiscard]] Columns read() const {
        std::optional<audit::CertificateFile> file = audit::CertificateFile::open(place_, ledger_, states_);
        EXPECT_TRUE(file);
        Columns columns{file->description(), {}};
        for (std::uint32_t i = 0; i < columns.description["columns"].size(); ++i) {
            columns.values.emplace_back(states_);
            file->read(i, 0, columns.values.back());
        }
        return columns;
    }
    void write(const Columns& columns) const {
        ledger::CertificateWriter writer(place_, ledger_, std::nullopt, files_);
        for (std::uint32_t i = 0; i < columns.values.size(); ++i) writer.add(i, 0, columns.values[i]);
        writer.finish(columns.description.dump());
    }

    // States along a walk, round a cycle, one, or all.
    [[nodiscard]] std::vector<std::uint64_t> some_states(Random& random) const {
        std::vector<std::uint64_t> path;
        std::uint64_t s = below(random, states_);
        while (std::ranges::find(path, s) == path.end()) {
            path.push_back(s);
            if (!successors_[s].empty()) s = successors_[s][below(random, successors_[s].size())];
        }
        switch (below(random, 4)) {
            case 0: return path;
            case 1: return {std::ranges::find(path, s), path.end()};
            case 2: return {path.front()};
            default: break;
        }
        path.clear();
        for (std::uint64_t all = 0; all < states_; ++all) path.push_back(all);
        return path;
    }

    // Overwrites one column, or all of a formula, in some states, with one value or random ones. The answer may be
    // changed to fit.
    [[nodiscard]] Columns forged(const Columns& right, Random& random) const {
        Columns result = right;
        const std::size_t chosen = below(random, right.values.size());
        const bool is_all = below(random, 2) == 0;
        const std::vector<std::uint64_t> states = some_states(random);
        for (std::size_t i = 0; i < right.values.size(); ++i) {
            if (i != chosen && !(is_all && right.formula(i) == right.formula(chosen))) continue;
            const bool is_bit = right.is_claim(i) || right.what(i).starts_with("core ");
            const std::uint64_t most = is_bit ? 2 : right.what(i).starts_with("mark ") ? 3 : states_ + 2;
            const std::uint64_t one = below(random, most);
            const bool is_same = below(random, 5) < 3;
            for (const std::uint64_t s : states) result.values[i][s] = is_same ? one : below(random, most);
        }
        if (below(random, 2) == 0) result.description["properties"][0]["answer"] = holds_ ? "violated" : "holds";
        return result;
    }
    [[nodiscard]] static bool says_the_same(const Columns& a, const Columns& b) {
        for (std::size_t i = 0; i < a.values.size(); ++i)
            if (a.is_claim(i) && a.values[i] != b.values[i]) return false;
        return a.description["properties"] == b.description["properties"];
    }

    // Each of `runs` is confirmed; forgeries that claim something else are not.
    void expect_proved(std::uint64_t runs, std::uint64_t forgeries, bool is_star, Random& random) {
        std::uint64_t refuted = 0;
        std::uint64_t holding = 0;
        for (std::uint64_t i = 0; i < runs; ++i) {
            load(random, is_star ? 5 : 9);
            const BranchingTree tree = random_state_formula(random, 1 + below(random, 3), is_star);
            const std::string formula = reference::to_text(*tree, kAtoms);
            const DeadlockReading reading = is_star ? kReadings[2 * below(random, 2)].first : kReadings[i % 3].first;
            SCOPED_TRACE(formula + "\n" + std::string(check::to_string(reading)) + "\n" + text_);
            decide(formula, is_star, reading, random);
            if (HasFatalFailure()) return;
            const audit::AuditReport report = audited();
            ASSERT_TRUE(report.confirmed()) << report.findings.front();
            ASSERT_EQ(report.formulas.size(), 1U);
            ASSERT_EQ(report.formulas[0].answer, holds_ ? "holds" : "violated");
            ASSERT_TRUE(report.formulas[0].is_confirmed);
            holding += holds_ ? 1 : 0;
            const Columns right = read();
            for (std::uint64_t k = 0; k < forgeries && !right.values.empty(); ++k) {
                const Columns forgery = forged(right, random);
                if (says_the_same(forgery, right)) continue;
                write(forgery);
                const audit::AuditReport of_forgery = audited();
                ASSERT_FALSE(of_forgery.confirmed()) << forgery.description.dump();
                ASSERT_FALSE(of_forgery.formulas[0].is_confirmed);
                ++refuted;
            }
        }
        RecordProperty("confirmed", std::to_string(runs));
        RecordProperty("holding", std::to_string(holding));
        RecordProperty("refuted", std::to_string(refuted));
        EXPECT_GE(holding, runs / 6);
        EXPECT_GE(runs - holding, runs / 6);
        EXPECT_GE(refuted, runs * forgeries / 4);
    }

    std::shared_ptr<ledger::Files> files_ = std::make_shared<ledger::sample::UnsyncedFiles>();
    std::optional<TemporaryDirectory> directory_;
    std::string place_;
    std::uint64_t ledger_ = 0;
    std::uint64_t states_ = 0;
    bool holds_ = false;
    std::vector<std::vector<std::uint64_t>> successors_;
};

TEST_F(Certificates, OfCtlAreConfirmedAndForgedOnesAreNot) {
    Random random(31);
    expect_proved(pairs() / 40, 4, false, random);
}

TEST_F(Certificates, OfCtlStarAreConfirmedAndForgedOnesAreNot) {
    Random random(32);
    expect_proved(pairs() / 80, 4, true, random);
}

// All round a cycle of p, "EG p is false" is what each state would believe of the next one.
TEST_F(Certificates, ThatEgIsFalseAllRoundACycleIsNotBelieved) {
    Random random(33);
    text_ = R"({"states": [{"name": "a", "labels": ["p"]}, {"name": "b", "labels": ["p"]},
 {"name": "c", "labels": ["p", "q"]}], "initial": [0], "edges": [[0, 1], [1, 2], [2, 0]]})";
    load_text();
    decide("EG p", false, DeadlockReading::stutter, random);
    ASSERT_TRUE(holds_);
    ASSERT_TRUE(audited().confirmed());
    const Columns right = read();
    for (std::uint64_t i = 0; i < 100; ++i) {
        Columns forgery = right;
        for (std::size_t column = 0; column < right.values.size(); ++column)
            for (std::uint64_t& value : forgery.values[column])
                value = right.is_claim(column) ? 0 : i == 0 ? 0 : below(random, 5);
        forgery.description["properties"][0]["answer"] = "violated";
        write(forgery);
        const audit::AuditReport report = audited();
        ASSERT_FALSE(report.confirmed());
        EXPECT_NE(report.findings[0].find("does not prove what it says of 'EG p'"), std::string::npos)
            << report.findings[0];
    }
    write(right);
    EXPECT_TRUE(audited().confirmed());
}

TEST_F(Certificates, WithoutColumnsOrForAnotherLedgerProveNothing) {
    Random random(34);
    load(random, 6);
    decide("AG EF p", false, DeadlockReading::stutter, random);
    ASSERT_TRUE(audited().confirmed());
    const Columns right = read();
    const auto expect_finding = [&](const std::string& part) {
        const audit::AuditReport report = audited();
        ASSERT_FALSE(report.confirmed());
        EXPECT_NE(report.findings[0].find(part), std::string::npos) << report.findings[0];
    };
    for (std::size_t column = 0; column < right.values.size(); ++column) {
        Columns forgery = right;
        forgery.description["columns"][column]["what"] = "nothing";
        write(forgery);
        expect_finding("has no column");
    }
    Columns other = right;
    other.description["deadlocks"] = "ignore";
    write(other);
    expect_finding("another reading of deadlocks");
    write(right);
    const std::uint64_t id = ledger_++;
    write(right);
    expect_finding("of another ledger");
    ledger_ = id;
    write(right);
    ASSERT_TRUE(audited().confirmed());
    // A byte of it.
    const std::string path = place_ + "/certificate";
    const auto size = std::filesystem::file_size(path);
    for (std::uint64_t offset = 0; offset < size; ++offset) {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekg(static_cast<std::streamoff>(offset));
        const int byte = file.get();
        file.seekp(static_cast<std::streamoff>(offset));
        file.put(static_cast<char>(byte ^ 0x10));
        file.close();
        bool is_refused = false;
        try {
            is_refused = !audited().confirmed();
        } catch (const audit::AuditError& error) {
            is_refused = error.kind() == audit::AuditFault::version;
        }
        // The last bytes say nothing.
        EXPECT_TRUE(is_refused || offset + 4 >= size) << offset;
        std::fstream again(path, std::ios::in | std::ios::out | std::ios::binary);
        again.seekp(static_cast<std::streamoff>(offset));
        again.put(static_cast<char>(byte));
    }
    std::filesystem::remove(path);
    expect_finding("has no certificate");
}

}  // namespace
}  // namespace tideline::differential
