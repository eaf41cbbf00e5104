#include "check/ltl/ltl_sweep.hpp"

#include <numeric>

#include "check/ltl/evidence_by_search.hpp"
#include "check/ltl/product_search.hpp"
#include "check/ltl/progress_graph.hpp"
#include "check/ltl/sweep_states.hpp"
#include "store/budgeted_stack.hpp"

namespace tideline::check::ltl {
namespace {

using Layer = SweepStates::Layer;
using Number = SweepStates::Number;

class LtlSweep final : public ProductSearch {
public:
    LtlSweep(const EmptinessTask& task, MlacSearch when, ObserveSweep observe)
        : ProductSearch(task),
          variant_(task.variant),
          when_(when),
          observe_(std::move(observe)),
          states_(*system(), kPayloadBytes, memory_budget()),
          path_(memory_budget()),
          targets_(memory_budget()) {
        words_.resize(system()->state_words());
    }

    using ProductSearch::run;

    [[nodiscard]] std::uint64_t sweeps() const { return sweeps_; }
    [[nodiscard]] const std::optional<CycleHint>& hint() const { return hint_; }

private:
    // What is kept of a state: its mpp, which is 0 for none or twice a rank in P, plus one if an accepting state lies
    // between; then flags.
    using Mpp = std::uint32_t;
    static constexpr std::size_t kPayloadBytes = 5;
    static constexpr std::uint64_t kMppMask = ~Mpp{0};
    static constexpr std::uint64_t kBlue = kMppMask + 1;
    static constexpr std::uint64_t kRed = kBlue << 1U;
    static constexpr std::uint64_t kWaiting = kBlue << 2U;
    static constexpr std::uint64_t kAccepting = kBlue << 3U;

    struct Frame {
        StateRef state;
        std::uint64_t first_target;
        std::uint64_t next_target;
    };
    // What is kept of a persistent state besides.
    struct Persistent {
        std::uint64_t blue_visit = 0;  // of a layer, in which it was entered by the blue search
        std::uint32_t sweep = 0;       // whose root it is
        std::uint32_t rank = 0;        // in P, from 1; 0: it is not in P
    };

    [[nodiscard]] std::uint64_t flags(const Layer& layer, StateRef state) const {
        return states_.payload(layer, state);
    }
    void set(Layer& layer, StateRef state, std::uint64_t flag) {
        states_.set_payload(layer, state, states_.payload(layer, state) | flag);
    }
    void clear(Layer& layer, StateRef state, std::uint64_t flag) {
        states_.set_payload(layer, state, states_.payload(layer, state) & ~flag);
    }
    void wait(Layer& layer, StateRef state) {
        set(layer, state, kWaiting);
        states_.wait(layer, state);
    }

    void search() override {
        for (const std::vector<Word>& state : system()->initial_states()) {
            const std::optional<Key> key = expander().key(state.data());
            if (!key) return stop_without_key(state);
            Layer& layer = states_.layer(*key);
            const SweepStates::Insertion initial =
                states_.insert(layer, state.data(), successor::hash_state(state.data(), state.size()));
            if (initial.is_new) wait(layer, initial.state);
        }
        std::vector<Number> roots;
        do {
            find_slac();
            if (when_ == MlacSearch::online && is_running()) find_mlac(roots);
            roots = std::move(next_roots_);
            next_roots_.clear();
            for (const Number root : roots) {
                Layer& layer = states_.layer(states_.key_of_persistent(root));
                const StateRef state = StateRef::persistent(root);
                if ((flags(layer, state) & kBlue) == 0) wait(layer, state);
            }
        } while (is_running() && !roots.empty());
        if (when_ == MlacSearch::offline && is_running()) {
            std::vector<Number> all(states_.persistent_count());
            std::iota(all.begin(), all.end(), Number{0});
            find_mlac(std::move(all));
        }
    }

    // ---- cycles in one layer ----------------------------------------------------------------------------------------

    // One sweep, from the states that wait.
    void find_slac() {
        ++sweeps_;
        while (is_running()) {
            const std::optional<Key> least = states_.least();
            if (!least) break;
            if (observe_) observe(*least);
            Layer& layer = states_.layer(*least);
            ++visit_;
            if (variant_.progress_graph) graph_.begin_visit(layer.number);
            while (layer.has_waiting() && is_running()) {
                const StateRef state = states_.take(layer);
                clear(layer, state, kWaiting);
                if ((flags(layer, state) & kBlue) == 0) search_blue(layer, state);
            }
            if (!is_running()) return;
            if (layer.states) widest_layer_ = std::max(widest_layer_, layer.states->size());
            states_.drop(layer);
        }
    }

    void search_blue(Layer& layer, StateRef root) {
        enter_blue(layer, root);
        while (!path_.empty() && is_running()) {
            Frame& frame = path_.back();
            if (frame.next_target == targets_.size()) {
                const Frame left = frame;
                if ((flags(layer, left.state) & kAccepting) != 0) search_red(layer, left.state);
                if (!is_running()) return;
                targets_.truncate(left.first_target);
                path_.pop_back();
                continue;
            }
            const StateRef target = targets_[frame.next_target++];
            if ((flags(layer, target) & kBlue) == 0) enter_blue(layer, target);
        }
    }

    void enter_blue(Layer& layer, StateRef state) {
        set(layer, state, kBlue);
        if (state.is_persistent()) persistent_[state.number()].blue_visit = visit_;
        path_.push_back({state, targets_.size(), targets_.size()});
        ++blue_;
        bool accepts = false;
        states_.read(layer, state, words_.data());
        expand(
            words_.data(), true, [&](std::uint64_t hash) { states_.prefetch(hash); },
            [&](const successor::SuccessorBatch& batch, std::size_t i) {
                accepts = is_accepting(batch.marks(i));
                const Key key = batch.key(i);
                if (key == layer.key) targets_.push_back(state_in(layer, batch, i).state);
                else if (key > layer.key) wait_ahead(states_.layer(key), batch, i);
                else meet_regress(batch, i);
                if (variant_.progress_graph && key != layer.key) graph_.add(states_.layer(key).number);
            });
        peak_ = std::max(peak_, states_.size());
        if (!accepts) return;
        set(layer, state, kAccepting);
        layer.has_accepting = true;
    }

    SweepStates::Insertion state_in(Layer& layer, const successor::SuccessorBatch& batch, std::size_t i) {
        if (const std::optional<Number> known = states_.find_persistent(batch.state(i), batch.hash(i)))
            return {StateRef::persistent(*known), false};
        return states_.insert(layer, batch.state(i), batch.hash(i));
    }

    void wait_ahead(Layer& layer, const successor::SuccessorBatch& batch, std::size_t i) {
        const StateRef state = state_in(layer, batch, i).state;
        if ((flags(layer, state) & (kBlue | kWaiting)) == 0) wait(layer, state);
    }

    // The target is a root of the next sweep, unless it is known already.
    void meet_regress(const successor::SuccessorBatch& batch, std::size_t i) {
        ++regress_edges_;
        const SweepStates::Insertion target = states_.insert_persistent(batch.state(i), batch.hash(i), batch.key(i));
        if (!target.is_new) return;
        persistent_.push_back({0, sweeps_ + 1, 0});
        next_roots_.push_back(target.state.number());
    }

    // From an accepting state that the blue search leaves, inside the layer.
    void search_red(Layer& layer, StateRef seed) {
        const std::size_t first = path_.size();
        enter_red(layer, seed);
        while (path_.size() > first && is_running()) {
            Frame& frame = path_.back();
            if (frame.next_target == targets_.size()) {
                targets_.truncate(frame.first_target);
                path_.pop_back();
                continue;
            }
            const StateRef target = targets_[frame.next_target++];
            if (target == seed) return found(layer, seed, CycleKind::single_layer);
            if ((flags(layer, target) & kRed) == 0) enter_red(layer, target);
        }
    }

    void enter_red(Layer& layer, StateRef state) {
        set(layer, state, kRed);
        path_.push_back({state, targets_.size(), targets_.size()});
        states_.read(layer, state, words_.data());
        expand(
            words_.data(), false, [&](std::uint64_t hash) { states_.prefetch(hash); },
            [&](const successor::SuccessorBatch& batch, std::size_t i) {
                if (batch.key(i) != layer.key) return;
                const StateRef target = state_in(layer, batch, i).state;
                // What an earlier sweep has expanded lies on no cycle in this layer.
                if (target.is_persistent() && persistent_[target.number()].blue_visit != visit_) return;
                targets_.push_back(target);
            });
    }

    void found(const Layer& layer, StateRef state, CycleKind kind) {
        CycleHint hint{std::vector<Word>(system()->state_words()), std::nullopt};
        states_.read(layer, state, hint.state.data());
        if (kind == CycleKind::single_layer) hint.layer = layer.key;
        hint_ = std::move(hint);
        stop(support::StopReason::violation);
    }

    // ---- cycles over several layers ---------------------------------------------------------------------------------

    void find_mlac(std::vector<Number> p) {
        if (variant_.progress_graph && !p.empty()) {
            graph_.solve(static_cast<ProgressGraph::Node>(states_.layers().size()),
                         [&](ProgressGraph::Node node) { return states_.layers()[node]->has_accepting; });
            std::erase_if(p, [&](Number state) { return !graph_.is_useful(layer_of(state).number); });
        }
        while (!p.empty() && is_running()) {
            rank(p);
            reset_mpp(p);
            propagate(p);
            if (!is_running()) return;
            std::erase_if(p, [&](Number state) {
                const Mpp mpp = mpp_of(layer_of(state), StateRef::persistent(state));
                const bool is_hidden = mpp >> 1U > persistent_[state].rank;
                return !is_hidden || (mpp & 1U) == 0;
            });
        }
    }

    [[nodiscard]] Layer& layer_of(Number persistent) { return states_.layer(states_.key_of_persistent(persistent)); }
    [[nodiscard]] Mpp mpp_of(const Layer& layer, StateRef state) const {
        return static_cast<Mpp>(states_.payload(layer, state) & kMppMask);
    }
    void set_mpp(Layer& layer, StateRef state, Mpp mpp) {
        states_.set_payload(layer, state, (states_.payload(layer, state) & ~kMppMask) | mpp);
    }

    // In ascending order.
    void rank(std::vector<Number>& p) {
        const std::size_t words = system()->state_words();
        std::vector<Word> vectors(p.size() * words);
        for (std::size_t i = 0; i < p.size(); ++i)
            states_.read(layer_of(p[i]), StateRef::persistent(p[i]), vectors.data() + i * words);
        std::vector<std::uint32_t> order(p.size());
        std::iota(order.begin(), order.end(), 0U);
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            if (variant_.progress_order) {
                const Key key_a = states_.key_of_persistent(p[a]);
                const Key key_b = states_.key_of_persistent(p[b]);
                if (key_a != key_b) return key_a < key_b;
            }
            const Word* const begin_a = vectors.data() + a * words;
            const Word* const begin_b = vectors.data() + b * words;
            return std::lexicographical_compare(begin_a, begin_a + words, begin_b, begin_b + words);
        });
        for (Persistent& each : persistent_) each.rank = 0;
        for (std::size_t i = 0; i < order.size(); ++i)
            persistent_[p[order[i]]].rank = static_cast<std::uint32_t>(i + 1);
        look_at_limits();
    }

    // Of all states in memory, all of which are persistent.
    void reset_mpp(const std::vector<Number>& p) {
        for (Number state = 0; state < states_.persistent_count(); ++state)
            set_mpp(layer_of(state), StateRef::persistent(state), 0);
        for (const Number state : p) {
            Layer& layer = layer_of(state);
            const StateRef ref = StateRef::persistent(state);
            const bool accepts = (flags(layer, ref) & kAccepting) != 0;
            set_mpp(layer, ref, persistent_[state].rank << 1U | (accepts ? 1U : 0U));
        }
        look_at_limits();
    }

    void propagate(const std::vector<Number>& p) {
        for (const Number state : p) wait(layer_of(state), StateRef::persistent(state));
        while (is_running()) {
            const std::optional<Key> least = states_.least();
            if (!least) {
                if (later_.empty()) break;
                for (const Number state : later_) states_.wait(layer_of(state), StateRef::persistent(state));
                later_.clear();
                continue;
            }
            if (observe_) observe(*least);
            Layer& layer = states_.layer(*least);
            // The line moves back as soon as a persistent state behind it waits; in proper sweeps none does.
            while (layer.has_waiting() && is_running() && *states_.least() == layer.key) {
                const StateRef state = states_.take(layer);
                clear(layer, state, kWaiting);
                pass_on(layer, state);
            }
            if (is_running() && !layer.has_waiting()) states_.drop(layer);
        }
    }

    void pass_on(Layer& layer, StateRef state) {
        const Mpp mpp = mpp_of(layer, state);
        states_.read(layer, state, words_.data());
        expand(
            words_.data(), false, [&](std::uint64_t hash) { states_.prefetch(hash); },
            [&](const successor::SuccessorBatch& batch, std::size_t i) {
                if (!is_running()) return;
                Layer& to = states_.layer(batch.key(i));
                if (variant_.progress_graph && !is_useful(layer, to)) return;
                const StateRef target = state_in(to, batch, i).state;
                assert((target.is_persistent() || to.key >= layer.key) && "targets of regress edges are persistent");
                take(layer, to, target, mpp | (is_accepting(batch.marks(i)) ? 1U : 0U));
            });
        peak_ = std::max(peak_, states_.size());
    }

    [[nodiscard]] bool is_useful(const Layer& from, const Layer& to) const {
        return graph_.is_useful(from.number, to.number);
    }

    // What is passed on reaches a state.
    void take(const Layer& from, Layer& layer, StateRef state, Mpp mpp) {
        if (state.is_persistent()) {
            const Persistent& known = persistent_[state.number()];
            if (known.rank != 0 && mpp == (known.rank << 1U | 1U)) return found(layer, state, CycleKind::multi_layer);
            if (known.sweep > sweeps_) return;  // no sweep has expanded it yet
        }
        if (mpp <= mpp_of(layer, state)) return;
        set_mpp(layer, state, mpp);
        if ((flags(layer, state) & kWaiting) != 0) return;
        if (variant_.mpp2 && layer.key < from.key) {
            set(layer, state, kWaiting);
            later_.push_back(state.number());
        } else {
            wait(layer, state);
        }
    }

    // ---- the rest ---------------------------------------------------------------------------------------------------

    void observe(Key least) {
        SweepMemory memory{{}, least};
        std::vector<Word> words(system()->state_words());
        for (Number state = 0; state < states_.persistent_count(); ++state) {
            states_.read(layer_of(state), StateRef::persistent(state), words.data());
            memory.states.push_back({words, states_.key_of_persistent(state), true});
        }
        for (const auto& layer : states_.layers())
            for (Number state = 0; layer->states && state < layer->states->size(); ++state) {
                layer->states->read(state, words.data());
                memory.states.push_back({words, layer->key, false});
            }
        observe_(*system(), memory);
    }

    void repack(const successor::System& wider, const successor::Repacking& translate) override {
        states_.repack(wider, translate);
        words_.resize(wider.state_words());
        if (!hint_) return;
        std::vector<Word> state(wider.state_words());
        translate(hint_->state.data(), state.data());
        hint_->state = std::move(state);
    }

    void count(explore::Statistics& statistics) const override {
        statistics.states = blue_;
        statistics.peak_states = peak_;
        statistics.layers = states_.layers().size();
        statistics.sweeps = sweeps_;
        statistics.persistent = states_.persistent_count();
        statistics.regress_edges = regress_edges_;
        statistics.widest_layer = widest_layer_;
    }

    Variant variant_;
    MlacSearch when_;
    ObserveSweep observe_;
    SweepStates states_;
    std::vector<Persistent> persistent_;
    store::BudgetedStack<Frame> path_;        // of the blue search, then of the red one
    store::BudgetedStack<StateRef> targets_;  // in the layer, of the states on the path
    std::vector<Number> next_roots_;
    std::vector<Number> later_;  // persistent states that wait for the next sweep of a propagation
    ProgressGraph graph_;
    std::vector<Word> words_;
    std::optional<CycleHint> hint_;
    std::uint32_t sweeps_ = 0;  // for cycles in one layer
    std::uint64_t visit_ = 0;   // of a layer
    std::uint64_t blue_ = 0;
    std::uint64_t peak_ = 0;
    std::uint64_t regress_edges_ = 0;
    std::uint64_t widest_layer_ = 0;
};

}  // namespace

EmptinessResult ltl_sweep(const EmptinessTask& task, MlacSearch when, ObserveSweep observe) {
    LtlSweep search(task, when, std::move(observe));
    EmptinessResult result = search.run();
    result.forgets = search.sweeps() > 1;
    if (search.hint()) result.cycle = search.hint()->layer ? CycleKind::single_layer : CycleKind::multi_layer;
    result.evidence = std::make_unique<EvidenceBySearch>(std::make_unique<LassoFinder>(result.system, task.marks),
                                                         result.faults, search.hint(), nullptr);
    return result;
}

}  // namespace tideline::check::ltl
