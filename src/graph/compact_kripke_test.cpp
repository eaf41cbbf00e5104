// The figures and the plain form, read by code of the test; tests/cli/behaviour/compact_test.py reads both forms.
#include "graph/compact_kripke.hpp"

#include <bit>
#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graph/sample_recording.hpp"
#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::graph {
namespace {

using namespace model::examples;

// Two counters from 0 to `limit`, and whether the first is 0, in a ledger.
struct Recording {
    explicit Recording(model::Value limit) {
        const auto model = std::make_shared<const model::Model>(two_counters(limit));
        const model::Expression is_zero = model::Expression::binary(model::Op::equal, model->read(0), number(0));
        system = successor::make_interpreted_system(model, {is_zero}, successor::Layout::declared(*model));
        EXPECT_TRUE(record(system, folder / "ledger", explore::WalkOrder::breadth_first, 1).complete);
        contents = ledger::LedgerReader::open(folder / "ledger");
        graph.emplace(*contents,
                      ledger::EdgeReaderSettings{.memory = 1U << 24U, .temporary_directory = folder / "ledger"});
        EXPECT_EQ(graph->prepare(support::Budget()), support::StopReason::none);
    }
    support::StopReason write(const support::Budget& budget = support::Budget()) {
        return write_compact_kripke({*graph, "counters", {"zero"}}, support::sink_into(text), budget, size);
    }

    ledger::sample::TemporaryDirectory folder;
    std::shared_ptr<const successor::System> system;
    std::unique_ptr<ledger::LedgerReader> contents;
    std::optional<LedgerGraph> graph;
    std::string text;
    CompactKripkeSize size;
};

struct Header {
    explicit Header(const std::string& text) {
        EXPECT_EQ(text.substr(0, 8), std::string("TLKC\2\0\0\0", 8));
        std::uint64_t length = 0;
        std::memcpy(&length, text.data() + 8, sizeof length);
        json = nlohmann::json::parse(text.substr(16, length));
        end = 16 + length;
    }
    nlohmann::json json;
    std::size_t end = 0;
};

// Bits from the lowest of a byte to the highest.
class Bits {
public:
    explicit Bits(std::string bytes) : bytes_(std::move(bytes)) {}
    std::uint64_t take(unsigned count) {
        std::uint64_t value = 0;
        for (unsigned i = 0; i < count; ++i, ++at_)
            value |= (static_cast<std::uint64_t>(static_cast<unsigned char>(bytes_.at(at_ / 8))) >> at_ % 8 & 1U) << i;
        return value;
    }
    std::uint64_t take_gamma() {
        unsigned zeros = 0;
        while (take(1) == 0) ++zeros;
        std::uint64_t number = 1;
        for (unsigned i = 0; i < zeros; ++i) number = number << 1U | take(1);
        return number;
    }
    [[nodiscard]] std::size_t bytes_read() const { return (at_ + 7) / 8; }

private:
    std::string bytes_;
    std::size_t at_ = 0;
};

TEST(CompactKripke, TheHeaderSaysWhatIsInIt) {
    Recording recording(2);
    ASSERT_EQ(recording.write(), support::StopReason::none);
    const Header header(recording.text);
    EXPECT_EQ(header.json["name"], "counters");
    EXPECT_EQ(header.json["states"], 9);
    EXPECT_EQ(header.json["edges"], 12);
    EXPECT_EQ(header.json["transitions"], 2);
    EXPECT_EQ(header.json["labels"], (std::vector<std::string>{"zero"}));
    EXPECT_EQ(header.json["initial"], (std::vector<int>{0}));
}

TEST(CompactKripke, ThePlainFormIsTheGraph) {
    Recording recording(2);
    ASSERT_EQ(recording.write(), support::StopReason::none);
    const Header header(recording.text);
    ASSERT_EQ(recording.text[header.end], 0) << "so few states are not worth compressing";
    const auto bytes = static_cast<unsigned char>(recording.text[header.end + 1]);
    ASSERT_LT(bytes, 128U);
    ASSERT_EQ(header.end + 2 + bytes, recording.text.size());
    Bits bits(recording.text.substr(header.end + 2));
    std::vector<std::uint64_t> order;  // of the transitions, by their first occurrence
    recording.graph->read_forward([&](const RowBlock& block) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < block.degrees.size(); ++i) {
            EXPECT_EQ(bits.take(1), block.labels[i * recording.graph->label_bytes()] & 1U);
            EXPECT_EQ(bits.take_gamma(), block.degrees[i] + 1);
            for (const std::size_t end = at + block.degrees[i]; at < end; ++at) {
                if (std::ranges::find(order, block.transitions[at]) == order.end())
                    order.push_back(block.transitions[at]);
                EXPECT_EQ(order.at(bits.take(1)), block.transitions[at]);
                EXPECT_EQ(bits.take(4), block.targets[at]);
            }
        }
        return true;
    });
    EXPECT_EQ(bits.bytes_read(), bytes);
}

TEST(CompactKripke, ItsSizeIsWithinTheBound) {
    for (const model::Value limit : {0, 1, 5, 200}) {
        SCOPED_TRACE(limit);
        Recording recording(limit);
        ASSERT_EQ(recording.write(), support::StopReason::none);
        EXPECT_EQ(recording.size.bytes, recording.text.size());
        EXPECT_EQ(recording.size.bits, 8 * (recording.text.size() - Header(recording.text).end));
        EXPECT_LE(recording.size.bits, recording.size.bound);
    }
}

TEST(CompactKripke, AStructureOfSeveralBlocksIsCompressed) {
    Recording recording(200);  // 40,401 states
    ASSERT_EQ(recording.write(), support::StopReason::none);
    EXPECT_EQ(recording.text[Header(recording.text).end], 1);
    EXPECT_LT(4 * recording.size.bits, recording.size.bound) << "rows are alike";
}

TEST(CompactKripke, EndsWithItsBudget) {
    Recording recording(5);
    EXPECT_EQ(recording.write(support::Budget({}, [] { return true; })), support::StopReason::interrupted);
}

}  // namespace
}  // namespace tideline::graph
