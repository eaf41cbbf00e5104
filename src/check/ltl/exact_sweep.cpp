#include "check/ltl/exact_sweep.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

#include "check/ltl/graph.hpp"
#include "check/ltl/residual_graph.hpp"
#include "explore/edge_sink.hpp"
#include "ledger/ledger.hpp"

namespace tideline::check::ltl {
namespace {

// Receives the edges of the sweep, visit by visit, and hands them to the residual graph.
class ResidualSink final : public explore::EdgeSink {
public:
    ResidualSink(model::Marks required, explore::LedgerRun& ledger) : graph_(required), ledger_(ledger) {}

    [[nodiscard]] explore::EdgeNeed need() const override { return explore::EdgeNeed::edges; }

    void begin(const explore::EdgeStreamInfo& info) override {
        assert(info.numbering == explore::Numbering::recorded);
        threads_.resize(info.threads);
        try_reserve_ = info.try_reserve;
    }

    void batch(unsigned thread, const explore::EdgeBatch& batch) override {
        Rows& rows = threads_[thread];
        std::uint32_t first = 0;
        for (std::size_t i = 0; i < batch.sources.size(); ++i) {
            const auto end = i < batch.ends.size() ? batch.ends[i] : static_cast<std::uint32_t>(batch.targets.size());
            rows.sources.push_back(batch.sources[i]);
            rows.targets.insert(rows.targets.end(), batch.targets.begin() + first, batch.targets.begin() + end);
            if (!batch.marks.empty())
                rows.marks.insert(rows.marks.end(), batch.marks.begin() + first, batch.marks.begin() + end);
            rows.ends.push_back(rows.targets.size());
            first = end;
        }
    }

    // Where no blocks are known, the rows need not wait for the end of the visit, which tells the block.
    void end_round() override {
        if (!ledger_.block_bits) add_rows();
    }

    bool end_layer(const explore::LayerEnd& layer) override {
        if (ledger_.block_bits && last_key_ && block(layer.key) > block(*last_key_))
            graph_.finish_blocks_below(++block_);
        const bool begins_pass = last_key_ && layer.key < *last_key_;
        last_key_ = layer.key;
        add_rows();
        resolve();
        graph_.end_visit(next_);
        // The regress targets of the pass before have been looked up as far as its layers were taken.
        if (begins_pass) graph_.end_pass();
        account();
        return !graph_.found();
    }

    void finish(support::StopReason reason) override {
        if (graph_.found()) return;
        add_rows();
        resolve();
        graph_.end_visit(next_);
        graph_.end_pass();
        is_whole_ = reason == support::StopReason::none;
    }

    [[nodiscard]] const ResidualGraph& graph() const { return graph_; }
    // Whether everything was seen: then nothing is left.
    [[nodiscard]] bool is_empty() const { return is_whole_ && graph_.node_count() == 0; }

private:
    struct Rows {
        std::vector<std::uint64_t> sources;
        std::vector<std::uint64_t> ends;
        std::vector<std::uint64_t> targets;
        std::vector<model::Marks> marks;
    };

    [[nodiscard]] successor::Key block(successor::Key key) const {
        return *ledger_.block_bits >= 128 ? 0 : key >> *ledger_.block_bits;
    }

    void add_rows() {
        for (Rows& rows : threads_) {
            std::uint64_t first = 0;
            for (std::size_t i = 0; i < rows.sources.size(); ++i) {
                const std::uint64_t count = rows.ends[i] - first;
                next_ = std::max(next_, rows.sources[i] + 1);
                graph_.add_row(rows.sources[i], std::span(rows.targets).subspan(first, count),
                               rows.marks.empty() ? std::span<const model::Marks>()
                                                  : std::span<const model::Marks>(rows.marks).subspan(first, count),
                               block_);
                first = rows.ends[i];
            }
            rows.sources.clear();
            rows.ends.clear();
            rows.targets.clear();
            rows.marks.clear();
        }
    }

    // What open states turned out to be, as far as the ledger has it.
    void resolve() {
        ledger::LedgerWriter& writer = ledger_.writer;
        const std::uint64_t known = writer.records(ledger::Stream::numbers);
        if (known == resolved_) return;
        writer.read(ledger::Stream::numbers, resolved_, known - resolved_, [&](const ledger::Records& records) {
            for (std::size_t i = 0; i < records.numbers.size(); ++i)
                graph_.resolve(records.numbers[i] | ResidualGraph::kTemporary, records.others[i]);
        });
        resolved_ = known;
    }

    void account() {
        const std::uint64_t bytes = graph_.bytes();
        if (bytes <= reserved_ + reserved_ / 4) return;
        if (try_reserve_ != nullptr && !(*try_reserve_)(bytes - reserved_)) throw std::bad_alloc();
        reserved_ = bytes;
    }

    ResidualGraph graph_;
    explore::LedgerRun& ledger_;
    const store::MemoryBudget* try_reserve_ = nullptr;
    std::vector<Rows> threads_;
    std::optional<successor::Key> last_key_;
    std::uint64_t next_ = 0;      // one more than the largest number of a state with a row
    std::uint64_t resolved_ = 0;  // fix-ups of the ledger
    std::uint64_t reserved_ = 0;
    std::uint64_t block_ = 0;  // blocks that were entered before the current one
    bool is_whole_ = false;
};

class FaultObserver final : public explore::SearchObserver {
public:
    explicit FaultObserver(const EmptinessTask& task) : task_(task) {}
    [[nodiscard]] bool wants_deadlocks() const override { return false; }
    bool faulty(explore::SearchView& /*search*/, const explore::StateRef& source, model::TransitionId transition,
                model::FaultKind kind) override {
        Fault& fault = faults_[{transition, kind}];
        if (fault.occurrences++ == 0) fault.number = source.number;
        return true;
    }
    void tick(const explore::Statistics& statistics) override { task_.tick(statistics); }

    struct Fault {
        std::uint64_t number = 0;
        std::uint64_t occurrences = 0;
    };
    [[nodiscard]] const std::map<std::pair<model::TransitionId, model::FaultKind>, Fault>& faults() const {
        return faults_;
    }

private:
    const EmptinessTask& task_;
    std::map<std::pair<model::TransitionId, model::FaultKind>, Fault> faults_;
};

// The same system, begun in another state.
class BegunElsewhere final : public successor::System {
public:
    BegunElsewhere(std::shared_ptr<const successor::System> system, std::vector<successor::Word> initial)
        : system_(std::move(system)), initial_(std::move(initial)) {}

    [[nodiscard]] std::size_t state_words() const override { return system_->state_words(); }
    [[nodiscard]] std::size_t state_bytes() const override { return system_->state_bytes(); }
    [[nodiscard]] std::vector<std::vector<successor::Word>> initial_states() const override { return {initial_}; }
    [[nodiscard]] std::unique_ptr<successor::Expander> expander() const override { return system_->expander(); }
    [[nodiscard]] std::size_t label_count() const override { return system_->label_count(); }
    [[nodiscard]] std::vector<model::Value> key_values(successor::Key key) const override {
        return system_->key_values(key);
    }
    [[nodiscard]] unsigned acceptance_sets() const override { return system_->acceptance_sets(); }
    [[nodiscard]] std::unique_ptr<System> with_wider_fields(const successor::Expander& stopped) const override {
        std::shared_ptr<const System> wider = system_->with_wider_fields(stopped);
        if (!wider) return nullptr;
        std::vector<successor::Word> initial(wider->state_words());
        wider->repacking (*system_)(initial_.data(), initial.data());
        return std::make_unique<BegunElsewhere>(std::move(wider), std::move(initial));
    }
    [[nodiscard]] successor::Repacking repacking(const System& older) const override {
        return system_->repacking(*static_cast<const BegunElsewhere&>(older).system_);
    }
    [[nodiscard]] const successor::Layout* layout() const override { return system_->layout(); }
    [[nodiscard]] const std::vector<std::string>& slot_names() const override { return system_->slot_names(); }
    [[nodiscard]] std::vector<model::Value> decode(const successor::Word* state) const override {
        return system_->decode(state);
    }
    [[nodiscard]] std::string value_text(model::SlotId slot, model::Value value) const override {
        return system_->value_text(slot, value);
    }
    [[nodiscard]] std::vector<successor::StepDetail> steps(const successor::Word* state) const override {
        return system_->steps(state);
    }
    [[nodiscard]] const std::shared_ptr<const System>& system() const { return system_; }

private:
    std::shared_ptr<const successor::System> system_;
    std::vector<successor::Word> initial_;
};

class SweptEvidence final : public EmptinessEvidence {
public:
    SweptEvidence(model::Marks marks, std::shared_ptr<explore::PathSource> paths, std::optional<std::uint64_t> found,
                  std::vector<std::uint64_t> faults)
        : marks_(marks), paths_(std::move(paths)), found_(found), faults_(std::move(faults)) {}

    std::optional<PackedLasso> accepting_run(const support::Budget& budget) override {
        if (!paths_ || !found_) return std::nullopt;
        std::optional<explore::PackedPath> stem = paths_->path_to(*found_, budget);
        if (!stem) return std::nullopt;
        const std::size_t words = stem->words();
        const successor::Word* const last = stem->state(stem->size() - 1);
        EmptinessTask again;
        again.system = std::make_shared<const BegunElsewhere>(stem->system, std::vector(last, last + words));
        again.marks = marks_;
        again.settings.budget = &budget;
        const EmptinessResult result = graph_components(again);
        if (result.reason != support::StopReason::violation) return std::nullopt;
        std::optional<PackedLasso> lasso = result.evidence->accepting_run(budget);
        if (!lasso) return std::nullopt;
        const auto& began = static_cast<const BegunElsewhere&>(*lasso->system);
        // The search may have packed states wider.
        const std::size_t now = began.state_words();
        std::vector<successor::Word> states((stem->size() - 1) * now);
        if (began.system() == stem->system) {
            std::copy_n(stem->states.begin(), states.size(), states.begin());
        } else {
            const successor::Repacking repack = began.system()->repacking(*stem->system);
            for (std::size_t i = 0; i + 1 < stem->size(); ++i) repack(stem->state(i), states.data() + i * now);
        }
        lasso->loop += stem->size() - 1;
        states.insert(states.end(), lasso->states.begin(), lasso->states.end());
        lasso->states = std::move(states);
        lasso->system = began.system();
        lasso->transitions.clear();
        return lasso;
    }

    std::optional<PackedRun> path_to_fault(std::size_t i, const support::Budget& budget) override {
        if (!paths_) return std::nullopt;
        std::optional<explore::PackedPath> path = paths_->path_to(faults_[i], budget);
        if (!path) return std::nullopt;
        return PackedRun{std::move(path->states), path->system};
    }

private:
    model::Marks marks_;
    std::shared_ptr<explore::PathSource> paths_;
    std::optional<std::uint64_t> found_;
    std::vector<std::uint64_t> faults_;  // numbers of their sources
};

}  // namespace

EmptinessResult exact_sweep(const EmptinessTask& task) {
    assert(task.settings.ledger != nullptr && task.fairness.kind == Fairness::none);
    ResidualSink sink(task.marks, *task.settings.ledger);
    FaultObserver observer(task);
    explore::SearchSettings settings = task.settings;
    settings.edges = &sink;
    explore::SearchResult swept = explore::search(task.system, explore::WalkOrder::sweep, settings, observer);
    EmptinessResult result;
    const ResidualGraph& graph = sink.graph();
    result.reason = graph.found() ? support::StopReason::violation : swept.reason;
    result.complete = !graph.found() && swept.complete && sink.is_empty();
    assert((!swept.complete || graph.found() || sink.is_empty()) && "a sweep that is complete leaves nothing open");
    result.statistics = swept.statistics;
    result.system = swept.system;
    result.offending = swept.offending;
    result.residual = ResidualFigures{graph.peak_nodes(), graph.peak_edges(), graph.peak_bytes()};
    std::vector<std::uint64_t> sources;
    const support::Budget unlimited;
    for (const auto& [key, fault] : observer.faults()) {
        MetFault met{key.first, key.second, fault.occurrences, {}};
        if (swept.paths)
            if (std::optional<explore::PackedPath> path = swept.paths->path_to(fault.number, unlimited)) {
                const successor::Word* const state = path->state(path->size() - 1);
                met.state.assign(state, state + path->words());
            }
        result.faults.push_back(std::move(met));
        sources.push_back(fault.number);
    }
    result.evidence =
        std::make_unique<SweptEvidence>(task.marks, std::move(swept.paths), graph.found(), std::move(sources));
    return result;
}

}  // namespace tideline::check::ltl
