#include "store/state_tree.hpp"

#include <algorithm>

namespace tideline::store {
namespace {

constexpr std::size_t kLongestLeaf = sizeof(successor::Word);

constexpr std::uint64_t pair_of(Dictionary::Id left, Dictionary::Id right) {
    return std::uint64_t{left} << 32U | right;
}
constexpr Dictionary::Id left_of(std::uint64_t pair) { return static_cast<Dictionary::Id>(pair >> 32U); }
constexpr Dictionary::Id right_of(std::uint64_t pair) { return static_cast<Dictionary::Id>(pair); }

}  // namespace

// Decides where a range of bytes is split: where the larger one of the numbers of values left and right is smallest.
// Going from the left to the right, the first number only grows and the second only falls, so that bisection finds the
// position.
class StateTree::Cutter {
public:
    Cutter(std::size_t state_words, std::span<const successor::Word> sample)
        : state_bytes_(state_words * sizeof(successor::Word)),
          count_(sample.size() / state_words),
          bytes_(std::as_bytes(sample)),
          seen_(std::bit_ceil(2 * count_ + 1)) {}

    std::size_t cut(std::size_t begin, std::size_t end) {
        const std::size_t middle = begin + (end - begin) / 2;
        // A part that takes few values costs little wherever it is split.
        if (end - begin < 3 || values(begin, end) <= count_ / kFew) return middle;
        const auto larger_side = [&](std::size_t position) {
            return std::max(values(begin, position), values(position, end));
        };
        const std::size_t crossing = first(
            begin + 1, end - 1, [&](std::size_t position) { return values(begin, position) >= values(position, end); });
        std::size_t fewest = larger_side(crossing);
        if (crossing > begin + 1) fewest = std::min(fewest, larger_side(crossing - 1));
        // Of all equally good positions, the one nearest to the middle.
        const std::size_t low =
            first(begin + 1, end - 1, [&](std::size_t position) { return values(position, end) <= fewest; });
        const std::size_t high =
            first(low, end, [&](std::size_t position) { return position == end || values(begin, position) > fewest; }) -
            1;
        return std::clamp(middle, low, std::max(low, high));
    }

private:
    static constexpr std::size_t kFew = 64;

    // The first position from `low` to `high` from which on the condition holds; `high` where it does not before.
    template <typename Condition>
    static std::size_t first(std::size_t low, std::size_t high, const Condition& holds) {
        while (low < high) {
            const std::size_t position = low + (high - low) / 2;
            if (holds(position)) high = position;
            else low = position + 1;
        }
        return low;
    }

    // How many different values a part has in the sample. Equal hashes only make the choice of the split a little
    // worse.
    std::size_t values(std::size_t begin, std::size_t end) {
        std::fill(seen_.begin(), seen_.end(), 0);
        std::size_t count = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            const std::byte* state = bytes_.data() + i * state_bytes_;
            std::uint64_t hash = 1;
            for (std::size_t at = begin; at < end; at += sizeof(successor::Word)) {
                successor::Word word = 0;
                std::memcpy(&word, state + at, std::min(sizeof(successor::Word), end - at));
                hash = successor::hashing::mix(hash ^ word) + 1;
            }
            std::size_t slot = hash % seen_.size();
            while (seen_[slot] != 0 && seen_[slot] != hash) slot = (slot + 1) % seen_.size();
            if (seen_[slot] == 0) ++count;
            seen_[slot] = hash;
        }
        return count;
    }

    std::size_t state_bytes_;
    std::size_t count_;  // of states
    std::span<const std::byte> bytes_;
    std::vector<std::uint64_t> seen_;  // hashes, by linear probing; a power of two
};

StateTree::StateTree(std::size_t state_words, std::size_t state_bytes, std::span<const successor::Word> sample)
    : state_words_(state_words) {
    assert(state_bytes > 0 && state_bytes <= state_words * sizeof(successor::Word));
    Cutter cutter(state_words, sample);
    // Of a state of one byte, the left part is empty.
    const std::size_t cut = cutter.cut(0, state_bytes);
    left_ = add_node(0, cut, cutter);
    right_ = add_node(cut, state_bytes, cutter);
    ids_.resize(nodes_.size() * kBatch);
}

std::uint32_t StateTree::add_node(std::size_t begin, std::size_t end, Cutter& cutter) {
    Node node{kNone, kNone, 0, 0, false, 0, {}};
    if (end - begin > kLongestLeaf) {
        const std::size_t cut = cutter.cut(begin, end);
        node.left = add_node(begin, cut, cutter);
        node.right = add_node(cut, end, cutter);
    } else {
        node.word = static_cast<std::uint32_t>(begin / sizeof(successor::Word));
        node.shift = static_cast<unsigned>(begin % sizeof(successor::Word) * 8);
        node.straddles = begin % sizeof(successor::Word) + (end - begin) > sizeof(successor::Word);
        node.mask = low_bits(static_cast<unsigned>((end - begin) * 8));
    }
    nodes_.push_back(std::move(node));
    return static_cast<std::uint32_t>(nodes_.size() - 1);
}

bool StateTree::has_room(std::size_t more) const {
    return std::all_of(nodes_.begin(), nodes_.end(),
                       [&](const Node& node) { return node.dictionary.size() + more <= Dictionary::kMost; });
}

std::uint64_t StateTree::bytes() const {
    std::uint64_t sum = ids_.size() * sizeof(Dictionary::Id) + nodes_.size() * sizeof(Node);
    for (const Node& node : nodes_) sum += node.dictionary.bytes();
    return sum;
}

std::uint64_t StateTree::leaf_value(const Node& leaf, const successor::Word* state) {
    std::uint64_t value = state[leaf.word] >> leaf.shift;
    if (leaf.straddles) value |= state[leaf.word + 1] << (64 - leaf.shift);
    return value & leaf.mask;
}

void StateTree::fold(const successor::Word* states, std::size_t count, Root* roots) {
    assert(count <= kBatch);
    std::uint64_t values[kBatch];
    std::uint64_t hashes[kBatch];
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        Node& node = nodes_[n];
        Dictionary::Id* ids = &ids_[n * kBatch];
        if (node.left == kNone) {
            for (std::size_t i = 0; i < count; ++i) values[i] = leaf_value(node, states + i * state_words_);
        } else {
            const Dictionary::Id* left = &ids_[node.left * kBatch];
            const Dictionary::Id* right = &ids_[node.right * kBatch];
            for (std::size_t i = 0; i < count; ++i) values[i] = pair_of(left[i], right[i]);
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (i != 0 && values[i] == values[i - 1]) continue;
            hashes[i] = Dictionary::hash(values[i]);
            __builtin_prefetch(node.dictionary.home(hashes[i]));
        }
        for (std::size_t i = 0; i < count; ++i)
            if (i == 0 || values[i] != values[i - 1]) __builtin_prefetch(node.dictionary.first_candidate(hashes[i]));
        for (std::size_t i = 0; i < count; ++i)
            ids[i] = i != 0 && values[i] == values[i - 1] ? ids[i - 1] : node.dictionary.insert(values[i], hashes[i]);
    }
    for (std::size_t i = 0; i < count; ++i) roots[i] = pair_of(ids_[left_ * kBatch + i], ids_[right_ * kBatch + i]);
}

std::optional<StateTree::Root> StateTree::find(const successor::Word* state) const {
    const std::optional<Dictionary::Id> left = find_part(left_, state);
    if (!left) return std::nullopt;
    const std::optional<Dictionary::Id> right = find_part(right_, state);
    if (!right) return std::nullopt;
    return pair_of(*left, *right);
}

std::optional<Dictionary::Id> StateTree::find_part(std::uint32_t n, const successor::Word* state) const {
    const Node& node = nodes_[n];
    if (node.left == kNone) return node.dictionary.find(leaf_value(node, state));
    const std::optional<Dictionary::Id> left = find_part(node.left, state);
    if (!left) return std::nullopt;
    const std::optional<Dictionary::Id> right = find_part(node.right, state);
    if (!right) return std::nullopt;
    return node.dictionary.find(pair_of(*left, *right));
}

void StateTree::unfold(Root root, successor::Word* state) const {
    std::fill(state, state + state_words_, 0);
    unfold_part(left_, left_of(root), state);
    unfold_part(right_, right_of(root), state);
}

void StateTree::unfold_part(std::uint32_t n, Dictionary::Id id, successor::Word* state) const {
    const Node& node = nodes_[n];
    const std::uint64_t value = node.dictionary[id];
    if (node.left != kNone) {
        unfold_part(node.left, left_of(value), state);
        unfold_part(node.right, right_of(value), state);
        return;
    }
    state[node.word] |= value << node.shift;
    if (node.straddles) state[node.word + 1] |= value >> (64 - node.shift);
}

}  // namespace tideline::store
