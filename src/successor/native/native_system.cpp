// The native system keeps an interpreted system for everything that serves people: names, values, steps with their
// source.
//
// A run that starts interpreted switches to machine code by the mechanism of repacking: after a number of states the
// expander returns needs_repacking, and the system that replaces it is the compiled one.
#include "successor/native/native_system.hpp"

#include <algorithm>
#include <atomic>

#include "successor/interpret/interpreted_system.hpp"
#include "successor/native/compile.hpp"
#include "successor/native/composed_steps.hpp"
#include "successor/native/observed_steps.hpp"

namespace tideline::successor {
namespace {

// What is needed to build the system again with another layout.
struct SystemSpec {
    std::shared_ptr<const model::Model> model;
    std::vector<model::Expression> labels;
    Layout layout;
    KeyProgram key;
    std::shared_ptr<const Commuting> commuting;
    const support::Budget* budget = nullptr;
    unsigned widenings = 0;      // of compiled code
    double compile_seconds = 0;  // so far
};

std::unique_ptr<System> interpreted(const SystemSpec& spec) {
    return make_interpreted_system(spec.model, spec.labels, spec.layout, spec.key, spec.commuting);
}

// The most successors that any state can have; of systems whose steps are not composed.
std::size_t most_successors(const model::Model& model) {
    std::size_t most = model.free_transitions.size();
    for (const model::Process& process : model.processes) {
        std::size_t widest = 0;
        for (const std::vector<model::TransitionId>& out : process.outgoing) widest = std::max(widest, out.size());
        most += widest;
    }
    return most;
}

// Memory of an expander for the successors of a state that do not fit into a batch.
constexpr std::uint64_t kMostScratch = std::uint64_t{32} << 20U;

bool fits_scratch(const SystemSpec& spec) {
    return most_successors(*spec.model) * spec.layout.words() * sizeof(Word) <= kMostScratch;
}

// Common to the two kinds of systems.
class NativeExpander : public Expander {
public:
    explicit NativeExpander(std::shared_ptr<const NativeCode> code) : code_(std::move(code)) {}

    void labels(const Word* state, std::uint64_t* bits, model::FaultKind* faults) override {
        if (functions().labels != nullptr) functions().labels(state, bits, reinterpret_cast<std::uint8_t*>(faults));
    }
    std::optional<Key> key(const Word* state) override {
        Key result = 0;
        if (functions().key != nullptr && functions().key(state, &result) == 0) return std::nullopt;
        return result;
    }

    // What did not fit, after needs_repacking.
    [[nodiscard]] virtual model::SlotId narrow_slot() const = 0;
    [[nodiscard]] virtual model::Value narrow_value() const = 0;

protected:
    [[nodiscard]] const NativeFunctions& functions() const { return code_->functions(); }

private:
    std::shared_ptr<const NativeCode> code_;
};

// One function computes all successors of many states.
class StraightExpander final : public NativeExpander {
public:
    StraightExpander(std::shared_ptr<const NativeCode> code, std::size_t words, std::size_t most)
        : NativeExpander(std::move(code)), words_(words), most_(most), scratch_(words, 0) {}

    Expansion expand(const Word* states, std::size_t count, Cursor& cursor, SuccessorBatch& out) override {
        while (cursor.state < count) {
            const bool whole = cursor.delivered == 0 && out.capacity() >= most_;
            if (whole && out.capacity() - out.size() < most_) return Expansion::full;
            const Expansion result = whole ? run(states + cursor.state * words_, count - cursor.state, cursor, out)
                                           : expand_rest(states + cursor.state * words_, cursor, out);
            if (result != Expansion::done) return result;
        }
        return Expansion::done;
    }

    [[nodiscard]] model::SlotId narrow_slot() const override { return run_.slot; }
    [[nodiscard]] model::Value narrow_value() const override { return run_.value; }

private:
    // As many states as fit; moves the cursor.
    Expansion run(const Word* states, std::size_t count, Cursor& cursor, SuccessorBatch& into) {
        const SuccessorBatch::Raw raw = into.raw(count);
        run_ = {};
        run_.position = into.size();
        run_.faults = reinterpret_cast<std::uint8_t*>(raw.faults);
        run_.marks = raw.marks;
        run_.keys = raw.keys;
        if (into.sources_asleep() == nullptr && awake_.size() < count) awake_.resize(count);
        run_.sources_asleep = into.sources_asleep() != nullptr ? into.sources_asleep() + cursor.state : awake_.data();
        run_.asleep = raw.asleep;
        run_.skipped = raw.skipped;
        const std::uint64_t done =
            functions().expand(states, count, raw.states, raw.transitions, into.capacity() - most_, raw.ends, &run_);
        const std::size_t begin = done == 0 ? into.size() : raw.ends[done - 1];
        into.commit(run_.position, count - done, run_.faulty != 0);
        cursor.state += static_cast<std::uint32_t>(done);
        cursor.delivered = 0;
        if (run_.code == NativeRun::ok) return Expansion::done;
        cursor.delivered = into.size() - begin;
        // The code ran to the end of the state: what it wrote there is void.
        std::fill(raw.faults + into.size(), raw.faults + into.capacity(), model::FaultKind::none);
        return run_.code == NativeRun::needs_repacking ? Expansion::needs_repacking : Expansion::key_undefined;
    }

    // Where some successors were delivered before, or the batch is smaller than what a state may have.
    Expansion expand_rest(const Word* state, Cursor& cursor, SuccessorBatch& out) {
        if (scratch_.capacity() < most_) scratch_ = SuccessorBatch(words_, most_);
        const SleepSet asleep = out.sources_asleep() != nullptr ? out.sources_asleep()[cursor.state] : 0;
        const bool is_there = cursor.delivered != 0 && has_scratch_ && asleep == scratch_asleep_ &&
                              std::equal(scratch_source_.begin(), scratch_source_.end(), state);
        if (!is_there) {
            scratch_.restart(cursor.state, out.sources_asleep());
            Cursor all{cursor.state, 0};
            scratch_result_ = run(state, 1, all, scratch_);
            scratch_source_.assign(state, state + words_);
            scratch_asleep_ = asleep;
        }
        has_scratch_ = false;
        for (; cursor.delivered < scratch_.size(); ++cursor.delivered) {
            if (out.full()) {
                has_scratch_ = true;
                return Expansion::full;
            }
            const std::size_t i = cursor.delivered;
            std::copy_n(scratch_.state(i), words_, out.next_state());
            out.push(scratch_.transition(i), scratch_.marks(i), scratch_.fault(i), scratch_.key(i), scratch_.asleep(i));
        }
        if (scratch_result_ != Expansion::done) return scratch_result_;
        out.complete_source(scratch_.skipped(0));
        ++cursor.state;
        cursor.delivered = 0;
        return Expansion::done;
    }

    std::size_t words_;
    std::size_t most_;
    SuccessorBatch scratch_;
    bool has_scratch_ = false;  // what was not delivered yet of the successors of scratch_source_
    std::vector<Word> scratch_source_;
    SleepSet scratch_asleep_ = 0;
    Expansion scratch_result_ = Expansion::done;
    std::vector<SleepSet> awake_;  // empty sets
    NativeRun run_;
};

// The same, and then an observer moves with each step.
class ObservedExpander final : public NativeExpander {
public:
    ObservedExpander(std::shared_ptr<const NativeCode> code, std::shared_ptr<const model::Model> model,
                     const Layout& layout, std::size_t most)
        : NativeExpander(code),
          model_(std::move(model)),
          layout_(layout),
          system_(std::move(code), layout_.words(), most),
          steps_(*model_, layout_, functions(), most) {}

    Expansion expand(const Word* states, std::size_t count, Cursor& cursor, SuccessorBatch& out) override {
        const Expansion result = steps_.expand(states, count, cursor, out, system_);
        is_systems_ = steps_.is_systems();
        return result;
    }

    [[nodiscard]] model::SlotId narrow_slot() const override {
        return is_systems_ ? system_.narrow_slot() : steps_.narrow_slot();
    }
    [[nodiscard]] model::Value narrow_value() const override {
        return is_systems_ ? system_.narrow_value() : steps_.narrow_value();
    }

private:
    std::shared_ptr<const model::Model> model_;
    Layout layout_;
    StraightExpander system_;
    ObservedSteps steps_;
    bool is_systems_ = false;  // what did not fit is a value of the system, not of the observer
};

class ComposedExpander final : public NativeExpander {
public:
    ComposedExpander(std::shared_ptr<const NativeCode> code, std::shared_ptr<const model::Model> model,
                     const Layout& layout)
        : NativeExpander(std::move(code)),
          model_(std::move(model)),
          layout_(layout),
          steps_(*model_, layout_, functions()) {}

    Expansion expand(const Word* states, std::size_t count, Cursor& cursor, SuccessorBatch& out) override {
        for (; cursor.state < count; ++cursor.state, cursor.delivered = 0) {
            const Expansion result = steps_.expand(states + cursor.state * layout_.words(), cursor, out);
            if (result != Expansion::done) return result;
            out.complete_source();
        }
        return Expansion::done;
    }

    [[nodiscard]] model::SlotId narrow_slot() const override { return steps_.narrow_slot(); }
    [[nodiscard]] model::Value narrow_value() const override { return steps_.narrow_value(); }

private:
    std::shared_ptr<const model::Model> model_;
    Layout layout_;
    ComposedSteps steps_;
};

// Of mixed systems: states without a step into an atomic sequence are expanded together, the others one by one. How
// many are tried together is learned from how often there are such steps.
class MixedExpander final : public NativeExpander {
public:
    MixedExpander(std::shared_ptr<const NativeCode> code, std::shared_ptr<const model::Model> model,
                  const Layout& layout, std::size_t most)
        : NativeExpander(code),
          model_(std::move(model)),
          layout_(layout),
          straight_(std::move(code), layout_.words(), most),
          steps_(*model_, layout_, functions()) {
        for (const model::Transition& transition : model_->transitions) begins_.push_back(begins_sequence(transition));
    }

    Expansion expand(const Word* states, std::size_t count, Cursor& cursor, SuccessorBatch& out) override {
        while (cursor.state < count) {
            const std::size_t together = std::min<std::size_t>(count, cursor.state + window_);
            // One that was delivered in part is continued in the order of composed steps.
            const bool alone = cursor.delivered != 0 || alone_ > 0;
            if (!alone) {
                const Cursor begin = cursor;
                const std::size_t entries = out.size();
                const std::size_t sources = out.complete_sources();
                const Expansion result = straight_.expand(states, together, cursor, out);
                is_straight_ = true;
                const auto taken = out.transitions().subspan(entries);
                const auto first =
                    std::find_if(taken.begin(), taken.end(), [&](model::TransitionId t) { return begins_[t]; });
                if (first == taken.end()) {
                    window_ = std::min(2 * window_, kMostTogether);
                    if (result != Expansion::done) return result;
                    continue;
                }
                take_back(begin, sources, entries, static_cast<std::size_t>(first - taken.begin()) + entries, cursor,
                          out);
                if (window_ == 1) alone_ = kLeastAlone;
                window_ = std::max<std::size_t>(1, window_ / 4);
            }
            if (alone_ > 0) --alone_;
            is_straight_ = false;
            const Expansion result = steps_.expand(states + cursor.state * layout_.words(), cursor, out);
            if (result != Expansion::done) return result;
            out.complete_source();
            ++cursor.state;
            cursor.delivered = 0;
        }
        return Expansion::done;
    }

    [[nodiscard]] model::SlotId narrow_slot() const override {
        return is_straight_ ? straight_.narrow_slot() : steps_.narrow_slot();
    }
    [[nodiscard]] model::Value narrow_value() const override {
        return is_straight_ ? straight_.narrow_value() : steps_.narrow_value();
    }

private:
    static constexpr std::size_t kMostTogether = 1024;
    static constexpr std::size_t kLeastAlone = 16;

    [[nodiscard]] bool begins_sequence(const model::Transition& transition) const {
        return std::any_of(transition.effects.begin(), transition.effects.end(), [&](const model::Effect& effect) {
            const auto* assign = std::get_if<model::Assign>(&effect);
            if (assign == nullptr) return false;
            for (std::size_t i = 0; i < assign->targets.size(); ++i)
                if (assign->targets[i].variable == *model_->atomic &&
                    !(assign->values[i].is_constant() && assign->values[i].constant_value() == 0))
                    return true;
            return false;
        });
    }

    // Everything from the source of an entry on.
    static void take_back(const Cursor& begin, std::size_t sources, std::size_t entries, std::size_t entry,
                          Cursor& cursor, SuccessorBatch& out) {
        std::size_t n = sources;
        std::size_t start = entries;
        for (; n < out.complete_sources() && out.end(n) <= entry; ++n) start = out.end(n);
        out.truncate(start, n);
        cursor = {begin.state + static_cast<std::uint32_t>(n - sources), 0};
    }

    std::shared_ptr<const model::Model> model_;
    Layout layout_;
    StraightExpander straight_;
    ComposedSteps steps_;
    std::vector<bool> begins_;  // by transition: whether a process continues alone after it
    std::size_t window_ = 16;
    std::size_t alone_ = 0;  // number of states that are not tried together
    bool is_straight_ = false;
};

// All members except expander() and with_wider_fields() are those of the interpreted system.
class TwinnedSystem : public System {
public:
    explicit TwinnedSystem(SystemSpec spec) : spec_(std::move(spec)), twin_(interpreted(spec_)) {}

    [[nodiscard]] std::size_t state_words() const override { return twin_->state_words(); }
    [[nodiscard]] std::size_t state_bytes() const override { return twin_->state_bytes(); }
    [[nodiscard]] unsigned acceptance_sets() const override { return twin_->acceptance_sets(); }
    [[nodiscard]] std::vector<std::vector<Word>> initial_states() const override { return twin_->initial_states(); }
    [[nodiscard]] std::size_t label_count() const override { return twin_->label_count(); }
    [[nodiscard]] std::vector<model::Value> key_values(Key key) const override { return twin_->key_values(key); }
    [[nodiscard]] const Commuting* commuting() const override { return twin_->commuting(); }
    [[nodiscard]] Repacking repacking(const System& older) const override { return twin_->repacking(older); }
    [[nodiscard]] const Layout* layout() const override { return twin_->layout(); }
    [[nodiscard]] const std::vector<std::string>& slot_names() const override { return twin_->slot_names(); }
    [[nodiscard]] std::vector<model::Value> decode(const Word* state) const override { return twin_->decode(state); }
    [[nodiscard]] std::string value_text(model::SlotId slot, model::Value value) const override {
        return twin_->value_text(slot, value);
    }
    [[nodiscard]] std::vector<ChannelSlots> channels() const override { return twin_->channels(); }
    [[nodiscard]] std::vector<StepDetail> steps(const Word* state) const override { return twin_->steps(state); }

protected:
    [[nodiscard]] const SystemSpec& spec() const { return spec_; }
    [[nodiscard]] const System& twin() const { return *twin_; }

private:
    SystemSpec spec_;
    std::unique_ptr<System> twin_;
};

class NativeSystem final : public TwinnedSystem {
public:
    NativeSystem(SystemSpec spec, std::shared_ptr<const NativeCode> code)
        : TwinnedSystem(std::move(spec)), code_(std::move(code)) {}

    [[nodiscard]] std::unique_ptr<Expander> expander() const override {
        if (is_mixed(*spec().model) && fits_scratch(spec()))
            return std::make_unique<MixedExpander>(code_, spec().model, spec().layout, most_successors(*spec().model));
        if (is_composed(*spec().model)) return std::make_unique<ComposedExpander>(code_, spec().model, spec().layout);
        if (is_observed(*spec().model))
            return std::make_unique<ObservedExpander>(code_, spec().model, spec().layout,
                                                      most_successors(*spec().model));
        return std::make_unique<StraightExpander>(code_, state_words(), most_successors(*spec().model));
    }
    [[nodiscard]] double compile_seconds() const override { return spec().compile_seconds; }

    [[nodiscard]] std::unique_ptr<System> with_wider_fields(const Expander& stopped) const override;

private:
    std::shared_ptr<const NativeCode> code_;
};

CodeRequest request_of(const SystemSpec& spec) {
    return {*spec.model, spec.layout, spec.key, spec.labels, *spec.commuting, may_change_key(*spec.model, spec.key),
            {}};
}

// Compiled with a layout that suits the compiler, or null.
std::unique_ptr<System> compiled(SystemSpec spec, std::string& problem) {
    // Unless states become much larger, as with a long array of which few elements are used.
    Layout uniform = spec.layout.with_uniform_arrays(*spec.model);
    if (uniform.words() <= spec.layout.words() + spec.layout.words() / 2 + 4) spec.layout = std::move(uniform);
    if (!is_composed(*spec.model) && !fits_scratch(spec)) {
        problem = "a state may have too many successors for the size of its states";
        return nullptr;
    }
    std::shared_ptr<const NativeCode> code = compile(request_of(spec), *spec.budget, problem);
    if (!code) return nullptr;
    spec.compile_seconds += code->seconds();
    return std::make_unique<NativeSystem>(std::move(spec), std::move(code));
}

constexpr unsigned kMostWidenings = 8;
constexpr unsigned kMostWideningsOfLarge = 3;

std::unique_ptr<System> NativeSystem::with_wider_fields(const Expander& stopped) const {
    const auto& expander = static_cast<const NativeExpander&>(stopped);
    SystemSpec wider = spec();
    // Compiling costs more than dense packing saves: after a few attempts every field gets its declared width.
    const bool give_up = ++wider.widenings > (code_->is_large() ? kMostWideningsOfLarge : kMostWidenings);
    wider.layout = give_up
                       ? Layout::declared(*wider.model)
                       : wider.layout.with_wider_fields(*wider.model, expander.narrow_slot(), expander.narrow_value());
    std::string problem;
    std::unique_ptr<System> result = compiled(wider, problem);
    return result ? std::move(result) : interpreted(wider);
}

// How many states are interpreted before compiling pays. Compiling takes some 20 ms and 50 us for an instruction of the
// model (a transition counts as ten; the long guards of large models cost less each), interpreting a state about 1 us;
// interpreting so far should have taken a comparable time.
std::size_t states_before_compiling(const model::Model& model) {
    constexpr std::size_t kMost = 5000;
    std::size_t instructions = 10 * model.transitions.size();
    for (const model::Transition& transition : model.transitions) {
        for (const model::Expression& guard : transition.guards) instructions += guard.code().size();
        for (const model::Effect& effect : transition.effects)
            if (const auto* assign = std::get_if<model::Assign>(&effect))
                for (const model::Expression& value : assign->values) instructions += value.code().size();
    }
    return 10'000 + 30 * std::min(instructions, kMost);
}

// How far a run is from being compiled; shared by the systems that follow each other in it, and by threads.
struct Countdown {
    std::atomic<std::size_t> states_left;
};

class SwitchingExpander final : public Expander {
public:
    SwitchingExpander(std::unique_ptr<Expander> interpreted, std::shared_ptr<Countdown> countdown)
        : interpreted_(std::move(interpreted)), countdown_(std::move(countdown)) {}

    Expansion expand(const Word* states, std::size_t count, Cursor& cursor, SuccessorBatch& out) override {
        if (countdown_->states_left == 0) return Expansion::needs_repacking;
        const std::uint32_t before = cursor.state;
        const Expansion result = interpreted_->expand(states, count, cursor, out);
        const std::size_t done = cursor.state - before;
        std::size_t left = countdown_->states_left;
        while (!countdown_->states_left.compare_exchange_weak(left, left - std::min(left, done))) {
        }
        return result;
    }
    void labels(const Word* state, std::uint64_t* bits, model::FaultKind* faults) override {
        interpreted_->labels(state, bits, faults);
    }
    std::optional<Key> key(const Word* state) override { return interpreted_->key(state); }

    [[nodiscard]] const Expander& interpreted() const { return *interpreted_; }

private:
    std::unique_ptr<Expander> interpreted_;
    std::shared_ptr<Countdown> countdown_;
};

class SwitchingSystem final : public TwinnedSystem {
public:
    SwitchingSystem(SystemSpec spec, std::shared_ptr<Countdown> countdown)
        : TwinnedSystem(std::move(spec)), countdown_(std::move(countdown)) {}

    [[nodiscard]] std::unique_ptr<Expander> expander() const override { return twin().expander(); }
    [[nodiscard]] std::unique_ptr<Expander> search_expander() const override {
        return std::make_unique<SwitchingExpander>(twin().expander(), countdown_);
    }

    [[nodiscard]] std::unique_ptr<System> with_wider_fields(const Expander& stopped) const override {
        if (countdown_->states_left == 0) {
            std::string problem;
            std::unique_ptr<System> native = compiled(spec(), problem);
            return native ? std::move(native) : interpreted(spec());
        }
        SystemSpec wider = spec();
        wider.layout = narrowed_layout(stopped);
        return std::make_unique<SwitchingSystem>(std::move(wider), countdown_);
    }

private:
    // The interpreted system knows what did not fit. What has stopped may be of either kind: a system around this one
    // looks ahead with an expander that must not ask to be compiled (step_labels.cpp).
    [[nodiscard]] Layout narrowed_layout(const Expander& stopped) const {
        const auto* const switching = dynamic_cast<const SwitchingExpander*>(&stopped);
        const InterpretedMisfit misfit = interpreted_misfit(switching != nullptr ? switching->interpreted() : stopped);
        return spec().layout.with_wider_fields(*spec().model, misfit.slot, misfit.value);
    }

    std::shared_ptr<Countdown> countdown_;
};

}  // namespace

std::unique_ptr<System> make_model_system(std::shared_ptr<const model::Model> model,
                                          std::vector<model::Expression> labels, Layout layout, KeyProgram key,
                                          Successors successors, const support::Budget& budget, std::string& notice) {
    // Longer compilations are deferred until the run turns out to be long, whatever was requested.
    constexpr double kSecondsAtOnce = 3;
    auto commuting = std::make_shared<const Commuting>(*model, key);
    SystemSpec spec{std::move(model), std::move(labels),    std::move(layout),
                    std::move(key),   std::move(commuting), &budget};
    notice.clear();
    if (successors == Successors::interpret) return interpreted(spec);
    std::string problem;
    if (spec.model->is_explicit_graph()) {
        if (successors == Successors::native) notice = "an explicit graph has nothing to compile; it is interpreted";
        return interpreted(spec);
    }
    if (successors == Successors::native) {
        if (compile_cost(request_of(spec)).seconds <= kSecondsAtOnce) {
            std::unique_ptr<System> native = compiled(spec, problem);
            if (native) return native;
            notice = "machine code is not possible here (" + problem + "); the model is interpreted";
            return interpreted(spec);
        }
        notice = "compiling takes long; the model is interpreted until the run has turned out to be a long one";
    }
    if (successors == Successors::automatic && !has_code_generator()) {
        notice =
            "the code generator is missing (libtideline_codegen.so in lib beside the program); the model is interpreted, "
            "which takes several times as long";
        return interpreted(spec);
    }
    auto countdown = std::make_shared<Countdown>(states_before_compiling(*spec.model));
    return std::make_unique<SwitchingSystem>(std::move(spec), std::move(countdown));
}

}  // namespace tideline::successor
