// Searches with a ledger that crash, reach limits and continue: one attempt after the other on the same directory.
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

// How often an attempt makes a checkpoint.
inline constexpr std::chrono::milliseconds kOften{1};
inline constexpr std::chrono::milliseconds kOnlyAtTheEnd{3'600'000};

// What an observer throws.
struct Crash : std::runtime_error {
    Crash() : std::runtime_error("crash") {}
};

// Paths can be asked for when a search has ended, while its ledger is open.
class PathObserver : public explore::SearchObserver {
public:
    virtual void follow_paths(const explore::SearchResult& /*result*/) {}
};

struct Attempts {
    std::uint64_t limits = 0;
    std::uint64_t crashes = 0;
};

inline ledger::LedgerSettings unsynced_ledger(std::optional<std::uint64_t> frame_bytes = std::nullopt) {
    ledger::LedgerSettings settings;
    settings.files = std::make_shared<ledger::sample::UnsyncedFiles>();
    if (frame_bytes) settings.frame_bytes = *frame_bytes;
    return settings;
}

inline std::unique_ptr<ledger::LedgerWriter> create_ledger(const std::string& directory,
                                                           const successor::System& system,
                                                           explore::Recorded recorded = explore::Recorded::tree,
                                                           const ledger::LedgerSettings& settings = unsynced_ledger()) {
    return ledger::LedgerWriter::create(
        directory,
        explore::ledger_header(system, recorded, "{\"packing\": " + explore::packing_description(system) + "}"),
        settings);
}

inline constexpr std::uint64_t kNeverStreamed = std::numeric_limits<std::uint64_t>::max();

// What an attempt records, and its options.
struct AttemptSettings {
    explore::Recorded recorded = explore::Recorded::tree;
    ledger::LedgerSettings ledger = unsynced_ledger();
    std::optional<std::uint64_t> thin_above = std::nullopt;
    std::uint64_t streamed_above = kNeverStreamed;
};

// Continues with the ledger of a directory, or begins it. Nothing: the search crashed.
template <class MakeSystem>
std::optional<explore::SearchResult> go_on(const MakeSystem& make_system, explore::WalkOrder order,
                                           const std::string& directory, explore::SearchSettings settings,
                                           std::chrono::milliseconds checkpoint_every, PathObserver& observer,
                                           const AttemptSettings& attempt = {}) {
    std::unique_ptr<ledger::LedgerWriter> writer;
    std::shared_ptr<const successor::System> system;
    if (std::filesystem::exists(directory)) {
        writer = ledger::LedgerWriter::reopen(directory, attempt.ledger);
        const bool has_widened = writer->packings().size() > 1;
        system =
            make_system(has_widened ? explore::described_layout(writer->packings().back().description) : std::nullopt);
    } else {
        system = make_system(std::nullopt);
        writer = create_ledger(directory, *system, attempt.recorded, attempt.ledger);
    }
    explore::LedgerRun run{*writer};
    run.checkpoint_every = checkpoint_every;
    run.thin_above = attempt.thin_above;
    run.streamed_above = attempt.streamed_above;
    run.resumed = !writer->engine().empty();
    if (run.resumed) run.saved = explore::parse_saved_search(writer->engine());
    settings.ledger = &run;
    try {
        explore::SearchResult result = explore::search(system, order, settings, observer);
        observer.follow_paths(result);
        return result;
    } catch (const Crash&) {
        return std::nullopt;
    }
}

}  // namespace tideline::differential
