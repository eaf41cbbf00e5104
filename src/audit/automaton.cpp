#include "audit/automaton.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <string_view>

#include "audit/error.hpp"

namespace tideline::audit {
namespace {

[[noreturn]] void refuse() { throw Objection("the automaton in the header cannot be understood"); }

std::uint64_t number(std::string_view digits) {
    std::uint64_t result = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result);
    if (error != std::errc() || end != digits.data() + digits.size()) refuse();
    return result;
}

// What follows `key` in a line that begins with it.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
    if (!line.starts_with(key)) return std::nullopt;
    return line.substr(key.size());
}

std::string_view until(std::string_view text, std::string_view end) { return text.substr(0, text.find(end)); }

std::vector<std::string_view> parts_of(std::string_view text, std::string_view separator) {
    std::vector<std::string_view> result;
    for (;;) {
        const std::size_t end = text.find(separator);
        result.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return result;
        text.remove_prefix(end + separator.size());
    }
}

// The lines of a text. A text in quotes, such as an atom, may have several lines and belongs to one.
std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> result;
    std::size_t begin = 0;
    bool inside = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (inside && text[i] == '\\') {
            ++i;
        } else if (text[i] == '"') {
            inside = !inside;
        } else if (text[i] == '\n' && !inside) {
            result.push_back(text.substr(begin, i - begin));
            begin = i + 1;
        }
    }
    result.push_back(text.substr(begin));
    return result;
}

// "a" "b\"c": the texts.
std::vector<std::string> quoted_texts(std::string_view text) {
    std::vector<std::string> result;
    bool inside = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') {
            inside = !inside;
            if (inside) result.emplace_back();
        } else if (inside) {
            if (text[i] == '\\' && ++i == text.size()) refuse();
            result.back() += text[i];
        }
    }
    if (inside) refuse();
    return result;
}

}  // namespace

Automaton::Automaton(const std::string& hoa) {
    std::optional<std::uint64_t> states;
    bool in_body = false;
    bool ended = false;
    std::optional<std::uint64_t> current;  // state
    std::uint64_t marks_of_state = 0;      // which all of its edges have
    for (const std::string_view line : lines_of(hoa)) {
        if (line.empty() || ended) continue;
        if (line == "--BODY--") {
            if (!states) refuse();
            edges_.resize(std::max<std::uint64_t>(1, *states));
            in_body = true;
        } else if (line == "--END--") {
            ended = true;
        } else if (!in_body) {
            if (const auto value = value_of(line, "States: ")) states = number(*value);
            if (states.value_or(0) > hoa.size()) refuse();  // each has a line
            if (const auto value = value_of(line, "Start: ")) initial_ = number(*value);
            if (const auto value = value_of(line, "Acceptance: ")) sets_ = number(until(*value, " "));
            if (sets_ > 64) refuse();
            if (const auto value = value_of(line, "AP: ")) {
                atoms_ = quoted_texts(*value);
                if (atoms_.size() != number(until(*value, " ")) || atoms_.size() > 64) refuse();
            }
        } else if (const auto state = value_of(line, "State: ")) {
            if (number(until(*state, " ")) >= edges_.size()) refuse();
            current = number(until(*state, " "));
            marks_of_state = marks_of(state->substr(until(*state, " ").size()));
        } else {
            const std::size_t end = line.find("] ");
            if (line.front() != '[' || end == std::string_view::npos || !current) refuse();
            Edge edge;
            const std::string_view target = line.substr(end + 2);
            edge.target = number(until(target, " "));
            edge.marks = marks_of_state | marks_of(target.substr(until(target, " ").size()));
            if (edge.target >= edges_.size()) refuse();
            const std::string_view label = line.substr(1, end - 1);
            if (label == "t") edge.label.emplace_back();
            if (label != "t" && label != "f") edge.label = sum_of(label);
            edges_[*current].push_back(std::move(edge));
        }
    }
    if (!ended || initial_ >= edges_.size()) refuse();
}

// What follows a state: nothing, or {0 2} behind a blank.
std::uint64_t Automaton::marks_of(std::string_view text) const {
    if (text.empty()) return 0;
    if (!text.starts_with(" {") || !text.ends_with("}")) refuse();
    std::uint64_t marks = 0;
    for (const std::string_view set : parts_of(text.substr(2, text.size() - 3), " ")) {
        if (number(set) >= sets_) refuse();
        marks |= std::uint64_t{1} << number(set);
    }
    return marks;
}

// 0&!1 | 2
std::vector<Automaton::Product> Automaton::sum_of(std::string_view text) const {
    std::vector<Product> sum;
    for (const std::string_view product : parts_of(text, " | ")) {
        Product& bits = sum.emplace_back();
        for (std::string_view literal : parts_of(product, "&")) {
            const bool is_negative = literal.starts_with('!');
            if (is_negative) literal.remove_prefix(1);
            const std::uint64_t atom = number(literal);
            if (atom >= atoms_.size()) refuse();
            (is_negative ? bits.negative : bits.positive) |= std::uint64_t{1} << atom;
        }
    }
    return sum;
}

bool Automaton::fits(const std::vector<Product>& label, std::uint64_t valuation) {
    return std::any_of(label.begin(), label.end(), [&](const Product& product) {
        return (valuation & product.positive) == product.positive && (valuation & product.negative) == 0;
    });
}

Automaton::Choice Automaton::choose(std::uint64_t state, std::uint64_t valuation, std::uint64_t unknown) const {
    Choice choice;
    for (const Edge& edge : edges_[state]) {
        std::uint64_t open = 0;  // unknown atoms of the label
        for (const Product& product : edge.label) open |= (product.positive | product.negative) & unknown;
        constexpr int kMostOpen = 20;
        if (std::popcount(open) > kMostOpen)
            throw Objection("a label of the automaton has too many atoms that cannot be evaluated");
        // All values of these, as subsets of `open`.
        bool always = true;
        bool ever = false;
        std::uint64_t chosen = 0;
        do {
            const bool now = fits(edge.label, (valuation & ~open) | chosen);
            always = always && now;
            ever = ever || now;
            chosen = (chosen - open) & open;
        } while (chosen != 0);
        if (always) choice.targets.push_back({edge.target, edge.marks});
        choice.depends_on_unknown = choice.depends_on_unknown || ever != always;
    }
    return choice;
}

}  // namespace tideline::audit
