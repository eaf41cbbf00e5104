#include "successor/interpret/interpreted_system.hpp"

#include <algorithm>
#include <cassert>
#include <mutex>

#include "successor/interpret/interpreter.hpp"
#include "successor/interpret/step_events.hpp"
#include "successor/layout_change.hpp"

namespace tideline::successor {
namespace {

// Shared by all expanders of a system.
struct Shared {
    std::shared_ptr<const model::Model> model;
    std::vector<model::Expression> labels;
    Layout layout;
    KeyProgram key;
    std::shared_ptr<const Commuting> commuting;

    [[nodiscard]] const Commuting* sleeping() const { return commuting->classes() > 0 ? commuting.get() : nullptr; }

    // Expressions that are evaluated besides the model's own.
    [[nodiscard]] std::vector<model::Expression> others() const {
        std::vector<model::Expression> result = labels;
        for (const KeyComponent& component : key.components) result.push_back(component.expression);
        return result;
    }
};

// How many states are expanded before the caller may check its limits: some milliseconds of work. For most models that
// is more than a batch. It depends on the model alone, so that the same states are expanded together every time.
std::size_t states_at_a_time(const model::Model& model) {
    constexpr std::size_t kWork = 4'000'000;  // about nanoseconds
    std::size_t transitions = model.free_transitions.size();
    for (const model::Process& process : model.processes) {
        std::size_t widest = 0;
        for (const std::vector<model::TransitionId>& out : process.outgoing) widest = std::max(widest, out.size());
        transitions += widest;
    }
    return std::max<std::size_t>(1, kWork / (model.slot_count() + 20 * transitions + 1));
}

class InterpretedExpander final : public Expander {
public:
    explicit InterpretedExpander(std::shared_ptr<const Shared> shared)
        : shared_(std::move(shared)),
          interpreter_(*shared_->model, shared_->others()),
          at_a_time_(states_at_a_time(*shared_->model)) {}

    Expansion expand(const Word* states, std::size_t count, Cursor& cursor, SuccessorBatch& out) override {
        const std::uint32_t first = cursor.state;
        for (; cursor.state < count; ++cursor.state, cursor.delivered = 0) {
            if (cursor.state - first == at_a_time_) return Expansion::full;
            const Expansion result = expand_one(states + cursor.state * shared_->layout.words(), cursor, out);
            if (result != Expansion::done) return result;
            out.complete_source(skipped_);
        }
        return Expansion::done;
    }

    void labels(const Word* state, std::uint64_t* bits, model::FaultKind* faults) override {
        shared_->layout.unpack(state, interpreter_.values());
        std::fill_n(bits, (shared_->labels.size() + 63) / 64, 0);
        for (std::size_t i = 0; i < shared_->labels.size(); ++i) {
            const model::Evaluation result = interpreter_.evaluate(shared_->labels[i]);
            faults[i] = result.fault;
            if (result.fault == model::FaultKind::none && result.value != 0)
                bits[i / 64] |= std::uint64_t{1} << (i % 64);
        }
    }

    std::optional<Key> key(const Word* state) override {
        shared_->layout.unpack(state, interpreter_.values());
        return interpreter_.evaluate_key(shared_->key);
    }

    [[nodiscard]] model::SlotId narrow_slot() const { return narrow_slot_; }
    [[nodiscard]] model::Value narrow_value() const { return narrow_value_; }

private:
    Expansion expand_one(const Word* state, Cursor& cursor, SuccessorBatch& out) {
        const Layout& layout = shared_->layout;
        layout.unpack(state, interpreter_.values());
        const Commuting* commuting = out.sources_asleep() != nullptr ? shared_->sleeping() : nullptr;
        const SleepSet asleep = commuting != nullptr ? out.sources_asleep()[cursor.state] : 0;
        const bool resumes = cursor.delivered != 0 && is_stopped_at(state, cursor.delivered, asleep);
        std::uint64_t seen = resumes ? cursor.delivered : 0;
        if (!resumes) skipped_ = 0;
        Expansion result = Expansion::done;
        const auto visit = [&](const InterpretedStep& step) {
            if (asleep != 0 && step.fault == model::FaultKind::none &&
                (asleep & commuting->class_of(step.transitions.front())) != 0) {
                ++skipped_;
                return true;
            }
            if (seen++ < cursor.delivered) return true;
            if (out.full()) {
                result = Expansion::full;
                return false;
            }
            if (step.fault == model::FaultKind::none && !pack_changes(state, out.next_state())) {
                result = Expansion::needs_repacking;
                return false;
            }
            const std::optional<Key> key =
                step.fault == model::FaultKind::none ? interpreter_.evaluate_key(shared_->key) : Key{0};
            if (!key) {
                result = Expansion::key_undefined;
                return false;
            }
            const model::TransitionId transition = step.transitions.empty() ? 0 : step.transitions.front();
            out.push(transition, step.marks, step.fault, *key,
                     commuting != nullptr ? commuting->asleep_after(asleep, transition) : 0);
            ++cursor.delivered;
            return true;
        };
        if (resumes) interpreter_.resume_steps(visit);
        else interpreter_.visit_steps(visit);
        stopped_delivered_ = 0;
        if (result == Expansion::full && interpreter_.can_resume()) {
            stopped_state_.assign(state, state + layout.words());
            stopped_delivered_ = cursor.delivered;
            stopped_asleep_ = asleep;
        }
        return result;
    }

    // Whether the interpreter is at the step where the batch was full when this state was expanded last.
    [[nodiscard]] bool is_stopped_at(const Word* state, std::uint64_t delivered, SleepSet asleep) const {
        return delivered == stopped_delivered_ && asleep == stopped_asleep_ &&
               std::equal(stopped_state_.begin(), stopped_state_.end(), state);
    }

    bool pack_changes(const Word* state, Word* next) {
        const Layout& layout = shared_->layout;
        std::copy_n(state, layout.words(), next);
        for (const Interpreter::Change& change : interpreter_.changes()) {
            const model::Value value = interpreter_.values()[change.slot];
            if (layout.store(next, change.slot, value)) continue;
            narrow_slot_ = change.slot;
            narrow_value_ = value;
            return false;
        }
        return true;
    }

    std::shared_ptr<const Shared> shared_;
    Interpreter interpreter_;
    std::size_t at_a_time_;      // states
    std::uint32_t skipped_ = 0;  // steps of the last state that sleep
    // The state whose steps the interpreter continues with, and how many of them were delivered (0: there is none).
    std::vector<Word> stopped_state_;
    std::uint64_t stopped_delivered_ = 0;
    SleepSet stopped_asleep_ = 0;
    model::SlotId narrow_slot_ = 0;
    model::Value narrow_value_ = 0;
};

class InterpretedSystem final : public System {
public:
    explicit InterpretedSystem(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}

    [[nodiscard]] std::size_t state_words() const override { return shared_->layout.words(); }
    [[nodiscard]] std::size_t state_bytes() const override { return shared_->layout.bytes(); }
    [[nodiscard]] std::size_t label_count() const override { return shared_->labels.size(); }
    [[nodiscard]] const std::vector<std::string>& slot_names() const override {
        std::call_once(names_made_, [&] {
            names_.reserve(slots());
            for (const model::Model::SlotOwner owner : shared_->model->slot_owners())
                names_.push_back(shared_->model->slot_name(owner));
        });
        return names_;
    }
    [[nodiscard]] std::vector<model::Value> key_values(Key key) const override {
        return successor::key_values(shared_->key, key);
    }
    [[nodiscard]] const Commuting* commuting() const override { return shared_->sleeping(); }
    [[nodiscard]] unsigned acceptance_sets() const override { return shared_->model->acceptance_sets; }

    [[nodiscard]] std::vector<std::vector<Word>> initial_states() const override {
        std::vector<std::vector<Word>> result;
        for (std::size_t i = 0; i < shared_->model->initial_count(); ++i) {
            std::vector<Word>& state = result.emplace_back(state_words());
            [[maybe_unused]] const auto misfit = shared_->layout.pack(shared_->model->initial_state(i), state.data());
            assert(!misfit);
        }
        return result;
    }

    [[nodiscard]] std::unique_ptr<Expander> expander() const override {
        return std::make_unique<InterpretedExpander>(shared_);
    }

    [[nodiscard]] std::unique_ptr<System> with_wider_fields(const Expander& stopped) const override {
        const auto& expander = static_cast<const InterpretedExpander&>(stopped);
        Layout wider =
            shared_->layout.with_wider_fields(*shared_->model, expander.narrow_slot(), expander.narrow_value());
        return make_interpreted_system(shared_->model, shared_->labels, std::move(wider), shared_->key,
                                       shared_->commuting);
    }

    [[nodiscard]] Repacking repacking(const System& older) const override {
        assert(older.layout() != nullptr && "systems that follow each other are of one model");
        return [change = LayoutChange(*older.layout(), shared_->layout, slots())](const Word* from, Word* to) {
            change.apply(from, to);
        };
    }
    [[nodiscard]] const Layout* layout() const override { return &shared_->layout; }

    [[nodiscard]] std::vector<model::Value> decode(const Word* state) const override {
        std::vector<model::Value> values(slots());
        shared_->layout.unpack(state, values.data());
        return values;
    }

    [[nodiscard]] std::string value_text(model::SlotId slot, model::Value value) const override {
        // Slots are given to variables in their order.
        const std::vector<model::Variable>& variables = shared_->model->variables;
        const auto after = std::upper_bound(variables.begin(), variables.end(), slot,
                                            [](model::SlotId s, const model::Variable& v) { return s < v.first_slot; });
        return shared_->model->value_text(static_cast<model::VariableId>(after - variables.begin() - 1), value);
    }

    [[nodiscard]] std::vector<StepDetail> steps(const Word* state) const override {
        // Building an interpreter visits every transition.
        const std::lock_guard lock(stepping_);
        if (!stepper_) stepper_ = std::make_unique<Interpreter>(*shared_->model);
        Interpreter& interpreter = *stepper_;
        shared_->layout.unpack(state, interpreter.values());
        const Layout& layout = shared_->layout;
        std::vector<StepDetail> result;
        std::vector<std::vector<model::TransitionId>> taken;
        interpreter.visit_steps([&](const InterpretedStep& step) {
            taken.emplace_back(step.transitions.begin(), step.transitions.end());
            StepDetail detail;
            detail.transition = step.transitions.empty() ? 0 : step.transitions.front();
            detail.fault = step.fault;
            for (const model::TransitionId t : step.transitions) describe(t, detail);
            if (step.fault != model::FaultKind::none) {
                detail.fault_text = interpreter.explain_fault();
            } else {
                detail.next.resize(layout.words());
                // A state that the current packing cannot hold was not visited by any search.
                if (layout.pack(interpreter.values(), detail.next.data())) detail.next.clear();
            }
            result.push_back(std::move(detail));
            return true;
        });
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i].events = step_events(interpreter, *shared_->model, taken[i]);
        return result;
    }

    [[nodiscard]] std::vector<ChannelSlots> channels() const override {
        std::vector<ChannelSlots> result;
        const model::Model& model = *shared_->model;
        for (const model::Channel& channel : model.channels) {
            if (!channel.length) continue;
            ChannelSlots& slots = result.emplace_back();
            slots.name = channel.name;
            slots.length = model.variables[*channel.length].first_slot;
            slots.capacity = static_cast<std::uint32_t>(model.variables[*channel.length].range.high);
            for (const model::VariableId field : channel.contents)
                slots.contents.push_back(model.variables[field].first_slot);
        }
        return result;
    }

private:
    void describe(model::TransitionId id, StepDetail& detail) const {
        const model::Model& model = *shared_->model;
        const model::Transition& transition = model.transitions[id];
        if (detail.label.empty()) detail.label = transition.label;
        for (const model::Participant& p : transition.participants) {
            detail.parts.push_back({model.processes[p.process].name, model.location_name(p.process, p.from),
                                    model.location_name(p.process, p.to), model.source.line_number(p.span.begin),
                                    std::string(model.source.text(p.span))});
        }
    }

    [[nodiscard]] model::SlotId slots() const { return shared_->model->slot_count(); }

    std::shared_ptr<const Shared> shared_;
    // Built on demand: large models have many, and most systems of a run never need them.
    mutable std::once_flag names_made_;
    mutable std::vector<std::string> names_;
    mutable std::mutex stepping_;
    mutable std::unique_ptr<Interpreter> stepper_;
};

}  // namespace

InterpretedMisfit interpreted_misfit(const Expander& expander) {
    const auto& interpreted = static_cast<const InterpretedExpander&>(expander);
    return {interpreted.narrow_slot(), interpreted.narrow_value()};
}

std::unique_ptr<System> make_interpreted_system(std::shared_ptr<const model::Model> model,
                                                std::vector<model::Expression> labels, Layout layout, KeyProgram key,
                                                std::shared_ptr<const Commuting> commuting) {
    if (commuting == nullptr) commuting = std::make_shared<const Commuting>(*model, key);
    return std::make_unique<InterpretedSystem>(std::make_shared<const Shared>(
        Shared{std::move(model), std::move(labels), std::move(layout), std::move(key), std::move(commuting)}));
}

}  // namespace tideline::successor
