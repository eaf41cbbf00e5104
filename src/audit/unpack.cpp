#include "audit/unpack.hpp"

#include <cstring>
#include <map>

#include <fmt/format.h>

namespace tideline::audit {
namespace {

// Of slot `i`; the column is known to have it.
std::uint64_t natural_at(const Json& slots, const char* column, std::size_t i, const std::string& where,
                         std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
    return to_natural(slots[column][i], column, where, most);
}

}  // namespace

Unpacker::Unpacker(const Packing& packing, std::size_t number, const std::vector<std::string>& names)
    : state_bytes_(packing.state_bytes) {
    const std::string where = fmt::format("the description of packing {}", number);
    const Json json = parse_json(packing.description);
    if (!json.is_object()) throw Objection(where + " is missing or not a JSON object");
    constexpr std::uint64_t kMostWords = std::uint64_t{1} << 29U;  // a state has less than 4 GB
    words_.resize(natural(json, "words", where, kMostWords));
    if (state_bytes_ > 8 * words_.size())
        throw Objection(fmt::format("{} has {} words, but a state has {} bytes", where, words_.size(), state_bytes_));

    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < names.size(); ++i) places.emplace(names[i], i);
    fields_.resize(names.size());
    const Json& slots = member(json, "slots", where);
    constexpr const char* kColumns[] = {"name", "word", "shift", "width", "low"};
    const std::size_t count = list(slots, kColumns[0], where).size();
    for (const char* column : kColumns)
        if (list(slots, column, where).size() != count)
            throw Objection(fmt::format("{} does not have a '{}' for each slot", where, column));
    for (std::size_t i = 0; i < count; ++i) {
        if (!slots["name"][i].is_string()) throw Objection(where + " has a slot whose name is no text");
        const std::string name = slots["name"][i].get<std::string>();
        const auto place = places.find(name);
        if (place == places.end())
            throw Objection(fmt::format("{} has '{}' twice, or the model has no such name", where, name));
        const std::string here = fmt::format("{}, slot '{}',", where, name);
        const std::uint64_t shift = natural_at(slots, "shift", i, here, 63);
        const std::uint64_t width = natural_at(slots, "width", i, here, 64 - shift);
        // A slot with a single value needs no bit, and no word either.
        const std::uint64_t word = natural_at(slots, "word", i, here);
        if (width > 0 && word >= words_.size()) throw Objection(here + " lies behind the last word");
        Field& field = fields_[place->second];
        field.word = width > 0 ? word : 0;
        field.shift = static_cast<unsigned>(shift);
        field.mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
        field.low = static_cast<std::uint64_t>(to_integer(slots["low"][i], "low", here));
        places.erase(place);
    }
    if (!places.empty()) throw Objection(fmt::format("{} does not have '{}'", where, places.begin()->first));
    if (words_.empty()) words_.resize(1);  // for the slots without bits
}

void Unpacker::unpack(std::span<const std::uint8_t> bytes, reference::State& state) {
    std::memcpy(words_.data(), bytes.data(), bytes.size());
    state.resize(fields_.size());
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const Field& field = fields_[i];
        state[i] = static_cast<std::int64_t>(field.low + ((words_[field.word] >> field.shift) & field.mask));
    }
}

}  // namespace tideline::audit
