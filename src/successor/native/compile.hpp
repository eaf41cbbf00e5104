// Makes machine code of a model, by a library that is loaded for that and unloaded afterwards.
#pragma once

#include <memory>
#include <string>

#include "successor/native/native_code.hpp"

namespace tideline {

class NativeCode {
public:
    NativeCode(CodeImage image, double seconds) : image_(std::move(image)), seconds_(seconds) {}
    NativeCode(const NativeCode&) = delete;
    NativeCode& operator=(const NativeCode&) = delete;
    ~NativeCode();

    [[nodiscard]] const NativeFunctions& functions() const { return image_.functions; }
    // Code that took long to compile should not be made again for every field that turns out too narrow.
    [[nodiscard]] bool is_large() const { return image_.is_large; }
    [[nodiscard]] double seconds() const { return seconds_; }  // that compiling took

private:
    CodeImage image_;
    double seconds_;
};

// Null, with the reason in `problem`, where the machine does not allow it or the library is not there.
[[nodiscard]] std::shared_ptr<const NativeCode> compile(const CodeRequest& request, std::string& problem);

}  // namespace tideline
