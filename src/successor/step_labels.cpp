#include "successor/step_labels.hpp"

#include "successor/run_lifter.hpp"

#include <algorithm>
#include <cassert>
#include <unordered_map>

namespace tideline::successor {
namespace {

constexpr unsigned kMarkBits = 64;

struct Shared {
    std::shared_ptr<const System> system;
    std::shared_ptr<const ProcessTable> processes;
    StepLabelSettings settings;
    StepMarks marks;

    [[nodiscard]] bool has_marks() const { return marks.count > marks.first_fair; }
};

class StepLabelExpander final : public Expander {
public:
    StepLabelExpander(std::shared_ptr<const Shared> shared, std::unique_ptr<Expander> own)
        : shared_(std::move(shared)),
          own_(std::move(own)),
          enabled_(shared_->processes->words),
          bits_(shared_->system->label_words()),
          faults_(shared_->system->label_count()) {}

    Expansion expand(const Word* states, std::size_t count, Cursor& cursor, SuccessorBatch& out) override {
        if (needs_repacking_) return Expansion::needs_repacking;
        const Cursor begin = cursor;
        const std::size_t before = out.complete_sources();
        const Expansion result = own_->expand(states, count, cursor, out);
        return shared_->has_marks() ? add_marks(states, begin, before, cursor, out, result) : result;
    }

    void labels(const Word* state, std::uint64_t* bits, model::FaultKind* faults) override {
        own_->labels(state, bits_.data(), faults_.data());
        const std::vector<StepLabel>& labels = shared_->settings.labels;
        std::fill_n(bits, (labels.size() + 63) / 64, 0);
        bool is_known = false;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            faults[i] = model::FaultKind::none;
            bool value = false;
            switch (labels[i].kind) {
                case StepLabel::Kind::own:
                    value = bit(bits_.data(), labels[i].index);
                    faults[i] = faults_[labels[i].index];
                    break;
                case StepLabel::Kind::deadlock: value = !has_step(state) && !is_end(); break;
                case StepLabel::Kind::enabled:
                    // What is not known is asked for again once the system has been packed again: expand() sees to it.
                    if (!is_known && !look(state)) needs_repacking_ = true;
                    is_known = true;
                    value = bit(enabled_.data(), labels[i].index);
                    break;
                case StepLabel::Kind::none: break;
            }
            if (value) bits[i / 64] |= std::uint64_t{1} << (i % 64);
        }
    }

    std::optional<Key> key(const Word* state) override { return own_->key(state); }

    // The one that stopped.
    [[nodiscard]] const Expander& stopped() const { return scan_stopped_ ? *scan_ : *own_; }

private:
    static constexpr std::size_t kScanned = 256;

    static bool bit(const std::uint64_t* words, std::size_t i) { return ((words[i / 64] >> (i % 64)) & 1U) != 0; }

    // By the labels of the system that were evaluated last.
    [[nodiscard]] bool is_end() const {
        return shared_->settings.end_label && bit(bits_.data(), *shared_->settings.end_label);
    }

    void prepare_scan() {
        if (scan_) return;
        scan_ = shared_->system->expander();
        scanned_.emplace(shared_->system->state_words(), kScanned);
    }

    bool has_step(const Word* state) {
        prepare_scan();
        Cursor cursor;
        for (;;) {
            scanned_->restart(0);
            const Expansion result = scan_->expand(state, 1, cursor, *scanned_);
            if (scanned_->size() > 0 || result == Expansion::needs_repacking || result == Expansion::key_undefined)
                return true;
            if (result == Expansion::done) return false;
        }
    }

    // Which processes have a step in a state. False: a value does not fit the packing.
    bool look(const Word* state) {
        prepare_scan();
        std::ranges::fill(enabled_, 0);
        Cursor cursor;
        for (;;) {
            scanned_->restart(0);
            const Expansion result = scan_->expand(state, 1, cursor, *scanned_);
            for (std::size_t i = 0; i < scanned_->size(); ++i) enable(scanned_->transition(i));
            if (result == Expansion::done) return true;
            if (result == Expansion::full) continue;
            if (result == Expansion::key_undefined) return true;  // which ends the search
            scan_stopped_ = true;
            return false;
        }
    }

    void enable(model::TransitionId transition) {
        if (const std::uint64_t* const set = shared_->processes->of(transition))
            for (std::size_t w = 0; w < enabled_.size(); ++w) enabled_[w] |= set[w];
    }

    // `before`: so many sources were in the batch already, all of them whole, and have their marks.
    Expansion add_marks(const Word* states, const Cursor& begin, std::size_t before, Cursor& cursor,
                        SuccessorBatch& out, Expansion result) {
        const std::size_t words = shared_->system->state_words();
        std::size_t first = before == 0 ? 0 : out.end(before - 1);  // entry of the current source
        for (std::size_t n = before; n <= out.complete_sources() && first < out.size(); ++n) {
            const bool is_whole = n < out.complete_sources();
            const std::size_t end = is_whole ? out.end(n) : out.size();
            const std::uint32_t source = begin.state + static_cast<std::uint32_t>(n - before);
            if (is_whole && (n > before || begin.delivered == 0)) {
                std::ranges::fill(enabled_, 0);
                for (std::size_t i = first; i < end; ++i) enable(out.transition(i));
            } else if (!look(states + source * words)) {
                out.truncate(first, n);
                cursor = {source, n == before ? begin.delivered : 0};
                return Expansion::needs_repacking;
            }
            mark(states + source * words, out, first, end);
            first = end;
        }
        return result;
    }

    void mark(const Word* state, SuccessorBatch& out, std::size_t first, std::size_t end) {
        const StepMarks& places = shared_->marks;
        const FairnessMarks fairness = shared_->settings.fairness;
        model::Marks of_source = 0;
        if (fairness == FairnessMarks::weak) of_source = ~enabled_word() & fair_mask();
        if (fairness == FairnessMarks::enabled || fairness == FairnessMarks::strong) of_source = enabled_word();
        bool counts = true;
        if (shared_->settings.progress && first < end &&
            std::ranges::all_of(enabled_, [](std::uint64_t word) { return word == 0; }))
            counts = stutters_properly(state);
        for (std::size_t i = first; i < end; ++i) {
            const std::uint64_t* const moved = shared_->processes->of(out.transition(i));
            model::Marks fair = of_source;
            if (fairness == FairnessMarks::weak && moved != nullptr && places.fair_count > 0) fair |= moved[0];
            if (fairness == FairnessMarks::strong && moved != nullptr) fair |= moved[0] << (places.fair_count / 2);
            // Without sets of its own a system need not write marks: what is there may be old.
            model::Marks marks = places.first_fair == 0 ? 0 : out.marks(i);
            if (places.fair_count > 0) marks |= fair << places.first_fair;
            if (shared_->settings.progress && counts) marks |= model::Marks{1} << places.progress;
            out.set_marks(i, marks);
        }
    }

    // Of a state where nobody but a property process moves.
    bool stutters_properly(const Word* state) {
        if (!shared_->settings.end_label) return false;
        own_->labels(state, bits_.data(), faults_.data());
        return is_end();
    }

    [[nodiscard]] model::Marks enabled_word() const { return enabled_.empty() ? 0 : enabled_[0]; }
    [[nodiscard]] model::Marks fair_mask() const {
        const unsigned count = shared_->marks.fair_count;
        return count >= kMarkBits ? ~model::Marks{0} : (model::Marks{1} << count) - 1;
    }

    std::shared_ptr<const Shared> shared_;
    std::unique_ptr<Expander> own_;
    std::unique_ptr<Expander> scan_;
    std::optional<SuccessorBatch> scanned_;
    bool scan_stopped_ = false;
    bool needs_repacking_ = false;
    std::vector<std::uint64_t> enabled_;  // processes of the current state
    std::vector<std::uint64_t> bits_;
    std::vector<model::FaultKind> faults_;
};

// Steps of a state and of its representative differ in who moves, not in whether anybody does.
class StepLabelLifter final : public RunLifter {
public:
    StepLabelLifter(const Shared& shared, std::unique_ptr<RunLifter> own);
    [[nodiscard]] const std::shared_ptr<const System>& system() const override { return system_; }
    std::vector<Word> follow(const Word* representative) override { return own_->follow(representative); }
    [[nodiscard]] model::TransitionId transition(model::TransitionId transition) const override {
        return own_->transition(transition);
    }

private:
    std::unique_ptr<RunLifter> own_;
    std::shared_ptr<const System> system_;
};

class StepLabelSystem final : public System, public HasLifter {
public:
    explicit StepLabelSystem(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}

    [[nodiscard]] std::size_t state_words() const override { return own().state_words(); }
    [[nodiscard]] std::size_t state_bytes() const override { return own().state_bytes(); }
    [[nodiscard]] std::vector<std::vector<Word>> initial_states() const override { return own().initial_states(); }
    [[nodiscard]] std::unique_ptr<Expander> expander() const override {
        return std::make_unique<StepLabelExpander>(shared_, own().expander());
    }
    [[nodiscard]] std::unique_ptr<Expander> search_expander() const override {
        return std::make_unique<StepLabelExpander>(shared_, own().search_expander());
    }
    [[nodiscard]] std::size_t label_count() const override { return shared_->settings.labels.size(); }
    [[nodiscard]] std::vector<model::Value> key_values(Key key) const override { return own().key_values(key); }
    [[nodiscard]] double compile_seconds() const override { return own().compile_seconds(); }
    [[nodiscard]] unsigned acceptance_sets() const override { return shared_->marks.acceptance; }
    [[nodiscard]] std::unique_ptr<System> with_wider_fields(const Expander& stopped) const override {
        std::shared_ptr<const System> wider =
            own().with_wider_fields(static_cast<const StepLabelExpander&>(stopped).stopped());
        if (!wider) return nullptr;
        return std::make_unique<StepLabelSystem>(std::make_shared<const Shared>(
            Shared{std::move(wider), shared_->processes, shared_->settings, shared_->marks}));
    }
    [[nodiscard]] Repacking repacking(const System& older) const override {
        return own().repacking(static_cast<const StepLabelSystem&>(older).own());
    }
    [[nodiscard]] const Layout* layout() const override { return own().layout(); }
    [[nodiscard]] const std::vector<std::string>& slot_names() const override { return own().slot_names(); }
    [[nodiscard]] std::vector<model::Value> decode(const Word* state) const override { return own().decode(state); }
    [[nodiscard]] std::string value_text(model::SlotId slot, model::Value value) const override {
        return own().value_text(slot, value);
    }
    [[nodiscard]] std::vector<ChannelSlots> channels() const override { return own().channels(); }
    [[nodiscard]] std::vector<StepDetail> steps(const Word* state) const override { return own().steps(state); }

    [[nodiscard]] std::unique_ptr<RunLifter> lifter() const override {
        std::unique_ptr<RunLifter> own_lifter = lifter_of(own());
        if (!own_lifter) return nullptr;
        return std::make_unique<StepLabelLifter>(*shared_, std::move(own_lifter));
    }

private:
    [[nodiscard]] const System& own() const { return *shared_->system; }
    std::shared_ptr<const Shared> shared_;
};

StepLabelLifter::StepLabelLifter(const Shared& shared, std::unique_ptr<RunLifter> own)
    : own_(std::move(own)),
      system_(std::make_shared<const StepLabelSystem>(
          std::make_shared<const Shared>(Shared{own_->system(), shared.processes, shared.settings, shared.marks}))) {}

}  // namespace

std::optional<std::size_t> ProcessTable::find(std::string_view name) const {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names.begin());
}

bool is_between_actions(const model::Model& model) {
    return model.is_explicit_graph() && (model.format == "aut" || model.format == "kripke");
}

ProcessTable process_table(const model::Model& model) {
    ProcessTable table;
    std::vector<std::vector<std::size_t>> moved(model.transitions.size());
    std::unordered_map<std::string, std::size_t> actions;
    const auto action = [&](const std::string& name) {
        const auto [found, is_new] = actions.try_emplace(name, table.names.size());
        if (is_new) table.names.push_back(name);
        return found->second;
    };
    if (is_between_actions(model)) {
        for (std::size_t t = 0; t < moved.size(); ++t) moved[t] = {action(model.transitions[t].label)};
    } else {
        std::vector<std::optional<std::size_t>> index(model.processes.size());
        for (model::ProcessId p = 0; p < model.processes.size(); ++p) {
            if (model.observer == p) continue;
            index[p] = table.names.size();
            table.names.push_back(model.processes[p].name);
        }
        const std::size_t processes = table.names.size();
        for (std::size_t t = 0; t < moved.size(); ++t) {
            const model::Transition& transition = model.transitions[t];
            if (transition.participants.empty()) moved[t].push_back(action(transition.label));
            for (const model::Participant& participant : transition.participants)
                if (index[participant.process]) moved[t].push_back(*index[participant.process]);
            // In lockstep a step is named by one of its transitions, and every process moves.
            if (model.composition != model::Composition::lockstep || moved[t].empty()) continue;
            moved[t].clear();
            for (std::size_t p = 0; p < processes; ++p) moved[t].push_back(p);
        }
    }
    table.words = (table.names.size() + 63) / 64;
    table.moved.assign(moved.size() * table.words, 0);
    for (std::size_t t = 0; t < moved.size(); ++t)
        for (const std::size_t p : moved[t]) table.moved[t * table.words + p / 64] |= std::uint64_t{1} << (p % 64);
    return table;
}

std::optional<StepMarks> step_marks(unsigned own_sets, const ProcessTable& processes,
                                    const StepLabelSettings& settings) {
    StepMarks marks;
    marks.first_fair = own_sets;
    const bool is_fair = settings.fairness != FairnessMarks::none;
    const std::size_t of_process = settings.fairness == FairnessMarks::strong ? 2 : 1;
    if (is_fair && processes.names.size() * of_process > kMarkBits) return std::nullopt;
    marks.fair_count = is_fair ? static_cast<unsigned>(processes.names.size() * of_process) : 0;
    marks.progress = marks.first_fair + marks.fair_count;
    marks.count = marks.progress + (settings.progress ? 1 : 0);
    marks.acceptance = settings.fairness == FairnessMarks::enabled ? own_sets : marks.count;
    if (marks.count > kMarkBits) return std::nullopt;
    return marks;
}

std::shared_ptr<const System> with_step_labels(std::shared_ptr<const System> system,
                                               std::shared_ptr<const ProcessTable> processes,
                                               StepLabelSettings settings) {
    const std::optional<StepMarks> marks = step_marks(system->acceptance_sets(), *processes, settings);
    assert(marks && "the marks have been found to fit");
    return std::make_shared<const StepLabelSystem>(
        std::make_shared<const Shared>(Shared{std::move(system), std::move(processes), std::move(settings), *marks}));
}

}  // namespace tideline::successor
