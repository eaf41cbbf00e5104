// Which layer an exact sweep visits next. A pass takes the keys with open states in ascending order; what lies behind
// the sweep line waits for the next pass.
//
// Where the leading components of the measure never decrease, passes are nested: the states of one value of them form a
// block, and a block is finished, pass after pass, before the sweep line leaves it. No step leads back into it, so that
// it is never read again.
//
// Where the order of states does not matter, a layer of which few states are open is deferred to the next pass
// (sweep_decisions.hpp). A pass that has deferred all of its layers does not count.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "explore/pass_queue.hpp"
#include "explore/sweep_decisions.hpp"

namespace tideline::explore {

class SweepPasses {
public:
    // Keys that differ only in their `block_bits` lower bits form a block; without a value there are no blocks. Layers
    // of more than `thin_above` visited states may be deferred; without a value none are.
    SweepPasses(std::uint32_t first, std::optional<unsigned> block_bits, std::optional<std::uint64_t> thin_above)
        : number_(first), block_bits_(block_bits), thin_above_(thin_above) {}

    [[nodiscard]] std::uint32_t number() const { return number_; }

    enum class Next : std::uint8_t { layer, pass, end };
    [[nodiscard]] Next next(const PassQueue& this_pass, const PassQueue& next_pass, successor::Key current) const {
        const bool is_done = this_pass.empty();
        const bool is_block_done = is_done || (block_bits_ && block_of(this_pass.next_key()) != block_of(current));
        if (is_block_done && !next_pass.empty()) return Next::pass;
        return is_done ? Next::end : Next::layer;
    }

    // What waits for the next pass waits in this one from here on, beside blocks that come later. False where the pass
    // before does not count.
    bool begin(PassQueue& this_pass, PassQueue& next_pass) {
        this_pass.take_over(next_pass);
        if (std::exchange(is_idle_, true)) return false;
        ++number_;
        return true;
    }
    // This pass visits a layer.
    void visit() { is_idle_ = false; }

    // Whether a layer of this many visited states may be deferred, and whether it is.
    [[nodiscard]] bool may_defer(std::uint64_t visited) const { return thin_above_ && visited > *thin_above_; }
    bool defers(successor::Key key, std::uint64_t visited, std::uint64_t open) {
        const auto before = deferred_.find(key);
        const std::optional<std::uint64_t> open_before =
            before == deferred_.end() ? std::nullopt : std::optional(before->second);
        const bool is_deferred = is_worth_deferring(visited, open, open_before);
        if (is_deferred) deferred_[key] = open;
        else if (open_before) deferred_.erase(before);
        return is_deferred;
    }

private:
    [[nodiscard]] successor::Key block_of(successor::Key key) const {
        return *block_bits_ >= 128 ? 0 : key >> *block_bits_;
    }

    std::uint32_t number_;
    std::optional<unsigned> block_bits_;
    std::optional<std::uint64_t> thin_above_;
    bool is_idle_ = false;                              // this pass has visited no layer yet
    std::map<successor::Key, std::uint64_t> deferred_;  // layers, with the open states that they had
};

}  // namespace tideline::explore
