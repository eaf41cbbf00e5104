#include "support/quantity.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include <fmt/format.h>

namespace tideline::support {
namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::string_view kSizeHint = "a size is a number with a unit: 64K, 512M, 1.5G, 2T";
constexpr std::string_view kDurationHint = "a duration is a number with a unit: 500ms, 90s, 10m, 2h";

struct Unit {
    std::string_view name;
    std::uint64_t factor;
};

constexpr std::uint64_t kKilo = 1024;
constexpr std::uint64_t kMega = kKilo * kKilo;
constexpr std::uint64_t kGiga = kMega * kKilo;
constexpr std::uint64_t kTera = kGiga * kKilo;

constexpr std::array kSizeUnits = std::to_array<Unit>({
    {"b", 1},
    {"k", kKilo},
    {"kb", kKilo},
    {"kib", kKilo},
    {"m", kMega},
    {"mb", kMega},
    {"mib", kMega},
    {"g", kGiga},
    {"gb", kGiga},
    {"gib", kGiga},
    {"t", kTera},
    {"tb", kTera},
    {"tib", kTera},
});

constexpr std::uint64_t kSecond = 1'000'000'000;

constexpr std::array kDurationUnits = std::to_array<Unit>({
    {"ms", 1'000'000},
    {"s", kSecond},
    {"m", 60 * kSecond},
    {"min", 60 * kSecond},
    {"h", 3600 * kSecond},
    {"d", 86400 * kSecond},
});

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

// A decimal number split into what is before and after its point, and the rest of the text.
struct Number {
    std::string_view whole;
    std::string_view fraction;
    std::string_view rest;
};

std::string_view take_digits(std::string_view& text) {
    std::size_t count = 0;
    while (count < text.size() && is_digit(text[count])) ++count;
    const std::string_view digits = text.substr(0, count);
    text.remove_prefix(count);
    return digits;
}

std::optional<Number> split_number(std::string_view text) {
    Number number;
    number.whole = take_digits(text);
    if (number.whole.empty()) return std::nullopt;
    if (!text.empty() && text.front() == '.') {
        text.remove_prefix(1);
        number.fraction = take_digits(text);
        if (number.fraction.empty()) return std::nullopt;
    }
    number.rest = text;
    return number;
}

// whole * factor + 0.fraction * factor; nothing where that is more than kLargest.
std::optional<std::uint64_t> scaled(const Number& number, std::uint64_t factor) {
    std::uint64_t whole = 0;
    for (const char c : number.whole) {
        const auto digit = static_cast<std::uint64_t>(c - '0');
        if (whole > (kLargest - digit) / 10) return std::nullopt;
        whole = whole * 10 + digit;
    }
    if (whole > kLargest / factor) return std::nullopt;
    long double part = 0;
    for (std::size_t i = number.fraction.size(); i-- > 0;)
        part = (part + static_cast<long double>(number.fraction[i] - '0')) / 10;
    // The digits are decimal: half a unit in the last place must not lose a byte or a nanosecond.
    const auto extra = static_cast<std::uint64_t>(std::floor(part * static_cast<long double>(factor) + 1e-6L));
    const std::uint64_t result = whole * factor;
    if (result > kLargest - extra) return std::nullopt;
    return result + extra;
}

Result<std::uint64_t> parse_quantity(std::string_view text, std::string_view noun, std::span<const Unit> units,
                                     bool any_case, std::string_view hint) {
    const std::string subject = in_quotes(text);
    const auto error = [&](const std::string& message) {
        return diagnostic_about("", subject + message, std::string(hint));
    };
    const std::optional<Number> number = split_number(text);
    if (!number) return error(fmt::format(" is not a {}", noun));
    if (number->rest.empty()) return error(" has no unit");
    const std::string name = any_case ? lower(number->rest) : std::string(number->rest);
    const Unit* unit = nullptr;
    for (const Unit& candidate : units)
        if (candidate.name == name) unit = &candidate;
    if (unit == nullptr) return error(fmt::format(" is not a {}: {} is not a unit", noun, in_quotes(number->rest)));
    const std::optional<std::uint64_t> value = scaled(*number, unit->factor);
    if (!value) return error(fmt::format(" is too large for a {}", noun));
    if (*value == 0) return error(fmt::format(" is not a {}: it must be more than 0", noun));
    return *value;
}

}  // namespace

Result<std::uint64_t> parse_size(std::string_view text) {
    return parse_quantity(text, "size", kSizeUnits, true, kSizeHint);
}

Result<std::chrono::nanoseconds> parse_duration(std::string_view text) {
    Result<std::uint64_t> value = parse_quantity(text, "duration", kDurationUnits, false, kDurationHint);
    if (!value) return std::move(value).diagnostics();
    return std::chrono::nanoseconds(static_cast<std::int64_t>(*value));
}

std::string bytes_text(std::uint64_t bytes) {
    if (bytes < kKilo) return fmt::format("{} B", bytes);
    constexpr std::array<std::string_view, 6> units{"KB", "MB", "GB", "TB", "PB", "EB"};
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    while (value >= 1023.95 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    return fmt::format("{:.1f} {}", value, units[unit]);
}

std::string count_text(std::uint64_t count) {
    const std::string digits = std::to_string(count);
    std::string result;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) result += ',';
        result += digits[i];
    }
    return result;
}

std::string duration_text(double seconds) {
    if (!(seconds > 0)) return "0 ms";
    if (seconds < 0.001) return "less than 1 ms";
    if (seconds < 0.9995) return fmt::format("{:.0f} ms", seconds * 1000);
    if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
    if (seconds > 1e15) return "more than a million years";
    const auto total = static_cast<std::uint64_t>(std::llround(seconds));
    if (total < 3600) return fmt::format("{} min {:02} s", total / 60, total % 60);
    if (total < 86400) return fmt::format("{} h {:02} min", total / 3600, total / 60 % 60);
    return fmt::format("{} d {:02} h", total / 86400, total / 3600 % 24);
}

std::string rate_text(double per_second) {
    if (!(per_second > 0)) return "0 /s";
    constexpr std::array<std::string_view, 4> units{"", "k", "M", "G"};
    std::size_t unit = 0;
    while (per_second >= 999.5 && unit + 1 < units.size()) {
        per_second /= 1000;
        ++unit;
    }
    const bool decimal = unit > 0 && per_second < 99.95;
    return decimal ? fmt::format("{:.1f} {}/s", per_second, units[unit])
                   : fmt::format("{:.0f} {}/s", per_second, units[unit]);
}

}  // namespace tideline::support
