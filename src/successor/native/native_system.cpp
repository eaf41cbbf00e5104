// The native system keeps an interpreted twin for everything that is not the hot path: names, labels, steps for people, keys of single states.
//
// A run that starts interpreted switches to machine code by the door that widening the packing uses: after a number of states the
// expander says `narrow`, and what widened() then returns is the compiled system.
#include "successor/native/native_system.hpp"

#include <algorithm>

#include "successor/interpret/interpreted_system.hpp"
#include "successor/native/compile.hpp"

namespace tideline {
namespace {

// What is needed to make the system again with another layout.
struct Recipe {
    std::shared_ptr<const Model> model;
    std::vector<Expression> labels;
    Layout layout;
    KeyProgram key;
    unsigned widenings = 0;  // of compiled code
};

std::unique_ptr<System> interpreted(const Recipe& recipe) {
    return make_interpreted_system(recipe.model, recipe.labels, recipe.layout, recipe.key);
}

class NativeExpander final : public Expander {
public:
    NativeExpander(std::shared_ptr<const NativeCode> code, std::unique_ptr<Expander> interpreted, std::size_t words, std::size_t most)
        : code_(std::move(code)), expand_(code_->expand()), interpreted_(std::move(interpreted)), words_(words), most_(most), scratch_(words, 0) {}

    Expansion expand(const Word* states, std::size_t count, Cursor& cursor, SuccessorBatch& out) override {
        for (; cursor.state < count; ++cursor.state, cursor.delivered = 0) {
            const Word* state = states + cursor.state * words_;
            const bool whole = cursor.delivered == 0 && out.capacity() >= most_;
            if (whole && out.capacity() - out.size() < most_) return Expansion::full;
            const Expansion result = whole ? expand_whole(state, cursor, out) : expand_rest(state, cursor, out);
            if (result != Expansion::done) return result;
            out.complete_source();
        }
        return Expansion::done;
    }

    void labels(const Word* state, std::uint64_t* bits, FaultKind* faults) override { interpreted_->labels(state, bits, faults); }
    std::optional<Key> key(const Word* state) override { return interpreted_->key(state); }

    [[nodiscard]] const NativeStatus& status() const { return status_; }

private:
    Expansion run(const Word* state, SuccessorBatch& into) {
        status_.code = NativeStatus::ok;
        status_.faulty = 0;
        const SuccessorBatch::Raw raw = into.raw();
        const std::uint64_t end = expand_(state, raw.states, raw.transitions, reinterpret_cast<std::uint8_t*>(raw.faults), raw.keys,
                                          into.size(), &status_);
        into.commit(end - into.size(), status_.faulty != 0);
        return status_.code == NativeStatus::ok ? Expansion::done : status_.code == NativeStatus::narrow ? Expansion::narrow : Expansion::keyless;
    }

    Expansion expand_whole(const Word* state, Cursor& cursor, SuccessorBatch& out) {
        const std::size_t before = out.size();
        const Expansion result = run(state, out);
        cursor.delivered = static_cast<std::uint32_t>(out.size() - before);
        return result;
    }

    // Where some successors were delivered before, or the batch is smaller than what a state may have.
    Expansion expand_rest(const Word* state, Cursor& cursor, SuccessorBatch& out) {
        if (scratch_.capacity() < most_) scratch_ = SuccessorBatch(words_, most_);
        scratch_.restart(cursor.state);
        const Expansion result = run(state, scratch_);
        for (; cursor.delivered < scratch_.size(); ++cursor.delivered) {
            if (out.full()) return Expansion::full;
            const std::size_t i = cursor.delivered;
            std::copy_n(scratch_.state(i), words_, out.next_state());
            out.push(scratch_.transition(i), scratch_.marks(i), scratch_.fault(i), scratch_.key(i));
        }
        return result;
    }

    std::shared_ptr<const NativeCode> code_;
    NativeExpand expand_;
    std::unique_ptr<Expander> interpreted_;
    std::size_t words_;
    std::size_t most_;
    SuccessorBatch scratch_;
    NativeStatus status_;
};

// All but expander() and widened() is the interpreted twin's.
class TwinnedSystem : public System {
public:
    explicit TwinnedSystem(Recipe recipe) : recipe_(std::move(recipe)), twin_(interpreted(recipe_)) {}

    [[nodiscard]] std::size_t state_words() const override { return twin_->state_words(); }
    [[nodiscard]] std::size_t state_bytes() const override { return twin_->state_bytes(); }
    [[nodiscard]] std::vector<Word> initial_state() const override { return twin_->initial_state(); }
    [[nodiscard]] std::size_t label_count() const override { return twin_->label_count(); }
    [[nodiscard]] std::vector<Value> key_values(Key key) const override { return twin_->key_values(key); }
    void repack(const System& older, const Word* from, Word* to) const override { twin_->repack(older, from, to); }
    [[nodiscard]] const std::vector<std::string>& slot_names() const override { return twin_->slot_names(); }
    [[nodiscard]] std::vector<Value> decode(const Word* state) const override { return twin_->decode(state); }
    [[nodiscard]] std::string value_text(SlotId slot, Value value) const override { return twin_->value_text(slot, value); }
    [[nodiscard]] std::vector<StepDetail> steps(const Word* state) const override { return twin_->steps(state); }

protected:
    [[nodiscard]] const Recipe& recipe() const { return recipe_; }
    [[nodiscard]] const System& twin() const { return *twin_; }

private:
    Recipe recipe_;
    std::unique_ptr<System> twin_;
};

class NativeSystem final : public TwinnedSystem {
public:
    NativeSystem(Recipe recipe, std::shared_ptr<const NativeCode> code) : TwinnedSystem(std::move(recipe)), code_(std::move(code)) {}

    [[nodiscard]] std::unique_ptr<Expander> expander() const override {
        return std::make_unique<NativeExpander>(code_, twin().expander(), state_words(), most_successors(*recipe().model));
    }

    [[nodiscard]] std::unique_ptr<System> widened(const Expander& stopped) const override;

private:
    std::shared_ptr<const NativeCode> code_;
};

// Compiled with a layout that suits the compiler, or null.
std::unique_ptr<System> compiled(Recipe recipe, std::string& problem) {
    recipe.layout = recipe.layout.with_uniform_arrays(*recipe.model);
    std::shared_ptr<const NativeCode> code = compile(*recipe.model, recipe.layout, recipe.key, problem);
    if (!code) return nullptr;
    return std::make_unique<NativeSystem>(std::move(recipe), std::move(code));
}

constexpr unsigned kMostWidenings = 4;

std::unique_ptr<System> NativeSystem::widened(const Expander& stopped) const {
    const NativeStatus& status = static_cast<const NativeExpander&>(stopped).status();
    Recipe wider = recipe();
    // Compiling costs more than packing saves: after a few attempts every field gets its declared width.
    const bool give_up = code_->is_large() || ++wider.widenings > kMostWidenings;
    wider.layout = give_up ? Layout::declared(*wider.model) : wider.layout.widened(*wider.model, status.slot, status.value);
    std::string problem;
    std::unique_ptr<System> result = compiled(wider, problem);
    return result ? std::move(result) : interpreted(wider);
}

// How many states are interpreted before compiling pays: compiling an instruction of the model takes as long as interpreting some twenty
// states of an ordinary one.
std::size_t states_before_compiling(const Model& model) {
    std::size_t instructions = 0;
    for (const Transition& transition : model.transitions) {
        for (const Expression& guard : transition.guards) instructions += guard.code().size();
        for (const Effect& effect : transition.effects)
            if (const auto* assign = std::get_if<Assign>(&effect))
                for (const Expression& value : assign->values) instructions += value.code().size();
    }
    return std::max<std::size_t>(3000, instructions * 20);
}

// How far a run is from being compiled; shared by the systems that follow each other in it.
struct Countdown {
    std::size_t states_left;
};

class SwitchingExpander final : public Expander {
public:
    SwitchingExpander(std::unique_ptr<Expander> interpreted, std::shared_ptr<Countdown> countdown)
        : interpreted_(std::move(interpreted)), countdown_(std::move(countdown)) {}

    Expansion expand(const Word* states, std::size_t count, Cursor& cursor, SuccessorBatch& out) override {
        if (countdown_->states_left == 0) return Expansion::narrow;
        const std::uint32_t before = cursor.state;
        const Expansion result = interpreted_->expand(states, count, cursor, out);
        countdown_->states_left -= std::min<std::size_t>(countdown_->states_left, cursor.state - before);
        return result;
    }
    void labels(const Word* state, std::uint64_t* bits, FaultKind* faults) override { interpreted_->labels(state, bits, faults); }
    std::optional<Key> key(const Word* state) override { return interpreted_->key(state); }

    [[nodiscard]] const Expander& interpreted() const { return *interpreted_; }

private:
    std::unique_ptr<Expander> interpreted_;
    std::shared_ptr<Countdown> countdown_;
};

class SwitchingSystem final : public TwinnedSystem {
public:
    SwitchingSystem(Recipe recipe, std::shared_ptr<Countdown> countdown) : TwinnedSystem(std::move(recipe)), countdown_(std::move(countdown)) {}

    [[nodiscard]] std::unique_ptr<Expander> expander() const override { return twin().expander(); }
    [[nodiscard]] std::unique_ptr<Expander> search_expander() const override {
        return std::make_unique<SwitchingExpander>(twin().expander(), countdown_);
    }

    [[nodiscard]] std::unique_ptr<System> widened(const Expander& stopped) const override {
        if (countdown_->states_left == 0) {
            std::string problem;
            std::unique_ptr<System> native = compiled(recipe(), problem);
            return native ? std::move(native) : interpreted(recipe());
        }
        Recipe wider = recipe();
        wider.layout = narrowed_layout(static_cast<const SwitchingExpander&>(stopped));
        return std::make_unique<SwitchingSystem>(std::move(wider), countdown_);
    }

private:
    // The interpreted twin knows what did not fit.
    [[nodiscard]] Layout narrowed_layout(const SwitchingExpander& stopped) const {
        const InterpretedMisfit misfit = interpreted_misfit(stopped.interpreted());
        return recipe().layout.widened(*recipe().model, misfit.slot, misfit.value);
    }

    std::shared_ptr<Countdown> countdown_;
};

}  // namespace

std::unique_ptr<System> make_model_system(std::shared_ptr<const Model> model, std::vector<Expression> labels, Layout layout,
                                          KeyProgram key, Successors successors, std::string& notice) {
    Recipe recipe{std::move(model), std::move(labels), std::move(layout), std::move(key), 0};
    notice.clear();
    if (successors == Successors::interpret) return interpreted(recipe);
    if (!can_compile(*recipe.model)) {
        if (successors == Successors::native)
            notice = "this model's synchronous steps, property process or the like are not compiled yet; it is interpreted";
        return interpreted(recipe);
    }
    if (successors == Successors::automatic) {
        auto countdown = std::make_shared<Countdown>(Countdown{states_before_compiling(*recipe.model)});
        return std::make_unique<SwitchingSystem>(std::move(recipe), std::move(countdown));
    }
    std::string problem;
    std::unique_ptr<System> native = compiled(recipe, problem);
    if (native) return native;
    notice = "machine code is not possible here (" + problem + "); the model is interpreted";
    return interpreted(recipe);
}

}  // namespace tideline
