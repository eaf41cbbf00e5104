// What proves the bits of a decided program to somebody who does not trust the engine: a column of bits per temporal
// operation and, where a least fixpoint is true or a greatest one false, a column of ranks. One rule covers all
// operations: unfold the operation once, counting a successor t of s as true iff its bit is true; where a least
// fixpoint is true in s, also require rank(t) < rank(s); where a greatest one is false in s, count t as false only if
// its bit is false and rank(t) < rank(s); the result must equal the bit of s. Without a rank, "EG f is false" all round
// a cycle of f would pass. Where only infinite paths count, EG true has columns of its own.
//
// The engine writes them as it decides (ledger/certificate_writer.hpp); src/audit checks them with other code.
// A certificate that cannot be written, for want of room, costs no verdict: it is given up, with the reason.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/ctl/bits.hpp"
#include "check/ctl/program.hpp"
#include "ledger/certificate_writer.hpp"

namespace tideline::check::ctl {

class Certificate {
public:
    using Column = std::uint32_t;

    Certificate(const Program& program, DeadlockReading reading, std::unique_ptr<ledger::CertificateWriter> writer);

    // A column of this kind of a subformula: "bits", "ranks". Of EG true where only infinite paths count: kEndless.
    static constexpr const char* kEndless = "endless";
    [[nodiscard]] Column add(const std::string& what, std::optional<NodeId> node = std::nullopt);

    // Numbers of consecutive states, 0 where nothing is said. Columns may be written in parts, in any order.
    void write(Column column, std::uint64_t first, std::span<const std::uint64_t> values);
    void write(Column column, const Bits& bits);

    // What was decided of each property: "holds", "violated", "unknown".
    struct Answer {
        std::string name;
        std::string formula;
        std::string answer;
    };
    void finish(const std::vector<Answer>& answers);

    // Why there is none; empty: there is.
    [[nodiscard]] const std::string& failure() const { return failure_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
    template <class Call>
    void attempt(const Call& call);

    const Program& program_;
    DeadlockReading reading_;
    std::unique_ptr<ledger::CertificateWriter> writer_;  // null where it failed, or is done
    struct ColumnName {
        std::string what;
        std::string formula;
    };
    std::vector<ColumnName> columns_;
    std::vector<std::uint64_t> values_;
    std::string failure_;
    std::uint64_t bytes_ = 0;
};

}  // namespace tideline::check::ctl
