// Shared by all parts of the code generator: the current module, the insertion point, and the exits of the current
// code.
//
// Conditions are not branched on at once. A condition that must hold is kept pending while the code that follows has no
// side effects. That code is then executed speculatively, which is cheaper than a mispredicted branch. Code with side
// effects, or with a branch of its own, must call emit_branch() first.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

#include "successor/native/native_code.hpp"

namespace tideline::successor::codegen {

// A value of the program being compiled, and the range in which it lies.
struct Known {
    llvm::Value* value = nullptr;
    model::Range range;
    llvm::Value* bit = nullptr;  // of a truth value: the same in one bit
};

[[nodiscard]] inline std::uint64_t span_of(model::Range range) {
    return static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low);
}
[[nodiscard]] inline bool is_inside(model::Range inner, model::Range outer) {
    return outer.low <= inner.low && inner.high <= outer.high;
}

// A join block: where paths through a piece of code join, with one value per incoming path.
struct Join {
    llvm::BasicBlock* block = nullptr;
    llvm::PHINode* value = nullptr;
};

// The target of faults of the current code; made when the first one is possible.
struct FaultSink {
    llvm::BasicBlock* block = nullptr;
    llvm::PHINode* kind = nullptr;  // a FaultKind in 32 bits
};

// Code generation is abandoned.
struct Abandoned {};

class Emitter {
public:
    explicit Emitter(const CodeRequest& wanted);

    const CodeRequest& request;
    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::Module> module;
    llvm::IRBuilder<> b;
    llvm::Type* const i1;
    llvm::Type* const i8;
    llvm::Type* const i32;
    llvm::Type* const i64;
    llvm::Type* const i128;
    llvm::Type* const pointer;

    // ---- units ------------------------------------------------------------------------------------------------------
    // A large model becomes several modules, which are compiled one after the other and refer to each other by name.
    bool is_split = false;  // to be set before the first function
    // The module as far as it was written; another one is begun.
    std::unique_ptr<llvm::Module> take_module();
    // A function of this module or of an earlier one.
    struct Callee {
        std::string name;
        llvm::FunctionType* type = nullptr;
    };
    static Callee callee(const llvm::Function& function) {
        return {function.getName().str(), function.getFunctionType()};
    }
    // Calls it with the calling convention of generated functions.
    llvm::CallInst* call(const Callee& callee, const std::vector<llvm::Value*>& arguments);

    // ---- the current function ---------------------------------------------------------------------------------------
    // Throws Abandoned where no time or memory is left to continue.
    llvm::Function* begin_function(const std::string& name, llvm::Type* result,
                                   const std::vector<llvm::Type*>& arguments, bool exported);
    llvm::BasicBlock* block(const char* name) { return llvm::BasicBlock::Create(*context, name, function_); }
    llvm::Value* constant(model::Value value) { return b.getInt64(static_cast<std::uint64_t>(value)); }
    Known known(model::Value value) { return {constant(value), {value, value}, nullptr}; }
    llvm::Value* truth(const Known& value) {
        return value.bit != nullptr ? value.bit : b.CreateICmpNE(value.value, b.getInt64(0));
    }
    Known from_bit(llvm::Value* bit) { return {b.CreateZExt(bit, i64), {0, 1}, bit}; }
    // Constants in memory, for all functions that follow.
    using ArrayId = std::size_t;
    ArrayId add_array(const std::vector<model::Value>& values);
    llvm::GlobalVariable* array(ArrayId id);

    // Whether the key of a successor is computed with it. That of a step with an observer depends on the observer's
    // part.
    [[nodiscard]] bool has_keys_of_successors() const {
        return !request.key.components.empty() && !is_observed(request.model);
    }
    // Whether steps may sleep.
    [[nodiscard]] bool sleeps() const { return request.commuting.classes() > 0; }

    // ---- conditions -------------------------------------------------------------------------------------------------
    // Continues only where the condition holds; otherwise the code leaves by the exit with the value for that case.
    void require(llvm::Value* condition);
    void emit_branch();
    // The condition on which the current code is not speculative; null: none. It is no longer pending.
    llvm::Value* take_pending();
    void set_exit(Join exit, llvm::Value* when_refused);
    void leave(llvm::Value* value);  // to the exit
    Join join_block(const char* name, llvm::Type* type);

    // ---- faults -----------------------------------------------------------------------------------------------------
    void set_faults(FaultSink* sink) { faults_ = sink; }
    [[nodiscard]] FaultSink* faults() const { return faults_; }
    // Continues only where `good` holds.
    void require_no_fault(llvm::Value* good, model::FaultKind kind);

    // ---- giving up --------------------------------------------------------------------------------------------------
    // Stores the reason in `run`, with `position` entries made, and takes the exit with `when_given_up`.
    void set_run(llvm::Value* run, llvm::Value* position, llvm::Value* when_given_up);
    [[nodiscard]] llvm::Value* run() const { return run_; }
    void give_up(NativeRun::Code code, llvm::Value* slot, llvm::Value* value);
    // Continues only where `fits` holds; otherwise the value needs repacking.
    void require_fit(llvm::Value* fits, llvm::Value* slot, llvm::Value* value);
    llvm::Value* run_member(std::size_t offset) { return b.CreateConstGEP1_64(i8, run_, offset); }

private:
    llvm::Function* give_up_function();

    llvm::Function* function_ = nullptr;
    llvm::Function* give_up_ = nullptr;
    llvm::Value* pending_ = nullptr;
    Join exit_;
    llvm::Value* when_refused_ = nullptr;
    FaultSink* faults_ = nullptr;
    llvm::Value* run_ = nullptr;
    llvm::Value* position_ = nullptr;
    llvm::Value* when_given_up_ = nullptr;
    unsigned names_ = 0;               // that were numbered
    std::vector<std::size_t> arrays_;  // by number: how long
};

}  // namespace tideline::successor::codegen
