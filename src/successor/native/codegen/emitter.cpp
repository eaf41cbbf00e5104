#include "successor/native/codegen/emitter.hpp"

#include <llvm/IR/MDBuilder.h>

#include <cstddef>
#include <utility>

namespace tideline::successor::codegen {

Emitter::Emitter(const CodeRequest& wanted)
    : request(wanted),
      context(std::make_unique<llvm::LLVMContext>()),
      module(std::make_unique<llvm::Module>("model", *context)),
      b(*context),
      i1(b.getInt1Ty()),
      i8(b.getInt8Ty()),
      i32(b.getInt32Ty()),
      i64(b.getInt64Ty()),
      i128(b.getIntNTy(128)),
      pointer(llvm::PointerType::getUnqual(*context)) {}

std::unique_ptr<llvm::Module> Emitter::take_module() {
    give_up_ = nullptr;
    function_ = nullptr;
    b.ClearInsertionPoint();
    return std::exchange(module, std::make_unique<llvm::Module>("model", *context));
}

llvm::CallInst* Emitter::call(const Callee& callee, const std::vector<llvm::Value*>& arguments) {
    llvm::Function* here = module->getFunction(callee.name);
    if (here == nullptr) {
        here = llvm::Function::Create(callee.type, llvm::GlobalValue::ExternalLinkage, callee.name, *module);
        here->setVisibility(llvm::GlobalValue::HiddenVisibility);
        here->setDSOLocal(true);
        here->setCallingConv(llvm::CallingConv::Fast);
        here->addFnAttr(llvm::Attribute::NoUnwind);
    }
    llvm::CallInst* call = b.CreateCall(here, arguments);
    call->setCallingConv(llvm::CallingConv::Fast);
    return call;
}

// Pointers that are passed never point into each other's memory.
llvm::Function* Emitter::begin_function(const std::string& name, llvm::Type* result,
                                        const std::vector<llvm::Type*>& arguments, bool exported) {
    if (request.stop && request.stop(0)) throw Abandoned{};
    const bool is_external = exported || is_split;
    const auto linkage = is_external ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage;
    // The linker knows all units' functions by their names.
    function_ = llvm::Function::Create(llvm::FunctionType::get(result, arguments, false), linkage,
                                       exported ? name : name + '_' + std::to_string(names_++), *module);
    if (!exported && is_split) function_->setVisibility(llvm::GlobalValue::HiddenVisibility);
    for (unsigned i = 0; i < arguments.size(); ++i)
        if (arguments[i] == pointer) function_->addParamAttr(i, llvm::Attribute::NoAlias);
    function_->addFnAttr(llvm::Attribute::NoUnwind);
    if (!exported) function_->setCallingConv(llvm::CallingConv::Fast);
    b.SetInsertPoint(block("entry"));
    pending_ = nullptr;
    faults_ = nullptr;
    return function_;
}

Emitter::ArrayId Emitter::add_array(const std::vector<model::Value>& values) {
    const ArrayId id = arrays_.size();
    arrays_.push_back(values.size());
    const llvm::ArrayRef<std::uint64_t> entries(reinterpret_cast<const std::uint64_t*>(values.data()), values.size());
    array(id)->setInitializer(llvm::ConstantDataArray::get(*context, entries));
    if (!is_split) array(id)->setLinkage(llvm::GlobalValue::InternalLinkage);
    return id;
}

llvm::GlobalVariable* Emitter::array(ArrayId id) {
    const std::string name = "table" + std::to_string(id);
    if (llvm::GlobalVariable* known = module->getGlobalVariable(name, true)) return known;
    auto* global = new llvm::GlobalVariable(*module, llvm::ArrayType::get(i64, arrays_[id]), true,
                                            llvm::GlobalValue::ExternalLinkage, nullptr, name);
    global->setVisibility(llvm::GlobalValue::HiddenVisibility);
    global->setDSOLocal(true);
    return global;
}

// ---- conditions -----------------------------------------------------------------------------------------------------

void Emitter::require(llvm::Value* condition) {
    pending_ = pending_ == nullptr ? condition : b.CreateAnd(pending_, condition);
}

void Emitter::emit_branch() {
    if (pending_ == nullptr) return;
    llvm::BasicBlock* yes = block("yes");
    exit_.value->addIncoming(when_refused_, b.GetInsertBlock());
    b.CreateCondBr(std::exchange(pending_, nullptr), yes, exit_.block);
    b.SetInsertPoint(yes);
}

llvm::Value* Emitter::take_pending() { return std::exchange(pending_, nullptr); }

Join Emitter::join_block(const char* name, llvm::Type* type) {
    Join result;
    result.block = block(name);
    const llvm::IRBuilderBase::InsertPointGuard guard(b);
    b.SetInsertPoint(result.block);
    result.value = b.CreatePHI(type, 2);
    return result;
}

void Emitter::set_exit(Join exit, llvm::Value* when_refused) {
    exit_ = exit;
    when_refused_ = when_refused;
}

void Emitter::leave(llvm::Value* value) {
    exit_.value->addIncoming(value, b.GetInsertBlock());
    b.CreateBr(exit_.block);
}

// ---- faults ---------------------------------------------------------------------------------------------------------

void Emitter::require_no_fault(llvm::Value* good, model::FaultKind kind) {
    emit_branch();
    if (faults_->block == nullptr) {
        const Join all = join_block("fault", i32);
        *faults_ = {all.block, all.value};
    }
    llvm::BasicBlock* yes = block("good");
    faults_->kind->addIncoming(b.getInt32(static_cast<std::uint32_t>(kind)), b.GetInsertBlock());
    b.CreateCondBr(good, yes, faults_->block, llvm::MDBuilder(*context).createLikelyBranchWeights());
    b.SetInsertPoint(yes);
}

// ---- giving up ------------------------------------------------------------------------------------------------------

void Emitter::set_run(llvm::Value* run, llvm::Value* position, llvm::Value* when_given_up) {
    run_ = run;
    position_ = position;
    when_given_up_ = when_given_up;
}

// Only the first reason counts: the code continues to the end of the source all the same.
llvm::Function* Emitter::give_up_function() {
    if (give_up_ != nullptr) return give_up_;
    const llvm::IRBuilderBase::InsertPointGuard guard(b);
    give_up_ =
        llvm::Function::Create(llvm::FunctionType::get(b.getVoidTy(), {pointer, i32, i32, i64, i64}, false),
                               llvm::GlobalValue::InternalLinkage, "give_up_" + std::to_string(names_++), *module);
    give_up_->addFnAttr(llvm::Attribute::NoUnwind);
    give_up_->addFnAttr(llvm::Attribute::NoInline);
    give_up_->addFnAttr(llvm::Attribute::Cold);
    llvm::Value* run = give_up_->getArg(0);
    const auto member = [&](std::size_t offset) { return b.CreateConstGEP1_64(i8, run, offset); };
    auto* entry = llvm::BasicBlock::Create(*context, "entry", give_up_);
    auto* first = llvm::BasicBlock::Create(*context, "first", give_up_);
    auto* end = llvm::BasicBlock::Create(*context, "end", give_up_);
    b.SetInsertPoint(entry);
    b.CreateCondBr(b.CreateICmpEQ(b.CreateLoad(i32, member(offsetof(NativeRun, code))), b.getInt32(NativeRun::ok)),
                   first, end);
    b.SetInsertPoint(first);
    b.CreateStore(give_up_->getArg(1), member(offsetof(NativeRun, code)));
    b.CreateStore(give_up_->getArg(2), member(offsetof(NativeRun, slot)));
    b.CreateStore(give_up_->getArg(3), member(offsetof(NativeRun, value)));
    b.CreateStore(give_up_->getArg(4), member(offsetof(NativeRun, position)));
    b.CreateBr(end);
    b.SetInsertPoint(end);
    b.CreateRetVoid();
    return give_up_;
}

void Emitter::give_up(NativeRun::Code code, llvm::Value* slot, llvm::Value* value) {
    b.CreateCall(give_up_function(), {run_, b.getInt32(code), slot, value, position_});
    leave(when_given_up_);
}

void Emitter::require_fit(llvm::Value* fits, llvm::Value* slot, llvm::Value* value) {
    emit_branch();
    llvm::BasicBlock* yes = block("fits");
    llvm::BasicBlock* no = block("does_not_fit");
    b.CreateCondBr(fits, yes, no, llvm::MDBuilder(*context).createLikelyBranchWeights());
    b.SetInsertPoint(no);
    give_up(NativeRun::needs_repacking, slot, value);
    b.SetInsertPoint(yes);
}

}  // namespace tideline::successor::codegen
