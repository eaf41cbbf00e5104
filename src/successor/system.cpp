#include "successor/system.hpp"

#include <algorithm>
#include <cassert>

namespace tideline::successor {

SuccessorBatch::SuccessorBatch(std::size_t state_words, std::size_t capacity)
    : state_words_(state_words),
      states_(state_words * capacity),
      hashes_(capacity),
      transitions_(capacity),
      marks_(capacity),
      faults_(capacity),
      keys_(capacity),
      asleep_(capacity) {
    ends_.reserve(capacity + 1);
    skipped_.reserve(capacity + 1);
}

void SuccessorBatch::restart(std::uint32_t source, const SleepSet* asleep) {
    if (has_faults_) std::fill_n(faults_.begin(), size_, model::FaultKind::none);
    has_faults_ = false;
    size_ = 0;
    ends_.clear();
    skipped_.clear();
    sources_asleep_ = asleep;
    first_source_ = source;
}

void SuccessorBatch::truncate(std::size_t size, std::size_t sources) {
    std::fill(faults_.begin() + static_cast<std::ptrdiff_t>(size), faults_.begin() + static_cast<std::ptrdiff_t>(size_),
              model::FaultKind::none);
    size_ = size;
    ends_.resize(sources);
    skipped_.resize(sources);
}

void SuccessorBatch::compute_hashes() {
    const Word* states = states_.data();
    switch (state_words_) {
        case 1:
            for (std::size_t i = 0; i < size_; ++i) hashes_[i] = hash_state(states + i, 1);
            break;
        case 2:
            for (std::size_t i = 0; i < size_; ++i) hashes_[i] = hash_state(states + i * 2, 2);
            break;
        default:
            for (std::size_t i = 0; i < size_; ++i) hashes_[i] = hash_state(states + i * state_words_, state_words_);
    }
}

void SuccessorBatch::join(const SuccessorBatch& from, std::size_t begin, std::size_t end,
                          std::span<const JoinedEdge> edges, std::size_t word, Word keep) {
    const std::size_t own = from.state_words_;
    const std::size_t stride = edges.size();
    assert(size_ + (end - begin) * stride <= capacity());
    for (std::size_t e = 0; e < stride; ++e) {
        const JoinedEdge edge = edges[e];
        std::size_t at = size_ + e;
        if (own == 1 && state_words_ == 1) {
            for (std::size_t i = begin; i < end; ++i, at += stride) {
                states_[at] = (from.states_[i] & keep) | edge.bits;
                transitions_[at] = from.transitions_[i];
                marks_[at] = edge.marks;
                keys_[at] = from.keys_[i];
            }
            continue;
        }
        for (std::size_t i = begin; i < end; ++i, at += stride) {
            const Word* const source = from.states_.data() + i * own;
            Word* const target = states_.data() + at * state_words_;
            for (std::size_t w = 0; w < own; ++w) target[w] = source[w];
            if (own < state_words_) target[own] = 0;
            target[word] = (target[word] & keep) | edge.bits;
            transitions_[at] = from.transitions_[i];
            marks_[at] = edge.marks;
            keys_[at] = from.keys_[i];
        }
    }
    size_ += (end - begin) * stride;
}

void SuccessorBatch::wake_inherited() {
    if (sources_asleep_ == nullptr) return;
    const SleepSet* in_source = sources_asleep_ + first_source_;
    std::size_t i = 0;
    for (const std::uint32_t end : ends_) {
        for (; i < end; ++i) asleep_[i] &= ~*in_source;
        ++in_source;
    }
    for (; i < size_; ++i) asleep_[i] &= ~*in_source;  // of the source that is not complete
}

void SuccessorBatch::sleep_by_order(const Commuting& commuting) {
    if (sources_asleep_ == nullptr) return;
    for (std::size_t i = 0; i < size_; ++i) asleep_[i] = commuting.asleep_after(0, transitions_[i]);
}

std::uint32_t SuccessorBatch::source(std::size_t i) const {
    return first_source_ + static_cast<std::uint32_t>(std::upper_bound(ends_.begin(), ends_.end(), i) - ends_.begin());
}

}  // namespace tideline::successor
