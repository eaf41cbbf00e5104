// An exact set of packed states that takes as little memory as possible: a few bytes per state, whatever its packed
// size.
//
// A state tree turns states into roots, pairs of small numbers; the roots are kept in 64 compact sets (shards), each of
// which grows by itself, a little at a time and not when the others do. So there are never two copies of more than a
// 64th of the set, and no long stops. The shard of a root does not depend on the bits that numbers have at the moment;
// each shard gives the numbers more bits when one appears that does not fit.
//
// The first states (some thousands) are kept as they are: they determine where the tree splits states.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "store/compact_set.hpp"
#include "store/state_tree.hpp"

namespace tideline::store {

class CompressedStates {
public:
    // Stands for a state that was inserted; gives it back. The same state may be given different roots at different
    // times.
    using Root = std::uint64_t;
    // `try_reserve(bytes)` is asked before the set grows noticeably.
    using MemoryBudget = std::function<bool(std::uint64_t)>;
    using Translation = std::function<void(const successor::Word*, successor::Word*)>;

    CompressedStates(std::size_t state_words, std::size_t state_bytes, MemoryBudget try_reserve);

    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] std::uint64_t bytes() const;

    // Reserves for this number of further states; false where the budget does not allow it.
    [[nodiscard]] bool reserve(std::size_t more);
    // Inserts states that lie one after the other; memory must have been reserved. Returns for each its root and
    // whether it is new.
    void insert(const successor::Word* states, std::size_t count, Root* roots, bool* is_new);
    [[nodiscard]] bool contains(const successor::Word* state) const { return find(state).has_value(); }
    [[nodiscard]] std::optional<Root> find(const successor::Word* state) const;
    // Roots can be read until the set is repacked.
    void read(Root root, successor::Word* state) const;
    void for_each(const std::function<void(const successor::Word*)>& function) const;

    // Carries all states over to another packing. Then `renew_roots` is called with a function that gives the new root
    // for an old one. False where the budget does not allow it: nothing has changed then. If memory runs out in between
    // (std::bad_alloc), states are lost.
    [[nodiscard]] bool repack(std::size_t state_words, std::size_t state_bytes, const Translation& translate,
                              const std::function<void(const std::function<Root(Root)>&)>& renew_roots);

private:
    static constexpr unsigned kShardBits = 6;
    static constexpr std::size_t kShards = std::size_t{1} << kShardBits;
    static constexpr Root kEarly = Root{1} << 63U;  // marks the root of an early state: the rest is its number

    // The roots of one shard, as values of left_bits + right_bits - kShardBits bits: the shard determines the last bits
    // of the right number.
    struct Shard {
        CompactSet roots;
        unsigned left_bits;
        unsigned right_bits;

        [[nodiscard]] bool fits(Root root) const {
            return root >> 32U >> left_bits == 0 && (root & low_bits(32)) >> right_bits == 0;
        }
        [[nodiscard]] std::uint64_t value_of(Root root) const {
            return root >> 32U << (right_bits - kShardBits) | (root & low_bits(32)) >> kShardBits;
        }
        void widen_for(Root root);
    };

    [[nodiscard]] static std::size_t shard_of(Root root) { return (root ^ shuffle(root >> kShardBits)) % kShards; }
    // What the last bits of a root are combined with; a function of all others.
    [[nodiscard]] static std::uint64_t shuffle(std::uint64_t upper) {
        return successor::hashing::mix(upper) >> (64 - kShardBits);
    }
    [[nodiscard]] static Root root_of(const Shard& shard, std::size_t number, std::uint64_t value);

    [[nodiscard]] const successor::Word* early_state(std::size_t i) const {
        return early_states_.data() + i * state_words_;
    }
    // The entry of the early index for a state, or the free one where it belongs.
    [[nodiscard]] std::size_t early_place(const successor::Word* state) const;
    void index_early();
    Root insert_early(const successor::Word* state, bool& is_new);
    // Leaves the early phase.
    void plant_tree();
    void insert_folded(const successor::Word* states, std::size_t count, Root* roots, bool* is_new);
    void make_shards();

    std::size_t state_words_;
    std::size_t state_bytes_;
    std::size_t early_limit_;
    std::vector<successor::Word> early_states_;  // kept as long as the set, for their roots
    std::vector<std::uint16_t> early_index_;     // number + 1 by linear probing; empty once there is a tree
    std::optional<StateTree> tree_;
    std::vector<Shard> shards_;
    std::uint64_t size_ = 0;
    std::uint64_t granted_ = 0;  // bytes that the set may take
    MemoryBudget try_reserve_;
};

}  // namespace tideline::store
