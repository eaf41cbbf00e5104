#include "successor/native/codegen/entry.hpp"

#include <llvm/Support/ManagedStatic.h>

#include <charconv>
#include <string_view>

#include "successor/native/codegen/emitter.hpp"
#include "successor/native/codegen/generate.hpp"
#include "successor/native/codegen/machine.hpp"

namespace tideline::successor::codegen {
namespace {

void assign(NativeFunctions& functions, std::string_view name, std::uint64_t address) {
    const auto numbered = [&](std::string_view stem, auto& list) {
        if (!name.starts_with(stem)) return false;
        std::size_t number = 0;
        const auto [end, error] = std::from_chars(name.data() + stem.size(), name.data() + name.size(), number);
        if (error != std::errc{} || end != name.data() + name.size()) return false;
        list.at(number) = reinterpret_cast<typename std::remove_reference_t<decltype(list)>::value_type>(address);
        return true;
    };
    if (numbered("collect", functions.collect) || numbered("effects", functions.effects)) return;
    if (name == "expand") functions.expand = reinterpret_cast<NativeExpand>(address);
    if (name == "collect_all") functions.collect_all = reinterpret_cast<NativeCollect>(address);
    if (name == "labels") functions.labels = reinterpret_cast<NativeLabels>(address);
    if (name == "key") functions.key = reinterpret_cast<NativeKey>(address);
}

bool make_code(const CodeRequest& request, NativeFunctions& functions, MachineCode& code, std::string& problem) {
    MachineCompiler compiler;
    try {
        generate(request, [&](llvm::Module& unit) {
            if ((request.stop && request.stop(unit.getInstructionCount())) || !compiler.compile(unit, problem))
                throw Abandoned{};
        });
    } catch (const Abandoned&) {
        return false;
    }
    return compiler.link([&](const std::string& name, std::uint64_t address) { assign(functions, name, address); },
                         code, problem);
}

}  // namespace
}  // namespace tideline::successor::codegen

extern "C" __attribute__((visibility("default"))) bool tideline_generate_code(
    const tideline::successor::CodeRequest& request, tideline::successor::CodeImage& image, std::string& problem) {
    using namespace tideline::successor;
    image.functions.collect.resize(request.model.processes.size());
    image.functions.effects.resize(request.model.transitions.size());
    codegen::MachineCode code;
    const bool done = codegen::make_code(request, image.functions, code, problem);
    llvm::llvm_shutdown();
    image.mapping = code.mapping;
    image.mapping_size = code.size;
    image.is_large = code.is_large;
    return done;
}
