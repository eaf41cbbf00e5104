// Atoms of formulas that speak of the steps of a state: `deadlock`, and `enabled(P)`. Their labels in a ledger are 0;
// an audit evaluates them on the steps that it computes, and keeps the values in a temporary file, a byte per state and
// atom.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audit/audited_system.hpp"
#include "audit/file.hpp"

namespace tideline::audit {

class StepAtom {
public:
    // Nothing: the text is an expression. `is_expression`: whether it can be read as one.
    [[nodiscard]] static std::optional<StepAtom> parse(const std::string& text, bool is_expression) {
        if (text == "deadlock" && !is_expression) return StepAtom("");
        constexpr std::size_t kPrefix = 8;
        if (!text.starts_with("enabled(") || !text.ends_with(')')) return std::nullopt;
        std::string process = text.substr(kPrefix, text.size() - kPrefix - 1);
        process.erase(0, process.find_first_not_of(' '));
        process.erase(process.find_last_not_of(' ') + 1);
        if (process.empty()) return std::nullopt;
        return StepAtom(std::move(process));
    }
    [[nodiscard]] bool is_true(const std::vector<AuditedSystem::Step>& steps) const {
        if (process_.empty()) return steps.empty();
        for (const AuditedSystem::Step& step : steps)
            for (const std::string& mover : step.movers)
                if (mover == process_) return true;
        return false;
    }
    [[nodiscard]] bool names_a_process() const { return !process_.empty(); }

private:
    explicit StepAtom(std::string process) : process_(std::move(process)) {}
    std::string process_;  // empty: a deadlock
};

// The values of some atoms, state after state.
class StepValues {
public:
    StepValues(std::size_t atoms, const std::string& directory) : atoms_(atoms), file_(File::temporary(directory)) {}

    void add(bool value) {
        buffer_.push_back(value ? 1 : 0);
        if (buffer_.size() >= kBuffer) flush();
    }
    // Nothing may be added afterwards.
    void finish() { flush(); }
    // Of `count` states from `first` on.
    [[nodiscard]] std::vector<std::uint8_t> read(std::size_t atom, std::uint64_t first, std::uint64_t count) const {
        std::vector<std::uint8_t> bytes(count * atoms_);
        if (file_.read(bytes.data(), bytes.size(), first * atoms_) != bytes.size())
            throw AuditError(AuditFault::io, file_.path() + ": the temporary file is too short");
        std::vector<std::uint8_t> result(count);
        for (std::uint64_t i = 0; i < count; ++i) result[i] = bytes[i * atoms_ + atom];
        return result;
    }

private:
    static constexpr std::size_t kBuffer = std::size_t{1} << 16U;
    void flush() {
        file_.write(buffer_.data(), buffer_.size(), end_);
        end_ += buffer_.size();
        buffer_.clear();
    }

    std::size_t atoms_;
    File file_;
    std::uint64_t end_ = 0;
    std::vector<std::uint8_t> buffer_;
};

}  // namespace tideline::audit
