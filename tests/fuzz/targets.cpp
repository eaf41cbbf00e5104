#include "tests/fuzz/targets.hpp"

#include <array>

namespace tideline::fuzz {

std::span<const Target> targets() {
    static constexpr std::array kTargets = {
        Target{"aut", aut},
        Target{"dve", dve},
        Target{"formula", formula},
        Target{"hoa", hoa},
        Target{"kripke", kripke},
        Target{"ledger", ledger},
        Target{"never_claim", never_claim},
        Target{"promela", promela},
        Target{"properties", properties},
    };
    return kTargets;
}

}  // namespace tideline::fuzz
