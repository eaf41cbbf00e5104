// LLVM takes some 20 MB and as many milliseconds of every process that is linked with it, whether anything is compiled or not, and it
// leaves memory behind when it has done its work. So it is in a library that is opened here and closed again; what remains is a mapping
// with the code. The library lies in lib/ of the program's folder or of one of the two above it, in the build as where it is installed.
#include "successor/native/compile.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <ctime>
#include <filesystem>
#include <mutex>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "successor/native/codegen/entry.hpp"

namespace tideline {
namespace {

// The paths are tried here and not by the loader's search: under a sanitizer that would go by the run path of the sanitizer.
void* open_library(std::string& problem) {
    namespace fs = std::filesystem;
    std::error_code error;
    fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    problem = "libtideline_codegen.so is not in lib beside the program";
    for (int i = 0; i < 3 && !error; ++i, folder = folder.parent_path()) {
        const fs::path file = folder / "lib" / "libtideline_codegen.so";
        if (!fs::exists(file, error)) continue;
        void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) problem = dlerror();
        return handle;
    }
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

std::shared_ptr<const NativeCode> compile(const CodeRequest& request, std::string& problem) {
    // One at a time: the library ends with everything that LLVM keeps for a process.
    static std::mutex one;
    const std::lock_guard lock(one);
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
