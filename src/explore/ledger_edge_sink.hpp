// The edges of a search with a ledger: a sink that writes them in the order of their sources' numbers.
//
// States get consecutive numbers when they are popped, thread after thread, and are expanded by several threads at a
// time, in several batches each. The rows of each thread are gathered, and between rounds written as far as nothing
// before them is missing. When everything that was popped is expanded, nothing is left here.
#pragma once

#include <cassert>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "explore/edge_sink.hpp"
#include "ledger/ledger.hpp"

namespace tideline::explore {

class LedgerEdgeSink final : public EdgeSink {
public:
    // The writer must outlive the sink. Rows begin with the number of the next state that it appends.
    explicit LedgerEdgeSink(ledger::LedgerWriter& writer)
        : writer_(writer), has_marks_(writer.header().marks), next_(writer.states()) {}

    [[nodiscard]] EdgeNeed need() const override { return EdgeNeed::edges; }

    void begin(const EdgeStreamInfo& info) override {
        threads_.resize(info.threads);
        counts_.resize(info.threads);
    }

    void batch(unsigned thread, const EdgeBatch& batch) override {
        std::deque<Rows>& runs = threads_[thread];
        // What is written and not continued has no run.
        if (!runs.empty() && runs.back().is_empty() && !batch.continued) runs.pop_back();
        if (runs.empty() || batch.sources.front() != runs.back().next()) {
            assert(!batch.continued && (runs.empty() || runs.back().open == 0) &&
                   "a row is continued by its thread, at once");
            runs.emplace_back().first = batch.sources.front();
        }
        Rows& rows = runs.back();
        counts_[thread] += batch.targets.size();
        rows.targets.insert(rows.targets.end(), batch.targets.begin(), batch.targets.end());
        rows.transitions.insert(rows.transitions.end(), batch.transitions.begin(), batch.transitions.end());
        if (has_marks_) {
            assert(batch.marks.size() == batch.targets.size() && "an edge stream gives the marks of all edges");
            rows.marks.insert(rows.marks.end(), batch.marks.begin(), batch.marks.end());
        }
        std::uint32_t begin = 0;
        for (const std::uint32_t end : batch.ends) {
            rows.degrees.push_back(rows.open + end - begin);
            rows.open = 0;
            begin = end;
        }
        rows.open += static_cast<std::uint32_t>(batch.targets.size()) - begin;
    }

    // Writes what is complete.
    void end_round() override {
        for (bool has_written = true; has_written;) {
            has_written = false;
            for (std::deque<Rows>& runs : threads_) {
                if (runs.empty() || runs.front().first != next_ || runs.front().degrees.empty()) continue;
                write(runs.front());
                has_written = true;
                if (runs.size() > 1) runs.pop_front();  // the next one has begun, so this one is complete
            }
        }
    }
    bool end_layer(const LayerEnd& /*layer*/) override { return true; }
    void finish(support::StopReason /*reason*/) override {}

    [[nodiscard]] bool empty() const { return next_ == writer_.states(); }
    // Edges that it was given since it was asked before.
    [[nodiscard]] std::uint64_t take_count() {
        std::uint64_t count = 0;
        for (std::uint64_t& each : counts_) count += std::exchange(each, 0);
        return count;
    }

private:
    // Of states with consecutive numbers; edges behind the last complete row belong to the one that is open.
    struct Rows {
        StateNumber first = 0;
        std::vector<std::uint32_t> degrees;
        std::vector<std::uint64_t> targets;
        std::vector<std::uint64_t> transitions;
        std::vector<std::uint64_t> marks;  // where the ledger has them
        std::uint32_t open = 0;
        [[nodiscard]] StateNumber next() const { return first + degrees.size(); }
        [[nodiscard]] bool is_empty() const { return degrees.empty() && targets.empty(); }
    };

    void write(Rows& rows) {
        const std::size_t complete = rows.targets.size() - rows.open;
        writer_.append_edges(rows.degrees, std::span(rows.targets).first(complete),
                             std::span(rows.transitions).first(complete),
                             std::span(rows.marks).first(has_marks_ ? complete : 0));
        next_ = rows.first += rows.degrees.size();
        rows.degrees.clear();
        rows.targets.erase(rows.targets.begin(), rows.targets.begin() + static_cast<std::ptrdiff_t>(complete));
        rows.transitions.erase(rows.transitions.begin(),
                               rows.transitions.begin() + static_cast<std::ptrdiff_t>(complete));
        if (has_marks_)
            rows.marks.erase(rows.marks.begin(), rows.marks.begin() + static_cast<std::ptrdiff_t>(complete));
    }

    ledger::LedgerWriter& writer_;
    bool has_marks_;                         // the ledger has a column of acceptance marks
    StateNumber next_;                       // the state whose edges are to be written next
    std::vector<std::deque<Rows>> threads_;  // runs of consecutive numbers, which ascend
    std::vector<std::uint64_t> counts_;      // of edges, by thread
};

}  // namespace tideline::explore
