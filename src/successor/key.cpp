#include "successor/key.hpp"

namespace tideline {

std::vector<Value> key_values(const KeyProgram& program, Key key) {
    std::vector<Value> values(program.components.size());
    for (std::size_t i = values.size(); i-- > 0;) {
        const KeyComponent& component = program.components[i];
        const Key mask = (Key{1} << component.bits) - 1;
        values[i] = static_cast<Value>(static_cast<std::uint64_t>(component.low) + static_cast<std::uint64_t>(key & mask));
        key >>= component.bits;
    }
    return values;
}

}  // namespace tideline
