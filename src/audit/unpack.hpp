// From the bytes of a state to the values of a reference machine, by the description of the packing that the ledger
// has.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "audit/ledger_file.hpp"
#include "reference/machine.hpp"

namespace tideline::audit {

class Unpacker {
public:
    // Objects where the slots are not exactly the machine's names, or lie outside of the words. `number` is for the
    // messages.
    Unpacker(const Packing& packing, std::size_t number, const std::vector<std::string>& names);

    [[nodiscard]] std::size_t state_bytes() const { return state_bytes_; }
    void unpack(std::span<const std::uint8_t> bytes, reference::State& state);

private:
    struct Field {
        std::uint64_t word = 0;
        unsigned shift = 0;
        std::uint64_t mask = 0;
        std::uint64_t low = 0;
    };
    std::size_t state_bytes_;
    std::vector<Field> fields_;         // in the order of the machine's names
    std::vector<std::uint64_t> words_;  // of the current state; what is behind its bytes stays 0
};

}  // namespace tideline::audit
