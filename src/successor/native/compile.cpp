// LLVM takes some 20 MB and as many milliseconds of every process that is linked with it, whether anything is compiled or not, and it
// leaves memory behind when it has done its work. So it is in a library that is opened here and closed again; what remains is a mapping
// with the code. The library lies in lib/ of the program's folder or of one of the two above it, in the build as where it is installed.
#include "successor/native/compile.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <mutex>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "successor/native/code_size.hpp"
#include "successor/native/codegen/entry.hpp"

namespace tideline {
namespace {

// The paths are tried here and not by the loader's search: under a sanitizer that would go by the run path of the sanitizer.
void* open_library(std::string& problem) {
    namespace fs = std::filesystem;
    std::error_code error;
    fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (int i = 0; i < 3 && !error; ++i, folder = folder.parent_path()) {
        const fs::path file = folder / "lib" / "libtideline_codegen.so";
        if (!fs::exists(file, error)) continue;
        void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) problem = dlerror();
        return handle;
    }
    problem = "libtideline_codegen.so is not in lib beside the program";
    return nullptr;
}

class Library {
public:
    explicit Library(std::string& problem) : handle_(open_library(problem)) {}
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library() {
        if (handle_ == nullptr) return;
        dlclose(handle_);
#ifdef __GLIBC__
        malloc_trim(0);  // what the compiler had
#endif
    }

    [[nodiscard]] GenerateCode* function() const {
        return handle_ == nullptr ? nullptr : reinterpret_cast<GenerateCode*>(dlsym(handle_, kGenerateCodeSymbol));
    }

private:
    void* handle_;
};

// Of this thread, so that what else the machine does is not taken for compiling.
double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

NativeCode::~NativeCode() { munmap(image_.mapping, image_.mapping_size); }

// Measured on models of 20 to 16,000 transitions; a loaded machine may take three times as long. Memory hardly grows with the model, because it
// is compiled in units (codegen/generate.cpp).
CompileCost compile_cost(const CodeRequest& request) {
    constexpr double kSecondsAtLeast = 0.02;
    constexpr double kSecondsPerInstruction = 30e-6;
    constexpr std::uint64_t kBytesAtLeast = std::uint64_t{40} << 20U;
    constexpr std::uint64_t kBytesPerInstruction = 100;  // of machine code, which stays
    constexpr std::uint64_t kBytesPerSlot = 64;
    // Of the words of a successor, each is stored; large ones are copied.
    const std::size_t words = std::min<std::size_t>(request.layout.words(), 16);
    std::size_t key = 0;
    for (const KeyComponent& component : request.key.components) key += component.expression.code().size();
    std::size_t instructions = instructions_of(request.labels) + key;
    for (TransitionId t = 0; t < request.model.transitions.size(); ++t)
        instructions += kInstructionsPerTransition + instructions_of(request.model.transitions[t]) + words + (request.may_change_key[t] ? key : 0);
    return {kSecondsAtLeast + kSecondsPerInstruction * static_cast<double>(instructions),
            kBytesAtLeast + kBytesPerInstruction * instructions + kBytesPerSlot * request.model.slot_count()};
}

std::shared_ptr<const NativeCode> compile(CodeRequest request, const Budget& budget, std::string& problem) {
    using Clock = Budget::Clock;
    // One at a time: the library ends with everything that LLVM keeps for a process.
    static std::mutex one;
    const std::lock_guard lock(one);
    // A single expression cannot be cut, and LLVM cannot be stopped within one.
    constexpr std::size_t kLongestTransition = 20'000;
    for (const Transition& transition : request.model.transitions) {
        if (instructions_of(transition) <= kLongestTransition) continue;
        problem = "a transition is too long for the compiler";
        return nullptr;
    }
    const CompileCost cost = compile_cost(request);
    const std::optional<std::chrono::nanoseconds> time = budget.time_left();
    if (time && std::chrono::duration<double>(*time).count() < 2 * cost.seconds) {
        problem = "compiling would take too much of the time that is left";
        return nullptr;
    }
    if (!budget.allows(cost.bytes)) {
        problem = "compiling would take too much of the memory that is left";
        return nullptr;
    }
    const Clock::time_point begin = Clock::now();
    request.stop = [&] { return (time && Clock::now() - begin > *time / 2) || budget.is_exhausted(); };
    problem = "compiling took too long, or too much memory";
    const double start = processor_seconds();
    CodeImage image;
    {
        const Library library(problem);
        GenerateCode* generate = library.function();
        if (generate == nullptr || !generate(request, image, problem)) return nullptr;
    }
    return std::make_shared<const NativeCode>(std::move(image), processor_seconds() - start);
}

}  // namespace tideline
