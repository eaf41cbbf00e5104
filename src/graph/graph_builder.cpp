#include "graph/graph_builder.hpp"

#include <stdexcept>

namespace tideline::graph {

void GraphBuilder::Rows::clear() {
    // A large level need not be followed by another: what is more than some rows goes back.
    constexpr std::size_t kKept = std::size_t{1} << 16U;
    if (targets.capacity() > kKept) {
        *this = {};
        return;
    }
    sources.clear();
    ends.clear();
    targets.clear();
    transitions.clear();
    marks.clear();
    labels.clear();
    faulty.clear();
    faulty_labels.clear();
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
    else keep_rows(threads_[thread], batch);
}

void GraphBuilder::append_labels(std::span<const std::uint64_t> words) {
    const std::size_t bytes = graph_.label_bytes_;
    if (bytes > 0) graph_.labels_.append({reinterpret_cast<const std::uint8_t*>(words.data()), bytes}, try_reserve_);
}

void GraphBuilder::append_faulty_labels(std::vector<MemoryGraph::FaultyLabel>& to,
                                        const explore::EdgeBatch& batch) const {
    for (const explore::EdgeBatch::FaultyLabel& label : batch.faulty_labels)
        if (label.label < graph_.labels_kept_ && !(batch.continued && label.source == 0))
            to.push_back({batch.sources[label.source], label.label, label.fault});
}

void GraphBuilder::append_in_order(const explore::EdgeBatch& batch) {
    Rows& open = threads_[0];
    for (const explore::EdgeBatch::FaultyStep& step : batch.faulty)
        graph_.faulty_.push_back({batch.sources[step.source], step.transition, step.fault});
    append_faulty_labels(graph_.faulty_labels_, batch);
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

void GraphBuilder::keep_rows(Rows& rows, const explore::EdgeBatch& batch) const {
    const std::size_t label_bytes = graph_.label_bytes_;
    const std::uint64_t before = rows.targets.size();
    rows.targets.insert(rows.targets.end(), batch.targets.begin(), batch.targets.end());
    rows.transitions.insert(rows.transitions.end(), batch.transitions.begin(), batch.transitions.end());
    rows.marks.insert(rows.marks.end(), batch.marks.begin(), batch.marks.end());
    for (std::size_t i = batch.continued ? 1 : 0; i < batch.sources.size(); ++i) {
        rows.sources.push_back(batch.sources[i]);
        const auto* const bits = reinterpret_cast<const std::uint8_t*>(batch.labels.data() + i * label_words_);
        if (label_bytes > 0) rows.labels.insert(rows.labels.end(), bits, bits + label_bytes);
    }
    for (const std::uint32_t end : batch.ends) rows.ends.push_back(before + end);
    for (const explore::EdgeBatch::FaultyStep& step : batch.faulty)
        rows.faulty.push_back({batch.sources[step.source], step.transition, step.fault});
    append_faulty_labels(rows.faulty_labels, batch);
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

// The rows of all threads in the order of their sources' final numbers.
void GraphBuilder::add_level() {
    const std::uint64_t count = graph_.rows_.next_new() - level_begin_;
    positions_.assign(count, {});
    std::uint64_t rows = 0;
    const std::size_t faulty_before = graph_.faulty_.size();
    const std::size_t faulty_labels_before = graph_.faulty_labels_.size();
    for (std::uint32_t t = 0; t < threads_.size(); ++t) {
        assert(threads_[t].ends.size() == threads_[t].sources.size());
        for (std::uint32_t r = 0; r < threads_[t].sources.size(); ++r) {
            const StateNumber number = final_numbers_.get(threads_[t].sources[r]) - 1;
            assert(number >= level_begin_ && number - level_begin_ < count);
            positions_[number - level_begin_] = {t, r};
            ++rows;
        }
        for (MemoryGraph::FaultyStep& step : threads_[t].faulty) {
            step.source = final_numbers_.get(step.source) - 1;
            graph_.faulty_.push_back(step);
        }
        for (MemoryGraph::FaultyLabel& label : threads_[t].faulty_labels) {
            label.state = final_numbers_.get(label.state) - 1;
            graph_.faulty_labels_.push_back(label);
        }
    }
    assert(rows == count && "all states of the level have a row");
    // Those of the levels before are smaller: only this level's are in no order.
    const auto behind = [](auto& all, std::size_t before) { return all.begin() + static_cast<std::ptrdiff_t>(before); };
    std::ranges::stable_sort(behind(graph_.faulty_, faulty_before), graph_.faulty_.end(), {},
                             &MemoryGraph::FaultyStep::source);
    std::ranges::stable_sort(behind(graph_.faulty_labels_, faulty_labels_before), graph_.faulty_labels_.end(), {},
                             &MemoryGraph::FaultyLabel::state);
    constexpr std::uint64_t kAhead = 8;  // rows
    for (std::uint64_t i = 0; i < count; ++i) {
        if (i + kAhead < count) {
            const RowPosition& ahead = positions_[i + kAhead];
            const Rows& of = threads_[ahead.thread];
            for (std::uint64_t e = begin_of(ahead.thread, ahead.row); e < of.ends[ahead.row]; ++e)
                final_numbers_.prefetch(of.targets[e]);
        }
        const RowPosition& position = positions_[i];
        const Rows& of = threads_[position.thread];
        const std::uint64_t begin = begin_of(position.thread, position.row);
        const std::uint64_t degree = of.ends[position.row] - begin;
        row_targets_.resize(degree);
        StateNumber next = graph_.rows_.next_new();
        for (std::uint64_t e = 0; e < degree; ++e) {
            const StateNumber unique = of.targets[begin + e];
            StateNumber number = final_numbers_.get(unique);
            if (number == 0) {
                number = ++next;
                final_numbers_.set(unique, number);
            }
            row_targets_[e] = number - 1;
        }
        graph_.rows_.append(row_targets_, std::span(of.transitions).subspan(begin, degree),
                            std::span(of.marks).subspan(begin, degree));
        if (const std::size_t bytes = graph_.label_bytes_; bytes > 0)
            graph_.labels_.append(std::span(of.labels).subspan(position.row * bytes, bytes), try_reserve_);
    }
    for (Rows& thread : threads_) thread.clear();
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
    positions_.assign(next - graph_.rows_.rows(), {});
    for (std::uint32_t t = 0; t < threads_.size(); ++t) {
        assert(threads_[t].ends.size() == threads_[t].sources.size());
        for (std::uint32_t r = 0; r < threads_[t].sources.size(); ++r)
            positions_[id(threads_[t].sources[r]) - graph_.rows_.rows()] = {t, r};
    }
    for (const Rows& thread : threads_)
        for (const StateNumber unique : thread.targets)
            if (final_numbers_.get(unique) == 0) final_numbers_.set(unique, ++next);
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
    const Rows& of = threads_[position.thread];
    for (std::uint64_t e = begin_of(position.thread, position.row); e < of.ends[position.row]; ++e) {
        to.targets.push_back(final_numbers_.get(of.targets[e]) - 1);
        to.transitions.push_back(of.transitions[e]);
        to.marks.push_back(of.marks[e]);
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
    threads_ = {};
    positions_ = {};
    final_numbers_ = {};
}

}  // namespace tideline::graph
