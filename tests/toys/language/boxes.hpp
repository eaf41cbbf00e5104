// A toy input language, for docs/adding-a-language.md: boxes that hold balls, and moves of one ball.
//
//   box left 3 2        a box of this name, for at most 3 balls, with 2 in it at the beginning
//   move left right     a ball may go from one to the other
//
// One statement per line; what follows a # is a comment. Boxes are declared before they are used.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "input/language.hpp"
#include "support/diagnostic.hpp"

namespace tideline::toys {

struct Box {
    std::string name;
    std::int64_t capacity = 0;
    std::int64_t balls = 0;
};

struct Move {
    std::size_t from = 0;
    std::size_t to = 0;
    support::SourceSpan span;
};

struct Boxes {
    std::vector<Box> boxes;
    std::vector<Move> moves;
};

inline constexpr std::string_view kBoxesName = "boxes";

[[nodiscard]] support::Result<Boxes> parse_boxes(const support::SourceText& source);

// The row of the table of languages (input/language.hpp).
[[nodiscard]] support::Result<input::Translation> load_boxes(const support::SourceText& source,
                                                             const input::LoadOptions& options,
                                                             const support::Budget& budget);

}  // namespace tideline::toys
