// A model compiled to machine code in memory: the steps of a state as straight code over the packed words.
//
// One function a process: a jump on its location, then the transitions that leave it, in the order of the interpreter. Positions and widths
// of the fields are constants of the code, expressions whose range is known need no checks, and only the words that change are stored.
// The meaning of every operator is that of model/evaluate.hpp; tests compare the successors with the interpreter's one by one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "model/model.hpp"
#include "successor/key.hpp"
#include "successor/layout.hpp"

namespace tideline {

// Why the code gave up on a state.
struct NativeStatus {
    enum Code : std::uint32_t { ok = 0, narrow = 1, keyless = 2 };
    std::uint32_t code = ok;
    std::uint32_t slot = 0;   // narrow: what does not fit where
    std::int64_t value = 0;
    std::uint32_t faulty = 0;  // a faulty step was among the successors
};

// Appends the successors of a state at place `size` of the arrays and returns the new size. There must be room for most_successors().
// Faults are written only where there is one, keys only where there is a measure.
using NativeExpand = std::uint64_t (*)(const std::uint64_t* state, std::uint64_t* states, std::uint32_t* transitions,
                                       std::uint8_t* faults, Key* keys, std::uint64_t size, NativeStatus* status);

class NativeCode {
public:
    virtual ~NativeCode() = default;
    [[nodiscard]] virtual NativeExpand expand() const = 0;
    // Code that took long to compile should not be made again for every field that turns out too narrow.
    [[nodiscard]] virtual bool is_large() const = 0;
};

// Whether a model has only what the compiler translates (no lockstep, observer, atomic sequences or priorities).
[[nodiscard]] bool can_compile(const Model& model);

// The most successors that any state can have.
[[nodiscard]] std::size_t most_successors(const Model& model);

// Null, with the reason in `problem`, where the machine does not allow it.
[[nodiscard]] std::unique_ptr<NativeCode> compile(const Model& model, const Layout& layout, const KeyProgram& key, std::string& problem);

}  // namespace tideline
