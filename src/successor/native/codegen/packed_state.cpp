#include "successor/native/codegen/packed_state.hpp"

#include <algorithm>

namespace tideline::successor::codegen {

PackedState::PackedState(Emitter& emitter)
    : e_(emitter),
      layout_(emitter.request.layout),
      changed_(is_copied() ? 0 : layout_.words()),
      written_(emitter.request.model.slot_count()) {
    for (const model::Model::SlotOwner owner : emitter.request.model.slot_owners())
        declared_.push_back(emitter.request.model.variables[owner.variable].range);
}

void PackedState::set_source(llvm::Value* memory, std::vector<llvm::Value*> words) {
    source_ = memory;
    source_words_ = std::move(words);
    end_successor();
}

void PackedState::begin_successor(llvm::Value* memory, bool in_place) {
    end_successor();
    successor_ = memory;
    if (is_copied() && !in_place)
        e_.b.CreateMemCpy(successor_, llvm::Align(8), source_, llvm::Align(8), layout_.words() * sizeof(std::uint64_t));
}

void PackedState::end_successor() {
    successor_ = nullptr;
    std::fill(changed_.begin(), changed_.end(), nullptr);
    for (const auto& [first, count] : marked_) std::fill_n(written_.begin() + first, count, false);
    marked_.clear();
}

void PackedState::mark_written(model::SlotId first, std::uint32_t count) {
    std::fill_n(written_.begin() + first, count, true);
    marked_.emplace_back(first, count);
}

void PackedState::store_successor() {
    if (is_copied()) return;
    for (std::uint32_t w = 0; w < layout_.words(); ++w) e_.b.CreateStore(word(w), address(successor_, w));
}

void PackedState::store_changes() {
    for (std::uint32_t w = 0; w < changed_.size(); ++w)
        if (changed_[w] != nullptr) e_.b.CreateStore(changed_[w], address(successor_, w));
}

llvm::Value* PackedState::word(std::uint32_t number) {
    if (is_copied()) return e_.b.CreateLoad(e_.i64, address(successor_ != nullptr ? successor_ : source_, number));
    if (changed_[number] != nullptr) return changed_[number];
    if (!source_words_.empty()) return source_words_[number];
    return e_.b.CreateLoad(e_.i64, address(source_, number));
}

void PackedState::set_word(std::uint32_t number, llvm::Value* value) {
    if (is_copied()) e_.b.CreateStore(value, address(successor_, number));
    else changed_[number] = value;
}

// ---- scalars --------------------------------------------------------------------------------------------------------

// The bits that are not used by the declared range never occur.
model::Range PackedState::held(model::SlotId slot) const {
    const Layout::Field& field = layout_.field(slot);
    const model::Range declared = declared_[slot];
    if (field.width >= 64) return declared;
    const auto high = static_cast<model::Value>(static_cast<std::uint64_t>(field.low) + field.mask);
    return {std::max(declared.low, field.low), high < field.low ? declared.high : std::min(declared.high, high)};
}

const model::Value* PackedState::assumption(model::SlotId slot) const {
    const auto found = assumed_.find(slot);
    return found == assumed_.end() || written_[slot] ? nullptr : &found->second;
}

Known PackedState::read(model::SlotId slot) {
    const Layout::Field& field = layout_.field(slot);
    if (const model::Value* value = assumption(slot)) return e_.known(*value);
    if (field.width == 0) return e_.known(field.low);
    llvm::Value* bits = e_.b.CreateLShr(word(field.word), field.shift);
    if (field.width < 64) bits = e_.b.CreateAnd(bits, e_.b.getInt64(field.mask));
    return {field.low == 0 ? bits : e_.b.CreateAdd(bits, e_.constant(field.low)), held(slot), nullptr};
}

// The value must fit the field; otherwise the state needs repacking.
llvm::Value* PackedState::bits_for(const Layout::Field& field, const Known& value, llvm::Value* slot) {
    llvm::Value* bits = field.low == 0 ? value.value : e_.b.CreateSub(value.value, e_.constant(field.low));
    const bool fits =
        field.width >= 64 ||
        (value.range.low >= field.low &&
         static_cast<std::uint64_t>(value.range.high) - static_cast<std::uint64_t>(field.low) <= field.mask);
    if (!fits) e_.require_fit(e_.b.CreateICmpULE(bits, e_.b.getInt64(field.mask)), slot, value.value);
    return bits;
}

void PackedState::write(model::SlotId slot, const Known& value) {
    const Layout::Field& field = layout_.field(slot);
    llvm::Value* bits = bits_for(field, value, e_.b.getInt32(slot));
    const model::Value* old = assumption(slot);
    mark_written(slot, 1);
    if (field.width == 0) return;
    if (old != nullptr && value.range.low == value.range.high) {
        // From one constant to another: the difference is enough.
        const auto difference = (static_cast<std::uint64_t>(*old) - static_cast<std::uint64_t>(field.low)) ^
                                (static_cast<std::uint64_t>(value.range.low) - static_cast<std::uint64_t>(field.low));
        if (difference <= field.mask) {
            if (difference != 0)
                set_word(field.word, e_.b.CreateXor(word(field.word), e_.b.getInt64(difference << field.shift)));
            return;
        }
    }
    llvm::Value* rest = e_.b.CreateAnd(word(field.word), e_.b.getInt64(~(field.mask << field.shift)));
    set_word(field.word, e_.b.CreateOr(rest, e_.b.CreateShl(bits, field.shift)));
}

// ---- arrays ---------------------------------------------------------------------------------------------------------

const PackedState::Shape& PackedState::shape(model::SlotId first, std::uint32_t length) {
    const auto [known, is_new] = shapes_.try_emplace({first, length});
    if (is_new) known->second = look_at_shape(first, length);
    return known->second;
}

PackedState::Shape PackedState::look_at_shape(model::SlotId first, std::uint32_t length) const {
    const Layout::Field& f0 = layout_.field(first);
    Shape result{f0.word, f0.word, held(first), true, true};
    for (model::SlotId slot = first + 1; slot < first + length; ++slot) {
        const Layout::Field& f = layout_.field(slot);
        const model::Range here = held(slot);
        result.first_word = std::min(result.first_word, f.word);
        result.last_word = std::max(result.last_word, f.word);
        result.range = {std::min(result.range.low, here.low), std::max(result.range.high, here.high)};
        result.uniform = result.uniform && f.mask == f0.mask && f.low == f0.low;
        result.regular = result.regular && f.word == f0.word && f.shift == f0.shift + (slot - first) * f0.width;
    }
    result.regular = result.regular && result.uniform;
    return result;
}

llvm::Value* PackedState::table(model::SlotId first, std::uint32_t length, Column column, llvm::Value* index) {
    const auto [known, is_new] = tables_.try_emplace({first, column});
    if (is_new) {
        std::vector<model::Value> values;
        for (model::SlotId slot = first; slot < first + length; ++slot) {
            const Layout::Field& f = layout_.field(slot);
            switch (column) {
                case Column::word: values.push_back(f.word); break;
                case Column::shift: values.push_back(f.shift); break;
                case Column::mask: values.push_back(static_cast<model::Value>(f.mask)); break;
                case Column::low: values.push_back(f.low); break;
            }
        }
        known->second = e_.add_array(values);
    }
    return e_.b.CreateLoad(e_.i64, e_.b.CreateGEP(e_.i64, e_.array(known->second), index));
}

// All elements have the same width and lowest value where the layout was made for this compiler; otherwise tables hold
// them.
PackedState::Element PackedState::element(const Shape& shape, model::SlotId first, std::uint32_t length,
                                          llvm::Value* index) {
    const Layout::Field& f0 = layout_.field(first);
    llvm::Value* shift = shape.regular
                             ? e_.b.CreateAdd(e_.b.CreateMul(index, e_.b.getInt64(f0.width)), e_.b.getInt64(f0.shift))
                             : table(first, length, Column::shift, index);
    return {shift, shape.uniform ? e_.b.getInt64(f0.mask) : table(first, length, Column::mask, index),
            shape.uniform ? e_.constant(f0.low) : table(first, length, Column::low, index)};
}

llvm::Value* PackedState::element_word(model::SlotId first, std::uint32_t length, llvm::Value* memory,
                                       llvm::Value* index) {
    return e_.b.CreateGEP(e_.i64, memory, table(first, length, Column::word, index));
}

bool PackedState::is_changed(const Shape& shape) const {
    if (is_copied()) return successor_ != nullptr;
    return std::any_of(changed_.begin() + shape.first_word, changed_.begin() + shape.last_word + 1,
                       [](llvm::Value* v) { return v != nullptr; });
}

// Brings the words of an array up to date in the successor's memory.
void PackedState::spill(const Shape& shape) {
    if (is_copied()) return;
    for (std::uint32_t w = shape.first_word; w <= shape.last_word; ++w)
        e_.b.CreateStore(word(w), address(successor_, w));
}

Known PackedState::read_element(model::SlotId first, std::uint32_t length, const Known& index) {
    if (index.range.low == index.range.high) return read(first + static_cast<model::SlotId>(index.range.low));
    const Shape& s = shape(first, length);
    const Element at = element(s, first, length, index.value);
    llvm::Value* from = nullptr;
    if (s.first_word == s.last_word) {
        from = word(s.first_word);
    } else if (is_changed(s)) {
        spill(s);
        from = e_.b.CreateLoad(e_.i64, element_word(first, length, successor_, index.value));
    } else {
        from = e_.b.CreateLoad(e_.i64, element_word(first, length, source_, index.value));
    }
    llvm::Value* bits = e_.b.CreateAnd(e_.b.CreateLShr(from, at.shift), at.mask);
    return {e_.b.CreateAdd(bits, at.low), s.range, nullptr};
}

void PackedState::write_element(model::SlotId first, std::uint32_t length, const Known& index, const Known& value) {
    if (index.range.low == index.range.high) {
        write(first + static_cast<model::SlotId>(index.range.low), value);
        return;
    }
    const Shape& s = shape(first, length);
    const Element at = element(s, first, length, index.value);
    llvm::Value* slot = e_.b.CreateAdd(e_.b.getInt32(first), e_.b.CreateTrunc(index.value, e_.i32));
    llvm::Value* bits = nullptr;
    if (s.uniform) {
        bits = bits_for(layout_.field(first), value, slot);
    } else {
        bits = e_.b.CreateSub(value.value, at.low);
        e_.require_fit(e_.b.CreateICmpULE(bits, at.mask), slot, value.value);
    }
    mark_written(first, length);
    const auto changed = [&](llvm::Value* old) {
        llvm::Value* rest = e_.b.CreateAnd(old, e_.b.CreateNot(e_.b.CreateShl(at.mask, at.shift)));
        return e_.b.CreateOr(rest, e_.b.CreateShl(bits, at.shift));
    };
    if (s.first_word == s.last_word) {
        set_word(s.first_word, changed(word(s.first_word)));
        return;
    }
    spill(s);
    llvm::Value* where = element_word(first, length, successor_, index.value);
    e_.b.CreateStore(changed(e_.b.CreateLoad(e_.i64, where)), where);
    if (is_copied()) return;
    for (std::uint32_t w = s.first_word; w <= s.last_word; ++w)
        set_word(w, e_.b.CreateLoad(e_.i64, address(successor_, w)));
}

void PackedState::shift_down(model::SlotId first, std::uint32_t count) {
    const Shape& s = shape(first, count);
    const Layout::Field& f0 = layout_.field(first);
    if (s.regular && f0.low == 0 && f0.width > 0 && f0.width < 64) {
        // All at once: the field of the last element becomes 0, that of each other one its neighbour's.
        const unsigned bits = count * f0.width;
        const std::uint64_t all = (bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1) << f0.shift;
        const std::uint64_t moved = all & ~(f0.mask << (f0.shift + (count - 1) * f0.width));
        llvm::Value* old = word(f0.word);
        set_word(f0.word, e_.b.CreateOr(e_.b.CreateAnd(old, e_.b.getInt64(~all)),
                                        e_.b.CreateAnd(e_.b.CreateLShr(old, f0.width), e_.b.getInt64(moved))));
        mark_written(first, count);
        return;
    }
    for (model::SlotId slot = first; slot + 1 < first + count; ++slot) write(slot, read(slot + 1));
    write(first + count - 1, e_.known(0));
}

}  // namespace tideline::successor::codegen
