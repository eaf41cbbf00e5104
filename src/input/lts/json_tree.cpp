// The JSON library reads the text and reports tokens one by one, without their positions. Every token but ',' and ':'
// is reported, so a cursor that follows along in the text finds each of them again; that is where the spans come from.
#include "input/lts/json_tree.hpp"

#include <array>
#include <limits>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tideline::input::lts {
namespace {

// Files of this folder nest four levels; a much deeper tree is an error, and would be freed recursively.
constexpr std::size_t kMaxDepth = 32;
// Objects with fewer keys are searched one key after the other, which is faster.
constexpr std::size_t kManyKeys = 16;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

class TreeBuilder final : public nlohmann::json_sax<nlohmann::json> {
public:
    TreeBuilder(const support::SourceText& source, const support::Budget& budget) : source_(source), poll_(budget) {
        if (source_.text().starts_with(kByteOrderMark)) cursor_ = static_cast<std::uint32_t>(kByteOrderMark.size());
    }

    bool null() override { return add({JsonNode::Kind::null, token(), 0, {}, {}, {}}); }
    bool boolean(bool) override { return add({JsonNode::Kind::boolean, token(), 0, {}, {}, {}}); }
    bool number_integer(number_integer_t value) override {
        return add({JsonNode::Kind::integer, token(), value, {}, {}, {}});
    }
    bool number_unsigned(number_unsigned_t value) override {
        constexpr auto kLargest = static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
        const support::SourceSpan span = token();
        if (value > kLargest) return fail(span, fmt::format("the number {} is too large", value));
        return add({JsonNode::Kind::integer, span, static_cast<std::int64_t>(value), {}, {}, {}});
    }
    bool number_float(number_float_t, const string_t&) override {
        return add({JsonNode::Kind::fraction, token(), 0, {}, {}, {}});
    }
    bool string(string_t& value) override {
        return add({JsonNode::Kind::string, token(), 0, std::move(value), {}, {}});
    }
    bool binary(binary_t&) override { return false; }  // not in JSON text

    bool start_object(std::size_t) override { return open(JsonNode::Kind::object); }
    bool start_array(std::size_t) override { return open(JsonNode::Kind::array); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override {
        JsonNode& object = open_.back();
        const support::SourceSpan span = token();
        if (!is_new(object, name))
            return fail(span, fmt::format("the key {} is given twice", support::in_quotes(name)));
        object.keys.push_back({JsonNode::Kind::string, span, 0, std::move(name), {}, {}});
        return true;
    }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
        // "[id] parse error at line 1, column 2: syntax error while parsing value - what; last read: '..'; expected
        // ..."
        std::string_view what = error.what();
        if (const std::size_t dash = what.find(" - "); dash != std::string_view::npos) what.remove_prefix(dash + 3);
        else if (const std::size_t bracket = what.find("] "); bracket != std::string_view::npos)
            what.remove_prefix(bracket + 2);
        const std::size_t expected = what.rfind("; expected ");
        const std::string_view problem = what.substr(0, std::min(what.find("; last read: "), expected));
        std::string hint(expected == std::string_view::npos ? std::string_view() : what.substr(expected + 2));
        const auto place =
            static_cast<std::uint32_t>(std::min(position == 0 ? 0 : position - 1, source_.text().size()));
        return fail({place, place}, fmt::format("this is not valid JSON: {}", problem), std::move(hint));
    }

    support::Result<JsonNode> take(bool complete) {
        if (error_) return std::move(*error_);
        if (!complete || !root_) return support::diagnostic_about(source_.path(), "this is not valid JSON");
        return std::move(*root_);
    }

private:
    bool fail(support::SourceSpan span, std::string message, std::string hint = {}) {
        error_ = support::diagnostic_at(source_, span, std::move(message), std::move(hint));
        return false;
    }

    // Whether an object has no such key yet; the key is about to be added.
    bool is_new(const JsonNode& object, const std::string& name) {
        if (object.keys.size() < kManyKeys) return object.find(name) == nullptr;
        std::unordered_set<std::string>& known = known_keys_[open_.size() - 1];
        if (known.empty())
            for (const JsonNode& key : object.keys) known.insert(key.text);
        return known.insert(name).second;
    }

    // The span of the token that is being reported; moves past it.
    support::SourceSpan token() {
        const std::string_view text = source_.text();
        const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n,:", cursor_), text.size());
        std::size_t end = begin + 1;
        if (begin < text.size() && text[begin] == '"') {
            while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
            ++end;
        } else if (begin < text.size() && std::string_view("{}[]").find(text[begin]) == std::string_view::npos) {
            end = std::min(text.find_first_of(" \t\r\n,:{}[]\"", begin), text.size());
        }
        cursor_ = static_cast<std::uint32_t>(std::min(end, text.size()));
        return {static_cast<std::uint32_t>(begin), cursor_};
    }

    bool add(JsonNode node) {
        if (poll_.is_exhausted()) {
            error_ = support::diagnostic_of_stop(source_.path(), poll_.reason(), "the file was parsed");
            return false;
        }
        if (open_.empty()) root_ = std::move(node);
        else open_.back().elements.push_back(std::move(node));
        return true;
    }

    bool open(JsonNode::Kind kind) {
        const support::SourceSpan span = token();
        if (open_.size() == kMaxDepth) return fail(span, "this is nested too deeply");
        open_.push_back({kind, span, 0, {}, {}, {}});
        return true;
    }

    bool close() {
        JsonNode node = std::move(open_.back());
        open_.pop_back();
        known_keys_[open_.size()].clear();
        node.span.end = token().end;
        return add(std::move(node));
    }

    const support::SourceText& source_;
    std::uint32_t cursor_ = 0;
    std::vector<JsonNode> open_;
    std::array<std::unordered_set<std::string>, kMaxDepth> known_keys_;  // by depth; of the open objects with many
    std::optional<JsonNode> root_;
    std::optional<support::Diagnostic> error_;
    support::BudgetPoll poll_;
};

}  // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i].text == key && i < elements.size()) return &elements[i];
    return nullptr;
}

std::string_view to_string(JsonNode::Kind kind) {
    switch (kind) {
        case JsonNode::Kind::null: return "null";
        case JsonNode::Kind::boolean: return "a truth value";
        case JsonNode::Kind::integer: return "a number";
        case JsonNode::Kind::fraction: return "a fraction";
        case JsonNode::Kind::string: return "a string";
        case JsonNode::Kind::array: return "an array";
        case JsonNode::Kind::object: return "an object";
    }
    return "nothing";
}

support::Result<JsonNode> parse_json(const support::SourceText& source, const support::Budget& budget) {
    TreeBuilder builder(source, budget);
    const bool complete = nlohmann::json::sax_parse(source.text(), &builder);
    return builder.take(complete);
}

}  // namespace tideline::input::lts
