// What a complete search of a model counts, by the engines in every packing and by the reference implementation: the
// numbers that the tests of this folder compare.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "explore/search.hpp"
#include "input/load.hpp"

namespace tideline::conformance {

struct Census {
    bool complete = false;
    std::uint64_t states = 0;
    std::uint64_t transitions = 0;
    std::uint64_t deadlocks = 0;
    std::map<std::string, std::uint64_t, std::less<>> faults;  // faulty steps by the name of their kind
    std::vector<std::uint64_t> failed;                         // by assertion: the states in which it fails
    friend bool operator==(const Census&, const Census&) = default;

    [[nodiscard]] std::uint64_t faults_of(std::string_view kind) const {
        const auto found = faults.find(kind);
        return found == faults.end() ? 0 : found->second;
    }
};

std::ostream& operator<<(std::ostream& out, const Census& census);

// Where the packing of states starts.
enum class Packing : std::uint8_t {
    observed,  // the values that random walks have seen: what the program does
    declared,  // everything that the declarations allow: no repacking
    initial,   // the initial values only: nearly every slot needs repacking during the search
};

inline constexpr Packing kPackings[] = {Packing::observed, Packing::declared, Packing::initial};
inline constexpr explore::WalkOrder kOrders[] = {explore::WalkOrder::breadth_first, explore::WalkOrder::depth_first};

const char* to_text(explore::WalkOrder order);
const char* to_text(Packing packing);

[[nodiscard]] std::shared_ptr<const successor::System> system_of(const input::LoadedModel& loaded, Packing packing);

[[nodiscard]] Census census(const input::LoadedModel& loaded, explore::WalkOrder order,
                            Packing packing = Packing::observed);
// The same by the reference implementation.
[[nodiscard]] Census reference_census(const input::LoadedModel& loaded, const input::LoadOptions& options = {});
// All states, one value per slot, sorted; two searches have visited the same states if and only if these are equal.
[[nodiscard]] std::vector<std::vector<model::Value>> visited_states(const input::LoadedModel& loaded,
                                                                    explore::WalkOrder order, Packing packing);

// The folder of this source tree.
[[nodiscard]] std::filesystem::path source_root();
// The models of tests/models, sorted.
[[nodiscard]] std::vector<std::filesystem::path> test_models();

}  // namespace tideline::conformance
