#include "successor/layout.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <string>

namespace tideline::successor {
namespace {

std::uint64_t span_of(model::Range range) {
    return static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low);
}

// The largest range of `width` bits inside `declared` that starts at `low` or, where that would leave it, lower.
model::Range window(model::Range declared, model::Value low, unsigned width) {
    const std::uint64_t reach = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    if (reach >= span_of(declared)) return declared;
    const std::uint64_t room = static_cast<std::uint64_t>(declared.high) - static_cast<std::uint64_t>(low);
    if (room < reach) low = static_cast<model::Value>(static_cast<std::uint64_t>(declared.high) - reach);
    return {low, static_cast<model::Value>(static_cast<std::uint64_t>(low) + reach)};
}

// A variable's name without that of its process and without digits.
std::string kind_of_name(const std::string& name) {
    std::string result = name.substr(name.rfind('.') + 1);
    std::erase_if(result, [](char c) { return c >= '0' && c <= '9'; });
    return result;
}

// Variables of the same name in several processes, or numbered ones: most often the processes are instances of one, and
// a value of one is likely in the others.
bool are_alike(const model::Variable& a, const model::Variable& b) {
    return a.owner.has_value() == b.owner.has_value() && a.kind == b.kind && a.range == b.range &&
           a.element_suffix == b.element_suffix && kind_of_name(a.name) == kind_of_name(b.name);
}

}  // namespace

Layout::Layout(std::vector<model::Range> ranges) {
    std::vector<Field> fields(ranges.size());
    // First fit over the last few words: related slots stay together, and few bits are wasted.
    constexpr std::size_t kOpenWords = 8;
    std::vector<unsigned> used;
    for (std::size_t slot = 0; slot < ranges.size(); ++slot) {
        const auto width = static_cast<unsigned>(std::bit_width(span_of(ranges[slot])));
        std::size_t word = used.size() > kOpenWords ? used.size() - kOpenWords : 0;
        while (word < used.size() && used[word] + width > 64) ++word;
        if (word == used.size()) used.push_back(0);
        Field& field = fields[slot];
        field.word = static_cast<std::uint32_t>(word);
        field.width = static_cast<std::uint8_t>(width);
        field.shift = static_cast<std::uint8_t>(width == 0 ? 0 : used[word]);
        field.low = ranges[slot].low;
        field.mask = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
        used[word] += width;
    }
    if (used.empty()) used.push_back(0);
    words_ = used.size();
    bytes_ = (words_ - 1) * 8 + std::max<std::size_t>(1, (used.back() + 7) / 8);
    contents_ = std::make_shared<const Contents>(Contents{std::move(ranges), std::move(fields)});
    fields_ = contents_->fields.data();
}

Layout Layout::declared(const model::Model& model) {
    std::vector<model::Range> ranges(model.slot_count());
    for (const model::Variable& variable : model.variables)
        std::fill_n(ranges.begin() + variable.first_slot, variable.slot_count(), variable.range);
    return Layout(std::move(ranges));
}

Layout Layout::observed(const model::Model& model, std::vector<model::Range> seen) {
    for (const model::Variable& variable : model.variables) {
        for (model::SlotId slot = variable.first_slot; slot < variable.first_slot + variable.slot_count(); ++slot) {
            assert(variable.range.holds(seen[slot].low) && variable.range.holds(seen[slot].high));
            const bool whole = variable.kind == model::Variable::Kind::location;
            seen[slot] = whole ? variable.range
                               : window(variable.range, seen[slot].low,
                                        static_cast<unsigned>(std::bit_width(span_of(seen[slot]))));
        }
    }
    return Layout(std::move(seen));
}

Layout Layout::with_wider_fields(const model::Model& model, model::SlotId slot, model::Value value) const {
    const auto owner = std::find_if(model.variables.begin(), model.variables.end(), [&](const model::Variable& v) {
        return slot >= v.first_slot && slot < v.first_slot + v.slot_count();
    });
    assert(owner != model.variables.end() && owner->range.holds(value));
    std::vector<model::Range> ranges = contents_->ranges;
    for (const model::Variable& variable : model.variables) {
        if (&variable != &*owner && !are_alike(variable, *owner)) continue;
        for (model::SlotId i = variable.first_slot; i < variable.first_slot + variable.slot_count(); ++i) {
            const model::Range hull{std::min(ranges[i].low, value), std::max(ranges[i].high, value)};
            const auto needed = static_cast<unsigned>(std::bit_width(span_of(hull)));
            ranges[i] = window(variable.range, hull.low, std::max(needed, 2U * fields_[i].width));
        }
    }
    return Layout(std::move(ranges));
}

Layout Layout::with_uniform_arrays(const model::Model& model) const {
    std::vector<model::Range> ranges = contents_->ranges;
    for (const model::Variable& variable : model.variables) {
        if (!variable.length) continue;
        const auto begin = ranges.begin() + variable.first_slot;
        const auto end = begin + variable.slot_count();
        model::Range hull = *begin;
        for (auto it = begin; it != end; ++it) hull = {std::min(hull.low, it->low), std::max(hull.high, it->high)};
        std::fill(begin, end, window(variable.range, hull.low, static_cast<unsigned>(std::bit_width(span_of(hull)))));
    }
    return Layout(std::move(ranges));
}

void Layout::unpack(const std::uint64_t* state, model::Value* slots) const {
    for (model::SlotId slot = 0; slot < slot_count(); ++slot) slots[slot] = load(state, slot);
}

std::optional<model::SlotId> Layout::pack(const model::Value* slots, std::uint64_t* state) const {
    std::fill_n(state, words_, 0);
    for (model::SlotId slot = 0; slot < slot_count(); ++slot)
        if (!store(state, slot, slots[slot])) return slot;
    return std::nullopt;
}

}  // namespace tideline::successor
