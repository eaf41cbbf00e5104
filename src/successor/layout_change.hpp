// How a packed state of one layout becomes that of another. Fields that keep their neighbours move together: where one
// field got wider, a few shifts repack a state.
#pragma once

#include <cstdint>
#include <vector>

#include "successor/layout.hpp"

namespace tideline::successor {

class LayoutChange {
public:
    // Layouts of the same slots. For states whose values `to` can hold: fields are added modulo 2^64, so carries
    // between neighbouring fields cancel out.
    LayoutChange(const Layout& from, const Layout& to, std::size_t slots);

    void apply(const std::uint64_t* from, std::uint64_t* to) const {
        for (std::size_t w = 0; w < base_.size(); ++w) to[w] = base_[w];
        for (const Move& move : moves_)
            to[move.to_word] += ((from[move.from_word] & move.mask) << move.left) >> move.right;
    }

private:
    struct Move {
        std::uint32_t from_word = 0;
        std::uint32_t to_word = 0;
        std::uint64_t mask = 0;
        std::uint8_t left = 0;
        std::uint8_t right = 0;
    };
    std::vector<std::uint64_t> base_;  // constant offset of the fields, because their ranges begin elsewhere
    std::vector<Move> moves_;
};

}  // namespace tideline::successor
