#include "successor/native/codegen/machine.hpp"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/ExecutionEngine/RTDyldMemoryManager.h>
#include <llvm/ExecutionEngine/RuntimeDyld.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <utility>

namespace tideline::successor::codegen {
namespace {

constexpr std::size_t kLarge = 20'000;  // instructions before optimisation

std::unique_ptr<llvm::TargetMachine> host_machine(std::string& problem) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    const std::string triple = llvm::sys::getProcessTriple();
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, problem);
    if (target == nullptr) return nullptr;
    std::string features;
    for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
        if (!features.empty()) features += ',';
        features += (feature.second ? '+' : '-') + feature.first().str();
    }
    std::unique_ptr<llvm::TargetMachine> machine(
        target->createTargetMachine(triple, llvm::sys::getHostCPUName(), features, {}, llvm::Reloc::PIC_,
                                    llvm::CodeModel::Small, llvm::CodeGenOptLevel::Less, true));
    if (!machine) problem = "LLVM does not know this processor";
    return machine;
}

// The code has no needless loads, stores and branches. What remains is to fold, to merge tests of one word and to
// remove unused code. LLVM's own sequences of passes make it no faster and take several times as long.
void add_optimisations(llvm::legacy::PassManager& passes) {
    passes.add(llvm::createAlwaysInlinerLegacyPass(false));
    passes.add(llvm::createEarlyCSEPass());
    passes.add(llvm::createCFGSimplificationPass());
    passes.add(llvm::createInstructionCombiningPass());
    passes.add(llvm::createCFGSimplificationPass());
    passes.add(llvm::createEarlyCSEPass());
}

// All sections in one mapping: first code, then constants, then the rest, each on its own pages.
class OneMapping final : public llvm::RTDyldMemoryManager {
public:
    OneMapping() = default;
    OneMapping(const OneMapping&) = delete;
    OneMapping& operator=(const OneMapping&) = delete;
    ~OneMapping() override {
        if (base_ != nullptr) munmap(base_, size_);
    }

    // Address space for the sections of object files of this total size, each of three kinds. Unused pages are never
    // touched.
    [[nodiscard]] bool reserve(std::size_t bytes) {
        const std::size_t size = pages(bytes + kSlack);
        void* memory = mmap(nullptr, 3 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return false;
        size_ = 3 * size;
        base_ = static_cast<std::uint8_t*>(memory);
        std::uint8_t* begin = base_;
        for (Part& part : parts_) {
            part = {begin, begin, begin + size};
            begin += size;
        }
        return true;
    }
    std::uint8_t* allocateCodeSection(std::uintptr_t size, unsigned alignment, unsigned /*id*/,
                                      llvm::StringRef /*name*/) override {
        return allocate(parts_[0], size, alignment);
    }
    std::uint8_t* allocateDataSection(std::uintptr_t size, unsigned alignment, unsigned /*id*/,
                                      llvm::StringRef /*name*/, bool read_only) override {
        return allocate(parts_[read_only ? 1 : 2], size, alignment);
    }
    // The code throws nothing.
    void registerEHFrames(std::uint8_t* /*address*/, std::uint64_t /*load_address*/, std::size_t /*size*/) override {}
    void deregisterEHFrames() override {}

    bool finalizeMemory(std::string* problem) override {
        const bool done =
            base_ != nullptr && protect(parts_[0], PROT_READ | PROT_EXEC) && protect(parts_[1], PROT_READ);
        if (!done && problem != nullptr) *problem = "memory may not be made executable";
        return !done;
    }

    // Functions that generated code may call: LLVM turns long sequences of stores into these.
    llvm::JITSymbol findSymbol(const std::string& name) override {
        void* address = name == "memcpy"    ? reinterpret_cast<void*>(&std::memcpy)
                        : name == "memset"  ? reinterpret_cast<void*>(&std::memset)
                        : name == "memmove" ? reinterpret_cast<void*>(&std::memmove)
                                            : nullptr;
        if (address == nullptr) return nullptr;
        return {reinterpret_cast<std::uint64_t>(address), llvm::JITSymbolFlags::Exported};
    }

    MachineCode release() { return {std::exchange(base_, nullptr), size_, false}; }

private:
    struct Part {
        std::uint8_t* begin = nullptr;
        std::uint8_t* next = nullptr;
        std::uint8_t* end = nullptr;
    };
    static constexpr std::size_t kSlack = 65'536;

    static std::size_t pages(std::size_t bytes) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        return (bytes + page - 1) / page * page;
    }
    static std::uint8_t* allocate(Part& part, std::uintptr_t size, unsigned alignment) {
        const auto at = (reinterpret_cast<std::uintptr_t>(part.next) + alignment - 1) / alignment * alignment;
        if (part.begin == nullptr || at + size > reinterpret_cast<std::uintptr_t>(part.end)) return nullptr;
        part.next = reinterpret_cast<std::uint8_t*>(at + size);
        return reinterpret_cast<std::uint8_t*>(at);
    }
    static bool protect(const Part& part, int protection) {
        return mprotect(part.begin, static_cast<std::size_t>(part.end - part.begin), protection) == 0;
    }

    std::uint8_t* base_ = nullptr;
    std::size_t size_ = 0;
    Part parts_[3];
};

}  // namespace

MachineCompiler::MachineCompiler() = default;
MachineCompiler::~MachineCompiler() = default;

bool MachineCompiler::compile(llvm::Module& module, std::string& problem) {
    if (!machine_) machine_ = host_machine(problem);
    if (!machine_) return false;
    instructions_ += module.getInstructionCount();
    module.setTargetTriple(machine_->getTargetTriple().str());
    module.setDataLayout(machine_->createDataLayout());
    Object& object = objects_.emplace_back();
    for (const llvm::Function& function : module)
        if (!function.isDeclaration() && function.hasExternalLinkage() && function.hasDefaultVisibility())
            object.exported.push_back(function.getName().str());
    llvm::raw_svector_ostream stream(object.bytes);
    llvm::legacy::PassManager passes;
    passes.add(llvm::createTargetTransformInfoWrapperPass(machine_->getTargetIRAnalysis()));
    add_optimisations(passes);
    if (machine_->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile)) {
        problem = "LLVM cannot write code for this machine";
        return false;
    }
    passes.run(module);
    return true;
}

bool MachineCompiler::link(const std::function<void(const std::string&, std::uint64_t)>& found, MachineCode& code,
                           std::string& problem) {
    OneMapping memory;
    std::size_t bytes = 0;
    for (const Object& object : objects_) bytes += object.bytes.size();
    // The linker aborts the process where it gets no memory.
    if (!memory.reserve(2 * bytes)) {
        problem = "there is no memory for the code";
        return false;
    }
    llvm::RuntimeDyld linker(memory, memory);
    // The linker refers to the files until it is done.
    std::vector<std::unique_ptr<llvm::object::ObjectFile>> files;
    for (const Object& object : objects_) {
        llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> file = llvm::object::ObjectFile::createObjectFile(
            llvm::MemoryBufferRef(llvm::StringRef(object.bytes.data(), object.bytes.size()), "model"));
        if (!file) {
            problem = llvm::toString(file.takeError());
            return false;
        }
        files.push_back(std::move(*file));
        linker.loadObject(*files.back());
        if (linker.hasError()) break;
    }
    if (!linker.hasError()) linker.resolveRelocations();
    if (linker.hasError()) {
        problem = linker.getErrorString().str();
        return false;
    }
    if (memory.finalizeMemory(&problem)) return false;
    for (const Object& object : objects_)
        for (const std::string& name : object.exported) found(name, linker.getSymbol(name).getAddress());
    code = memory.release();
    code.is_large = instructions_ > kLarge;
    return true;
}

}  // namespace tideline::successor::codegen
