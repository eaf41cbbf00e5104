// Compiles a model to machine code, with a library that is loaded for that and unloaded afterwards.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "successor/native/native_code.hpp"
#include "support/budget.hpp"

namespace tideline::successor {

class NativeCode {
public:
    NativeCode(CodeImage image, double seconds) : image_(std::move(image)), seconds_(seconds) {}
    NativeCode(const NativeCode&) = delete;
    NativeCode& operator=(const NativeCode&) = delete;
    ~NativeCode();

    [[nodiscard]] const NativeFunctions& functions() const { return image_.functions; }
    // Code that took long to compile should not be compiled again for every field that needs repacking.
    [[nodiscard]] bool is_large() const { return image_.is_large; }
    [[nodiscard]] double seconds() const { return seconds_; }  // that compiling took

private:
    CodeImage image_;
    double seconds_;
};

// Whether the library is there: it is not where the program was copied alone.
[[nodiscard]] bool has_code_generator();

// What compiling is expected to take.
struct CompileCost {
    double seconds = 0;
    std::uint64_t bytes = 0;
};
[[nodiscard]] CompileCost compile_cost(const CodeRequest& request);

// Null, with the reason in `problem`, where the machine does not allow it, the library is not there, or it would take
// too much of what is left of the budget. It may take half of the time that is left: the rest is for the search.
// `request.stop` is set here.
[[nodiscard]] std::shared_ptr<const NativeCode> compile(CodeRequest request, const support::Budget& budget,
                                                        std::string& problem);

}  // namespace tideline::successor
