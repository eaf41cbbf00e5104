// Fingerprints of states: XXH3 with 128 bits under a secret of 192 random bytes that is drawn for each audit. That any
// two of n states have the same one has a probability of about n * n / 2^129; that a run was unlucky once does not make
// an audit unlucky.
#pragma once

#include <compare>
#include <cstdint>
#include <span>

namespace tideline::audit {

struct Fingerprint {
    std::uint64_t upper = 0;
    std::uint64_t lower = 0;
    friend auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
};

class FingerprintKey {
public:
    FingerprintKey();
    [[nodiscard]] Fingerprint operator()(std::span<const std::int64_t> values) const;

private:
    std::uint8_t secret_[192];
};

}  // namespace tideline::audit
