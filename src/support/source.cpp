#include "support/source.hpp"

#include <algorithm>

namespace tideline::support {

SourceText::SourceText(std::string path, std::string text) {
    auto contents = std::make_shared<Contents>();
    contents->path = std::move(path);
    contents->text = std::move(text);
    for (std::size_t i = contents->text.find('\n'); i != std::string::npos; i = contents->text.find('\n', i + 1))
        contents->line_starts.push_back(static_cast<std::uint32_t>(i + 1));
    contents_ = std::move(contents);
}

std::string_view SourceText::text(SourceSpan span) const {
    const std::size_t begin = std::min<std::size_t>(span.begin, contents_->text.size());
    const std::size_t end = std::clamp<std::size_t>(span.end, begin, contents_->text.size());
    return std::string_view(contents_->text).substr(begin, end - begin);
}

std::uint32_t SourceText::line_number(std::uint32_t offset) const {
    const auto after = std::upper_bound(contents_->line_starts.begin(), contents_->line_starts.end(), offset);
    return static_cast<std::uint32_t>(after - contents_->line_starts.begin());
}

SourcePosition SourceText::position(std::uint32_t offset) const {
    const std::uint32_t line = line_number(offset);
    const std::uint32_t start = contents_->line_starts[line - 1];
    const std::size_t stop = std::min<std::size_t>(offset, contents_->text.size());
    std::uint32_t column = 1;
    for (std::size_t i = start; i < stop; ++i)
        if ((static_cast<unsigned char>(contents_->text[i]) & 0xC0U) != 0x80U) ++column;
    return {line, column};
}

std::string_view SourceText::line(std::uint32_t number) const {
    if (number == 0 || number > contents_->line_starts.size()) return {};
    const std::size_t start = contents_->line_starts[number - 1];
    const std::size_t stop =
        number < contents_->line_starts.size() ? contents_->line_starts[number] - 1 : contents_->text.size();
    std::string_view result = std::string_view(contents_->text).substr(start, stop - start);
    if (!result.empty() && result.back() == '\r') result.remove_suffix(1);
    return result;
}

}  // namespace tideline::support
