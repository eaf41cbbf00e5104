// Code for transitions: when they are enabled, and what they lead to.
#pragma once

#include <span>
#include <vector>

#include "successor/native/codegen/effects.hpp"
#include "successor/native/codegen/required_values.hpp"

namespace tideline::successor::codegen {

// What the code for transitions produces.
enum class Product : std::uint8_t {
    successors,
    candidates,      // transitions that are enabled
    own_candidates,  // the same without regard to other processes
};

// The context of a function that enumerates transitions.
struct Part {
    llvm::Value* source = nullptr;
    std::vector<llvm::Value*> words;     // of the source, where they are few
    llvm::Value* entries = nullptr;      // successors, or candidates
    llvm::Value* transitions = nullptr;  // of the successors
    llvm::Value* run = nullptr;
    // The number of entries so far in the lower half; in the upper one the number of steps that were left out because
    // they sleep.
    llvm::Value* position = nullptr;
    llvm::Value* asleep = nullptr;     // what sleeps in the source; only where steps may sleep
    llvm::Value* committed = nullptr;  // whether a committed location is occupied
    llvm::Value* key = nullptr;        // of the source; only where there is a measure
};

class Transitions {
public:
    Transitions(Emitter& emitter, PackedState& state, Expressions& expressions);

    Part part;  // of the current function

    // Transitions in their order; where many consecutive ones differ in the value that a slot must have, a jump on it.
    // Looking for such sequences takes quadratic time: the caller passes at most as many as make a function.
    void build(std::span<const model::TransitionId> transitions, Product product);
    llvm::Value* committed_location_occupied();
    // The progress key of the state that is currently read.
    llvm::Value* key();

private:
    void build_jump(model::SlotId slot, std::span<const model::TransitionId> transitions,
                    std::span<const std::vector<RequiredValue>> required, Product product);
    void build_transition(model::TransitionId id, Product product);
    void require_enabled(const model::Transition& t, Product product);
    void build_successor(model::TransitionId id);
    void build_fault(model::TransitionId id, Product product, llvm::Value* kind);
    void store_transition(model::TransitionId id);
    void store_key(llvm::Value* key);
    void store_asleep(model::TransitionId id);
    llvm::Value* index();
    llvm::Value* place_behind(model::TransitionId id, llvm::Value* condition);
    llvm::Value* key_of_successor();
    llvm::Value* is_at(const model::Process& process, model::Value location);

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const model::Model& model_;
    std::size_t words_;
    PackedState& state_;
    Expressions& expressions_;
    Effects effects_;
    bool has_marks_ = false;
    std::vector<model::ProcessId> committing_;  // processes with committed locations
};

}  // namespace tideline::successor::codegen
