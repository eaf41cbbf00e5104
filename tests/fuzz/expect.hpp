// What must hold whatever the input is.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "support/budget.hpp"
#include "support/diagnostic.hpp"
#include "tests/fuzz/targets.hpp"

namespace tideline::fuzz {

inline void expect(bool holds, std::string_view what, const std::string& details = {}) {
    if (holds) return;
    std::fprintf(stderr, "expected: %.*s\n%s\n", static_cast<int>(what.size()), what.data(), details.c_str());
    std::abort();
}

// What one input may take: a few files name more states than memory holds, and must be refused in time.
inline support::BudgetLimits limits() {
    return {.memory = std::uint64_t{700} << 20U, .disk = {}, .time = std::chrono::seconds(5)};
}

inline std::string text_of(Input input) { return {input.begin(), input.end()}; }

// A result without a value says why, and every message can be written.
template <class T>
void expect_sound(const support::Result<T>& result) {
    expect(result || !result.diagnostics().empty(), "a refusal gives a reason");
    for (const support::Diagnostic& diagnostic : result.diagnostics()) {
        expect(!diagnostic.message.empty(), "a diagnostic has a message");
        expect(!to_text(diagnostic).empty(), "a diagnostic has a text");
    }
}

}  // namespace tideline::fuzz
