#include "graph/graph_builder.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "support/futex.hpp"
#include "support/pause.hpp"

namespace tideline::graph {

void GraphBuilder::OpenRow::clear() {
    targets.clear();
    transitions.clear();
    marks.clear();
}

void GraphBuilder::begin(const explore::EdgeStreamInfo& info) {
    if (info.numbering == explore::Numbering::recorded)
        throw std::invalid_argument("a graph in memory is made by a breadth-first search in memory");
    assert(graph_.label_bytes_ <= info.label_words * sizeof(std::uint64_t));
    try_reserve_ = info.try_reserve;
    numbering_ = info.numbering;
    label_words_ = info.label_words;
    threads_.resize(info.threads);
    for (StateNumber n = 0; n < info.initial.size(); ++n) graph_.initial_.push_back(n);
    graph_.rows_.start(info.initial.size(), try_reserve_);
    graph_.levels_.assign({0});
    if (numbering_ == explore::Numbering::discovery) {
        assert(std::ranges::equal(info.initial, graph_.initial_));
        return;
    }
    for (StateNumber n = 0; n < info.initial.size(); ++n) {
        reserve_final_numbers(info.initial[n] + 1);
        final_numbers_.set(info.initial[n], n + 1);
    }
}

void GraphBuilder::batch(unsigned thread, const explore::EdgeBatch& batch) {
    if (numbering_ == explore::Numbering::discovery) append_in_order(batch);
    else threads_[thread].append(batch, label_words_, graph_.label_bytes_, graph_.labels_kept_);
}

void GraphBuilder::append_labels(std::span<const std::uint64_t> words) {
    const std::size_t bytes = graph_.label_bytes_;
    if (bytes > 0) graph_.labels_.append({reinterpret_cast<const std::uint8_t*>(words.data()), bytes}, try_reserve_);
}

void GraphBuilder::append_in_order(const explore::EdgeBatch& batch) {
    OpenRow& open = open_;
    for (const explore::EdgeBatch::FaultyStep& step : batch.faulty)
        graph_.faulty_.push_back({batch.sources[step.source], step.transition, step.fault});
    for (const explore::EdgeBatch::FaultyLabel& label : batch.faulty_labels)
        if (label.label < graph_.labels_kept_ && !(batch.continued && label.source == 0))
            graph_.faulty_labels_.push_back({batch.sources[label.source], label.label, label.fault});
    std::size_t begin = 0;
    const auto keep = [&](std::size_t end) {
        const auto at = [](std::size_t i) { return static_cast<std::ptrdiff_t>(i); };
        open.targets.insert(open.targets.end(), batch.targets.begin() + at(begin), batch.targets.begin() + at(end));
        open.transitions.insert(open.transitions.end(), batch.transitions.begin() + at(begin),
                                batch.transitions.begin() + at(end));
        open.marks.insert(open.marks.end(), batch.marks.begin() + at(begin), batch.marks.begin() + at(end));
    };
    for (std::size_t i = 0; i < batch.ends.size(); ++i) {
        const std::size_t end = batch.ends[i];
        assert(batch.sources[i] == graph_.rows_.rows() && "rows come in the order of their sources");
        if (label_words_ > 0) append_labels(batch.labels.subspan(i * label_words_, label_words_));
        if (i == 0 && batch.continued) {
            keep(end);
            graph_.rows_.append(open.targets, open.transitions, open.marks);
            open.clear();
        } else {
            graph_.rows_.append(batch.targets.subspan(begin, end - begin),
                                batch.transitions.subspan(begin, end - begin), batch.marks.subspan(begin, end - begin));
        }
        begin = end;
    }
    if (batch.open()) keep(batch.targets.size());
}

bool GraphBuilder::end_layer(const explore::LayerEnd& layer) {
    if (numbering_ == explore::Numbering::unique) {
        reserve_final_numbers(layer.number_bound);
        add_level();
    }
    level_begin_ = graph_.rows_.rows();
    graph_.levels_.push_back(level_begin_);
    assert(graph_.rows_.next_new() == layer.states && "every state that was discovered is the target of an edge");
    graph_.rows_.make_readable();
    return level_added();
}

// The rows of all threads in the order of their sources' final numbers. Numbering the targets and encoding the rows
// take about as long, and the latter follows the former: in a large level two threads do it, while those of the search
// wait.
void GraphBuilder::add_level() {
    const std::uint64_t count = graph_.rows_.next_new() - level_begin_;
    [[maybe_unused]] const std::uint64_t rows = place_rows(level_begin_, count);
    assert(rows == count && "all states of the level have a row");
    add_faulty();
    std::uint64_t edges = 0;
    for (const LevelRows& thread : threads_) edges += thread.edge_count();
    std::atomic<std::uint32_t> numbered = 0;
    std::exception_ptr failure;
    std::jthread encoder;
    if (edges >= kWorthAThread) {
        try {
            encoder = std::jthread([&] {
                try {
                    encode_rows(numbered);
                } catch (...) {
                    failure = std::current_exception();
                }
            });
        } catch (const std::system_error&) {
            // It is done afterwards.
        }
    }
    number_targets(numbered);
    if (encoder.joinable()) encoder.join();
    else encode_rows(numbered);
    if (failure) std::rethrow_exception(failure);
    for (LevelRows& thread : threads_) thread.clear();
}

std::uint64_t GraphBuilder::place_rows(StateNumber first, std::uint64_t count) {
    positions_.assign(count, {});
    std::uint64_t rows = 0;
    for (std::uint32_t t = 0; t < threads_.size(); ++t) {
        const LevelRows& of = threads_[t];
        assert(of.is_whole());
        for (std::size_t r = 0; r < of.size(); ++r) {
            const StateNumber number = id(of.source(r));
            assert(number >= first && number - first < count);
            positions_[number - first] = {of.begin(r), static_cast<std::uint32_t>(of.end(r) - of.begin(r)), t, r};
        }
        rows += of.size();
    }
    return rows;
}

void GraphBuilder::add_faulty() {
    const std::size_t steps_before = graph_.faulty_.size();
    const std::size_t labels_before = graph_.faulty_labels_.size();
    for (LevelRows& thread : threads_) {
        for (MemoryGraph::FaultyStep& step : thread.faulty) {
            step.source = id(step.source);
            graph_.faulty_.push_back(step);
        }
        for (MemoryGraph::FaultyLabel& label : thread.faulty_labels) {
            label.state = id(label.state);
            graph_.faulty_labels_.push_back(label);
        }
    }
    // Those of the levels before are smaller: only this level's are in no order.
    const auto behind = [](auto& all, std::size_t before) { return all.begin() + static_cast<std::ptrdiff_t>(before); };
    std::ranges::stable_sort(behind(graph_.faulty_, steps_before), graph_.faulty_.end(), {},
                             &MemoryGraph::FaultyStep::source);
    std::ranges::stable_sort(behind(graph_.faulty_labels_, labels_before), graph_.faulty_labels_.end(), {},
                             &MemoryGraph::FaultyLabel::state);
}

void GraphBuilder::number_targets(std::atomic<std::uint32_t>& numbered) {
    constexpr std::uint64_t kAhead = 8;  // rows
    const std::uint64_t count = positions_.size();
    StateNumber next = graph_.rows_.next_new();
    for (std::uint64_t i = 0; i < count; ++i) {
        if (i + 2 * kAhead < count) {
            const RowPosition& ahead = positions_[i + 2 * kAhead];
            threads_[ahead.thread].prefetch(ahead.begin);
        }
        if (i + kAhead < count) {
            const RowPosition& ahead = positions_[i + kAhead];
            const LevelRows& of = threads_[ahead.thread];
            for (std::uint64_t e = ahead.begin; e < ahead.begin + ahead.degree; ++e)
                final_numbers_.prefetch(of.target(e));
        }
        const RowPosition& position = positions_[i];
        LevelRows& of = threads_[position.thread];
        for (std::uint64_t e = position.begin; e < position.begin + position.degree; ++e) {
            const StateNumber unique = of.target(e);
            StateNumber number = final_numbers_.get(unique);
            if (number == 0) {
                number = ++next;
                final_numbers_.set(unique, number);
            }
            of.set_target(e, number - 1);
        }
        if ((i + 1) % kRowsAtATime == 0) {
            numbered.store(static_cast<std::uint32_t>((i + 1) / kRowsAtATime), std::memory_order_release);
            support::wake_all(numbered);
        }
    }
    numbered.store(static_cast<std::uint32_t>((count + kRowsAtATime - 1) / kRowsAtATime), std::memory_order_release);
    support::wake_all(numbered);
}

void GraphBuilder::encode_rows(std::atomic<std::uint32_t>& numbered) {
    const std::uint64_t count = positions_.size();
    const auto wait_for = [&](std::uint64_t steps) {
        constexpr unsigned kLooksBeforeSleep = 1000;
        for (unsigned i = 0; i < kLooksBeforeSleep; ++i) {
            if (numbered.load(std::memory_order_acquire) >= steps) return;
            support::pause_processor();
        }
        for (std::uint32_t now = 0; (now = numbered.load(std::memory_order_acquire)) < steps;)
            support::sleep_while(numbered, now);
    };
    for (std::uint64_t i = 0; i < count; ++i) {
        if (i % kRowsAtATime == 0) wait_for(i / kRowsAtATime + 1);
        encode_row(positions_[i]);
    }
}

void GraphBuilder::encode_row(const RowPosition& position) {
    const LevelRows& of = threads_[position.thread];
    row_.targets.resize(position.degree);
    row_.transitions.resize(position.degree);
    row_.marks.resize(position.degree);
    for (std::uint32_t i = 0; i < position.degree; ++i) {
        const LevelRows::Edge edge = of.edge(position.begin + i);
        row_.targets[i] = edge.target;
        row_.transitions[i] = edge.transition;
        row_.marks[i] = edge.marks;
    }
    graph_.rows_.append(row_.targets, row_.transitions, row_.marks);
    if (const std::size_t bytes = graph_.label_bytes_; bytes > 0)
        graph_.labels_.append(of.labels(position.row, bytes), try_reserve_);
}

void GraphBuilder::reserve_final_numbers(StateNumber number_bound) {
    final_size_ = std::max(final_size_, number_bound);
    final_numbers_.resize(final_size_, try_reserve_);
}

// With several threads the rows of the level that has begun are not part of the graph yet; some of it may be missing.
// They stay where they are, and what they discover gets the numbers that follow, in any order.
void GraphBuilder::close(StateNumber number_bound) {
    graph_.rows_.make_readable();
    if (numbering_ == explore::Numbering::discovery) return;
    reserve_final_numbers(number_bound);
    StateNumber next = graph_.rows_.next_new();
    place_rows(graph_.rows_.rows(), next - graph_.rows_.rows());
    for (const LevelRows& thread : threads_)
        for (std::uint64_t e = 0; e < thread.edge_count(); ++e)
            if (final_numbers_.get(thread.target(e)) == 0) final_numbers_.set(thread.target(e), ++next);
}

StateNumber GraphBuilder::id(StateNumber number) const {
    if (numbering_ == explore::Numbering::discovery) return number;
    const StateNumber final_number = final_numbers_.get(number);
    assert(final_number > 0 && "every state that was discovered is the target of an edge");
    return final_number - 1;
}

void GraphBuilder::append_row(StateNumber id, explore::KeptRows::Columns& to) const {
    if (id < graph_.rows_.rows()) {
        MemoryGraph::Cursor cursor = graph_.successors(id);
        for (MemoryGraph::Edge edge; graph_.next(cursor, edge);) {
            to.targets.push_back(edge.target);
            to.transitions.push_back(edge.transition);
            to.marks.push_back(edge.marks);
        }
        return;
    }
    const RowPosition& position = positions_[id - graph_.rows_.rows()];
    const LevelRows& of = threads_[position.thread];
    for (std::uint64_t e = position.begin; e < position.begin + position.degree; ++e) {
        const LevelRows::Edge edge = of.edge(e);
        to.targets.push_back(final_numbers_.get(edge.target) - 1);
        to.transitions.push_back(edge.transition);
        to.marks.push_back(edge.marks);
    }
}

void GraphBuilder::finish(support::StopReason reason) {
    graph_.is_complete_ = reason == support::StopReason::none;
    if (reason == support::StopReason::memory) graph_.rows_.keep_readable();
    else graph_.rows_.make_readable();
    // What belongs to rows that are not there.
    const std::uint64_t rows = graph_.rows_.rows();
    std::erase_if(graph_.faulty_, [&](const MemoryGraph::FaultyStep& step) { return step.source >= rows; });
    std::erase_if(graph_.faulty_labels_, [&](const MemoryGraph::FaultyLabel& label) { return label.state >= rows; });
    threads_.clear();
    positions_ = {};
    final_numbers_ = {};
}

}  // namespace tideline::graph
