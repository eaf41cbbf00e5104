// What is fuzzed: one function per parser. Each takes any bytes and returns; a crash, a report of a sanitizer, a failed
// expectation, an exception that nobody expects, a long time or much memory for a small input is a fault of ours.
//
// fuzzer.cpp makes a libFuzzer program of each, corpus_test.cpp calls each with the files of its corpus in `make test`.
// README.md tells how to add one and what to do with what is found.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tideline::fuzz {

using Input = std::span<const std::uint8_t>;

void aut(Input input);
void dve(Input input);
void formula(Input input);
void hoa(Input input);
void kripke(Input input);
void ledger(Input input);
void never_claim(Input input);
void promela(Input input);
void properties(Input input);

struct Target {
    std::string_view name;  // of its folder in corpus/
    void (*run)(Input input);
};
[[nodiscard]] std::span<const Target> targets();

}  // namespace tideline::fuzz
