// Source text with lookup of lines and columns, and spans into it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tideline::support {

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

// Copies share one text: files may be large, and both the syntax tree and the model keep theirs.
class SourceText {
public:
    SourceText() : SourceText({}, {}) {}
    SourceText(std::string path, std::string text);
    // No moves: the source object stays readable.
    SourceText(const SourceText&) = default;
    SourceText& operator=(const SourceText&) = default;

    [[nodiscard]] const std::string& path() const { return contents_->path; }
    [[nodiscard]] std::string_view text() const { return contents_->text; }
    [[nodiscard]] std::string_view text(SourceSpan span) const;
    [[nodiscard]] SourcePosition position(std::uint32_t offset) const;
    [[nodiscard]] std::uint32_t line_number(std::uint32_t offset) const;
    // The text of a one-based line, without its end.
    [[nodiscard]] std::string_view line(std::uint32_t number) const;

private:
    struct Contents {
        std::string path;
        std::string text;
        std::vector<std::uint32_t> line_starts{0};
    };
    std::shared_ptr<const Contents> contents_;  // never null
};

}  // namespace tideline::support
