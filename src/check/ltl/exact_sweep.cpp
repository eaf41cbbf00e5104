#include "check/ltl/exact_sweep.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

#include "check/ltl/cycle_certificate.hpp"
#include "check/ltl/graph.hpp"
#include "check/ltl/lasso.hpp"
#include "check/ltl/ledger_cycles.hpp"
#include "explore/edge_sink.hpp"
#include "ledger/ledger.hpp"

namespace tideline::check::ltl {
namespace {

// Looks for cycles while the sweep goes on: whenever the states that no look has decided for ever have doubled, and
// when blocks are finished that together have enough of them.
class LookSink final : public explore::EdgeSink {
public:
    LookSink(LedgerCycles& cycles, explore::LedgerRun& ledger)
        : cycles_(cycles), ledger_(ledger), has_blocks_(ledger.block_bits && !ledger.saved.statistics.changed_over) {}

    [[nodiscard]] explore::EdgeNeed need() const override { return explore::EdgeNeed::nothing; }
    void begin(const explore::EdgeStreamInfo& /*info*/) override {}
    void batch(unsigned /*thread*/, const explore::EdgeBatch& /*batch*/) override {}

    bool end_layer(const explore::LayerEnd& layer) override {
        const std::uint64_t states = ledger_.writer.states();
        const std::uint64_t open = states - cycles_.first_open();
        const bool enters_block = has_blocks_ && last_key_ && block(layer.key) > block(*last_key_);
        last_key_ = layer.key;
        // The layer that has just ended belongs to the new block already: what was there before it is decided for ever.
        if (enters_block && before_ - cycles_.first_open() >= std::max(kFirst, states / kParts)) finished_ = before_;
        before_ = states;
        const bool is_finished = finished_ > cycles_.first_open();
        if ((open < 2 * std::max(kFirst, looked_at_) && !is_finished) || !cycles_.is_readable()) return true;
        if (is_finished) cycles_.finish(finished_);
        else cycles_.look();
        looked_at_ = is_finished ? 0 : open;
        return !cycles_.found() && cycles_.stopped() == support::StopReason::none;
    }
    void finish(support::StopReason /*reason*/) override {}

private:
    static constexpr std::uint64_t kFirst = 2048;
    static constexpr std::uint64_t kParts = 8;  // finished blocks are decided when they are this fraction

    [[nodiscard]] successor::Key block(successor::Key key) const {
        return *ledger_.block_bits >= 128 ? 0 : key >> *ledger_.block_bits;
    }

    LedgerCycles& cycles_;
    explore::LedgerRun& ledger_;
    // States have their numbers block by block. Those that were expanded before a change to the sweep are of any block.
    bool has_blocks_;
    std::optional<successor::Key> last_key_;
    std::uint64_t looked_at_ = 0;  // states, by the last look
    std::uint64_t before_ = 0;     // states before the current layer
    std::uint64_t finished_ = 0;   // states in finished blocks, when enough of them were finished
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
    [[nodiscard]] std::vector<successor::ChannelSlots> channels() const override { return system_->channels(); }
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
    SweptEvidence(ShorterRun shorter, FairnessTask fairness, std::shared_ptr<explore::PathSource> paths,
                  std::optional<std::uint64_t> found, std::vector<std::uint64_t> faults)
        : shorter_(shorter),
          fairness_(std::move(fairness)),
          paths_(std::move(paths)),
          found_(found),
          faults_(std::move(faults)) {}

    std::optional<PackedLasso> accepting_run(const support::Budget& budget) override {
        if (!paths_ || !found_) return std::nullopt;
        std::optional<explore::PackedPath> stem = paths_->path_to(*found_, budget);
        if (!stem) return std::nullopt;
        const std::size_t words = stem->words();
        const successor::Word* const last = stem->state(stem->size() - 1);
        EmptinessTask again;
        again.system = std::make_shared<const BegunElsewhere>(stem->system, std::vector(last, last + words));
        again.marks = shorter_.wanted;
        again.fairness = fairness_;
        again.settings.budget = &budget;
        // Behind the states that the sweep has visited there may be any number of others.
        constexpr std::uint64_t kLeast = 1'000'000;
        again.settings.states = std::max(kLeast, 4 * shorter_.expanded);
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
        return shortened(*std::move(lasso), shorter_, budget);
    }

    std::optional<PackedRun> path_to_fault(std::size_t i, const support::Budget& budget) override {
        if (!paths_) return std::nullopt;
        std::optional<explore::PackedPath> path = paths_->path_to(faults_[i], budget);
        if (!path) return std::nullopt;
        return PackedRun{std::move(path->states), path->system};
    }

private:
    ShorterRun shorter_;
    FairnessTask fairness_;
    std::shared_ptr<explore::PathSource> paths_;
    std::optional<std::uint64_t> found_;
    std::vector<std::uint64_t> faults_;  // numbers of their sources
};

// Whether a file could not be written for lack of room.
bool is_lack_of_room(const ledger::LedgerError& error) {
    return error.kind() == ledger::LedgerFault::disk_full || error.kind() == ledger::LedgerFault::limit;
}

// Why it was not made.
support::StopReason last_look(LedgerCycles& cycles, std::uint64_t states) {
    try {
        cycles.finish(states);
    } catch (const std::bad_alloc&) {
        return support::StopReason::memory;
    } catch (const ledger::LedgerError& error) {
        if (!is_lack_of_room(error)) throw;
        return support::StopReason::disk;
    }
    return support::StopReason::none;
}

// Where there is no room for the certificate, the run is resumed with more of it, as any that a limit has ended.
void complete(CycleCertificateWriter& certificate, EmptinessResult& result) {
    try {
        certificate.complete();
    } catch (const DiskIsShort&) {
        result.complete = false;
    } catch (const ledger::LedgerError& error) {
        if (!is_lack_of_room(error)) throw;
        result.complete = false;
    }
    if (!result.complete) result.reason = support::StopReason::disk;
}

}  // namespace

EmptinessResult exact_sweep(const EmptinessTask& task) {
    const bool is_strong = task.fairness.kind == Fairness::strong;
    assert(task.settings.ledger != nullptr && (task.fairness.kind == Fairness::none || is_strong));
    assert((!is_strong || (task.fairness.enabled_marks && task.fairness.moved_marks && task.certificate.empty())) &&
           "marks say who has a step and who moves");
    explore::LedgerRun& ledger = *task.settings.ledger;
    DiskAccount disk(ledger.writer, task.settings.limits());
    std::optional<CycleCertificateWriter> certificate;
    if (!task.certificate.empty()) certificate.emplace(task.certificate, disk);
    std::optional<StreamedCycles::Strong> strong;
    if (is_strong)
        strong = {static_cast<unsigned>(task.fairness.processes->names.size()), *task.fairness.enabled_marks,
                  *task.fairness.moved_marks};
    LedgerCycles cycles(task.marks, strong, ledger.writer, task.settings.limits(), disk,
                        certificate ? &*certificate : nullptr);
    LookSink sink(cycles, ledger);
    FaultObserver observer(task);
    explore::SearchSettings settings = task.settings;
    settings.edges = &sink;
    explore::SearchResult swept = explore::search(task.system, explore::WalkOrder::sweep, settings, observer);
    EmptinessResult result;
    result.reason = swept.reason;
    if (swept.complete) result.reason = last_look(cycles, ledger.writer.states());
    if (cycles.found()) result.reason = support::StopReason::violation;
    else if (cycles.stopped() != support::StopReason::none) result.reason = cycles.stopped();
    result.complete = swept.complete && result.reason == support::StopReason::none;
    assert((!result.complete || cycles.first_open() == ledger.writer.states()) && "every state was looked at");
    if (certificate && result.complete && observer.faults().empty()) complete(*certificate, result);
    result.statistics = swept.statistics;
    result.system = swept.system;
    result.offending = swept.offending;
    result.residual = cycles.figures();
    // What was looked for in a complete ledger is looked for again.
    result.resumable =
        swept.resumable || (swept.complete && !result.complete && result.reason != support::StopReason::violation);
    std::vector<std::uint64_t> sources;
    for (const auto& [key, fault] : observer.faults()) {
        MetFault met{key.first, key.second, fault.occurrences, {}};
        if (swept.paths)
            if (std::optional<explore::PackedPath> path = swept.paths->path_to(fault.number, task.settings.limits())) {
                const successor::Word* const state = path->state(path->size() - 1);
                met.state.assign(state, state + path->words());
            }
        result.faults.push_back(std::move(met));
        sources.push_back(fault.number);
    }
    result.evidence =
        std::make_unique<SweptEvidence>(ShorterRun{task.marks, result.statistics.expanded, is_strong}, task.fairness,
                                        std::move(swept.paths), cycles.found(), std::move(sources));
    return result;
}

}  // namespace tideline::check::ltl
