// Whether a graph on disk has a cycle that carries every required mark, with a bit per state in memory, and one more
// for each mark, for up to four.
//
// The edges are read again and again, forwards and backwards, and states that lie on no such cycle are removed until
// nothing is left, or nothing more can be removed:
//
//   order   A state all of whose successors have been removed. Reading backwards removes whole chains of states in one
//           pass where edges lead to larger numbers, reading forwards where they lead to smaller ones.
//   mark    The states that reach no edge with mark m among those that are left.
//   strong  For strong fairness, of a process P: the states where P has a step and that reach no edge that moves it.
//
// Where no rule removes a state, every state that is left reaches an edge with each mark without end, so a last
// component of what is left carries all of them, and moves every process that has a step in one of its states: an
// accepting cycle can be reached from every state that is left. A state that a rule removes lies on no such cycle,
// however many it leads to: that of strong fairness takes single states out of components, as their refinement does
// (fair_sets.hpp), and nothing is ever contracted. Several marks and processes go in the same passes. (It
// is OWCTY, K. Fisler, R. Fraer, G. Kamhi, M. Vardi, Z. Yang, TACAS 2001, read backwards, and with the order of numbers
// used as a rank; L. Brim et al. do it with external memory.) Edges between states that are left go to a new file
// whenever they have become fewer by half. Where these fit into a memory of the size of the bits, components decide the
// rest.
//
// The order of removal is a certificate that there is no such cycle: later removals have the larger rank, which never
// rises along an edge, and the states of a removal have a reason for having no cycle among them (RemovalLog).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/ltl/edge_spool.hpp"
#include "ledger/files.hpp"
#include "model/model.hpp"
#include "support/budget.hpp"

namespace tideline::check::ltl {

// States that were removed together.
struct Removal {
    enum class Kind : std::uint8_t {
        ascending,   // edges between two of them lead to larger numbers
        descending,  // to smaller ones
        mark,        // no edge between two of them carries the mark
        ranked,      // each has a rank, which never rises along an edge between two of them; a rank has a claim
    };
    Kind kind = Kind::ascending;
    unsigned mark = 0;
    friend bool operator==(const Removal&, const Removal&) = default;
};

// Receives why a range of states has no accepting cycle: removal after removal, every state of the range once.
class RemovalLog {
public:
    virtual ~RemovalLog() = default;
    virtual void begin(const Removal& removal) = 0;
    // A state of the removal; in ascending or in descending order of numbers.
    virtual void add(std::uint64_t number, std::uint32_t rank) = 0;
    // Of the ranks 0, 1, ... of a removal `ranked`: a mark that no edge between states of the rank carries; nothing:
    // there is no edge.
    virtual void end(std::span<const std::optional<unsigned>> claims) = 0;
};

class StreamedCycles {
public:
    // Strong fairness: so many processes; from the mark `enabled` on those that have a step in the source of an edge,
    // from `moved` on those that it moves.
    struct Strong {
        unsigned processes = 0;
        unsigned enabled = 0;
        unsigned moved = 0;
    };
    // Receives the rows of all states, in ascending order: begin_row() and add() of the spool. Numbers are those of
    // states in the range; edges that leave it are left out.
    using Fill = std::function<void(EdgeSpool&)>;
    struct Settings {
        model::Marks required = 0;  // none: every cycle is accepting
        std::string directory;      // for temporary files
        std::uint64_t block = std::uint64_t{16} << 10U;
        std::uint64_t in_memory = std::uint64_t{64} << 10U;        // bytes of edges that need no file
        std::uint64_t component_bytes = std::uint64_t{64} << 10U;  // for components of what is left
        RemovalLog* log = nullptr;                                 // null: nobody asks; not with strong fairness
        DiskAccount* disk = nullptr;                               // that temporary files count for; null: none
        std::optional<Strong> strong{};
    };

    StreamedCycles(Settings settings, const support::Budget& budget)
        : settings_(std::move(settings)), budget_(budget) {}

    // Of states 0 ... count - 1. A state from which an accepting cycle can be reached; nothing: there is none, or
    // stopped() says why that is not known. Throws LedgerError and std::bad_alloc.
    [[nodiscard]] std::optional<std::uint64_t> find(std::uint64_t count, const Fill& fill);
    [[nodiscard]] support::StopReason stopped() const { return stopped_; }

    // At the largest, of all calls so far.
    [[nodiscard]] std::uint64_t peak_states() const { return peak_states_; }
    [[nodiscard]] std::uint64_t peak_edges() const { return peak_edges_; }
    [[nodiscard]] std::uint64_t peak_bytes() const { return peak_bytes_; }
    [[nodiscard]] std::uint64_t peak_disk_bytes() const { return peak_disk_; }
    [[nodiscard]] std::uint64_t passes() const { return passes_; }

private:
    class Bits {
    public:
        void assign(std::uint64_t count) { words_.assign((count + 63) / 64, 0); }
        [[nodiscard]] bool operator[](std::uint64_t i) const { return ((words_[i / 64] >> (i % 64)) & 1U) != 0; }
        void set(std::uint64_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
        void clear(std::uint64_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
        [[nodiscard]] std::uint64_t bytes() const { return words_.capacity() * sizeof(std::uint64_t); }
        [[nodiscard]] std::uint64_t first() const;  // that is set

    private:
        std::vector<std::uint64_t> words_;
    };
    // A few bits per state.
    class Fields {
    public:
        // `width`: 1, 2 or 4.
        void assign(std::uint64_t count, unsigned width) {
            width_ = width;
            words_.assign((count * width + 63) / 64, 0);
        }
        [[nodiscard]] unsigned operator[](std::uint64_t i) const {
            return static_cast<unsigned>(words_[i * width_ / 64] >> (i * width_ % 64)) & ((1U << width_) - 1);
        }
        void add(std::uint64_t i, unsigned bits) {
            words_[i * width_ / 64] |= std::uint64_t{bits} << (i * width_ % 64);
        }
        [[nodiscard]] std::uint64_t bytes() const { return words_.capacity() * sizeof(std::uint64_t); }

    private:
        unsigned width_ = 1;
        std::vector<std::uint64_t> words_;
    };
    // What states have to reach: an edge with this mark; `guard`: only those whose edges have that one.
    struct Goal {
        unsigned mark = 0;
        model::Marks guard = 0;
    };
    static constexpr std::size_t kTogether = 4;  // goals that share passes
    struct Stopped {
        support::StopReason reason;
    };

    std::optional<std::uint64_t> decide();
    void trim_first();
    std::uint64_t trim(bool backwards);
    [[nodiscard]] std::vector<Goal> goals() const;
    std::uint64_t remove_without(std::span<const Goal> goals);
    void find_reaching(std::span<const Goal> goals);
    void keep_edges_left();
    [[nodiscard]] bool fits_components() const;
    std::optional<std::uint64_t> decide_by_components();
    template <class Visit>
    void read(bool backwards, Visit&& visit);
    template <class Visit>
    void read_blocks(bool backwards, Visit&& visit);
    void log(const Removal& removal, std::uint64_t number, std::uint32_t rank = 0);
    void end_log(std::span<const std::optional<unsigned>> claims = {});
    [[nodiscard]] EdgeSpool new_spool();
    void note(std::uint64_t extra = 0);

    Settings settings_;
    const support::Budget& budget_;
    ledger::Files files_;
    std::optional<EdgeSpool> spool_;
    EdgeSpool::Block block_;
    Bits is_left_;
    Fields reaches_;           // of each state, which of the goals at hand
    bool is_logging_ = false;  // a removal has begun
    std::uint64_t count_ = 0;
    std::uint64_t left_ = 0;
    std::uint64_t spooled_rows_ = 0;  // when edges were last written
    support::StopReason stopped_ = support::StopReason::none;
    std::uint64_t peak_states_ = 0;
    std::uint64_t peak_edges_ = 0;
    std::uint64_t peak_bytes_ = 0;
    std::uint64_t peak_disk_ = 0;
    std::uint64_t passes_ = 0;
};

}  // namespace tideline::check::ltl
