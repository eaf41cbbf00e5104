// Code for the effects of a transition, on the successor that the packed state holds.
#pragma once

#include "successor/native/codegen/expressions.hpp"

namespace tideline::codegen {

class Effects {
public:
    Effects(Emitter& emitter, PackedState& state, Expressions& expressions) : e_(emitter), state_(state), expressions_(expressions) {}

    // In sequence: each sees what the earlier ones did. Faults go to the emitter's sink.
    void apply(const Transition& transition);

private:
    void apply(const Assign& assign);
    void apply(const Shift& shift);
    Known fitted(const Known& value, Range range, bool wrap);
    void store(const Target& target, Known value, bool wrap);

    Emitter& e_;
    PackedState& state_;
    Expressions& expressions_;
};

}  // namespace tideline::codegen
