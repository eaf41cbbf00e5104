// Code for the effects of a transition, on the successor that the packed state holds.
#pragma once

#include "successor/native/codegen/expressions.hpp"

namespace tideline::successor::codegen {

class Effects {
public:
    Effects(Emitter& emitter, PackedState& state, Expressions& expressions)
        : e_(emitter), state_(state), expressions_(expressions) {}

    // In sequence: each sees what the earlier ones did. Faults go to the emitter's sink.
    void apply(const model::Transition& transition);

private:
    void apply(const model::Assign& assign);
    void apply(const model::Shift& shift);
    void apply(const model::Require& require);
    Known fitted(const Known& value, model::Range range, bool wrap);
    void store(const model::Target& target, Known value, bool wrap);

    Emitter& e_;
    PackedState& state_;
    Expressions& expressions_;
};

}  // namespace tideline::successor::codegen
