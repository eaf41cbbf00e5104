// One operation of CTL: unfold it once. A successor t of s counts as true iff its bit is true; where a least fixpoint
// (F, U, M) is true in s, also rank(t) < rank(s) is required; where a greatest one (G, R, W) is false in s, t counts as
// false only if its bit is false and rank(t) < rank(s). The result must equal the bit of s.
//
// A deadlock is its own successor with `stutter`, and with `finite` except for X. With `ignore`, successors without an
// infinite path do not count, and where none begins, E is false and A is true; where one begins is proved by the rule
// of EG true on the relation as it is, whose rank falls to all successors and none need exist.
#include "audit/certificate_rule.hpp"

#include "logic/formula.hpp"

namespace tideline::audit {
namespace {

using logic::Connective;
using logic::Formula;

class OperationRule final : public CertificateRule {
public:
    OperationRule(RangeValues& values, std::optional<Formula> formula) : CertificateRule(values), formula_(formula) {
        if (!formula) {
            kind_ = Connective::always;
            return;
        }
        const logic::Formulas& formulas = values.formulas();
        exists_ = formulas.is(*formula, Connective::exists);
        path_ = formulas.operand(*formula, 0);
        kind_ = formulas.connective(path_);
        is_least_ =
            kind_ == Connective::eventually || kind_ == Connective::until || kind_ == Connective::strong_release;
        is_greatest_ = kind_ == Connective::always || kind_ == Connective::release || kind_ == Connective::weak_until;
    }

    void load_targets(const StateRange& range) override {
        targets_ = range;
        load(range, target_bits_, target_ranks_, target_endless_);
        if (kind_ == Connective::next) target_bits_ = values_.truth(values_.formulas().operand(path_, 0), range);
    }

    void emit(std::uint64_t source, std::uint64_t target, const Deliver& deliver) override {
        const std::uint64_t t = target - targets_.first;
        if (!target_endless_.empty() && target_endless_[t] == 0) return;
        Message message;
        message.source = source;
        message.flags = target_bits_[t];
        message.first = target_ranks_.empty() ? 0 : target_ranks_[t];
        deliver(message);
    }

    void load_sources(const StateRange& range) override {
        sources_ = range;
        load(range, bits_, ranks_, endless_);
        left_.assign(range.count, 0);
        right_.assign(range.count, 1);
        if (formula_) {
            const auto operands = values_.formulas().operands(path_);
            left_ = values_.truth(operands.front(), range);
            right_ = values_.truth(operands.back(), range);
        }
        any_.assign(range.count, 0);
        all_.assign(range.count, 1);
        has_successor_.assign(range.count, 0);
    }

    void receive(const Message& message) override {
        take(message.source - sources_.first, message.flags != 0, message.first);
    }

    void finish() override {
        const bool repeats = formula_ && (values_.ends() == Ends::stutter ||
                                          (values_.ends() == Ends::finite && kind_ != Connective::next));
        for (std::uint64_t s = 0; s < sources_.count; ++s) {
            if (has_successor_[s] == 0 && repeats)
                take(s, kind_ == Connective::next ? right_[s] != 0 : bits_[s] != 0, ranks_.empty() ? 0 : ranks_[s]);
            if ((bits_[s] != 0) != expected(s)) wrong_.add(sources_.first + s);
        }
    }

private:
    [[nodiscard]] bool has_ranks() const { return is_least_ || is_greatest_ || !formula_; }

    void load(const StateRange& range, Truth& bits, std::vector<std::uint64_t>& ranks, Truth& endless) {
        if (!formula_) {
            bits = values_.endless(range);
            ranks = values_.column("ranks of endless", range);
            return;
        }
        bits = values_.truth(*formula_, range);
        endless = values_.endless(range);
        if (has_ranks()) ranks = values_.column("ranks", *formula_, range);
    }

    // What s may believe of a successor.
    void take(std::uint64_t s, bool bit, std::uint64_t rank) {
        has_successor_[s] = 1;
        bool counts = bit;
        if (is_least_ && bits_[s] != 0) counts = bit && rank < ranks_[s];
        if ((is_greatest_ || !formula_) && bits_[s] == 0) counts = bit || rank >= ranks_[s];
        if (counts) any_[s] = 1;
        else all_[s] = 0;
    }

    [[nodiscard]] bool expected(std::uint64_t s) const {
        if (!endless_.empty() && endless_[s] == 0) return !exists_;
        const bool next = (exists_ ? any_[s] : all_[s]) != 0;
        const bool left = left_[s] != 0;
        const bool right = right_[s] != 0;
        switch (kind_) {
            case Connective::next: return next;
            case Connective::eventually: return right || next;
            case Connective::always: return right && next;
            case Connective::until:
            case Connective::weak_until: return right || (left && next);
            case Connective::release:
            case Connective::strong_release: return right && (left || next);
            default: return false;
        }
    }

    std::optional<Formula> formula_;
    Formula path_;
    Connective kind_ = Connective::next;
    bool exists_ = true;
    bool is_least_ = false;
    bool is_greatest_ = false;
    StateRange targets_;
    Truth target_bits_;
    std::vector<std::uint64_t> target_ranks_;
    Truth target_endless_;
    StateRange sources_;
    Truth bits_;
    std::vector<std::uint64_t> ranks_;
    Truth endless_;
    Truth left_;
    Truth right_;
    Truth any_;
    Truth all_;
    Truth has_successor_;
};

}  // namespace

std::unique_ptr<CertificateRule> operation_rule(RangeValues& values, std::optional<Formula> formula) {
    return std::make_unique<OperationRule>(values, formula);
}

}  // namespace tideline::audit
