// Source text with line and column look-up, and spans into it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tideline {

// A half-open range of byte offsets into a SourceText.
struct SourceSpan {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    friend bool operator==(const SourceSpan&, const SourceSpan&) = default;
};

// One-based; a column counts characters, not bytes.
struct SourcePosition {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    friend bool operator==(const SourcePosition&, const SourcePosition&) = default;
};

class SourceText {
public:
    SourceText() = default;
    SourceText(std::string path, std::string text);

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] std::string_view text(SourceSpan span) const;
    [[nodiscard]] SourcePosition position(std::uint32_t offset) const;
    [[nodiscard]] std::uint32_t line_number(std::uint32_t offset) const;
    // The text of a one-based line, without its end.
    [[nodiscard]] std::string_view line(std::uint32_t number) const;

private:
    std::string path_;
    std::string text_;
    std::vector<std::uint32_t> line_starts_{0};
};

}  // namespace tideline
