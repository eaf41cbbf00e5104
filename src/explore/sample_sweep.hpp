// For tests: states of an exact sweep that are numbers, in one word, and a ledger for them.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "explore/ledger_run.hpp"
#include "explore/sweep_layer.hpp"
#include "ledger/sample_ledger.hpp"
#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::explore::sample {

inline const store::MemoryBudget kUnlimited = [](std::uint64_t) { return true; };

// One slot of 16 bits: the packed state is its value.
inline std::shared_ptr<const successor::System> counter_system() {
    model::Model model;
    model::examples::add_scalar(model, "n", {0, 65535}, 0);
    return successor::make_interpreted_system(std::make_shared<const model::Model>(model), {},
                                              successor::Layout::declared(model));
}

inline StateShape shape(bool is_numbered = false) { return {1, 2, &kUnlimited, is_numbered}; }

// The state `number`, discovered from `parent`; valid as long as `number` is.
inline OpenState open_state(const successor::Word& number, std::uint64_t parent = 0, std::uint64_t temporary = 0) {
    return {&number, successor::hash_state(&number, 1), parent, 7, temporary};
}

// The open states of a layer, oldest first, with their parents.
inline std::vector<std::pair<std::uint16_t, std::uint64_t>> open_states(const SweepLayer& layer) {
    std::vector<std::pair<std::uint16_t, std::uint64_t>> states;
    layer.open.for_each_from(0, [&](const store::RecordLog::Record& record) {
        std::uint16_t number = 0;
        std::memcpy(&number, record.state, sizeof number);
        states.emplace_back(number, record.parent);
    });
    return states;
}

// A ledger in a directory of its own.
struct SampleLedger {
    explicit SampleLedger(Recorded recorded = Recorded::tree) {
        ledger::LedgerSettings settings;
        settings.files = std::make_shared<ledger::sample::UnsyncedFiles>();
        const std::string description = "{\"packing\": " + packing_description(*system) + "}";
        writer =
            ledger::LedgerWriter::create(directory / "ledger", ledger_header(*system, recorded, description), settings);
    }
    // Visited states of a key.
    void append(successor::Key key, std::uint32_t pass, const std::vector<std::uint16_t>& numbers) const {
        std::vector<std::uint8_t> bytes;
        for (const std::uint16_t number : numbers) {
            bytes.push_back(static_cast<std::uint8_t>(number));
            bytes.push_back(static_cast<std::uint8_t>(number >> 8U));
        }
        const std::vector<std::uint64_t> parents(numbers.size(), 0);
        const std::vector<std::uint32_t> transitions(numbers.size(), 0);
        writer->append_states(key, pass, {numbers.size(), bytes, parents, transitions, {}});
    }

    ledger::sample::TemporaryDirectory directory;
    std::shared_ptr<const successor::System> system = counter_system();
    std::unique_ptr<ledger::LedgerWriter> writer;
};

}  // namespace tideline::explore::sample
