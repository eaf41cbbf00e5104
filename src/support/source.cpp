#include "support/source.hpp"

#include <algorithm>

namespace tideline {

SourceText::SourceText(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {
    for (std::size_t i = 0; i < text_.size(); ++i)
        if (text_[i] == '\n') line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
}

std::string_view SourceText::text(SourceSpan span) const {
    const std::size_t begin = std::min<std::size_t>(span.begin, text_.size());
    const std::size_t end = std::clamp<std::size_t>(span.end, begin, text_.size());
    return std::string_view(text_).substr(begin, end - begin);
}

std::uint32_t SourceText::line_number(std::uint32_t offset) const {
    const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
    return static_cast<std::uint32_t>(after - line_starts_.begin());
}

SourcePosition SourceText::position(std::uint32_t offset) const {
    const std::uint32_t line = line_number(offset);
    const std::uint32_t start = line_starts_[line - 1];
    const std::size_t stop = std::min<std::size_t>(offset, text_.size());
    std::uint32_t column = 1;
    for (std::size_t i = start; i < stop; ++i)
        if ((static_cast<unsigned char>(text_[i]) & 0xC0U) != 0x80U) ++column;
    return {line, column};
}

std::string_view SourceText::line(std::uint32_t number) const {
    if (number == 0 || number > line_starts_.size()) return {};
    const std::size_t start = line_starts_[number - 1];
    const std::size_t stop = number < line_starts_.size() ? line_starts_[number] - 1 : text_.size();
    std::string_view result = std::string_view(text_).substr(start, stop - start);
    if (!result.empty() && result.back() == '\r') result.remove_suffix(1);
    return result;
}

}  // namespace tideline
