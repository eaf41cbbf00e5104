// Machine code against the interpreter on random models, and nothing else, so that many models can be tested: for the
// first states of a breadth-first search both must give the same successors in the same order, with the same
// transitions, marks, faults, keys, sleep sets and labels. random_models_test tests the interpreter itself.
// Environment: TIDELINE_RANDOM_MODELS (how many), TIDELINE_RANDOM_SEED (the first).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>

#include "input/load.hpp"
#include "model/parse_expression.hpp"
#include "progress/measure.hpp"
#include "successor/interpret/interpreted_system.hpp"
#include "successor/interpret/pilot.hpp"
#include "successor/native/native_code.hpp"
#include "successor/native/native_system.hpp"
#include "tests/differential/random_dve.hpp"
#include "tests/differential/random_numbers.hpp"
#include "tests/differential/shrink_dve.hpp"

namespace tideline::differential {
namespace {

const support::Budget kUnlimited;

constexpr std::size_t kMostStates = 200;  // compared in a model

struct Disagreement {
    std::string text;
};

void require(bool same, const std::string& what) {
    if (!same) throw Disagreement{what};
}

// Statistics of the comparison: models with each feature, and totals.
struct Tally {
    std::uint64_t models = 0;
    std::uint64_t composed = 0;  // lockstep, priorities and the like, with a property process or without
    std::uint64_t observed = 0;  // other systems with a property process
    std::uint64_t faulty = 0;
    std::uint64_t keyed = 0;
    std::uint64_t key_undefined = 0;  // the measure could not be evaluated somewhere
    std::uint64_t sleeping = 0;
    std::uint64_t with_wider_fields = 0;  // compiled again for a value that did not fit
    std::uint64_t states = 0;
    std::uint64_t successors = 0;
};

// A successor; without the rest where there is a fault.
struct Entry {
    std::uint32_t source = 0;
    model::TransitionId transition = 0;
    model::FaultKind fault = model::FaultKind::none;
    model::Marks marks = 0;
    successor::Key key = 0;
    successor::SleepSet asleep = 0;
    std::vector<successor::Word> state;

    bool operator==(const Entry&) const = default;
};

// What expanding a number of states gave, whatever the batches were.
struct Expanded {
    std::vector<Entry> entries;
    std::vector<std::uint32_t> skipped;  // by complete source
    successor::Expansion end = successor::Expansion::done;
    std::uint32_t stopped_in = 0;  // a source
};

Expanded expand_all(successor::Expander& expander, const std::vector<successor::Word>& sources, std::size_t words,
                    const successor::SleepSet* asleep, std::size_t capacity) {
    successor::SuccessorBatch batch(words, capacity);
    Expanded result;
    successor::Cursor cursor;
    do {
        batch.restart(cursor.state, asleep);
        result.end = expander.expand(sources.data(), sources.size() / words, cursor, batch);
        require(result.end != successor::Expansion::full || batch.size() > 0, "an empty batch is full");
        for (std::size_t i = 0; i < batch.size(); ++i) {
            Entry& entry = result.entries.emplace_back();
            entry.source = batch.source(i);
            entry.transition = batch.transition(i);
            entry.fault = batch.fault(i);
            if (entry.fault != model::FaultKind::none) continue;
            entry.marks = batch.marks(i);
            entry.key = batch.key(i);
            if (asleep != nullptr) entry.asleep = batch.asleep(i);
            entry.state.assign(batch.state(i), batch.state(i) + words);
        }
        for (std::size_t n = 0; n < batch.complete_sources(); ++n) result.skipped.push_back(batch.skipped(n));
    } while (result.end == successor::Expansion::full);
    result.stopped_in = cursor.state;
    return result;
}

class NativeComparison {
public:
    NativeComparison(std::shared_ptr<const model::Model> model, const std::vector<std::string>& conditions,
                     std::uint64_t seed)
        : model_(std::move(model)),
          random_(seed),
          capacity_(random_.one_of(std::vector<std::size_t>{1, 3, 16, 256})),
          key_(measure()) {
        // A shrunken model may have lost the names.
        for (const std::string& text : conditions)
            if (support::Result<model::Expression> label =
                    model::parse_expression(*model_, support::SourceText("label", text)))
                labels_.push_back(*std::move(label));
    }

    void run(Tally& tally) {
        std::string notice;
        use(successor::make_model_system(model_, labels_, layout(), key_, successor::Successors::native, kUnlimited,
                                         notice));
        require(notice.empty(), notice);
        if (add(native_->initial_states().front())) search();
        count(tally);
    }

private:
    // Half of the models have a measure; some cannot be evaluated everywhere.
    successor::KeyProgram measure() {
        if (random_.chance(50) || model_->slot_count() == 0) return {};
        std::vector<std::string> names;
        for (const model::Model::SlotOwner owner : model_->slot_owners()) names.push_back(model_->slot_name(owner));
        std::string text;
        for (int n = random_.between(1, 3); n > 0; --n) {
            const std::string& name = random_.one_of(names);
            switch (random_.below(8)) {
                case 0: text += "-" + name; break;
                case 1: text += "(" + name + " & 3)"; break;
                case 2: text += name + " * 3 - " + random_.one_of(names); break;
                case 3: text += name + " + " + random_.one_of(names); break;
                case 4: text += "(" + name + " < " + random_.one_of(names) + ")"; break;
                case 5: text += random_.chance(30) ? "9 / " + name : name + " / 2"; break;
                default: text += name;
            }
            if (n > 1) text += ", ";
        }
        support::Result<progress::Measure> measure = progress::parse_measure(*model_, text);
        require(static_cast<bool>(measure), "the measure " + text + " is not understood");
        return std::move(measure->program);
    }

    // Packed as searches begin; or with full width; or so narrowly that nearly every new value needs repacking.
    successor::Layout layout() {
        if (random_.chance(25)) return successor::Layout::declared(*model_);
        std::vector<model::Range> ranges;
        for (const model::Value v : model_->initial) ranges.push_back({v, v});
        return successor::Layout::observed(*model_,
                                           random_.chance(5) ? ranges : successor::observe_ranges(*model_, kUnlimited));
    }

    void use(std::unique_ptr<successor::System> native) {
        native_ = std::move(native);
        plain_ = successor::make_interpreted_system(model_, labels_, *native_->layout(), key_);
        native_expander_ = native_->expander();
        plain_expander_ = plain_->expander();
        words_ = native_->state_words();
    }

    // False: it has no key, and no search would continue.
    bool add(const std::vector<successor::Word>& state) {
        if (states_.size() == kMostStates || !known_.insert(state).second) return true;
        states_.push_back(state);
        const std::optional<successor::Key> key = plain_expander_->key(state.data());
        require(native_expander_->key(state.data()) == key, "key of a state");
        if (!key) {
            ++found_.key_undefined;
            return false;
        }
        std::vector<std::uint64_t> native_bits(native_->label_words());
        std::vector<std::uint64_t> plain_bits(plain_->label_words());
        std::vector<model::FaultKind> native_faults(labels_.size());
        std::vector<model::FaultKind> plain_faults(labels_.size());
        native_expander_->labels(state.data(), native_bits.data(), native_faults.data());
        plain_expander_->labels(state.data(), plain_bits.data(), plain_faults.data());
        require(native_bits == plain_bits && native_faults == plain_faults, "labels of a state");
        return true;
    }

    void search() {
        std::size_t next = 0;
        while (next < states_.size() && found_.key_undefined == 0) {
            const std::size_t count = std::min(states_.size() - next, 1 + random_.below(64));
            const std::optional<Expanded> awake = compare(next, count, nullptr);
            if (!awake) continue;
            if (native_->commuting() != nullptr) {
                std::vector<successor::SleepSet> asleep(count);
                for (successor::SleepSet& set : asleep) set = random_.chance(20) ? 0 : random_.next() & random_.next();
                if (!compare(next, count, asleep.data())) continue;
            }
            for (const Entry& entry : awake->entries) {
                if (entry.fault != model::FaultKind::none) ++found_.faulty;
                else if (!add(entry.state)) return;
            }
            found_.successors += awake->entries.size();
            next += count;
        }
    }

    // Nothing: the fields were too narrow; now they are wider, with the states repacked.
    std::optional<Expanded> compare(std::size_t first, std::size_t count, const successor::SleepSet* asleep) {
        const std::string with = asleep != nullptr ? " with sleep sets" : "";
        std::vector<successor::Word> sources;
        for (std::size_t i = first; i < first + count; ++i)
            sources.insert(sources.end(), states_[i].begin(), states_[i].end());
        const Expanded native = expand_all(*native_expander_, sources, words_, asleep, capacity_);
        Expanded plain = expand_all(*plain_expander_, sources, words_, asleep, capacity_);
        const std::size_t both = std::min(native.entries.size(), plain.entries.size());
        for (std::size_t i = 0; i < both; ++i)
            require(native.entries[i] == plain.entries[i], describe(native.entries[i], plain.entries[i]) + with);
        if (native.end == successor::Expansion::needs_repacking) {
            // Machine code also says so of a value that is overwritten in the same step, which the interpreter never
            // packs.
            require(native.entries.size() == both, "machine code goes on where the interpreter stops" + with);
            widen();
            return std::nullopt;
        }
        require(native.entries.size() == plain.entries.size(),
                fmt::format("{} successors, interpreted {}{}", native.entries.size(), plain.entries.size(), with));
        require(native.end == plain.end && native.stopped_in == plain.stopped_in, "where the expansion ends" + with);
        require(native.skipped == plain.skipped, "numbers of steps asleep" + with);
        if (plain.end == successor::Expansion::key_undefined) ++found_.key_undefined;
        return plain;
    }

    static std::string describe(const Entry& native, const Entry& plain) {
        const auto text = [](const Entry& e) {
            return fmt::format("source {} transition {} fault {} marks {} key {} asleep {:x} state {:x}", e.source,
                               e.transition, model::to_string(e.fault), e.marks, static_cast<std::uint64_t>(e.key),
                               e.asleep, fmt::join(e.state, " "));
        };
        return "machine code: " + text(native) + "; interpreted: " + text(plain);
    }

    void widen() {
        // Each repacking makes a field at least a bit wider, and after a few all have their declared widths.
        require(++found_.with_wider_fields <= 20, "no packing is wide enough");
        std::unique_ptr<successor::System> wider = native_->with_wider_fields(*native_expander_);
        require(wider->compile_seconds() > native_->compile_seconds(), "the wider system is not compiled");
        const successor::Repacking repacking = wider->repacking(*native_);
        known_.clear();
        for (std::vector<successor::Word>& state : states_) {
            std::vector<successor::Word> repacked(wider->state_words());
            repacking(state.data(), repacked.data());
            known_.insert(repacked);
            state = std::move(repacked);
        }
        use(std::move(wider));
    }

    void count(Tally& tally) const {
        ++tally.models;
        tally.composed += successor::is_composed(*model_) ? 1 : 0;
        tally.observed += successor::is_observed(*model_) ? 1 : 0;
        tally.faulty += found_.faulty > 0 ? 1 : 0;
        tally.keyed += key_.components.empty() ? 0 : 1;
        tally.key_undefined += found_.key_undefined;
        tally.sleeping += native_->commuting() != nullptr ? 1 : 0;
        tally.with_wider_fields += found_.with_wider_fields > 0 ? 1 : 0;
        tally.states += states_.size();
        tally.successors += found_.successors;
    }

    std::shared_ptr<const model::Model> model_;
    RandomNumbers random_;
    std::size_t capacity_;  // of batches: also some that do not hold the successors of one state
    successor::KeyProgram key_;
    std::vector<model::Expression> labels_;
    std::unique_ptr<successor::System> native_;
    std::unique_ptr<successor::System> plain_;  // with the same packing
    std::unique_ptr<successor::Expander> native_expander_;
    std::unique_ptr<successor::Expander> plain_expander_;
    std::size_t words_ = 0;
    std::vector<std::vector<successor::Word>> states_;  // in the order of discovery
    std::set<std::vector<successor::Word>> known_;
    Tally found_;
};

// Skips texts that are not valid models.
void compare_native(const std::string& text, const std::vector<std::string>& conditions, std::uint64_t seed,
                    Tally& tally) {
    const bool wrap = seed % 5 == 4;
    const support::Result<input::LoadedModel> loaded = input::load_model_text("random.dve", text, {wrap, true});
    if (!loaded) return;
    // With a property process the model is two systems. They are compiled in turn rather than both: that takes most of
    // the time.
    if (loaded->model->observer && seed % 2 == 1) {
        const support::Result<input::LoadedModel> alone = input::load_model_text("random.dve", text, {wrap, false});
        if (!alone) return;
        NativeComparison(alone->model, conditions, seed).run(tally);
    } else {
        NativeComparison(loaded->model, conditions, seed).run(tally);
    }
}

std::uint64_t number(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(NativeSuccessors, AreTheInterpreters) {
    const std::uint64_t count = number("TIDELINE_RANDOM_MODELS", 150);
    const std::uint64_t first = number("TIDELINE_RANDOM_SEED", 0);
    Tally tally;
    for (std::uint64_t seed = first; tally.models < count && seed < first + count + count / 5; ++seed) {
        const RandomModel model = random_model(seed);
        try {
            compare_native(model.text, model.invariants, seed, tally);
        } catch (const Disagreement& found) {
            const std::string small = shrink_dve_model(model.text, [&](const std::string& text) {
                Tally ignored;
                try {
                    compare_native(text, model.invariants, seed, ignored);
                    return false;
                } catch (const Disagreement&) {
                    return true;
                }
            });
            FAIL() << "seed " << seed << ": " << found.text << "\n" << small;
        }
    }
    // Nearly all models are valid, and everything that is compared occurs: otherwise this test shows little.
    EXPECT_EQ(tally.models, count);
    EXPECT_GE(tally.composed + tally.observed, count / 10);
    EXPECT_GE(tally.composed, count / 20);
    EXPECT_GE(tally.observed, count / 20);
    EXPECT_GE(tally.faulty, count / 20);
    EXPECT_GE(tally.keyed, count / 4);
    EXPECT_GE(tally.sleeping, count / 4);
    EXPECT_GE(tally.with_wider_fields, count / 100);
    fmt::print(
        "{} models, {} states, {} successors; models composed {}, observed {}, with faults {}, measures {} (not defined everywhere {}), "
        "sleep sets {}, with_wider_fields {}\n",
        tally.models, tally.states, tally.successors, tally.composed, tally.observed, tally.faulty, tally.keyed,
        tally.key_undefined, tally.sleeping, tally.with_wider_fields);
}

}  // namespace
}  // namespace tideline::differential
