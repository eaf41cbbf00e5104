#include "successor/native/compile.hpp"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>

#include <mutex>

#include "successor/native/generate.hpp"

namespace tideline {
namespace {

class JittedCode final : public NativeCode {
public:
    JittedCode(std::unique_ptr<llvm::orc::LLJIT> jit, NativeExpand address, bool large)
        : jit_(std::move(jit)), expand_(address), large_(large) {}
    [[nodiscard]] NativeExpand expand() const override { return expand_; }
    [[nodiscard]] bool is_large() const override { return large_; }

private:
    std::unique_ptr<llvm::orc::LLJIT> jit_;
    NativeExpand expand_;
    bool large_;
};

constexpr std::size_t kLarge = 20'000;  // instructions before optimisation

void optimise(llvm::Module& module, bool large) {
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder passes;
    passes.registerModuleAnalyses(modules);
    passes.registerCGSCCAnalyses(components);
    passes.registerFunctionAnalyses(functions);
    passes.registerLoopAnalyses(loops);
    passes.crossRegisterProxies(loops, functions, components, modules);
    // Large code is compiled lightly: its time is part of the run.
    const llvm::OptimizationLevel level = large ? llvm::OptimizationLevel::O1 : llvm::OptimizationLevel::O2;
    passes.buildPerModuleDefaultPipeline(level).run(module, modules);
}

}  // namespace

std::unique_ptr<NativeCode> compile(const Model& model, const Layout& layout, const KeyProgram& key, std::string& problem) {
    static std::once_flag once;
    std::call_once(once, [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
    });
    llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> jit = llvm::orc::LLJITBuilder().create();
    if (!jit) {
        problem = llvm::toString(jit.takeError());
        return nullptr;
    }
    GeneratedCode code = generate(model, layout, key);
    code.module->setDataLayout((*jit)->getDataLayout());
    const bool large = code.module->getInstructionCount() > kLarge;
    optimise(*code.module, large);
    if (llvm::Error error = (*jit)->addIRModule(llvm::orc::ThreadSafeModule(std::move(code.module), std::move(code.context)))) {
        problem = llvm::toString(std::move(error));
        return nullptr;
    }
    llvm::Expected<llvm::orc::ExecutorAddr> address = (*jit)->lookup("expand");
    if (!address) {
        problem = llvm::toString(address.takeError());
        return nullptr;
    }
    return std::make_unique<JittedCode>(std::move(*jit), address->toPtr<NativeExpand>(), large);
}

}  // namespace tideline
