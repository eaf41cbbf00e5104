// The spanning tree of a sweep that forgets its layers, written to a ledger as the sweep leaves them (survey of 2012,
// section 3.1): the states of a layer in the order of their discovery, each with the number of the state that it was
// discovered from. Nothing is read back. The ledger has its only commit at the end of the sweep.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "explore/ledger_run.hpp"
#include "store/numbered_table.hpp"
#include "successor/system.hpp"

namespace tideline::check::ctl {

class LayerTree {
public:
    // A ledger without states. It must outlive this.
    LayerTree(explore::LedgerRun& run, const successor::System& system)
        : run_(run), packings_(run.writer, system), words_(system.state_words()), bytes_(system.state_bytes()) {}

    // A state of the layer with this key is new.
    void add_initial(successor::Key key) { columns_of(key).add(kInitial, 0); }
    // From the state of this number in the current layer.
    void add(successor::Key key, std::uint64_t source, model::TransitionId transition) {
        columns_of(key).add(first_ + source, transition);
    }
    // States are packed in another way from here on; those in the tables are, too.
    void change_packing(const successor::System& system) {
        packings_.change(system);
        words_ = system.state_words();
        bytes_ = system.state_bytes();
    }
    // All states of a layer are known: they become part of the ledger. Throws LedgerError.
    void leave(successor::Key key, const store::NumberedTable& states) {
        constexpr std::uint64_t kTogether = 1U << 12U;
        Columns& columns = columns_of(key);
        for (std::uint64_t i = 0; i < columns.parents.size(); ++i)
            if (columns.parents[i] == kInitial) columns.parents[i] = first_ + i;
        std::vector<successor::Word> state(words_);
        std::vector<std::uint8_t> packed;
        for (std::uint64_t done = 0; done < states.size();) {
            const std::uint64_t count = std::min(kTogether, states.size() - done);
            packed.clear();
            for (std::uint64_t i = 0; i < count; ++i) {
                states.read(done + i, state.data());
                const auto* const begin = reinterpret_cast<const std::uint8_t*>(state.data());
                packed.insert(packed.end(), begin, begin + bytes_);
            }
            run_.writer.append_states(key, 0,
                                      {count,
                                       packed,
                                       std::span(columns.parents).subspan(done, count),
                                       std::span(columns.transitions).subspan(done, count),
                                       {}});
            done += count;
        }
        first_ += states.size();
        columns_.erase(key);
        last_ = nullptr;
    }
    // All layers have been left. Throws LedgerError.
    void finish(const explore::Statistics& statistics) {
        explore::SavedSearch saved;
        saved.walk = "scc-ctl";
        saved.complete = true;
        saved.passes = statistics.sweep_details;
        saved.statistics = statistics;
        run_.writer.commit(explore::to_text(saved));
        run_.writer.wait();
    }

private:
    static constexpr std::uint64_t kInitial = ~std::uint64_t{0};
    // By number in the layer.
    struct Columns {
        std::vector<std::uint64_t> parents;
        std::vector<std::uint32_t> transitions;
        void add(std::uint64_t parent, std::uint32_t transition) {
            parents.push_back(parent);
            transitions.push_back(transition);
        }
    };
    [[nodiscard]] Columns& columns_of(successor::Key key) {
        if (last_ == nullptr || key != last_key_) {
            last_ = &columns_[key];
            last_key_ = key;
        }
        return *last_;
    }

    explore::LedgerRun& run_;
    explore::LedgerPackings packings_;
    std::size_t words_;
    std::size_t bytes_;
    std::uint64_t first_ = 0;                    // number of the current layer's first state
    std::map<successor::Key, Columns> columns_;  // of the layers that were not left yet
    Columns* last_ = nullptr;
    successor::Key last_key_ = 0;
};

}  // namespace tideline::check::ctl
