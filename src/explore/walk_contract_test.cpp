// Every walk, driven by random calls within the contract of walk.hpp, on random small systems, against plain sets.
#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "explore/breadth_first.hpp"
#include "explore/depth_first.hpp"
#include "explore/exact_sweep.hpp"
#include "explore/joint_breadth_first.hpp"
#include "explore/sweep.hpp"
#include "explore/walk.hpp"
#include "ledger/sample_ledger.hpp"
#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::explore {
namespace {

using namespace model::examples;
using State = std::vector<model::Value>;

// A random graph; nodes are numbers from a wide range, so that narrow packings have to be repacked, and have a random
// progress in a table.
struct RandomSystem {
    explicit RandomSystem(std::uint64_t seed) {
        std::mt19937_64 random(seed);
        const model::VariableId node = add_scalar(model, "node", {0, 1000000}, 0);
        const std::size_t n = 1 + random() % 60;
        std::vector<model::Value> value{0};
        while (value.size() < n)
            value.push_back(value.back() + 1 + static_cast<model::Value>(random() % (random() % 2 == 0 ? 3 : 3000)));
        std::vector<model::Value> progress(static_cast<std::size_t>(value.back()) + 1);
        const bool monotonic = random() % 3 == 0;
        for (std::size_t i = 0; i < n; ++i)
            progress[static_cast<std::size_t>(value[i])] =
                static_cast<model::Value>(monotonic ? i * 8 / n : random() % 8);
        model.tables.push_back({"progress", std::move(progress), true, std::nullopt});
        for (std::size_t from = 0; from < n; ++from) {
            for (std::size_t degree = random() % 5; degree > 0; --degree) {
                model::Transition transition;
                transition.guards.push_back(
                    model::Expression::binary(model::Op::equal, model.read(node), number(value[from])));
                const std::size_t to = monotonic ? from + random() % (n - from) : random() % n;
                transition.effects.emplace_back(assign(node, number(value[to])));
                model.add_transition(transition);
            }
        }
        // Some states take several words.
        for (std::uint64_t i = random() % 3 * 3; i > 0; --i)
            add_scalar(model, "other" + std::to_string(i), {0, std::numeric_limits<std::int32_t>::max()},
                       static_cast<model::Value>(i));
    }

    [[nodiscard]] std::shared_ptr<const successor::System> packed(bool narrow) const {
        std::vector<model::Range> seen;
        for (const model::Value value : model.initial) seen.push_back({value, value});
        return successor::make_interpreted_system(
            std::make_shared<const model::Model>(model), {},
            narrow ? successor::Layout::observed(model, seen) : successor::Layout::declared(model),
            successor::KeyProgram{{{model::Expression::table(0, model.read(0)), 0, 3}}});
    }

    model::Model model;
};

// What is reachable, by the slow interface of the system: distances and keys.
struct Truth {
    explicit Truth(const successor::System& system) {
        const std::unique_ptr<successor::Expander> expander = system.expander();
        std::deque<std::vector<successor::Word>> queue{system.initial_states().front()};
        distance[system.decode(queue.front().data())] = 0;
        for (; !queue.empty(); queue.pop_front()) {
            const State from = system.decode(queue.front().data());
            key[from] = *expander->key(queue.front().data());
            for (const successor::StepDetail& step : system.steps(queue.front().data()))
                if (distance.try_emplace(system.decode(step.next.data()), distance[from] + 1).second)
                    queue.push_back(step.next);
        }
    }
    std::map<State, std::uint64_t> distance;
    std::map<State, successor::Key> key;
};

// How each walk is made. What a walk needs beside the setup lives here.
template <class W>
struct Maker {
    std::unique_ptr<W> make(const WalkSetup& setup) { return std::make_unique<W>(setup); }
    std::unique_ptr<W> resume(const WalkSetup& /*setup*/, Owner /*owner*/) { return nullptr; }
};
template <>
struct Maker<Sweep> {
    std::unique_ptr<Sweep> make(const WalkSetup& setup) { return std::make_unique<Sweep>(setup, false); }
    std::unique_ptr<Sweep> resume(const WalkSetup& /*setup*/, Owner /*owner*/) { return nullptr; }
};

template <bool kByLevel, bool kEdges>
struct LedgerWalk : ExactSweep {
    using ExactSweep::ExactSweep;
};
template <bool kByLevel, bool kEdges>
struct Maker<LedgerWalk<kByLevel, kEdges>> {
    using W = LedgerWalk<kByLevel, kEdges>;
    std::unique_ptr<W> make(const WalkSetup& setup) {
        ledger::LedgerSettings settings;
        settings.files = std::make_shared<ledger::sample::UnsyncedFiles>();
        const std::string description = "{\"packing\": " + packing_description(setup.system) + "}";
        writer = ledger::LedgerWriter::create(
            folder / "ledger", ledger_header(setup.system, kEdges ? Recorded::edges : Recorded::tree, description),
            settings);
        run.emplace(LedgerRun{*writer});
        run->streamed_above = 4;  // so that small layers are streamed, too
        return std::make_unique<W>(setup, *run, kByLevel);
    }
    // As a search that was killed behind its last checkpoint.
    std::unique_ptr<W> resume(const WalkSetup& setup, Owner owner) {
        writer.reset();
        writer = ledger::LedgerWriter::reopen(folder / "ledger");
        run.emplace(LedgerRun{*writer});
        run->streamed_above = 4;
        run->resumed = true;
        run->saved = parse_saved_search(writer->engine());
        std::unique_ptr<W> walk = std::make_unique<W>(setup, *run, kByLevel);
        walk->load_open_states(owner);
        return walk;
    }

    ledger::sample::TemporaryDirectory folder;
    std::unique_ptr<ledger::LedgerWriter> writer;
    std::optional<LedgerRun> run;
};

// Plays the threads of a search, one call after the other, in random order.
template <Walk W>
class RandomDriver {
public:
    RandomDriver(const RandomSystem& random_system, std::uint64_t seed)
        : random_(seed),
          wide_(random_system.packed(false)),
          system_(random_() % 2 == 0 ? random_system.packed(true) : wide_),
          truth_(*wide_),
          workers_(has_one_partition() ? 1 : 1 + random_() % 3),
          owner_(workers_.size()) {
        walk_ = maker_.make(setup());
        for (Worker& worker : workers_) worker.expander = system_->search_expander();
    }

    void run() {
        insert_initial();
        advance();
        while (!is_complete_ && !testing::Test::HasFailure()) {
            Worker& worker = workers_[random_() % workers_.size()];
            switch (random_() % 8) {
                case 0: pop(worker); break;
                case 1: insert(); break;
                case 2: repack_at_random(); break;
                case 3: relieve(); break;
                case 4:
                    if (!is_quiet()) break;
                    checkpoint();
                    if (walk_->ready() == 0) advance();
                    break;
                default: expand(worker); break;
            }
        }
        if (testing::Test::HasFailure()) return;
        expect_everything_was_popped();
        EXPECT_FALSE(walk_->advance(owner_)) << "a walk that is complete stays so";
    }

private:
    static constexpr WalkTraits kTraits = W::kTraits;
    static constexpr bool has_one_partition() {
        return kTraits.discovers_on_pop() || std::is_same_v<W, BreadthFirst<NumberedVisitedStates>>;
    }

    // The state of a worker of a search: what was popped, and how far it is expanded.
    struct Worker {
        std::unique_ptr<successor::Expander> expander;
        std::vector<successor::Word> states;
        std::size_t count = 0;
        successor::Cursor cursor{};
        std::uint64_t first_number = 0;
        [[nodiscard]] bool has_work() const { return cursor.state < count; }
    };
    // A batch that some partitions have not inserted their entries of yet.
    struct Sent {
        std::unique_ptr<successor::SuccessorBatch> batch;
        std::set<std::size_t> left;
        bool is_last;  // of what was popped
    };

    [[nodiscard]] WalkSetup setup() const {
        return {*system_, unlimited_, static_cast<unsigned>(workers_.size()), nullptr};
    }
    [[nodiscard]] State decode(const successor::Word* state) const { return system_->decode(state); }
    [[nodiscard]] bool is_quiet() const {
        return sent_.empty() &&
               std::none_of(workers_.begin(), workers_.end(), [](const Worker& worker) { return worker.has_work(); });
    }

    void insert_initial() {
        const std::vector<successor::Word> initial = system_->initial_states().front();
        const std::uint64_t hash = successor::hash_state(initial.data(), initial.size());
        walk_->partition(owner_(hash)).insert_initial(initial.data(), hash, truth_.key.at(decode(initial.data())));
        visited_.insert(decode(initial.data()));
    }

    void pop(Worker& worker) {
        if (worker.has_work()) return;
        const std::size_t most = kTraits.discovers_on_pop() ? 1 : 1 + random_() % 9;
        const std::size_t words = system_->state_words();
        const std::uint64_t ready = walk_->ready();
        worker.states.assign(most * words, ~successor::Word{0});
        worker.cursor = {};
        const auto index = static_cast<std::size_t>(&worker - workers_.data());
        worker.count = walk_->partition(index).pop_batch(worker.states.data(), nullptr, most);
        ASSERT_LE(worker.count, most);
        if (!kTraits.discovers_on_pop()) {
            ASSERT_EQ(walk_->ready(), ready - worker.count);
        }
        for (std::size_t i = 0; i < worker.count; ++i) note_popped(decode(worker.states.data() + i * words));
        if constexpr (kTraits.records())
            if (worker.count > 0) {
                worker.first_number = walk_->record(index, {});
                ASSERT_EQ(worker.first_number + worker.count, popped_.size()) << "numbers are consecutive";
                for (std::size_t i = 0; i < worker.count; ++i)
                    note_number(decode(worker.states.data() + i * words), worker.first_number + i);
            }
    }

    // A number names one state, whatever happens. A state has one number; where it is recorded, its index in the
    // ledger, and temporary ones before it has that.
    void note_numbers(typename W::Partition& partition, const successor::SuccessorBatch& batch,
                      const std::vector<std::uint32_t>& mine) {
        const auto pick = [&](std::size_t j) { return mine[j]; };
        std::vector<std::uint64_t> numbers(batch.size());
        if constexpr (requires { partition.give_numbers(pick, numbers); }) {
            if (kTraits.records() && !is_numbered_ledger()) return;
            partition.give_numbers(pick, numbers);
            for (const std::uint32_t i : mine) note_number(decode(batch.state(i)), numbers[i]);
        }
    }
    void note_number(const State& state, std::uint64_t number) {
        ASSERT_EQ(state_of_.try_emplace(number, state).first->second, state);
        if ((number & kTemporary) != 0) return;
        ASSERT_EQ(number_of_.try_emplace(state, number).first->second, number);
    }
    [[nodiscard]] static constexpr bool is_numbered_ledger() {
        return std::is_same_v<W, LedgerWalk<false, true>> || std::is_same_v<W, LedgerWalk<true, true>>;
    }

    void note_popped(const State& state) {
        ASSERT_TRUE(truth_.distance.contains(state)) << "it is reachable";
        ASSERT_TRUE(visited_.contains(state)) << "it was discovered";
        ASSERT_TRUE(popped_in_sweep_.insert(state).second) << "it is popped once";
        popped_.insert(state);
        if constexpr (kTraits.by_levels()) {
            ASSERT_GE(truth_.distance.at(state), level_);
            level_ = truth_.distance.at(state);
        } else if (kTraits.order == ExpansionOrder::keys && !is_by_level()) {
            const successor::Key key = truth_.key.at(state);
            ASSERT_TRUE(!key_ || *key_ == key) << "one key between two advances";
            ASSERT_TRUE(!last_key_ || *last_key_ <= key) << "keys ascend within a sweep";
            key_ = last_key_ = key;
        }
    }
    [[nodiscard]] static constexpr bool is_by_level() {
        return std::is_same_v<W, LedgerWalk<true, false>> || std::is_same_v<W, LedgerWalk<true, true>>;
    }

    void expand(Worker& worker) {
        if (!worker.has_work()) return;
        Sent& sent = sent_.emplace_back(
            Sent{std::make_unique<successor::SuccessorBatch>(system_->state_words(), 1 + random_() % 6), {}, false});
        sent.batch->restart(worker.cursor.state);
        const successor::Expansion expansion =
            worker.expander->expand(worker.states.data(), worker.count, worker.cursor, *sent.batch);
        sent.batch->compute_hashes();
        if constexpr (kTraits.records()) sent.batch->set_first_number(worker.first_number + sent.batch->first_source());
        sent.is_last = !worker.has_work();
        if (kTraits.shared_tables) {
            sent.left.insert(static_cast<std::size_t>(&worker - workers_.data()));
        } else {
            for (std::size_t i = 0; i < workers_.size(); ++i) sent.left.insert(i);
        }
        if (kTraits.discovers_on_pop()) insert();  // before the next one is entered
        if (expansion != successor::Expansion::needs_repacking) return;
        while (!sent_.empty()) insert();
        repack(worker.expander.get());
    }

    // One partition's entries of a batch.
    void insert() {
        if (sent_.empty()) return;
        const auto sent = sent_.begin() + static_cast<std::ptrdiff_t>(random_() % sent_.size());
        const std::size_t partition =
            *std::next(sent->left.begin(), static_cast<std::ptrdiff_t>(random_() % sent->left.size()));
        sent->left.erase(partition);
        const successor::SuccessorBatch& batch = *sent->batch;
        std::vector<std::uint32_t> mine;
        for (std::size_t i = 0; i < batch.size(); ++i)
            if (kTraits.shared_tables || owner_(batch.hash(i)) == partition)
                mine.push_back(static_cast<std::uint32_t>(i));
        std::vector<std::uint32_t> discovered;
        walk_->partition(partition).insert_successors(
            batch, mine.size(), [&](std::size_t j) { return mine[j]; }, discovered);
        note_numbers(walk_->partition(partition), batch, mine);
        ASSERT_TRUE(std::is_sorted(discovered.begin(), discovered.end()));
        std::set<std::uint32_t> found(discovered.begin(), discovered.end());
        ASSERT_EQ(found.size(), discovered.size());
        for (const std::uint32_t i : mine) {
            const State state = decode(batch.state(i));
            const bool is_new = visited_.insert(state).second;
            if (kTraits.discovers_on_pop()) continue;
            if (is_new) {
                ASSERT_TRUE(found.contains(i)) << "an unknown state is discovered";
            }
            if (kTraits.retention == Retention::all) {
                ASSERT_EQ(found.contains(i), is_new);
            }
            found.erase(i);
        }
        ASSERT_TRUE(found.empty()) << "what is discovered was inserted";
        if (sent->is_last && sent->left.empty()) walk_->partition(partition).expanded();
        if (sent->left.empty()) sent_.erase(sent);
        if (kTraits.retention == Retention::all && !kTraits.discovers_on_pop()) {
            ASSERT_EQ(walk_->states(), visited_.size());
        }
    }

    void advance() {
        ASSERT_TRUE(is_quiet());
        const std::uint64_t sweeps = counted().sweeps;
        key_.reset();
        is_complete_ = !walk_->advance(owner_);
        if (is_complete_) {
            ASSERT_EQ(walk_->ready(), 0U);
            ASSERT_EQ(counted().waiting, 0U);
            return;
        }
        ASSERT_GT(walk_->ready(), 0U);
        if (counted().sweeps == sweeps) return;
        last_key_.reset();
        if (kTraits.forgets()) popped_in_sweep_.clear();
    }
    [[nodiscard]] Statistics counted() const {
        Statistics statistics;
        walk_->count(statistics);
        return statistics;
    }

    // Sometimes to the widest packing, without need.
    void repack_at_random() {
        if (random_() % 8 == 0 && sent_.empty() && system_ != wide_) repack(nullptr);
    }
    void repack(const successor::Expander* stopped) {
        const std::uint64_t ready = walk_->ready();
        const std::uint64_t states = walk_->states();
        std::shared_ptr<const successor::System> wider =
            stopped == nullptr ? wide_ : std::shared_ptr(system_->with_wider_fields(*stopped));
        const successor::Repacking translate = wider->repacking(*system_);
        walk_->repack(*wider, translate, owner_);
        for (Worker& worker : workers_) {
            std::vector<successor::Word> states_before = std::exchange(worker.states, {});
            worker.states.resize(worker.count * wider->state_words());
            for (std::size_t i = 0; i < worker.count; ++i)
                translate(states_before.data() + i * system_->state_words(),
                          worker.states.data() + i * wider->state_words());
            worker.expander = wider->search_expander();
        }
        system_ = std::move(wider);
        // A layer that is split is begun again.
        if (!kTraits.records() || walk_->ready() != 0) {
            ASSERT_EQ(walk_->ready(), ready);
        }
        ASSERT_EQ(walk_->states(), states);
    }

    // What only a walk with a ledger does.
    void relieve() {
        if constexpr (kTraits.records()) {
            const std::uint64_t ready = walk_->ready();
            if (random_() % 4 == 0) (void)walk_->spill(1 + random_() % 1000);
            ASSERT_EQ(walk_->ready(), ready);
        }
    }
    void checkpoint() {
        if constexpr (kTraits.records()) {
            if (random_() % 4 != 0) return;
            SavedSearch saved;
            saved.statistics = counted();
            walk_->checkpoint(std::move(saved));
            if (random_() % 3 == 0) {
                maker_.writer->wait();
                walk_.reset();
                walk_ = maker_.resume(setup(), owner_);
                for (Worker& worker : workers_) worker = {system_->search_expander(), {}, 0, {}, 0};
                advance();
            } else if (random_() % 3 == 0 && walk_->split_layer()) {
                ASSERT_EQ(walk_->ready(), 0U);
                advance();
            }
        }
    }

    void expect_everything_was_popped() {
        std::set<State> reachable;
        for (const auto& [state, distance] : truth_.distance) reachable.insert(state);
        EXPECT_EQ(popped_, reachable);
        const Statistics statistics = counted();
        if (!kTraits.forgets() || statistics.states_exact) {
            EXPECT_EQ(statistics.states, reachable.size());
        }
    }

    std::mt19937_64 random_;
    store::MemoryBudget unlimited_ = [](std::uint64_t) { return true; };
    std::shared_ptr<const successor::System> wide_;
    std::shared_ptr<const successor::System> system_;
    Truth truth_;
    std::vector<Worker> workers_;
    Owner owner_;
    Maker<W> maker_;
    std::unique_ptr<W> walk_;
    std::deque<Sent> sent_;
    bool is_complete_ = false;
    // The model: what was discovered, and what was popped, in this sweep and in all.
    std::set<State> visited_;
    std::set<State> popped_;
    std::set<State> popped_in_sweep_;
    std::map<State, std::uint64_t> number_of_;
    std::map<std::uint64_t, State> state_of_;
    std::uint64_t level_ = 0;
    std::optional<successor::Key> key_;       // since the last advance
    std::optional<successor::Key> last_key_;  // in this sweep
};

template <class W>
class WalkContract : public testing::Test {};

using Walks =
    testing::Types<BreadthFirst<PlainVisitedStates>, BreadthFirst<CompressedVisitedStates>,
                   BreadthFirst<NumberedVisitedStates>, JointBreadthFirst, NumberedJointBreadthFirst, DepthFirst, Sweep,
                   LedgerWalk<false, false>, LedgerWalk<true, false>, LedgerWalk<false, true>, LedgerWalk<true, true>>;
TYPED_TEST_SUITE(WalkContract, Walks);

TYPED_TEST(WalkContract, HoldsWhateverIsCalledWhen) {
    static_assert(Walk<TypeParam>);
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        SCOPED_TRACE(seed);
        RandomDriver<TypeParam>(RandomSystem(seed / 3), seed).run();
        ASSERT_FALSE(testing::Test::HasFailure());
    }
}

}  // namespace
}  // namespace tideline::explore
