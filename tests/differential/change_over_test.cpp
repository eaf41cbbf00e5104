// Searches in memory that change to the sweep at a random moment, on random systems with random measures: every state
// is expanded once, figures, deadlocks, faults and labels are those of a search that does not change, paths are paths,
// and the sweep that continues can be interrupted and resumed, also in another process.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "explore/search.hpp"
#include "input/load.hpp"
#include "progress/measure.hpp"
#include "successor/interpret/interpreted_system.hpp"
#include "tests/differential/interrupted_search.hpp"
#include "tests/differential/random_dve.hpp"
#include "tests/differential/random_graph.hpp"

namespace tideline::differential {
namespace {

using Values = std::vector<model::Value>;

// A system before and after the change.
class Changing {
public:
    virtual ~Changing() = default;
    [[nodiscard]] virtual std::shared_ptr<const successor::System> before() const = 0;
    // With a measure, packed as `now`; null: as it likes.
    [[nodiscard]] virtual std::shared_ptr<const successor::System> after(const successor::Layout* now) const = 0;
};

class ChangingGraph final : public Changing {
public:
    explicit ChangingGraph(std::uint64_t seed) {
        RandomNumbers random(seed);
        graph_ = random_measured_graph(random);
        unlabelled_ = random.below(graph_.edges.size());
    }
    [[nodiscard]] std::shared_ptr<const successor::System> before() const override { return after(nullptr); }
    [[nodiscard]] std::shared_ptr<const successor::System> after(const successor::Layout* /*now*/) const override {
        return system_of(graph_, [&](const model::Model& names) {
            return std::vector{
                model::Expression::binary(model::Op::not_equal, names.read(0),
                                          model::Expression::constant(static_cast<model::Value>(unlabelled_)))};
        });
    }

private:
    RandomGraph graph_;
    std::size_t unlabelled_ = 0;
};

class ChangingModel final : public Changing {
public:
    ChangingModel(std::shared_ptr<const model::Model> model, progress::Measure measure, bool is_narrow)
        : model_(std::move(model)), measure_(std::move(measure)), is_narrow_(is_narrow) {}

    // Null where the text is not usable.
    static std::unique_ptr<ChangingModel> random(std::uint64_t seed) {
        const support::Result<input::LoadedModel> loaded =
            input::load_model_text("random.dve", random_dve_model(seed), {});
        if (!loaded) return nullptr;
        RandomNumbers random(seed);
        std::vector<std::string> names{"7"};
        for (const model::Model::SlotOwner owner : loaded->model->slot_owners())
            names.push_back(loaded->model->slot_name(owner));
        const std::string text =
            (random.chance(50) ? "-(" : "(") + random.one_of(names) + "), " + random.one_of(names) + " & 3";
        support::Result<progress::Measure> measure = progress::parse_measure(*loaded->model, text);
        if (!measure) return nullptr;
        return std::make_unique<ChangingModel>(loaded->model, *std::move(measure), random.chance(50));
    }

    [[nodiscard]] std::shared_ptr<const successor::System> before() const override {
        std::vector<model::Range> seen;
        for (const model::Value value : model_->initial) seen.push_back({value, value});
        return successor::make_interpreted_system(
            model_, {}, is_narrow_ ? successor::Layout::observed(*model_, seen) : successor::Layout::declared(*model_));
    }
    [[nodiscard]] std::shared_ptr<const successor::System> after(const successor::Layout* now) const override {
        return successor::make_interpreted_system(
            model_, {}, now == nullptr ? successor::Layout::declared(*model_) : *now, measure_.program);
    }

private:
    std::shared_ptr<const model::Model> model_;
    progress::Measure measure_;
    bool is_narrow_;
};

class ChangeToLedger final : public explore::ChangeOver {
public:
    ChangeToLedger(const Changing& system, std::string directory) : system_(system), directory_(std::move(directory)) {}

    [[nodiscard]] std::optional<explore::ChangeTarget> prepare(const explore::StatesInMemory& states) override {
        std::uint64_t count = 0;
        states.for_each([&](const successor::Word* /*state*/) { ++count; });
        EXPECT_EQ(count, states.size());
        const std::shared_ptr<const successor::System> system = system_.after(states.system().layout());
        writer_ = create_ledger(directory_, *system);
        run_.emplace(explore::LedgerRun{*writer_});
        run_->streamed_above = streamed_above;
        return explore::ChangeTarget{system, &*run_};
    }
    [[nodiscard]] std::string reason() const override { return "test"; }

    // As a crash would.
    void forget() {
        run_.reset();
        writer_.reset();
    }

    std::uint64_t streamed_above = kNeverStreamed;

private:
    const Changing& system_;
    std::string directory_;
    std::unique_ptr<ledger::LedgerWriter> writer_;
    std::optional<explore::LedgerRun> run_;
};

// What a search has reported. States that are reported again count once.
class Reports final : public PathObserver {
public:
    [[nodiscard]] bool wants_discoveries() const override { return true; }
    [[nodiscard]] std::span<const std::size_t> watched_labels() const override { return watched_; }

    bool discovered(explore::SearchView& search, std::span<const explore::StateRef> found) override {
        for (const explore::StateRef& each : found) {
            states.insert(search.system().decode(each.state));
            if (states.size() % 37 == 0) follow(search, each);
        }
        return true;
    }
    bool label_is_false(explore::SearchView& search, const explore::StateRef& found, std::size_t /*label*/,
                        model::FaultKind /*fault*/) override {
        unlabelled.insert(search.system().decode(found.state));
        follow(search, found);
        return true;
    }
    bool deadlock(explore::SearchView& search, const explore::StateRef& found) override {
        deadlocks.insert(search.system().decode(found.state));
        follow(search, found);
        return true;
    }
    bool faulty(explore::SearchView& search, const explore::StateRef& source, model::TransitionId transition,
                model::FaultKind /*kind*/) override {
        faults.insert({search.system().decode(source.state), transition});
        follow(search, source);
        return true;
    }
    void watch(const successor::System& system) {
        for (std::size_t i = 0; i < system.label_count(); ++i) watched_.push_back(i);
    }

    // Paths to all of them are paths of the system.
    void follow_paths(const explore::SearchResult& result) override {
        if (!result.paths) return;
        const successor::System& system = *result.system;
        const std::vector<std::vector<successor::Word>> initial = system.initial_states();
        for (const auto& [number, values] : followed_) {
            const std::optional<explore::PackedPath> path = result.paths->path_to(number, {});
            ASSERT_TRUE(path);
            EXPECT_EQ(system.decode(path->state(path->size() - 1)), values);
            ASSERT_EQ(path->transitions.size() + 1, path->size());
            const std::vector<successor::Word> first(path->state(0), path->state(0) + path->words());
            ASSERT_NE(std::find(initial.begin(), initial.end(), first), initial.end());
            for (std::size_t i = 0; i + 1 < path->size(); ++i) {
                const std::vector<successor::StepDetail> steps = system.steps(path->state(i));
                ASSERT_TRUE(std::any_of(steps.begin(), steps.end(),
                                        [&](const successor::StepDetail& step) {
                                            return step.fault == model::FaultKind::none &&
                                                   step.transition == path->transitions[i] &&
                                                   std::equal(step.next.begin(), step.next.end(), path->state(i + 1));
                                        }))
                    << "no step from state " << i;
            }
        }
    }

    std::set<Values> states;
    std::set<Values> unlabelled;
    std::set<Values> deadlocks;
    std::set<std::pair<Values, model::TransitionId>> faults;

private:
    void follow(explore::SearchView& search, const explore::StateRef& state) {
        constexpr std::size_t kMost = 12;  // each may take a search
        if (followed_.size() == kMost) return;
        followed_.emplace_back(state.number, search.system().decode(state.state));
    }

    std::vector<std::size_t> watched_;
    std::vector<std::pair<std::uint64_t, Values>> followed_;
};

struct Figures {
    std::uint64_t states = 0;
    std::uint64_t transitions = 0;
    std::uint64_t deadlocks = 0;
    std::uint64_t faults = 0;
    std::uint64_t expanded = 0;
    friend bool operator==(const Figures&, const Figures&) = default;
    friend void PrintTo(const Figures& f, std::ostream* out) {
        *out << f.states << " states, " << f.transitions << " transitions, " << f.deadlocks << " deadlocks, "
             << f.faults << " faults, " << f.expanded << " expanded";
    }
};
Figures figures_of(const explore::Statistics& s) {
    return {s.states, s.transitions, s.deadlocks, s.faults, s.expanded};
}

class ChangeOverTest : public ::testing::Test {
protected:
    void check(const Changing& system, std::uint64_t seed) {
        RandomNumbers random(seed);
        const explore::SearchSettings plain;
        Reports expected;
        const std::shared_ptr<const successor::System> before = system.before();
        expected.watch(*before);
        const explore::SearchResult whole = explore::search(before, explore::WalkOrder::breadth_first, plain, expected);
        ASSERT_TRUE(whole.complete);
        // Keys that cannot be computed end a search.
        const std::shared_ptr<const successor::System> measured = system.after(nullptr);
        if (!has_keys(*measured, expected.states)) return;

        explore::SearchSettings settings;
        settings.threads = random.chance(10) ? 2 : 1;
        settings.alone_below = settings.threads == 2 ? 0 : 4096;
        settings.change_at = 1 + random.below(whole.statistics.states);
        const std::string directory = folder_ / std::to_string(seed);
        ChangeToLedger change(system, directory);
        if (random.chance(50)) change.streamed_above = 2;
        settings.change_over = &change;
        Reports reports;
        reports.watch(*before);
        explore::SearchResult first =
            explore::search(system.before(), explore::WalkOrder::breadth_first, settings, reports);
        if (!first.continues_with) {
            ASSERT_TRUE(first.complete) << "too late for a change";
            EXPECT_EQ(figures_of(first.statistics), figures_of(whole.statistics));
            return;
        }
        ++changes_;
        EXPECT_FALSE(first.complete);
        explore::ChangeTarget target = *first.continues_with;
        first = {};
        explore::SearchSettings after;
        after.threads = random.chance(20) ? 2 : 1;
        after.alone_below = after.threads == 2 ? 0 : 4096;
        after.ledger = target.ledger;
        Reports rest;
        rest.watch(*target.system);
        explore::SearchResult last;
        if (random.chance(50)) {
            last = explore::search(target.system, explore::WalkOrder::sweep, after, rest);
            rest.follow_paths(last);
        } else {
            // The process ends, and others continue, which may be stopped too.
            change.forget();
            const auto make_system = [&](const std::optional<successor::Layout>& layout) {
                return system.after(layout ? &*layout : target.system->layout());
            };
            after.ledger = nullptr;
            for (std::uint64_t attempt = 0; !last.complete; ++attempt) {
                ASSERT_LT(attempt, 500U);
                if (attempt < 20) after.states = 1 + random.below(whole.statistics.states);
                else after.states.reset();
                last = *go_on(make_system, explore::WalkOrder::sweep, directory, after, kOnlyAtTheEnd, rest,
                              {.streamed_above = change.streamed_above});
            }
        }
        ASSERT_TRUE(last.complete);
        EXPECT_EQ(figures_of(last.statistics), figures_of(whole.statistics));
        ASSERT_TRUE(last.statistics.changed_over);
        EXPECT_EQ(last.statistics.changed_over->reason, "test");
        EXPECT_LE(last.statistics.changed_over->states, whole.statistics.states);
        // What was found before the change is found again or was reported then.
        rest.states.insert(reports.states.begin(), reports.states.end());
        EXPECT_EQ(rest.states, expected.states);
        EXPECT_EQ(rest.unlabelled, expected.unlabelled) << "labels are reported again";
        rest.deadlocks.insert(reports.deadlocks.begin(), reports.deadlocks.end());
        EXPECT_EQ(rest.deadlocks, expected.deadlocks);
        rest.faults.insert(reports.faults.begin(), reports.faults.end());
        EXPECT_EQ(rest.faults, expected.faults);
    }

    static bool has_keys(const successor::System& system, const std::set<Values>& states) {
        if (system.layout() == nullptr) return true;
        const std::unique_ptr<successor::Expander> expander = system.expander();
        std::vector<successor::Word> packed(system.state_words());
        return std::all_of(states.begin(), states.end(), [&](const Values& values) {
            return !system.layout()->pack(values.data(), packed.data()) && expander->key(packed.data());
        });
    }

    ledger::sample::TemporaryDirectory folder_;
    std::uint64_t changes_ = 0;
};

TEST_F(ChangeOverTest, GraphsAreExploredAsIfNothingHadHappened) {
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        SCOPED_TRACE(seed);
        check(ChangingGraph(seed), seed);
        if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
    EXPECT_GT(changes_, 300U);
}

TEST_F(ChangeOverTest, ModelsAreExploredAsIfNothingHadHappened) {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const std::unique_ptr<ChangingModel> model = ChangingModel::random(seed);
        if (!model) continue;
        SCOPED_TRACE(seed);
        check(*model, seed);
        if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
    EXPECT_GT(changes_, 50U);
}

}  // namespace
}  // namespace tideline::differential
