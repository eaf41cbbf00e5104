// The fields of a packed state in generated code: how slots are read from its words, and how the words of its successor
// are computed.
//
// The words of the successor are values, not memory: each starts as the source's word, is changed by every write to one
// of its fields, and is stored once, at the end. Only an array that lies in several words and is indexed by a value
// that is not constant goes through memory. Large states are copied as a whole and then changed in memory: else every
// transition would become as much code as the state has words.
#pragma once

#include <map>
#include <vector>

#include "successor/native/codegen/emitter.hpp"

namespace tideline::successor::codegen {

class PackedState {
public:
    explicit PackedState(Emitter& emitter);

    // The source: its words where they are in memory, and as values where the function has them as such (else empty).
    void set_source(llvm::Value* memory, std::vector<llvm::Value*> words);
    // From here on, writes change a successor whose words will be stored at `memory`, and reads see it. `in_place`: the
    // source is there.
    void begin_successor(llvm::Value* memory, bool in_place = false);
    // No successor: reads see the source.
    void end_successor();
    // Stores the words of the successor: all, or those that have changed.
    void store_successor();
    void store_changes();

    Known read(model::SlotId slot);
    // An element of an array of `length` slots; the index is inside.
    Known read_element(model::SlotId first, std::uint32_t length, const Known& index);
    void write(model::SlotId slot, const Known& value);
    void write_element(model::SlotId first, std::uint32_t length, const Known& index, const Known& value);
    // From here on the code executes only (or speculatively) where the source's slot has this value.
    void assume(model::SlotId slot, model::Value value) { assumed_[slot] = value; }
    [[nodiscard]] bool is_assumed(model::SlotId slot) const { return assumed_.contains(slot); }
    void forget(model::SlotId slot) { assumed_.erase(slot); }
    // Elements move down by one index; the last becomes 0.
    void shift_down(model::SlotId first, std::uint32_t count);

    // The values that a slot can have.
    [[nodiscard]] model::Range held(model::SlotId slot) const;

private:
    static constexpr std::size_t kWordsAsValues = 16;

    // Where the elements of an array lie.
    struct Shape {
        std::uint32_t first_word = 0;
        std::uint32_t last_word = 0;
        model::Range range;
        bool uniform = true;  // all have the same width and lowest value
        bool regular = true;  // moreover adjacent in one word
    };
    struct Element {
        llvm::Value* shift;
        llvm::Value* mask;
        llvm::Value* low;
    };

    [[nodiscard]] const Shape& shape(model::SlotId first, std::uint32_t length);
    [[nodiscard]] Shape look_at_shape(model::SlotId first, std::uint32_t length) const;
    Element element(const Shape& shape, model::SlotId first, std::uint32_t length, llvm::Value* index);
    llvm::Value* element_word(model::SlotId first, std::uint32_t length, llvm::Value* memory, llvm::Value* index);
    llvm::Value* word(std::uint32_t number);
    llvm::Value* address(llvm::Value* memory, std::uint32_t number) {
        return e_.b.CreateConstGEP1_64(e_.i64, memory, number);
    }
    [[nodiscard]] const model::Value* assumption(model::SlotId slot) const;
    void set_word(std::uint32_t number, llvm::Value* value);
    // Whether the successor is in memory from the beginning.
    [[nodiscard]] bool is_copied() const { return layout_.words() > kWordsAsValues; }
    void mark_written(model::SlotId first, std::uint32_t count);
    bool is_changed(const Shape& shape) const;
    void spill(const Shape& shape);
    llvm::Value* bits_for(const Layout::Field& field, const Known& value, llvm::Value* slot);
    enum class Column : std::uint8_t { word, shift, mask, low };
    llvm::Value* table(model::SlotId first, std::uint32_t length, Column column, llvm::Value* index);

    Emitter& e_;
    const Layout& layout_;
    std::vector<model::Range> declared_;  // by slot
    llvm::Value* source_ = nullptr;
    std::vector<llvm::Value*> source_words_;
    llvm::Value* successor_ = nullptr;                             // where it will be; null: there is none
    std::vector<llvm::Value*> changed_;                            // its words that differ from the source's
    std::vector<bool> written_;                                    // by slot
    std::vector<std::pair<model::SlotId, std::uint32_t>> marked_;  // the slots where it is true
    std::map<model::SlotId, model::Value> assumed_;
    std::map<std::pair<model::SlotId, Column>, Emitter::ArrayId> tables_;
    std::map<std::pair<model::SlotId, std::uint32_t>, Shape> shapes_;
};

}  // namespace tideline::successor::codegen
