#include "store/compressed_states.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tideline::store {
namespace {

constexpr std::uint64_t kUnnoticed = std::uint64_t{256} << 10U;  // up to this size the budget is not asked
// As many early states as fill this number of bytes, within limits.
constexpr std::size_t kEarlyBytes = std::size_t{256} << 10U;
constexpr std::size_t kFewestEarly = 256;
constexpr std::size_t kMostEarly = 4096;
constexpr std::size_t kEarlySlots = 2 * kMostEarly;

}  // namespace

CompressedStates::CompressedStates(std::size_t state_words, std::size_t state_bytes, MemoryBudget try_reserve)
    : state_words_(state_words),
      state_bytes_(state_bytes),
      early_limit_(std::clamp(kEarlyBytes / state_bytes, kFewestEarly, kMostEarly)),
      early_index_(kEarlySlots),
      try_reserve_(std::move(try_reserve)) {
    assert(state_bytes > 0 && state_bytes <= state_words * sizeof(successor::Word));
}

std::uint64_t CompressedStates::bytes() const {
    std::uint64_t sum =
        early_states_.capacity() * sizeof(successor::Word) + early_index_.capacity() * sizeof(std::uint16_t);
    if (tree_) sum += tree_->bytes();
    for (const Shard& shard : shards_) sum += sizeof(Shard) + shard.roots.bytes();
    return sum;
}

bool CompressedStates::reserve(std::size_t more) {
    if (tree_ && !tree_->has_room(more)) return false;
    // Shards that grow and numbers that get more bits take a few percent; the new states' parts may all be new.
    constexpr std::uint64_t kShare = 16;
    const std::uint64_t present = bytes();
    const std::uint64_t a_state = tree_ ? tree_->bytes_a_state() : 4 * state_words_ * sizeof(successor::Word);
    const std::uint64_t wanted = present + present / kShare + more * a_state;
    if (wanted <= granted_) return true;
    // Asked for in steps, where they are to be had.
    for (const std::uint64_t target : {wanted + wanted / kShare, wanted}) {
        if (target <= kUnnoticed || try_reserve_(target - granted_)) {
            granted_ = target;
            return true;
        }
    }
    return false;
}

std::size_t CompressedStates::early_place(const successor::Word* state) const {
    std::size_t at = successor::hash_state(state, state_words_) % kEarlySlots;
    while (early_index_[at] != 0 && !std::equal(state, state + state_words_, early_state(early_index_[at] - 1)))
        at = (at + 1) % kEarlySlots;
    return at;
}

void CompressedStates::index_early() {
    std::fill(early_index_.begin(), early_index_.end(), 0);
    for (std::size_t i = 0; i < size_; ++i)
        early_index_[early_place(early_state(i))] = static_cast<std::uint16_t>(i + 1);
}

CompressedStates::Root CompressedStates::insert_early(const successor::Word* state, bool& is_new) {
    const std::size_t at = early_place(state);
    is_new = early_index_[at] == 0;
    if (is_new) {
        early_states_.insert(early_states_.end(), state, state + state_words_);
        early_index_[at] = static_cast<std::uint16_t>(++size_);
    }
    return kEarly | (early_index_[at] - 1);
}

// Shards differ in size by up to the factor of one growth, so that they grow one after the other.
void CompressedStates::make_shards() {
    constexpr double kFewestSlots = 128;
    constexpr double kGrowth = 1.25;
    shards_.clear();
    for (std::size_t i = 0; i < kShards; ++i) {
        const double slots = kFewestSlots * std::pow(kGrowth, static_cast<double>(i) / kShards);
        shards_.push_back({CompactSet(1, static_cast<std::uint64_t>(slots)), 1, kShardBits});
    }
}

void CompressedStates::plant_tree() {
    tree_.emplace(state_words_, state_bytes_, early_states_);
    make_shards();
    early_states_.shrink_to_fit();
    early_index_ = {};
    size_ = 0;
    Root roots[StateTree::kBatch];
    bool is_new[StateTree::kBatch];
    const std::size_t count = early_states_.size() / state_words_;
    for (std::size_t i = 0; i < count; i += StateTree::kBatch)
        insert_folded(early_state(i), std::min(count - i, StateTree::kBatch), roots, is_new);
}

CompressedStates::Root CompressedStates::root_of(const Shard& shard, std::size_t number, std::uint64_t value) {
    const unsigned upper_bits = shard.right_bits - kShardBits;
    const std::uint64_t upper = value >> upper_bits << (32 - kShardBits) | (value & low_bits(upper_bits));
    return upper << kShardBits | ((number ^ shuffle(upper)) % kShards);
}

void CompressedStates::Shard::widen_for(Root root) {
    const unsigned from = right_bits - kShardBits;
    // A bit more than needed halves the number of times that this is done.
    const auto with_wider_fields = [](unsigned bits, std::uint64_t id) {
        return id >> bits == 0 ? bits : static_cast<unsigned>(std::bit_width(id)) + 1;
    };
    left_bits = with_wider_fields(left_bits, root >> 32U);
    right_bits = with_wider_fields(right_bits, root & low_bits(32));
    const unsigned to = right_bits - kShardBits;
    roots = roots.changed(left_bits + to,
                          [&](std::uint64_t value) { return value >> from << to | (value & low_bits(from)); });
}

void CompressedStates::insert_folded(const successor::Word* states, std::size_t count, Root* roots, bool* is_new) {
    tree_->fold(states, count, roots);
    for (std::size_t i = 0; i < count; ++i) {
        const Shard& shard = shards_[shard_of(roots[i])];
        if (shard.fits(roots[i])) __builtin_prefetch(shard.roots.home(shard.value_of(roots[i])));
    }
    for (std::size_t i = 0; i < count; ++i) {
        Shard& shard = shards_[shard_of(roots[i])];
        if (!shard.fits(roots[i])) shard.widen_for(roots[i]);
        is_new[i] = shard.roots.insert(shard.value_of(roots[i]));
        size_ += is_new[i] ? 1 : 0;
    }
}

void CompressedStates::insert(const successor::Word* states, std::size_t count, Root* roots, bool* is_new) {
    std::size_t i = 0;
    for (; i < count && !tree_; ++i) {
        roots[i] = insert_early(states + i * state_words_, is_new[i]);
        if (size_ == early_limit_) plant_tree();
    }
    for (; i < count; i += StateTree::kBatch)
        insert_folded(states + i * state_words_, std::min(count - i, StateTree::kBatch), roots + i, is_new + i);
}

std::optional<CompressedStates::Root> CompressedStates::find(const successor::Word* state) const {
    if (!tree_) {
        const std::size_t number = early_index_[early_place(state)];
        if (number == 0) return std::nullopt;
        return kEarly | (number - 1);
    }
    const std::optional<Root> root = tree_->find(state);
    if (!root) return std::nullopt;
    const Shard& shard = shards_[shard_of(*root)];
    if (!shard.fits(*root) || !shard.roots.contains(shard.value_of(*root))) return std::nullopt;
    return root;
}

void CompressedStates::read(Root root, successor::Word* state) const {
    if ((root & kEarly) != 0) std::copy_n(early_state(root & ~kEarly), state_words_, state);
    else tree_->unfold(root, state);
}

void CompressedStates::for_each(const std::function<void(const successor::Word*)>& function) const {
    if (!tree_) {
        for (std::size_t i = 0; i < size_; ++i) function(early_state(i));
        return;
    }
    std::vector<successor::Word> state(state_words_);
    for (std::size_t i = 0; i < kShards; ++i) {
        shards_[i].roots.for_each([&](std::uint64_t value) {
            tree_->unfold(root_of(shards_[i], i, value), state.data());
            function(state.data());
        });
    }
}

bool CompressedStates::repack(std::size_t state_words, std::size_t state_bytes, const Translation& translate,
                              const std::function<void(const std::function<Root(Root)>&)>& renew_roots) {
    // Shards go as they are carried over, one by one; the dictionaries are there twice.
    const std::uint64_t twice = bytes() / 8 + (tree_ ? tree_->bytes() : 0);
    if (twice > kUnnoticed && !try_reserve_(twice)) return false;
    const std::size_t early = early_states_.size() / state_words_;
    std::vector<successor::Word> states(early * state_words);
    for (std::size_t i = 0; i < early; ++i) translate(early_state(i), states.data() + i * state_words);
    early_states_ = std::move(states);
    state_words_ = state_words;
    state_bytes_ = state_bytes;
    if (!tree_) {
        index_early();
        renew_roots([](Root root) { return root; });
        return true;
    }

    const std::size_t old_words = tree_->state_words();
    const StateTree old_tree =
        *std::exchange(tree_, std::optional<StateTree>(std::in_place, state_words, state_bytes, early_states_));
    std::vector<Shard> old_shards = std::exchange(shards_, {});
    make_shards();
    size_ = 0;
    std::vector<successor::Word> old_state(old_words);
    states.resize(StateTree::kBatch * state_words);
    Root roots[StateTree::kBatch];
    bool is_new[StateTree::kBatch];
    std::size_t count = 0;
    const auto insert_collected = [&] {
        insert_folded(states.data(), count, roots, is_new);
        count = 0;
    };
    for (std::size_t i = 0; i < kShards; ++i) {
        old_shards[i].roots.for_each([&](std::uint64_t value) {
            old_tree.unfold(root_of(old_shards[i], i, value), old_state.data());
            translate(old_state.data(), states.data() + count * state_words);
            if (++count == StateTree::kBatch) insert_collected();
        });
        old_shards[i].roots = CompactSet(1);
    }
    insert_collected();
    renew_roots([&](Root root) -> Root {
        if ((root & kEarly) != 0) return root;
        old_tree.unfold(root, old_state.data());
        translate(old_state.data(), states.data());
        tree_->fold(states.data(), 1, roots);
        return roots[0];
    });
    return true;
}

}  // namespace tideline::store
