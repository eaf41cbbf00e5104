// LLVM takes some 20 MB and as many milliseconds of every process that is linked with it, whether anything is compiled
// or not, and it does not release all memory afterwards. So it is in a library that is opened here and closed again;
// what remains is a mapping with the code. The library lies in lib/ of the program's folder or of one of the two above
// it, in the build as where it is installed.
#include "successor/native/compile.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <mutex>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "successor/native/code_size.hpp"
#include "successor/native/codegen/entry.hpp"

namespace tideline::successor {
namespace {

// The paths are tried here and not by the loader's search: under a sanitizer that would use the run path of the
// sanitizer.
std::filesystem::path find_library() {
    namespace fs = std::filesystem;
    std::error_code error;
    fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (int i = 0; i < 3 && !error; ++i, folder = folder.parent_path())
        if (const fs::path file = folder / "lib" / "libtideline_codegen.so"; fs::exists(file, error)) return file;
    return {};
}

void* open_library(std::string& problem) {
    const std::filesystem::path file = find_library();
    if (file.empty()) {
        problem = "libtideline_codegen.so is not in lib beside the program";
        return nullptr;
    }
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) problem = dlerror();
    return handle;
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

    [[nodiscard]] codegen::GenerateCode* function() const {
        return handle_ == nullptr
                   ? nullptr
                   : reinterpret_cast<codegen::GenerateCode*>(dlsym(handle_, codegen::kGenerateCodeSymbol));
    }

private:
    void* handle_;
};

// Time of this thread, so that other load of the machine does not count.
double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

bool has_code_generator() { return !find_library().empty(); }

NativeCode::~NativeCode() { munmap(image_.mapping, image_.mapping_size); }

// Array elements with a computed index: where states are values, an access goes through memory and back.
std::size_t element_accesses(const model::Expression& expression) {
    return static_cast<std::size_t>(
        std::count_if(expression.code().begin(), expression.code().end(),
                      [](const model::Instruction& i) { return i.op == model::Op::load_element; }));
}

// Fitted to measurements of models of 20 to 4,000 transitions. Memory hardly grows with the model, because a large one
// is compiled in units (codegen/generate.cpp).
CompileCost compile_cost(const CodeRequest& request) {
    constexpr double kAtLeast = 0.02;
    constexpr double kPerTransition = 150e-6;
    constexpr double kPerTransitionOfValues = 350e-6;  // more, where the successor's words are values
    constexpr double kPerGuardInstruction = 5e-6;      // long guards are cheap
    constexpr double kPerInstruction = 12e-6;
    constexpr double kPerWord = 5e-6;
    constexpr double kPerAccess = 100e-6;
    constexpr std::uint64_t kBytesAtLeast = std::uint64_t{40} << 20U;
    constexpr std::uint64_t kBytesPerTransition = 2000;  // of machine code, which stays
    constexpr std::uint64_t kBytesPerSlot = 64;
    // Each word of a successor is stored; large states are copied.
    const double words = static_cast<double>(std::min<std::size_t>(request.layout.words(), 16));
    std::size_t key = 0;
    for (const KeyComponent& component : request.key.components) key += component.expression.code().size();
    double seconds = kAtLeast + kPerGuardInstruction * static_cast<double>(instructions_of(request.labels) + key);
    for (model::TransitionId t = 0; t < request.model.transitions.size(); ++t) {
        const model::Transition& transition = request.model.transitions[t];
        const std::size_t guards = instructions_of(transition.guards);
        std::size_t accesses = 0;
        for (const model::Expression& guard : transition.guards) accesses += element_accesses(guard);
        for (const model::Effect& effect : transition.effects) {
            const auto* assign = std::get_if<model::Assign>(&effect);
            if (assign == nullptr) continue;
            for (const model::Expression& value : assign->values) accesses += element_accesses(value);
            for (const model::Target& target : assign->targets)
                accesses += target.index && !target.index->is_constant() ? 1 : 0;
        }
        seconds += kPerTransition + (request.layout.words() <= 16 ? kPerTransitionOfValues : 0) +
                   kPerGuardInstruction * static_cast<double>(guards) +
                   kPerInstruction * static_cast<double>(instructions_of(transition) - guards +
                                                         (request.may_change_key[t] ? key : 0)) +
                   kPerWord * words + kPerAccess * static_cast<double>(accesses);
    }
    return {seconds, kBytesAtLeast + kBytesPerTransition * request.model.transitions.size() +
                         kBytesPerSlot * request.model.slot_count()};
}

std::shared_ptr<const NativeCode> compile(CodeRequest request, const support::Budget& budget, std::string& problem) {
    using Clock = support::Budget::Clock;
    // One at a time: the library ends with everything that LLVM keeps for a process.
    static std::mutex one;
    const std::lock_guard lock(one);
    // A single expression cannot be split, and LLVM cannot be stopped within one.
    constexpr std::size_t kLongestTransition = 20'000;
    for (const model::Transition& transition : request.model.transitions) {
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
    const double start = processor_seconds();
    // The remaining time is scaled by how long this thread has waited for a processor so far.
    constexpr double kPerModuleInstruction = 35e-6;  // of functions that are merged; others take less
    const auto is_too_slow = [&](std::size_t instructions) {
        if (!time) return false;
        const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
        const double spent = processor_seconds() - start;
        const double wait = spent > 1e-3 ? std::max(1.0, elapsed / spent) : 1.0;
        const double rest = std::max(cost.seconds - spent, kPerModuleInstruction * static_cast<double>(instructions));
        return elapsed + wait * rest > std::chrono::duration<double>(*time).count() / 2;
    };
    request.stop = [&](std::size_t instructions) { return is_too_slow(instructions) || budget.is_exhausted(); };
    problem = "compiling takes too long, or too much memory";
    CodeImage image;
    {
        const Library library(problem);
        codegen::GenerateCode* generate = library.function();
        if (generate == nullptr || !generate(request, image, problem)) return nullptr;
    }
    return std::make_shared<const NativeCode>(std::move(image), processor_seconds() - start);
}

}  // namespace tideline::successor
