// One search: sets the parts up (the walk, rounds, what reports, what records), begins with the initial state or where
// an interrupted search was, and puts the result together. What an observer may ask while the search runs is answered
// here.
#pragma once

#include <cassert>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "explore/event_reporter.hpp"
#include "explore/ledger_paths.hpp"
#include "explore/logged_paths.hpp"
#include "explore/recorder.hpp"
#include "explore/rounds.hpp"
#include "explore/search.hpp"
#include "explore/search_core.hpp"
#include "explore/thread_team.hpp"

namespace tideline::explore {

template <Walk W>
class Driver final : public SearchView {
public:
    // What is behind the team is for the walk.
    template <class... ForWalk>
    Driver(std::shared_ptr<const successor::System> system, const SearchSettings& settings, SearchObserver& observer,
           ThreadTeam& team, ForWalk&&... for_walk)
        : team_(team),
          core_(std::move(system), settings, observer, team.size(), team.refused(), uses_sleep_sets(settings),
                std::forward<ForWalk>(for_walk)...),
          reporter_(core_, W::kTraits.in_discovery_order() && team.size() == 1 && settings.paths),
          recorder_(core_, reporter_),
          rounds_(core_, reporter_, recorder_, label_bytes(settings)) {
        core_.view = this;
        core_.edges.add(settings.edges);
    }

    SearchResult run() {
        try {
            const bool begun = begin();
            if (begun) {
                begin_edges();
                rounds_.run(team_);
            }
            if constexpr (kRecords) recorder_.finish(begun);
        } catch (const std::bad_alloc&) {
            core_.stop(support::StopReason::memory);
        } catch (const ledger::LedgerError& error) {
            if (error.kind() != ledger::LedgerFault::disk_full && error.kind() != ledger::LedgerFault::limit) {
                core_.edges.finish(support::StopReason::interrupted);
                throw;
            }
            core_.stop(support::StopReason::disk);
        } catch (...) {
            core_.edges.finish(support::StopReason::interrupted);
            throw;
        }
        core_.edges.finish(core_.reason);
        core_.update_statistics();
        if constexpr (W::kTraits.order == ExpansionOrder::keys) core_.statistics.sweep_details = core_.walk.details();
        core_.observer.tick(core_.statistics);
        return {core_.reason == support::StopReason::none && !core_.continues_with,
                core_.reason,
                core_.statistics,
                std::move(core_.offending),
                core_.system,
                W::kTraits.forgets(),
                paths(),
                is_resumable(),
                std::move(core_.continues_with)};
    }

    [[nodiscard]] const successor::System& system() const override { return *core_.system; }
    [[nodiscard]] const Statistics& statistics() const override { return core_.statistics; }
    [[nodiscard]] std::optional<PackedPath> current_path(const support::Budget& budget) override {
        if constexpr (W::kTraits.discovers_on_pop()) {
            const auto& partition = core_.walk.partition(0);
            if (budget.allows(partition.path_length() * core_.system->state_words() * sizeof(successor::Word)))
                return PackedPath{core_.system, partition.path(), {}};
        }
        return std::nullopt;
    }

private:
    static constexpr bool kRecords = W::kTraits.records();

    // Where edges are wanted, every successor is looked up.
    static bool uses_sleep_sets(const SearchSettings& settings) {
        if (!settings.sleep || (settings.edges != nullptr && settings.edges->need() == EdgeNeed::edges)) return false;
        if constexpr (kRecords) return !settings.ledger->writer.header().edges;
        return true;
    }
    static std::size_t label_bytes(const SearchSettings& settings) {
        if constexpr (kRecords) return settings.ledger->writer.header().label_bytes;
        return 0;
    }

    // False: there is nothing to expand, or the search is stopped.
    bool begin() {
        if constexpr (kRecords)
            if (recorder_.resumes()) return recorder_.resume();
        return discover_initial();
    }

    bool discover_initial() {
        const std::vector<std::vector<successor::Word>> initial = core_.system->initial_states();
        for (const std::vector<successor::Word>& state : initial) {
            const std::optional<successor::Key> key = core_.workers[0]->expander->key(state.data());
            if (!key) {
                core_.offending = OffendingStep{state, {}, {}, {}};
                return core_.stop(support::StopReason::no_key);
            }
            const std::uint64_t hash = successor::hash_state(state.data(), state.size());
            core_.workers[core_.owner(hash)]->partition.insert_initial(state.data(), hash, *key);
        }
        if (W::kTraits.discovers_on_pop() || kRecords) return rounds_.advance();
        return reporter_.report_initial(initial) && rounds_.advance();
    }

    void begin_edges() {
        std::vector<StateNumber> initial;
        if constexpr (requires { core_.walk.initial_numbers(); }) initial = core_.walk.initial_numbers();
        else if (W::kTraits.in_discovery_order())
            for (StateNumber i = 0; i < core_.system->initial_states().size(); ++i) initial.push_back(i);
        core_.edges.begin({.threads = team_.size(),
                           .numbering = kRecords                          ? Numbering::recorded
                                        : W::kTraits.in_discovery_order() ? Numbering::discovery
                                                                          : Numbering::unique,
                           .label_words = core_.system->label_words(),
                           .initial = initial,
                           .try_reserve = &core_.limits.memory_budget()});
    }

    [[nodiscard]] bool is_resumable() const {
        if constexpr (kRecords) return recorder_.is_resumable();
        return false;
    }

    // What the search leaves behind for who asks for paths.
    [[nodiscard]] std::shared_ptr<PathSource> paths() {
        if constexpr (kRecords)
            return std::make_shared<LedgerPaths>(core_.system, core_.settings.ledger->writer, core_.walk.packings(),
                                                 core_.settings.ledger->saved.early_states);
        if (!reporter_.keeps_paths()) return nullptr;
        return std::make_shared<LoggedPaths>(core_.system, std::move(reporter_.log()), core_.workers[0]->sleeps);
    }

    ThreadTeam& team_;
    SearchCore<W> core_;
    EventReporter<W> reporter_;
    typename RecorderOf<W>::type recorder_;
    Rounds<W> rounds_;
};

}  // namespace tideline::explore
