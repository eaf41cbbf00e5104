#include "progress/value_order.hpp"

#include <algorithm>

namespace tideline::progress {

std::vector<std::uint32_t> forward_order(const ValueSteps& steps) {
    const std::size_t values = steps.values;
    std::vector<std::uint64_t> out(values, 0);
    std::vector<std::uint64_t> in(values, 0);
    for (std::size_t from = 0; from < values; ++from) {
        for (std::size_t to = 0; to < values; ++to) {
            if (from == to) continue;
            out[from] += steps.counts[from * values + to];
            in[to] += steps.counts[from * values + to];
        }
    }
    std::vector<bool> is_placed(values, false);
    std::vector<std::uint32_t> position(values, 0);
    std::uint32_t front = 0;
    auto back = static_cast<std::uint32_t>(values);
    while (front < back) {
        std::size_t chosen = values;
        bool to_back = false;
        for (std::size_t value = 0; value < values && !to_back; ++value) {
            if (is_placed[value]) continue;
            to_back = out[value] == 0;
            const auto is_better = [&] {
                if (chosen == values || in[chosen] == 0) return chosen == values;
                return in[value] == 0 || static_cast<double>(out[value]) * static_cast<double>(in[chosen]) >
                                             static_cast<double>(out[chosen]) * static_cast<double>(in[value]);
            };
            if (to_back || is_better()) chosen = value;
        }
        is_placed[chosen] = true;
        position[chosen] = to_back ? --back : front++;
        for (std::size_t other = 0; other < values; ++other) {
            if (is_placed[other]) continue;
            in[other] -= steps.counts[chosen * values + other];
            out[other] -= steps.counts[other * values + chosen];
        }
    }
    return position;
}

}  // namespace tideline::progress
