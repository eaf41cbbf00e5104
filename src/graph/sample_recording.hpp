// For tests: the edges of a system, in a ledger.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "explore/search.hpp"
#include "ledger/sample_ledger.hpp"
#include "successor/system.hpp"

namespace tideline::graph {

inline explore::SearchResult record(const std::shared_ptr<const successor::System>& system,
                                    const std::string& directory, explore::WalkOrder order, unsigned threads,
                                    std::optional<std::uint64_t> states = {}) {
    const std::unique_ptr<ledger::LedgerWriter> writer = ledger::LedgerWriter::create(
        directory,
        explore::ledger_header(*system, explore::Recorded::edges,
                               "{\"packing\": " + explore::packing_description(*system) + "}"),
        ledger::sample::small_settings());
    explore::LedgerRun run{*writer};
    explore::SearchSettings settings;
    settings.ledger = &run;
    settings.threads = threads;
    settings.states = states;
    explore::SearchObserver nobody;
    return explore::search(system, order, settings, nobody);
}

}  // namespace tideline::graph
