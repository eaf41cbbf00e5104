#include "run/properties_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <unordered_set>

#include "support/file.hpp"

namespace tideline::run {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::array kKinds = {PropertyKind::invariant, PropertyKind::deadlock, PropertyKind::ltl,
                               PropertyKind::automaton, PropertyKind::ctl,      PropertyKind::ctlstar};
constexpr std::array kAnswers = {check::Answer::holds, check::Answer::violated, check::Answer::unknown};
constexpr const char* kShape =
    "expected NAME: KIND TEXT, where KIND is invariant, deadlock, ltl, automaton, ctl or ctlstar";

// What people write for the verdict that a property is expected to get.
std::string_view meant_answer(std::string_view word) {
    constexpr std::array kHolds = {"true", "hold", "pass", "passes", "ok", "yes", "satisfied", "valid"};
    constexpr std::array kViolated = {"false", "fail", "fails", "violates", "failed", "no", "violation", "invalid"};
    if (std::find(kHolds.begin(), kHolds.end(), word) != kHolds.end()) return "holds";
    if (std::find(kViolated.begin(), kViolated.end(), word) != kViolated.end()) return "violated";
    return {};
}

class PropertiesParser {
public:
    explicit PropertiesParser(std::shared_ptr<const support::SourceText> source)
        : shared_(std::move(source)), source_(*shared_), text_(source_.text()) {}

    support::Result<std::vector<PropertySpec>> run() {
        for (std::size_t at = 0; at < text_.size();) {
            const std::size_t end = end_of_property(at);
            if (!is_comment(at) && trimmed(at, end).begin != trimmed(at, end).end) property(at, end);
            at = end;
        }
        if (!errors_.empty()) return std::move(errors_);
        if (lines_.empty()) return support::diagnostic_about(source_.path(), "the file has no properties", kShape);
        return std::move(lines_);
    }

private:
    [[nodiscard]] bool is_comment(std::size_t at) const { return text_[at] == '#'; }

    [[nodiscard]] std::size_t end_of_line(std::size_t at) const {
        const std::size_t newline = text_.find('\n', at);
        return newline == std::string_view::npos ? text_.size() : newline + 1;
    }

    // After the continuation lines of the line that begins here.
    [[nodiscard]] std::size_t end_of_property(std::size_t at) const {
        std::size_t end = end_of_line(at);
        if (is_comment(at)) return end;
        while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t')) end = end_of_line(end);
        return end;
    }

    [[nodiscard]] support::SourceSpan trimmed(std::size_t begin, std::size_t end) const {
        while (begin < end && kBlanks.find(text_[begin]) != std::string_view::npos) ++begin;
        while (end > begin && kBlanks.find(text_[end - 1]) != std::string_view::npos) --end;
        return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    }

    void fail(support::SourceSpan span, std::string message, std::string hint = {}) {
        errors_.push_back(support::diagnostic_at(source_, span, std::move(message), std::move(hint)));
    }

    void property(std::size_t begin, std::size_t end) {
        const support::SourceSpan whole = trimmed(begin, end);
        const std::size_t colon = text_.find(':', whole.begin);
        if (colon == std::string_view::npos || colon >= whole.end ||
            text_.substr(whole.begin, colon - whole.begin).find('\n') != std::string_view::npos)
            return fail(
                {whole.begin, static_cast<std::uint32_t>(std::min<std::size_t>(whole.end, end_of_line(whole.begin)))},
                "this line has no ':'", kShape);
        PropertySpec line;
        support::SourceSpan name = trimmed(whole.begin, colon);
        if (const std::size_t blank = source_.text(name).find_last_of(" \t"); blank != std::string_view::npos) {
            const std::string_view word = source_.text(name).substr(blank + 1);
            const auto answer = std::find_if(kAnswers.begin(), kAnswers.end(),
                                             [&](check::Answer a) { return check::to_string(a) == word; });
            if (answer != kAnswers.end()) {
                line.expected = *answer;
                name = trimmed(name.begin, name.begin + blank);
            } else if (const std::string_view meant = meant_answer(word); !meant.empty()) {
                return fail({static_cast<std::uint32_t>(name.begin + blank + 1), name.end},
                            support::in_quotes(word) + " is no verdict",
                            "did you mean " + support::in_quotes(meant) +
                                "? Expected verdicts are holds, violated and unknown");
            }
        }
        line.name = source_.text(name);
        if (line.name.empty())
            return fail({static_cast<std::uint32_t>(colon), static_cast<std::uint32_t>(colon + 1)},
                        "the property has no name", kShape);
        if (!names_.insert(line.name).second)
            return fail(name, "there is a property " + support::in_quotes(line.name) + " already");
        support::SourceSpan kind = trimmed(colon + 1, whole.end);
        kind.end =
            static_cast<std::uint32_t>(std::min<std::size_t>(text_.find_first_of(kBlanks, kind.begin), whole.end));
        const std::string_view word = source_.text(kind);
        const auto found =
            std::find_if(kKinds.begin(), kKinds.end(), [&](PropertyKind k) { return to_string(k) == word; });
        if (found == kKinds.end()) {
            std::vector<std::string> names;
            for (const PropertyKind each : kKinds) names.emplace_back(to_string(each));
            const std::string closest = support::suggestion(word, names);
            return fail(kind,
                        word.empty() ? "the kind of the property is missing"
                                     : "unknown kind of property " + support::in_quotes(word),
                        closest.empty() ? kShape : closest);
        }
        line.kind = *found;
        line.source = shared_;
        line.is_from_file = true;
        line.span = trimmed(kind.end, whole.end);
        const bool is_empty = line.span.begin == line.span.end;
        if (line.kind == PropertyKind::deadlock && !is_empty)
            return fail(line.span, "unexpected text after 'deadlock'",
                        "it says that no reachable state is without a step");
        if (line.kind != PropertyKind::deadlock && is_empty)
            return fail({kind.end, kind.end}, "nothing follows " + support::in_quotes(word),
                        line.kind == PropertyKind::automaton ? "expected a file" : "expected a formula");
        (line.kind == PropertyKind::automaton ? line.file : line.text) = source_.text(line.span);
        lines_.push_back(std::move(line));
    }

    std::shared_ptr<const support::SourceText> shared_;
    const support::SourceText& source_;
    std::string_view text_;
    std::vector<PropertySpec> lines_;
    std::unordered_set<std::string> names_;
    support::Diagnostics errors_;
};

}  // namespace

support::Result<std::vector<PropertySpec>> parse_properties(const std::shared_ptr<const support::SourceText>& source) {
    return PropertiesParser(source).run();
}

support::Result<PropertySpec> read_automaton_file(std::string name, const std::string& path,
                                                  const support::Budget& budget) {
    support::Result<std::string> text = support::read_text_file(path, budget);
    if (!text) return std::move(text).diagnostics();
    PropertySpec property;
    property.kind = PropertyKind::automaton;
    property.name = std::move(name);
    property.file = path;
    property.text = *text;
    property.source = std::make_shared<const support::SourceText>(path, *std::move(text));
    property.span = {0, static_cast<std::uint32_t>(property.text.size())};
    return property;
}

support::Result<std::vector<PropertySpec>> read_properties_file(const std::string& path,
                                                                const support::Budget& budget) {
    support::Result<std::string> text = support::read_text_file(path, budget);
    if (!text) return std::move(text).diagnostics();
    support::Result<std::vector<PropertySpec>> parsed =
        parse_properties(std::make_shared<const support::SourceText>(path, *std::move(text)));
    if (!parsed) return parsed;
    for (PropertySpec& property : *parsed) {
        if (property.kind != PropertyKind::automaton) continue;
        const std::filesystem::path file(property.file);
        support::Result<PropertySpec> read = read_automaton_file(
            property.name,
            file.is_absolute() ? property.file : (std::filesystem::path(path).parent_path() / file).string(), budget);
        if (!read) return std::move(read).diagnostics();
        read->expected = property.expected;
        read->is_from_file = true;
        property = *std::move(read);
    }
    return parsed;
}

}  // namespace tideline::run
