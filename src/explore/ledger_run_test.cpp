#include "explore/ledger_run.hpp"

#include <gtest/gtest.h>

#include "explore/sample_sweep.hpp"

namespace tideline::explore {
namespace {

TEST(SavedSearch, IsReadAsItWasWritten) {
    SavedSearch saved;
    saved.walk = "sweep";
    saved.complete = true;
    saved.pass = 7;
    saved.in_layer = true;
    saved.passes = {{100, 50}, {7, 3}};
    saved.statistics.states = std::uint64_t{1} << 40U;
    saved.statistics.transitions = 12;
    saved.statistics.deadlocks = 3;
    saved.statistics.expanded = 11;
    saved.statistics.spilled = 5;
    saved.statistics.regress_edges = 9;
    saved.statistics.seconds = 1.5;
    saved.events = {{ReportedEvent::Kind::fault, 6, 2, model::FaultKind::range, 4},
                    {ReportedEvent::Kind::label, 0, 1, model::FaultKind::none, 1}};
    saved.next_temporary_id = 77;
    const SavedSearch read = parse_saved_search(to_text(saved));
    EXPECT_EQ(to_text(read), to_text(saved));
    EXPECT_EQ(read.walk, saved.walk);
    EXPECT_TRUE(read.complete && read.in_layer);
    EXPECT_EQ(read.pass, 7U);
    EXPECT_EQ(read.passes, saved.passes);
    EXPECT_EQ(read.statistics.states, saved.statistics.states);
    EXPECT_EQ(read.statistics.regress_edges, 9U);
    EXPECT_EQ(read.statistics.spilled, 5U);
    EXPECT_EQ(read.statistics.seconds, 1.5);
    ASSERT_EQ(read.events.size(), 2U);
    EXPECT_EQ(read.events[0].number, 6U);
    EXPECT_EQ(read.events[0].times, 4U);
    EXPECT_EQ(read.next_temporary_id, 77U);
}

TEST(SavedSearch, WhatIsNoneIsADamagedLedger) {
    for (const char* text : {"", "7", "{}", "{\"walk\": 3}", "{\"walk\": \"sweep\""})
        EXPECT_THROW((void)parse_saved_search(text), ledger::LedgerError) << text;
}

TEST(LedgerPackings, ReadStatesOfEveryPackingAsTheyArePackedNow) {
    model::Model model;
    model::examples::add_scalar(model, "n", {0, 60000}, 3);
    const auto packed = [&](const successor::Layout& layout) {
        return successor::make_interpreted_system(std::make_shared<const model::Model>(model), {}, layout);
    };
    const std::vector<model::Range> seen{{0, 7}};
    const auto narrow = packed(successor::Layout::observed(model, seen));
    const auto wide = packed(successor::Layout::declared(model));
    ledger::sample::TemporaryDirectory directory;
    ledger::LedgerSettings settings;
    settings.files = std::make_shared<ledger::sample::UnsyncedFiles>();
    const auto writer = ledger::LedgerWriter::create(
        directory / "ledger",
        ledger_header(*narrow, Recorded::tree, "{\"packing\": " + packing_description(*narrow) + "}"), settings);
    LedgerPackings packings(*writer, *narrow);
    const std::size_t first = writer->packings().size() - 1;
    packings.change(*wide);
    ASSERT_EQ(writer->packings().size(), first + 2);
    const std::vector<successor::Word> before = narrow->initial_states().front();
    std::vector<successor::Word> now(wide->state_words());
    packings.unpack(first, reinterpret_cast<const std::uint8_t*>(before.data()), now.data());
    EXPECT_EQ(wide->decode(now.data()), std::vector<model::Value>{3});
    packings.unpack(first + 1, reinterpret_cast<const std::uint8_t*>(wide->initial_states().front().data()),
                    now.data());
    EXPECT_EQ(wide->decode(now.data()), std::vector<model::Value>{3});
}

}  // namespace
}  // namespace tideline::explore
