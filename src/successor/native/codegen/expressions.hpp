// Code for expressions: the meaning of every operator is that of model/evaluate.hpp.
//
// Every value carries the range in which it must lie; checks for faults and overflow are made only where the range does
// not rule the fault out. The right side of and/or/imply is skipped by a branch only where it is long or can be faulty;
// otherwise both sides are computed, which lets several tests of one word become one.
#pragma once

#include <map>
#include <vector>

#include "successor/native/codegen/packed_state.hpp"

namespace tideline::successor::codegen {

class Expressions {
public:
    Expressions(Emitter& emitter, PackedState& state) : e_(emitter), state_(state) {}

    // Faults go to the emitter's sink.
    Known evaluate(const model::Expression& expression);
    // The index of an array, checked.
    Known checked_index(Known index, std::uint32_t length);

private:
    // A part of the expression that may be skipped; both paths join after instruction `end`.
    struct Choice {
        std::size_t end = 0;
        model::Op op = model::Op::jump;     // and_then, or_else, implies; jump: a choice of two branches
        llvm::Value* left = nullptr;        // both sides are computed: the left one
        Join meet;                          // a side is skipped: where the paths join
        model::Range range;                 // ... and the values of the skipping path
        llvm::BasicBlock* other = nullptr;  // of two branches: where the second one begins
    };

    void step(const model::Instruction& instruction, std::size_t at);
    void skip(const std::vector<model::Instruction>& code, std::size_t at);
    void join(const Choice& choice);
    [[nodiscard]] bool is_harmless(const std::vector<model::Instruction>& code, std::size_t begin,
                                   std::size_t end) const;
    Known pop();
    Known read_table(model::TableId id, Known index);
    Known arithmetic(model::Op op, const Known& a, const Known& b, model::Range range);
    Known division(model::Op op, const Known& a, const Known& b, model::Range range);
    Known shift(model::Op op, const Known& a, const Known& b, model::Range range);
    Known binary(model::Op op, const Known& a, const Known& b);

    Emitter& e_;
    PackedState& state_;
    std::vector<Known> stack_;
    std::vector<Choice> choices_;
    std::size_t in_vain_ = 0;  // instructions since the last branch that may be executed speculatively
    struct ConstantTable {
        Emitter::ArrayId array = 0;
        model::Range range;  // of its values
    };
    std::map<model::TableId, ConstantTable> tables_;  // those that were used
};

}  // namespace tideline::successor::codegen
