// What connects a search with its ledger: how states are packed in it, and what a search needs to continue from a
// checkpoint.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "explore/statistics.hpp"
#include "ledger/ledger.hpp"
#include "successor/layout_change.hpp"
#include "successor/system.hpp"

namespace tideline::explore {

// An event that was reported to an observer: it is reported again when the search is resumed.
struct ReportedEvent {
    enum class Kind : std::uint8_t { label, deadlock, fault };
    Kind kind = Kind::label;
    std::uint64_t number = 0;  // of the state
    std::uint64_t what = 0;    // the label, or the transition
    model::FaultKind fault = model::FaultKind::none;
    std::uint64_t times = 1;
};
// Numbers from here on are of states without one: SavedSearch::early_states.
inline constexpr std::uint64_t kFirstEarlyState = std::uint64_t{1} << 56U;

// The search at a checkpoint.
struct SavedSearch {
    std::string walk{};  // "bfs" or "sweep", by which the states lie in the ledger; empty in ledgers of before
    bool complete = false;
    std::uint32_t pass = 0;
    bool in_layer = false;  // states of the current layer are among the open ones
    std::vector<SweepCount> passes;
    Statistics statistics;
    std::vector<ReportedEvent> events;
    std::uint64_t next_temporary_id = 0;  // the next one, where edges are recorded
    std::uint64_t key_records = 0;        // that open states in mixed batches have beside them (open_columns.hpp)
    // Of a search that has changed over: the states of events before that, as the ledger's first packing has them.
    std::vector<std::vector<std::uint8_t>> early_states{};
};
[[nodiscard]] std::string to_text(const SavedSearch& saved);
// Throws LedgerError where the text is not one of these.
[[nodiscard]] SavedSearch parse_saved_search(const std::string& text);

// What a ledger has beside the open states: the spanning tree of all states; what the labels are in each of them; all
// steps. Each includes the one before.
enum class Recorded : std::uint8_t { tree, labels, edges };
// The header of a ledger for a search of this system.
[[nodiscard]] ledger::LedgerHeader ledger_header(const successor::System& system, Recorded recorded,
                                                 std::string description);

struct LedgerRun {
    ledger::LedgerWriter& writer;
    bool resumed = false;
    SavedSearch saved{};  // where it is resumed
    std::chrono::milliseconds checkpoint_every{2000};
    // Keys that differ only in this number of lower bits form a block; no step leads to an earlier block. Nothing is
    // known of the order of blocks where it is absent.
    std::optional<unsigned> block_bits{};
    // The largest key that there can be, where the measure is known never to decrease: for the status line.
    std::optional<successor::Key> last_key{};
    // Where nothing depends on the order in which states come: a layer of more than this number of visited states is
    // deferred to a later pass while few of its states are open.
    std::optional<std::uint64_t> thin_above{};
    // A layer of more than this number of visited states is visited without them in memory while few of its states are
    // open.
    std::uint64_t streamed_above = 1024;
    // For tests: the free bytes of a file system, in place of that which the ledger is on.
    std::function<std::uint64_t()> free_bytes{};
};

// How a system packs its states, as JSON: by name, the word, shift, width and least value of every slot.
[[nodiscard]] std::string packing_description(const successor::System& system);
// The layout that was described; nothing where there are no slots, as of a system written in C++. Throws LedgerError.
[[nodiscard]] std::optional<successor::Layout> described_layout(const std::string& description);

// Reads states of every packing that a ledger has as they are packed now.
class LedgerPackings {
public:
    // `system` is how states are packed now; where the ledger's last packing is another one, this becomes the next.
    LedgerPackings(ledger::LedgerWriter& writer, const successor::System& system);
    void change(const successor::System& system);

    void unpack(std::size_t packing, const std::uint8_t* bytes, successor::Word* state) const;

private:
    void relate(const successor::System& system);

    struct Form {
        std::size_t words;
        std::size_t bytes;
        std::optional<successor::LayoutChange> change;  // to the current one; nothing where it is that
    };
    ledger::LedgerWriter* writer_;
    std::vector<Form> forms_;  // by packing
    mutable std::vector<successor::Word> old_;
};

}  // namespace tideline::explore
