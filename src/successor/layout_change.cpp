#include "successor/layout_change.hpp"

#include <map>
#include <tuple>

namespace tideline::successor {

LayoutChange::LayoutChange(const Layout& from, const Layout& to, std::size_t slots) : base_(to.words()) {
    // Index of a move: from which word to which one, by how many bits.
    std::map<std::tuple<std::uint32_t, std::uint32_t, int>, std::size_t> places;
    for (model::SlotId slot = 0; slot < slots; ++slot) {
        const Layout::Field& old = from.field(slot);
        const Layout::Field& now = to.field(slot);
        base_[now.word] += (static_cast<std::uint64_t>(old.low) - static_cast<std::uint64_t>(now.low)) << now.shift;
        if (old.width == 0) continue;
        const int left = now.shift - old.shift;
        const auto [place, is_new] = places.try_emplace({old.word, now.word, left}, moves_.size());
        if (is_new)
            moves_.push_back({old.word, now.word, 0, static_cast<std::uint8_t>(left > 0 ? left : 0),
                              static_cast<std::uint8_t>(left < 0 ? -left : 0)});
        moves_[place->second].mask |= old.mask << old.shift;
    }
}

}  // namespace tideline::successor
