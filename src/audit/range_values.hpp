// The values of state formulas in a range of states, as the ledger and the certificate say: atoms from the labels,
// temporal subformulas from the certificate's bits, everything else computed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "audit/certificate_file.hpp"
#include "audit/ledger_file.hpp"
#include "logic/formula.hpp"

namespace tideline::audit {

struct StateRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

using Truth = std::vector<std::uint8_t>;  // 0 or 1 per state of a range

// How runs that end are read.
enum class Ends : std::uint8_t { stutter, finite, ignore };

class RangeValues {
public:
    // `labels`: the number of the label that an atom is, by its text. All must outlive this.
    RangeValues(const logic::Formulas& formulas, LedgerFile& ledger, CertificateFile& certificate,
                const std::map<std::string, std::size_t>& labels, Ends ends)
        : formulas_(formulas), ledger_(ledger), certificate_(certificate), labels_(labels), ends_(ends) {}

    [[nodiscard]] const logic::Formulas& formulas() const { return formulas_; }
    [[nodiscard]] Ends ends() const { return ends_; }

    // Of a state formula. Objects where a column is missing.
    [[nodiscard]] Truth truth(logic::Formula formula, const StateRange& range);
    // Where an infinite path begins, if only these count; empty: all paths count.
    [[nodiscard]] Truth endless(const StateRange& range);
    // A column of the certificate of a formula; objects where it is missing.
    [[nodiscard]] std::vector<std::uint64_t> column(const std::string& what, logic::Formula formula,
                                                    const StateRange& range);
    // A column of no formula.
    [[nodiscard]] std::vector<std::uint64_t> column(const std::string& what, const StateRange& range);

private:
    [[nodiscard]] std::vector<std::uint64_t> read(const std::string& what, const std::string& formula,
                                                  const StateRange& range);
    [[nodiscard]] Truth bits(const std::string& what, const std::string& formula, const StateRange& range);
    [[nodiscard]] Truth atom(logic::Formula formula, const StateRange& range);
    [[nodiscard]] const std::string& text(logic::Formula formula);

    const logic::Formulas& formulas_;
    LedgerFile& ledger_;
    CertificateFile& certificate_;
    const std::map<std::string, std::size_t>& labels_;
    Ends ends_;
    std::unordered_map<std::uint32_t, std::string> texts_;
    // The frame of labels that was read last.
    Records records_;
    std::size_t frame_ = SIZE_MAX;
};

// What a quantified formula is: a quantifier over a state formula, over one temporal operator of state formulas, or
// over any other path formula.
enum class QuantifiedKind : std::uint8_t { state, operation, path };
[[nodiscard]] QuantifiedKind kind_of(const logic::Formulas& formulas, logic::Formula quantified);
[[nodiscard]] bool is_quantified(const logic::Formulas& formulas, logic::Formula formula);

}  // namespace tideline::audit
