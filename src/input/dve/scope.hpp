// The symbol table of a DVE program: variables, constants, channels, processes and their locations.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "input/dve/syntax.hpp"
#include "model/model.hpp"

namespace tideline::input::dve {

struct Symbol {
    enum class Kind { variable, constant, constant_array, channel, process };
    Kind kind = Kind::variable;
    std::uint32_t id = 0;    // variable, table, channel or process
    model::Value value = 0;  // of a constant
    support::SourceSpan declared;
};

constexpr const char* describe(Symbol::Kind kind) {
    switch (kind) {
        case Symbol::Kind::variable: return "a variable";
        case Symbol::Kind::constant: return "a constant";
        case Symbol::Kind::constant_array: return "an array of constants";
        case Symbol::Kind::channel: return "a channel";
        case Symbol::Kind::process: return "a process";
    }
    return "a name";
}

class Scope {
public:
    explicit Scope(const Scope* outer = nullptr) : outer_(outer) {}

    // False: the name is taken in this scope.
    bool add(const std::string& name, Symbol symbol) { return symbols_.emplace(name, symbol).second; }
    [[nodiscard]] const Symbol* find_here(const std::string& name) const {
        const auto found = symbols_.find(name);
        return found == symbols_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] const Symbol* find(const std::string& name) const {
        const Symbol* here = find_here(name);
        return here != nullptr || outer_ == nullptr ? here : outer_->find(name);
    }
    // All names of this scope and the outer ones, for suggestions.
    [[nodiscard]] std::vector<std::string> names(bool with_outer = true) const {
        std::vector<std::string> result;
        for (const auto& [name, symbol] : symbols_) result.push_back(name);
        if (with_outer && outer_ != nullptr)
            for (std::string& name : outer_->names()) result.push_back(std::move(name));
        return result;
    }

private:
    const Scope* outer_;
    std::map<std::string, Symbol> symbols_;
};

}  // namespace tideline::input::dve
