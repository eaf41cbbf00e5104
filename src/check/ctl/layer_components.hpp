// AG EF p and AG AF p checked layer by layer as a sweep leaves them: A. Lilleskare, L. M. Kristensen and S.-O. Hoyland,
// CTL Model Checking with the Sweep-line State Space Exploration Method (NIK 2017), Algorithms 1 and 2.
//
// With a monotonic measure every strongly connected component lies in one layer (Proposition 1). By Proposition 2,
//   AG EF p  holds iff every terminal component has a state of p;
//   AG AF p  holds iff no component has a cycle outside p.
// A layer is expanded to its closure; successors ahead wait in the sets of their layers; then the components of the
// layer are checked as the search completes them, and the layer is dropped. Nothing else of it is kept.
//
// Departures. The last layer is checked too, and its result counts (Algorithm 1 never looks at it). A deadlock is a
// component with a self-loop, whether runs stay in it or end there. With runs that end not counting, the algorithm
// cannot be used: what lies behind the exits of a layer is not known. Cycles outside p are looked for by a component
// search among the states outside p, which needs no components of the whole layer first.
//
// A step to a smaller key stops the sweep: the measure is not monotonic, and the step is shown.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "check/ctl/layer_tree.hpp"
#include "check/ctl/program.hpp"
#include "check/ctl/work.hpp"
#include "explore/search.hpp"
#include "store/numbered_table.hpp"
#include "support/memory.hpp"

namespace tideline::check::ctl {

// AG EF or AG AF of a boolean formula.
struct LayerProperty {
    NodeId root = 0;
    Recurrence recurrence;
};

class LayerComponents {
public:
    struct Violation {
        std::vector<successor::Word> state;  // of the component that violates it
        std::uint64_t layer = 0;             // the number of layers before it
    };
    struct Fault {
        std::vector<successor::Word> state;
        model::FaultKind kind = model::FaultKind::none;
        std::optional<model::TransitionId> transition;  // of a faulty step
        std::optional<std::size_t> atom;                // that cannot be evaluated
    };

    // Label i of the system is atom i of the program; its key is the measure. The program and what the settings refer
    // to must outlive this. Where the settings have a ledger, the spanning tree is written to it.
    LayerComponents(std::shared_ptr<const successor::System> system, const Program& program,
                    std::vector<LayerProperty> properties, const explore::SearchSettings& settings,
                    std::function<void(const explore::Statistics&)> tick);

    // Until all layers are left, all properties are violated, a step or an atom is faulty, or the measure is not
    // monotonic. Throws Stopped, std::bad_alloc and LedgerError.
    void run();

    [[nodiscard]] bool is_complete() const { return is_complete_; }
    // By property; nothing: not violated in the layers that were left.
    [[nodiscard]] const std::vector<std::optional<Violation>>& violations() const { return violations_; }
    [[nodiscard]] const std::optional<Fault>& fault() const { return fault_; }
    [[nodiscard]] const std::optional<explore::OffendingStep>& offending() const { return offending_; }
    [[nodiscard]] bool is_key_undefined() const { return is_key_undefined_; }
    [[nodiscard]] const std::shared_ptr<const successor::System>& system() const { return system_; }
    [[nodiscard]] explore::Statistics statistics() const;
    // Of edges inside layers, by the component searches.
    [[nodiscard]] std::uint64_t edge_visits() const { return edge_visits_; }

private:
    using Clock = std::chrono::steady_clock;
    using Local = std::uint32_t;

    [[nodiscard]] bool expand_layer();
    [[nodiscard]] bool insert_successors(Local first);
    void find_tables(const successor::SuccessorBatch& batch);
    [[nodiscard]] bool holds(std::size_t property, Local state);
    void check_layer();
    void check_terminal(std::size_t property);
    void check_cycles(std::size_t property);
    void violate(std::size_t property, Local state);
    [[nodiscard]] store::NumberedTable& states_of(successor::Key key);
    [[nodiscard]] std::vector<successor::Word> packed(Local state) const;
    void widen();
    void renew();
    void look_at_limits();

    std::shared_ptr<const successor::System> system_;
    const Program& program_;
    std::vector<LayerProperty> properties_;
    explore::SearchSettings settings_;
    std::function<void(const explore::Statistics&)> tick_;
    support::MemoryLimit memory_;
    store::MemoryBudget try_reserve_;
    Work work_;
    std::optional<LayerTree> tree_;
    std::unique_ptr<successor::Expander> expander_;
    std::optional<successor::SuccessorBatch> batch_;
    Clock::time_point start_;
    Clock::time_point next_tick_;

    std::map<successor::Key, std::unique_ptr<store::NumberedTable>> ahead_;  // layers that were not taken yet
    std::uint64_t waiting_ = 0;                                              // states in them
    successor::Key key_ = 0;                                                 // of the current layer
    std::unique_ptr<store::NumberedTable> layer_;
    std::vector<std::uint64_t> offsets_;  // of the edges inside the layer
    std::vector<Local> targets_;
    std::vector<std::uint8_t> leaves_;  // whether a state has an edge to a later layer
    std::vector<std::uint8_t> is_deadlock_;
    std::vector<std::vector<std::uint8_t>> values_;  // by property and state: 0 unknown, 1 false, 2 true
    std::vector<std::uint64_t> labels_;
    std::vector<model::FaultKind> label_faults_;
    std::vector<successor::Word> sources_;
    std::vector<store::NumberedTable*> tables_;  // of the entries of a batch; null where the key is smaller

    std::vector<std::optional<Violation>> violations_;
    std::size_t open_ = 0;
    std::optional<Fault> fault_;
    std::optional<explore::OffendingStep> offending_;
    bool is_key_undefined_ = false;
    bool is_complete_ = false;
    std::uint64_t states_ = 0;  // of the layers that were left
    std::uint64_t layers_ = 0;
    std::uint64_t widest_ = 0;
    std::uint64_t peak_ = 0;
    std::uint64_t expanded_ = 0;
    std::uint64_t transitions_ = 0;
    std::uint64_t deadlocks_ = 0;
    std::uint64_t faults_ = 0;
    std::uint64_t edge_visits_ = 0;
};

}  // namespace tideline::check::ctl
