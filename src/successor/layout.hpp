// How the slots of a model are packed into words. A layout is separate from the model, known at run time, and can be
// replaced by a wider one.
//
// A slot's field holds value - low in the bits that its current range needs. The ranges start as a few random walks
// have seen them and grow, up to the declared ones, when a value appears that does not fit: most bytes of most models
// hold a handful of values. No field straddles two words. Copies share the fields: models may have a million slots.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/model.hpp"

namespace tideline::successor {

class Layout {
public:
    struct Field {
        std::uint32_t word = 0;
        std::uint8_t shift = 0;
        std::uint8_t width = 0;
        model::Value low = 0;
        std::uint64_t mask = 0;  // unshifted
    };

    // One range per slot.
    explicit Layout(std::vector<model::Range> ranges);
    // All declared ranges at once.
    static Layout declared(const model::Model& model);
    // Holds the given ranges (of every slot, inside the declared ones), rounded up to whole bits; all locations.
    static Layout observed(const model::Model& model, std::vector<model::Range> seen);
    // A layout that also holds `value` in `slot`: its field, and those of its array and of its namesakes in other
    // processes, grow to twice their width or as far as needed, within the declared range.
    [[nodiscard]] Layout with_wider_fields(const model::Model& model, model::SlotId slot, model::Value value) const;

    // The same, with one range for all elements of an array, so that an element is found by arithmetic.
    [[nodiscard]] Layout with_uniform_arrays(const model::Model& model) const;

    [[nodiscard]] std::size_t words() const { return words_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    [[nodiscard]] const Field& field(model::SlotId slot) const { return fields_[slot]; }
    [[nodiscard]] model::Range range(model::SlotId slot) const { return contents_->ranges[slot]; }

    [[nodiscard]] model::Value load(const std::uint64_t* state, model::SlotId slot) const {
        const Field& f = fields_[slot];
        return static_cast<model::Value>(static_cast<std::uint64_t>(f.low) + ((state[f.word] >> f.shift) & f.mask));
    }
    // False: the value does not fit the field.
    [[nodiscard]] bool store(std::uint64_t* state, model::SlotId slot, model::Value value) const {
        const Field& f = fields_[slot];
        const std::uint64_t bits = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(f.low);
        if (bits > f.mask) return false;
        state[f.word] = (state[f.word] & ~(f.mask << f.shift)) | (bits << f.shift);
        return true;
    }
    void unpack(const std::uint64_t* state, model::Value* slots) const;
    // The first slot that does not fit, if any. Writes all words.
    [[nodiscard]] std::optional<model::SlotId> pack(const model::Value* slots, std::uint64_t* state) const;

private:
    struct Contents {
        std::vector<model::Range> ranges;
        std::vector<Field> fields;
    };
    [[nodiscard]] model::SlotId slot_count() const { return static_cast<model::SlotId>(contents_->fields.size()); }

    std::shared_ptr<const Contents> contents_;
    const Field* fields_ = nullptr;  // the contents' own
    std::size_t words_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace tideline::successor
