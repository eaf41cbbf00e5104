// What connects a search with its ledger: how states are packed in it, and what a search must know to go on where it was.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "explore/statistics.hpp"
#include "ledger/ledger.hpp"
#include "successor/layout_change.hpp"
#include "successor/system.hpp"

namespace tideline {

// Something that an observer was told: it is told again when the search is resumed.
struct Told {
    enum class Kind : std::uint8_t { label, deadlock, fault };
    Kind kind = Kind::label;
    std::uint64_t number = 0;       // of the state
    std::uint64_t what = 0;         // the label, or the transition
    FaultKind fault = FaultKind::none;
    std::uint64_t times = 1;
};

// The search at a commit.
struct SavedSearch {
    std::string walk{};     // "bfs" or "sweep", by which the states lie in the ledger; empty in ledgers of before
    bool complete = false;
    std::uint32_t pass = 0;
    bool in_layer = false;  // states of the layer at hand are among those that wait
    std::vector<SweepCount> passes;
    Statistics statistics;
    std::vector<Told> told;
    std::uint64_t provisional = 0;  // the next provisional number, where edges are recorded
};
[[nodiscard]] std::string to_text(const SavedSearch& saved);
// Throws LedgerError where the text is not one of these.
[[nodiscard]] SavedSearch parse_saved_search(const std::string& text);

// What a ledger is to have beside the states that wait: the spanning tree of all states; what the labels are in each of them; all steps.
// Each includes the one before.
enum class Recorded : std::uint8_t { tree, labels, edges };
// The header of a ledger for a search of this system.
[[nodiscard]] LedgerHeader ledger_header(const System& system, Recorded recorded, std::string description);

struct LedgerRun {
    LedgerWriter& writer;
    bool resumed = false;
    SavedSearch saved{};  // where it is resumed
    std::chrono::milliseconds commit_every{2000};
    // Keys that differ only in so many of their lower bits form a block; no step leads to an earlier block. Nothing is known of the order of
    // blocks where it is absent.
    std::optional<unsigned> block_bits{};
    // Where nothing depends on the order in which states come: a layer of more than so many known states is left to a later pass while few wait
    // for it.
    std::optional<std::uint64_t> thin_above{};
    // A layer of more than so many known states is visited without them in memory while few wait for it.
    std::uint64_t streamed_above = 1024;
};

// How a system packs its states, as JSON: by name, the word, shift, width and least value of every slot.
[[nodiscard]] std::string packing_description(const System& system);
// The layout that was described; nothing where there are no slots, as of a system written in C++. Throws LedgerError.
[[nodiscard]] std::optional<Layout> described_layout(const std::string& description);

// Reads states of every packing that a ledger has as they are packed now.
class LedgerPackings {
public:
    // `system` is how states are packed now; where the ledger's last packing is another one, this becomes the next.
    LedgerPackings(LedgerWriter& writer, const System& system);
    void change(const System& system);

    void unpack(std::size_t packing, const std::uint8_t* bytes, Word* state) const;

private:
    void relate(const System& system);

    struct Form {
        std::size_t words;
        std::size_t bytes;
        std::optional<LayoutChange> change;  // to the present one; nothing where it is that
    };
    LedgerWriter* writer_;
    std::vector<Form> forms_;  // by packing
    mutable std::vector<Word> old_;
};

}  // namespace tideline
