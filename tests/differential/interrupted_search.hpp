// Searches with a ledger that crash, reach limits and go on: one attempt after the other on the same directory.
#pragma once

#include <chrono>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "explore/search.hpp"
#include "ledger/sample_ledger.hpp"

namespace tideline::differential {

// How often an attempt commits.
inline constexpr std::chrono::milliseconds kOften{1};
inline constexpr std::chrono::milliseconds kOnlyAtTheEnd{3'600'000};

// What an observer throws.
struct Crash : std::runtime_error {
    Crash() : std::runtime_error("crash") {}
};

struct Attempts {
    std::uint64_t limits = 0;
    std::uint64_t crashes = 0;
};

inline LedgerSettings unsynced_ledger(std::optional<std::uint64_t> frame_bytes = std::nullopt) {
    LedgerSettings settings;
    settings.files = std::make_shared<sample::UnsyncedFiles>();
    if (frame_bytes) settings.frame_bytes = *frame_bytes;
    return settings;
}

inline std::unique_ptr<LedgerWriter> create_ledger(const std::string& directory, const System& system, Recorded recorded = Recorded::tree,
                                                   const LedgerSettings& settings = unsynced_ledger()) {
    return LedgerWriter::create(directory, ledger_header(system, recorded, "{\"packing\": " + packing_description(system) + "}"), settings);
}

inline constexpr std::uint64_t kNeverStreamed = std::numeric_limits<std::uint64_t>::max();

// What an attempt records, and how it goes.
struct AttemptSettings {
    Recorded recorded = Recorded::tree;
    LedgerSettings ledger = unsynced_ledger();
    std::optional<std::uint64_t> thin_above = std::nullopt;
    std::uint64_t streamed_above = kNeverStreamed;
};

// Goes on with the ledger of a directory, or begins it. Nothing: the search crashed.
template <class MakeSystem>
std::optional<SearchResult> go_on(const MakeSystem& make_system, WalkOrder order, const std::string& directory, SearchSettings settings,
                                  std::chrono::milliseconds commit_every, SearchObserver& observer, const AttemptSettings& attempt = {}) {
    std::unique_ptr<LedgerWriter> writer;
    std::shared_ptr<const System> system;
    if (std::filesystem::exists(directory)) {
        writer = LedgerWriter::reopen(directory, attempt.ledger);
        const bool has_widened = writer->packings().size() > 1;
        system = make_system(has_widened ? described_layout(writer->packings().back().description) : std::nullopt);
    } else {
        system = make_system(std::nullopt);
        writer = create_ledger(directory, *system, attempt.recorded, attempt.ledger);
    }
    LedgerRun run{*writer};
    run.commit_every = commit_every;
    run.thin_above = attempt.thin_above;
    run.streamed_above = attempt.streamed_above;
    run.resumed = !writer->engine().empty();
    if (run.resumed) run.saved = parse_saved_search(writer->engine());
    settings.ledger = &run;
    try {
        return search(system, order, settings, observer);
    } catch (const Crash&) {
        return std::nullopt;
    }
}

}  // namespace tideline::differential
