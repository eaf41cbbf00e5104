#include "explore/edge_stream.hpp"

#include <cassert>
#include <span>

namespace tideline::explore {

void EdgeStream::begin(const EdgeStreamInfo& info) {
    label_words_ = info.label_words;
    has_begun_ = true;
    for (EdgeSink* sink : sinks_) sink->begin(info);
}

void EdgeStream::deliver(unsigned thread, const Production& production, successor::Expander& expander,
                         std::optional<successor::Key> layer_key) {
    const successor::SuccessorBatch& batch = production.batch;
    const std::size_t complete = batch.complete_sources();
    const std::size_t begun = complete == 0 ? 0 : batch.end(complete - 1);
    const bool is_open = batch.size() > begun;
    const std::size_t rows = complete + (is_open ? 1 : 0);
    if (rows == 0) return;
    Scratch& scratch = threads_[thread];
    EdgeBatch edges;
    scratch.sources.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) scratch.sources[row] = production.number(batch.first_source() + row);
    edges.sources = scratch.sources;
    edges.continued = production.delivered_before > 0;
    if (label_words_ > 0) {
        evaluate_labels(scratch, production, rows, expander);
        edges.labels = scratch.labels;
        edges.faulty_labels = scratch.faulty_labels;
    }
    edges.ends = batch.ends();
    if (batch.has_faults()) {
        leave_out_faults(scratch, production);
        edges.ends = scratch.ends;
        edges.faulty = scratch.faulty;
    }
    if (wants_edges()) {
        assert(production.targets.size() >= batch.size() && "every successor has a number");
        edges.targets = std::span(production.targets).first(batch.size());
        edges.transitions = batch.transitions();
        edges.marks = batch.marks();
        if (batch.has_faults()) {
            edges.targets = scratch.targets;
            edges.transitions = scratch.transitions;
            edges.marks = scratch.marks;
        }
        if (layer_key) find_regress_edges(scratch, batch, *layer_key);
        if (layer_key && !scratch.regress.empty()) edges.regress = scratch.regress;
    } else {
        // Rows have no edges.
        scratch.ends.assign(complete, 0);
        edges.ends = scratch.ends;
    }
    for (EdgeSink* sink : sinks_)
        if (sinks_.size() == 1 || sink->need() != EdgeNeed::nothing) sink->batch(thread, edges);
}

void EdgeStream::evaluate_labels(Scratch& scratch, const Production& production, std::size_t rows,
                                 successor::Expander& expander) const {
    scratch.labels.resize(rows * label_words_);
    scratch.label_faults.resize(label_words_ * 64);
    scratch.faulty_labels.clear();
    const std::size_t first = production.batch.first_source();
    const auto is_faulty = [](model::FaultKind fault) { return fault != model::FaultKind::none; };
    for (std::size_t row = 0; row < rows; ++row) {
        expander.labels(production.source(first + row), scratch.labels.data() + row * label_words_,
                        scratch.label_faults.data());
        if (std::none_of(scratch.label_faults.begin(), scratch.label_faults.end(), is_faulty)) [[likely]]
            continue;
        for (std::uint32_t label = 0; label < scratch.label_faults.size(); ++label)
            if (is_faulty(scratch.label_faults[label]))
                scratch.faulty_labels.push_back({static_cast<std::uint32_t>(row), label, scratch.label_faults[label]});
    }
}

void EdgeStream::leave_out_faults(Scratch& scratch, const Production& production) {
    const successor::SuccessorBatch& batch = production.batch;
    scratch.ends.clear();
    scratch.targets.clear();
    scratch.transitions.clear();
    scratch.marks.clear();
    scratch.faulty.clear();
    std::uint32_t row = 0;
    const auto end_rows_at = [&](std::size_t entry) {
        for (; row < batch.complete_sources() && batch.end(row) <= entry; ++row)
            scratch.ends.push_back(static_cast<std::uint32_t>(scratch.transitions.size()));
    };
    for (std::size_t i = 0; i < batch.size(); ++i) {
        end_rows_at(i);
        if (batch.fault(i) != model::FaultKind::none) {
            scratch.faulty.push_back({row, batch.transition(i), batch.fault(i)});
            continue;
        }
        scratch.targets.push_back(i < production.targets.size() ? production.targets[i] : 0);
        scratch.transitions.push_back(batch.transition(i));
        scratch.marks.push_back(batch.marks(i));
    }
    end_rows_at(batch.size());
}

// Bits of the edges, faulty steps left out; none where there is no regress edge.
void EdgeStream::find_regress_edges(Scratch& scratch, const successor::SuccessorBatch& batch,
                                    successor::Key layer_key) {
    scratch.regress.clear();
    std::size_t edge = 0;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (batch.fault(i) != model::FaultKind::none) continue;
        if (batch.key(i) < layer_key) {
            if (scratch.regress.empty()) scratch.regress.resize((batch.size() + 63) / 64);
            scratch.regress[edge / 64] |= std::uint64_t{1} << (edge % 64);
        }
        ++edge;
    }
}

}  // namespace tideline::explore
