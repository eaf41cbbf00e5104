// The initial states that a search with a ledger has not recorded yet.
//
// In the ledger an initial state is its own parent. One that waits may be spilled and, before it is read back, be
// discovered again as the successor of another state: then it has a parent like any other when it is taken. So the
// states that are taken are compared with the initial ones as long as some of these are left; usually all are recorded
// with the first states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "successor/system.hpp"

namespace tideline::explore {

class InitialStates {
public:
    explicit InitialStates(const successor::System& system) { collect(system); }

    [[nodiscard]] bool are_all_recorded() const { return open_.empty(); }
    // Whether these bytes are an initial state that has not been recorded; it has been from here on.
    bool record(const std::uint8_t* bytes) {
        const auto found = open_.find(std::string(reinterpret_cast<const char*>(bytes), bytes_));
        if (found == open_.end()) return false;
        is_recorded_[found->second] = true;
        open_.erase(found);
        return true;
    }
    // The same states as another system packs them.
    void repack(const successor::System& wider) { collect(wider); }

private:
    void collect(const successor::System& system) {
        if (!is_recorded_.empty() && open_.empty()) return;
        open_.clear();
        bytes_ = system.state_bytes();
        const std::vector<std::vector<successor::Word>> states = system.initial_states();
        is_recorded_.resize(states.size());
        for (std::size_t i = 0; i < states.size(); ++i)
            if (!is_recorded_[i])
                open_.emplace(std::string(reinterpret_cast<const char*>(states[i].data()), bytes_), i);
    }

    std::size_t bytes_ = 0;
    std::vector<bool> is_recorded_;                      // by the index in System::initial_states()
    std::unordered_map<std::string, std::size_t> open_;  // bytes and index of the others
};

}  // namespace tideline::explore
