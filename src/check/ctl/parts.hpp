// States of a graph whose edges are in memory together, with numbers of their own, from 0 on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "graph/ledger_graph.hpp"

namespace tideline::check::ctl {

using Local = std::uint32_t;
inline constexpr Local kOutside = std::numeric_limits<Local>::max();

// Numbers of the states of a part, from 0 on.
class LocalNumbers {
public:
    explicit LocalNumbers(std::span<const graph::StateRange> ranges) : ranges_(ranges) {
        Local sum = 0;
        for (const graph::StateRange& range : ranges) {
            begins_.push_back(sum);
            sum += static_cast<Local>(range.count);
        }
    }
    // kOutside where it is no state of the part.
    [[nodiscard]] Local of(graph::StateNumber state) {
        if (state - ranges_[last_].first < ranges_[last_].count) [[likely]]
            return begins_[last_] + static_cast<Local>(state - ranges_[last_].first);
        const auto behind =
            std::upper_bound(ranges_.begin(), ranges_.end(), state,
                             [](graph::StateNumber n, const graph::StateRange& r) { return n < r.first; });
        if (behind == ranges_.begin()) return kOutside;
        const auto index = static_cast<std::size_t>(behind - ranges_.begin()) - 1;
        if (state - ranges_[index].first >= ranges_[index].count) return kOutside;
        last_ = index;
        return begins_[index] + static_cast<Local>(state - ranges_[index].first);
    }
    [[nodiscard]] graph::StateNumber state(Local local) {
        if (local - begins_[last_state_] >= ranges_[last_state_].count) {
            const auto behind = std::upper_bound(begins_.begin(), begins_.end(), local);
            last_state_ = static_cast<std::size_t>(behind - begins_.begin()) - 1;
        }
        return ranges_[last_state_].first + (local - begins_[last_state_]);
    }

private:
    std::span<const graph::StateRange> ranges_;
    std::vector<Local> begins_;
    std::size_t last_ = 0;
    std::size_t last_state_ = 0;
};

// Those that lead to a state, of edges that come in any order.
class Sources {
public:
    Sources(std::uint64_t states, const std::vector<Local>& sources, const std::vector<Local>& targets)
        : offsets_(states + 1), sources_(sources.size()) {
        for (const Local target : targets) ++offsets_[std::size_t{target} + 1];
        for (std::size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
        for (std::size_t i = targets.size(); i-- > 0;) sources_[--offsets_[std::size_t{targets[i]} + 1]] = sources[i];
        // Now offset i + 1 is where the sources of i begin.
    }
    [[nodiscard]] std::span<const Local> of(Local state) const {
        const std::uint64_t begin = offsets_[std::size_t{state} + 1];
        const std::uint64_t end =
            std::size_t{state} + 2 < offsets_.size() ? offsets_[std::size_t{state} + 2] : sources_.size();
        return std::span(sources_).subspan(begin, end - begin);
    }

private:
    std::vector<std::uint64_t> offsets_;
    std::vector<Local> sources_;
};

}  // namespace tideline::check::ctl
