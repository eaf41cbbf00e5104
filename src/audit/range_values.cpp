#include "audit/range_values.hpp"

#include <algorithm>

#include "logic/canonical.hpp"
#include "support/quantity.hpp"

namespace tideline::audit {

using logic::Connective;
using logic::Formula;

bool is_quantified(const logic::Formulas& formulas, Formula formula) {
    return formulas.is(formula, Connective::exists) || formulas.is(formula, Connective::forall);
}

QuantifiedKind kind_of(const logic::Formulas& formulas, Formula quantified) {
    const Formula path = formulas.operand(quantified, 0);
    const auto is_state = [&](Formula f) { return formulas.has(f, logic::Trait::state); };
    if (is_state(path)) return QuantifiedKind::state;
    const Connective connective = formulas.connective(path);
    const bool is_temporal = connective >= Connective::next && connective <= Connective::strong_release;
    const auto operands = formulas.operands(path);
    return is_temporal && std::all_of(operands.begin(), operands.end(), is_state) ? QuantifiedKind::operation
                                                                                  : QuantifiedKind::path;
}

const std::string& RangeValues::text(Formula formula) {
    const auto [place, is_new] = texts_.try_emplace(formula.number());
    if (is_new) place->second = logic::canonical_text(formulas_, formula);
    return place->second;
}

std::vector<std::uint64_t> RangeValues::read(const std::string& what, const std::string& formula,
                                             const StateRange& range) {
    const std::optional<std::uint32_t> column = certificate_.column(what, formula);
    if (!column) throw Objection("the certificate has no column '" + what + "' of " + support::in_quotes(formula));
    std::vector<std::uint64_t> values(range.count);
    certificate_.read(*column, range.first, values);
    return values;
}

std::vector<std::uint64_t> RangeValues::column(const std::string& what, Formula formula, const StateRange& range) {
    return read(what, text(formula), range);
}

std::vector<std::uint64_t> RangeValues::column(const std::string& what, const StateRange& range) {
    return read(what, "", range);
}

Truth RangeValues::bits(const std::string& what, const std::string& formula, const StateRange& range) {
    const std::vector<std::uint64_t> values = read(what, formula, range);
    Truth result(range.count);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] > 1) throw Objection("the certificate says " + std::to_string(values[i]) + " for a bit");
        result[i] = static_cast<std::uint8_t>(values[i]);
    }
    return result;
}

Truth RangeValues::endless(const StateRange& range) {
    return ends_ == Ends::ignore ? bits("endless", "", range) : Truth();
}

Truth RangeValues::atom(Formula formula, const StateRange& range) {
    const auto label = labels_.find(formulas_.text(formula));
    if (label == labels_.end())
        throw Objection("the ledger has no label " + support::in_quotes(formulas_.text(formula)));
    Truth result(range.count);
    const std::vector<Frame>& frames = ledger_.frames(Stream::labels);
    const std::size_t bytes = ledger_.label_bytes();
    for (std::uint64_t i = 0; i < range.count;) {
        const std::uint64_t state = range.first + i;
        if (frame_ >= frames.size() || state < frames[frame_].first ||
            state - frames[frame_].first >= frames[frame_].count) {
            const auto behind = std::upper_bound(frames.begin(), frames.end(), state,
                                                 [](std::uint64_t s, const Frame& f) { return s < f.first; });
            frame_ = static_cast<std::size_t>(behind - frames.begin()) - 1;
            ledger_.read(Stream::labels, frame_, records_);
        }
        const std::uint64_t end = std::min(range.count, frames[frame_].first + frames[frame_].count - range.first);
        for (; i < end; ++i) {
            const std::size_t place = (range.first + i - frames[frame_].first) * bytes + label->second / 8;
            result[i] = (records_.bytes[place] >> (label->second % 8)) & 1U;
        }
    }
    return result;
}

Truth RangeValues::truth(Formula formula, const StateRange& range) {
    // What is below a quantifier over paths is not needed. Operands have smaller numbers.
    std::map<std::uint32_t, Truth> values;
    std::vector<Formula> open{formula};
    while (!open.empty()) {
        const Formula f = open.back();
        open.pop_back();
        if (!values.try_emplace(f.number()).second) continue;
        if (is_quantified(formulas_, f) && kind_of(formulas_, f) != QuantifiedKind::state) continue;
        for (const Formula operand : formulas_.operands(f)) open.push_back(operand);
    }
    const Truth endless = this->endless(range);
    for (auto& [number, value] : values) {
        const Formula f(number);
        const auto operands = formulas_.operands(f);
        const auto operand = [&](std::size_t i) -> const Truth& { return values.at(operands[i].number()); };
        const auto combine = [&](const auto& operation) {
            value = operand(0);
            for (std::size_t k = 1; k < operands.size(); ++k)
                for (std::size_t i = 0; i < value.size(); ++i)
                    value[i] = operation(value[i] != 0, operand(k)[i] != 0) ? 1 : 0;
        };
        switch (formulas_.connective(f)) {
            case Connective::falsity: value.assign(range.count, 0); break;
            case Connective::truth: value.assign(range.count, 1); break;
            case Connective::atom: value = atom(f, range); break;
            case Connective::negation:
                value = operand(0);
                for (std::uint8_t& one : value) one ^= 1U;
                break;
            case Connective::conjunction: combine([](bool a, bool b) { return a && b; }); break;
            case Connective::disjunction: combine([](bool a, bool b) { return a || b; }); break;
            case Connective::implication: combine([](bool a, bool b) { return !a || b; }); break;
            case Connective::equivalence: combine([](bool a, bool b) { return a == b; }); break;
            case Connective::exclusion: combine([](bool a, bool b) { return a != b; }); break;
            case Connective::exists:
            case Connective::forall: {
                if (kind_of(formulas_, f) != QuantifiedKind::state) {
                    value = bits("bits", text(f), range);
                    break;
                }
                value = operand(0);
                const bool is_exists = formulas_.is(f, Connective::exists);
                for (std::size_t i = 0; i < endless.size(); ++i)
                    if (endless[i] == 0) value[i] = is_exists ? 0 : 1;
                break;
            }
            default: throw Objection("a formula of paths stands where one of states is expected");
        }
    }
    return std::move(values.at(formula.number()));
}

}  // namespace tideline::audit
