// Which partition owns a state (U. Stern, D. L. Dill, Parallelizing the Murphi verifier, 1997): its hash decides.
// Tables place states by the upper bits of the hash, so the lower half is used here.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tideline::explore {

class Owner {
public:
    explicit constexpr Owner(std::size_t partitions) : partitions_(partitions) {}
    [[nodiscard]] constexpr std::size_t operator()(std::uint64_t hash) const {
        return ((hash & 0xFFFFFFFFU) * partitions_) >> 32U;
    }
    [[nodiscard]] constexpr std::size_t partitions() const { return partitions_; }

private:
    std::size_t partitions_;
};

}  // namespace tideline::explore
