#include "successor/layout_change.hpp"

#include <algorithm>

namespace tideline {

LayoutChange::LayoutChange(const Layout& from, const Layout& to, std::size_t slots) : base_(to.words()) {
    for (SlotId slot = 0; slot < slots; ++slot) {
        const Layout::Field& old = from.field(slot);
        const Layout::Field& now = to.field(slot);
        base_[now.word] += (static_cast<std::uint64_t>(old.low) - static_cast<std::uint64_t>(now.low)) << now.shift;
        if (old.width == 0) continue;
        Move move{old.word, now.word, old.mask << old.shift, 0, 0};
        if (now.shift >= old.shift)
            move.left = static_cast<std::uint8_t>(now.shift - old.shift);
        else
            move.right = static_cast<std::uint8_t>(old.shift - now.shift);
        const auto together = std::find_if(moves_.begin(), moves_.end(), [&](const Move& other) {
            return other.from_word == move.from_word && other.to_word == move.to_word && other.left == move.left && other.right == move.right;
        });
        if (together == moves_.end())
            moves_.push_back(move);
        else
            together->mask |= move.mask;
    }
}

}  // namespace tideline
