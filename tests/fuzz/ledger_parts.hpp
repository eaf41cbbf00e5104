// A ledger taken apart, changed and put together again with all sizes, offsets and checksums right: what a fuzzer
// changes in the files themselves never gets past their checksums. docs/ledger-format.md describes the files.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ledger/frame.hpp"

namespace tideline::fuzz {

struct LedgerParts {
    struct Part {
        ledger::FrameHeader header{};  // sizes, checksum and the ledger's number are found anew
        ledger::Bytes payload;
    };
    struct Commit {
        ledger::Bytes packings;                                   // how many, and each
        std::vector<std::pair<std::size_t, std::size_t>> frames;  // stream and place in it
        ledger::Bytes rest;                                       // extents, batches, dropped ones
        std::string engine;
    };

    std::string header;
    std::array<std::vector<Part>, ledger::kStreams> frames;
    std::vector<Commit> commits;
};

// The ledger must be a sound one. Frames are decompressed, so that their records can be changed.
[[nodiscard]] LedgerParts take_apart(const std::string& directory);

// The files by their names. Streams that the header of the original does not have are left out.
using LedgerFiles = std::map<std::string, std::string>;
[[nodiscard]] LedgerFiles put_together(const LedgerParts& parts);

// A header with a checksum that fits; as it is where it is no JSON object.
[[nodiscard]] std::string with_checksum(const std::string& header);

}  // namespace tideline::fuzz
