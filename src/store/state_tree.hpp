// Packed states as binary trees whose nodes are numbered: tree compression.
//
// The bytes of a state are split in two, and again, until the parts have at most eight bytes. A dictionary at each node
// numbers the values that its part takes: at the leaves the bytes, above them pairs of numbers. What is left of a state
// is its root, the numbers of its two largest parts. Since processes are largely independent, parts take few values:
// often a hundredth of the number of states.
//
// A sample of states decides where to split: so that the larger one of the numbers of values left and right is
// smallest.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "store/dictionary.hpp"

namespace tideline::store {

class StateTree {
public:
    // The number of the left part in the upper half, that of the right part in the lower. Below 2^63.
    using Root = std::uint64_t;
    static constexpr std::size_t kBatch = 64;

    // The sample's states lie one after the other, state_words each.
    StateTree(std::size_t state_words, std::size_t state_bytes, std::span<const successor::Word> sample);

    [[nodiscard]] std::size_t state_words() const { return state_words_; }
    // Whether the dictionaries have numbers for this number of further states.
    [[nodiscard]] bool has_room(std::size_t more) const;
    // The roots of up to kBatch states. Neighbours that are alike, as the successors of one state are, cost less.
    void fold(const successor::Word* states, std::size_t count, Root* roots);
    // Nothing where a part has never been folded.
    [[nodiscard]] std::optional<Root> find(const successor::Word* state) const;
    void unfold(Root root, successor::Word* state) const;

    [[nodiscard]] std::uint64_t bytes() const;
    // The most that one further state can take.
    [[nodiscard]] std::uint64_t bytes_a_state() const { return nodes_.size() * 2 * sizeof(Root); }

private:
    struct Node {
        // Of an inner node: its parts, which come before it in nodes_. Of a leaf: no parts (both kNone).
        std::uint32_t left;
        std::uint32_t right;
        // Of a leaf: where its bytes begin, and which bits they have.
        std::uint32_t word;
        unsigned shift;
        bool straddles;  // they continue in the next word
        std::uint64_t mask;
        Dictionary dictionary;
    };
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    class Cutter;

    // Makes the node of the bytes from begin to end, and those below it. Returns its index.
    std::uint32_t add_node(std::size_t begin, std::size_t end, Cutter& cutter);
    [[nodiscard]] static std::uint64_t leaf_value(const Node& leaf, const successor::Word* state);
    [[nodiscard]] std::optional<Dictionary::Id> find_part(std::uint32_t n, const successor::Word* state) const;
    void unfold_part(std::uint32_t n, Dictionary::Id id, successor::Word* state) const;

    std::size_t state_words_;
    std::vector<Node> nodes_;  // all but the root, parts before wholes
    std::uint32_t left_ = kNone;
    std::uint32_t right_ = kNone;
    std::vector<Dictionary::Id> ids_;  // of fold: kBatch for each node
};

}  // namespace tideline::store
