#include "audit/certificate.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "audit/certificate_rule.hpp"
#include "audit/partitions.hpp"
#include "logic/parse.hpp"
#include "logic/print.hpp"
#include "support/quantity.hpp"

namespace tideline::audit {
namespace {

using logic::Formula;

Ends ends_of(const std::string& reading) {
    if (reading == "stutter") return Ends::stutter;
    if (reading == "finite") return Ends::finite;
    if (reading == "ignore") return Ends::ignore;
    throw Objection("the run reads deadlocks as '" + reading + "', which means nothing");
}

struct StepRecord {
    std::uint64_t source;
    std::uint64_t target;
};

}  // namespace

class CertificateCheck::Implementation {
public:
    Implementation(const Claims& claims, const std::vector<std::string>& step_atoms, LedgerFile& ledger,
                   std::uint64_t memory, std::string directory)
        : claims_(claims),
          ledger_(ledger),
          directory_(std::move(directory)),
          states_(ledger.records(Stream::states)),
          ends_(ends_of(claims.ends)) {
        parse();
        divide(memory);
        edges_.emplace(directory_, ranges_.size(), block_records_);
        std::size_t label = 0;
        for (const ClaimedProperty& property : claims.properties) {
            if (property.kind == ClaimedProperty::Kind::deadlock) continue;
            if (property.kind == ClaimedProperty::Kind::atom)
                atoms_.emplace(property.formula, RangeValues::AtomPlace{label, false});
            ++label;
        }
        if (step_atoms.empty()) return;
        steps_.emplace(step_atoms.size(), directory_);
        for (std::size_t i = 0; i < step_atoms.size(); ++i) atoms_[step_atoms[i]] = {i, true};
    }

    void add_step_value(bool value) { steps_->add(value); }
    void add_edge(std::uint64_t source, std::uint64_t target) { edges_->add(range_of(target), {source, target}); }
    [[nodiscard]] std::uint64_t temporary_bytes() const { return edges_->bytes() + message_bytes_; }

    CertificateResult decide(const std::vector<bool>& faulty_labels, bool has_faulty_steps,
                             const std::function<void()>& tick) {
        edges_->finish();
        if (steps_) steps_->finish();
        CertificateResult result;
        result.confirmed.resize(claims_.branching.size());
        result.answers.resize(claims_.branching.size());
        if (claims_.fairness != "none") {
            result.findings.emplace_back("what is decided under fairness has no certificate that could be checked");
            return result;
        }
        certificate_ = CertificateFile::open(ledger_.directory(), ledger_.id(), states_);
        if (!certificate_) {
            result.findings.push_back(fmt::format(
                "the ledger has no certificate for the {} formulas of CTL and CTL* that the run was to decide",
                claims_.branching.size()));
            return result;
        }
        if (text(certificate_->description(), "deadlocks", "the certificate") != claims_.ends)
            throw Objection("the certificate is for another reading of deadlocks than the run's");
        values_.emplace(formulas_, ledger_, *certificate_, atoms_, steps_ ? &*steps_ : nullptr, ends_);
        read_answers(result);
        for (std::size_t i = 0; i < roots_.size(); ++i) {
            if (result.answers[i] == "unknown") continue;
            const std::size_t before = result.findings.size();
            if (has_faulty_steps)
                result.findings.push_back(
                    name_of(i) +
                    " is said to be decided, but there are faulty steps: what lies behind them is unknown");
            check_atoms(i, faulty_labels, result);
            check_operations(roots_[i], result, tick);
            check_answer(i, result);
            result.confirmed[i] = result.findings.size() == before && !has_failed(roots_[i]);
        }
        return result;
    }

private:
    void parse() {
        for (const BranchingClaim& claim : claims_.branching) {
            logic::FormulaContext context;
            context.logic = claim.is_star ? logic::Logic::ctl_star : logic::Logic::ctl;
            const support::Result<Formula> formula =
                logic::parse_formula(formulas_, support::SourceText(claim.name, claim.formula), context);
            if (!formula || !formulas_.has(*formula, logic::Trait::state))
                throw Objection("the formula " + support::in_quotes(claim.formula) + " cannot be understood");
            roots_.push_back(*formula);
        }
    }

    // Ranges of states whose values fit into the memory, and the blocks of what is partitioned by them.
    void divide(std::uint64_t memory) {
        std::uint64_t of_state = 64;  // bytes, of the larger of the rules
        for (const Formula root : roots_) of_state += 16 * logic::subformulas(formulas_, root).size();
        constexpr std::uint64_t kLeast = 1U << 10U;
        const std::uint64_t count = std::max<std::uint64_t>(memory / 2 / of_state, kLeast);
        for (std::uint64_t first = 0; first < states_; first += count)
            ranges_.push_back({first, std::min(count, states_ - first)});
        if (ranges_.empty()) ranges_.push_back({0, 0});
        constexpr std::uint64_t kLeastBlock = 128;
        const std::uint64_t block = memory / 2 / ((sizeof(StepRecord) + sizeof(Message)) * ranges_.size());
        if (block < kLeastBlock)
            throw AuditError(AuditFault::memory,
                             fmt::format("{} is not enough memory to check the certificate of {} states",
                                         support::bytes_text(memory), support::count_text(states_)));
        block_records_ = std::min<std::uint64_t>(block, 32768);
    }
    [[nodiscard]] std::size_t range_of(std::uint64_t state) const { return state / ranges_.front().count; }

    [[nodiscard]] std::string name_of(std::size_t i) const { return support::in_quotes(claims_.branching[i].formula); }

    void read_answers(CertificateResult& result) const {
        const Json& properties = list(certificate_->description(), "properties", "the certificate");
        for (std::size_t i = 0; i < claims_.branching.size(); ++i) {
            result.answers[i] = "unknown";
            const auto is_meant = [&](const Json& property) {
                return text(property, "name", "the certificate") == claims_.branching[i].name &&
                       text(property, "formula", "the certificate") == claims_.branching[i].formula;
            };
            const auto found = std::find_if(properties.begin(), properties.end(), is_meant);
            if (found == properties.end()) continue;
            const std::string answer = text(*found, "answer", "the certificate");
            if (answer != "holds" && answer != "violated" && answer != "unknown")
                throw Objection("the certificate has the answer '" + answer + "'");
            result.answers[i] = answer;
        }
    }

    void check_atoms(std::size_t i, const std::vector<bool>& faulty_labels, CertificateResult& result) const {
        for (const Formula atom : logic::atoms(formulas_, roots_[i])) {
            const auto place = atoms_.find(formulas_.text(atom));
            if (place == atoms_.end())
                throw Objection("the ledger has no label " + support::in_quotes(formulas_.text(atom)));
            if (!place->second.is_of_steps && faulty_labels[place->second.number])
                result.findings.push_back(fmt::format("{} is said to be decided, but {} cannot be evaluated everywhere",
                                                      name_of(i), support::in_quotes(formulas_.text(atom))));
        }
    }

    // Each temporal subformula once, operands first.
    void check_operations(Formula root, CertificateResult& result, const std::function<void()>& tick) {
        if (ends_ == Ends::ignore && !is_endless_checked_) {
            is_endless_checked_ = true;
            const std::unique_ptr<CertificateRule> rule = operation_rule(*values_, std::nullopt);
            run(*rule, tick);
            has_failed_endless_ = !report(*rule, "where an infinite path begins", result);
        }
        for (const Formula f : logic::subformulas(formulas_, root)) {
            if (!is_quantified(formulas_, f) || !formulas_.has(f, logic::Trait::state)) continue;
            const QuantifiedKind kind = kind_of(formulas_, f);
            if (kind == QuantifiedKind::state || !checked_.insert(f.number()).second) continue;
            const std::unique_ptr<CertificateRule> rule =
                kind == QuantifiedKind::operation ? operation_rule(*values_, f) : path_rule(*values_, f);
            run(*rule, tick);
            if (!report(*rule, support::in_quotes(logic::to_text(formulas_, f)), result)) failed_.insert(f.number());
        }
    }
    [[nodiscard]] bool has_failed(Formula root) const {
        if (has_failed_endless_) return true;
        const std::vector<Formula> all = logic::subformulas(formulas_, root);
        return std::any_of(all.begin(), all.end(), [&](Formula f) { return failed_.contains(f.number()); });
    }

    static bool report(const CertificateRule& rule, const std::string& of, CertificateResult& result) {
        if (rule.wrong().count == 0) return true;
        result.findings.push_back(fmt::format(
            "the certificate does not prove what it says of {}, in {} states, the first of them is state {}", of,
            rule.wrong().count, rule.wrong().first));
        return false;
    }

    void run(CertificateRule& rule, const std::function<void()>& tick) {
        const auto send_all = [&](std::size_t range, const CertificateRule::Deliver& deliver) {
            rule.load_targets(ranges_[range]);
            edges_->visit(range, [&](std::span<const StepRecord> block) {
                tick();
                for (const StepRecord& step : block) rule.emit(step.source, step.target, deliver);
            });
        };
        if (ranges_.size() == 1) {
            rule.load_sources(ranges_[0]);
            send_all(0, [&](const Message& message) { rule.receive(message); });
            rule.finish();
            return;
        }
        Partitions<Message> messages(directory_, ranges_.size(), block_records_);
        for (std::size_t range = 0; range < ranges_.size(); ++range)
            send_all(range, [&](const Message& message) { messages.add(range_of(message.source), message); });
        messages.finish();
        message_bytes_ = std::max(message_bytes_, messages.bytes());
        for (std::size_t range = 0; range < ranges_.size(); ++range) {
            rule.load_sources(ranges_[range]);
            messages.visit(range, [&](std::span<const Message> block) {
                tick();
                for (const Message& message : block) rule.receive(message);
            });
            rule.finish();
        }
    }

    void check_answer(std::size_t i, CertificateResult& result) {
        Tally violations;
        for (const std::uint64_t state : ledger_.initial())
            if (values_->truth(roots_[i], {state, 1})[0] == 0) violations.add(state);
        const bool holds = violations.count == 0;
        if (holds == (result.answers[i] == "holds")) return;
        result.findings.push_back(
            holds ? fmt::format("{} is claimed to be violated, but the certificate says that it holds", name_of(i))
                  : fmt::format("{} is claimed to hold, but is false in the initial state {} by the certificate",
                                name_of(i), violations.first));
    }

    const Claims& claims_;
    LedgerFile& ledger_;
    std::string directory_;
    std::uint64_t states_;
    Ends ends_;
    logic::Formulas formulas_{true};
    std::vector<Formula> roots_;  // of Claims::branching
    std::map<std::string, RangeValues::AtomPlace> atoms_;
    std::optional<StepValues> steps_;
    std::vector<StateRange> ranges_;
    std::size_t block_records_ = 0;
    std::optional<Partitions<StepRecord>> edges_;
    std::uint64_t message_bytes_ = 0;
    std::optional<CertificateFile> certificate_;
    std::optional<RangeValues> values_;
    std::set<std::uint32_t> checked_;
    std::set<std::uint32_t> failed_;
    bool is_endless_checked_ = false;
    bool has_failed_endless_ = false;
};

CertificateCheck::CertificateCheck(const Claims& claims, const std::vector<std::string>& step_atoms, LedgerFile& ledger,
                                   std::uint64_t memory, std::string directory)
    : implementation_(std::make_unique<Implementation>(claims, step_atoms, ledger, memory, std::move(directory))) {}
CertificateCheck::~CertificateCheck() = default;

void CertificateCheck::add_step_value(bool value) { implementation_->add_step_value(value); }

void CertificateCheck::add_edge(std::uint64_t source, std::uint64_t target) {
    implementation_->add_edge(source, target);
}

CertificateResult CertificateCheck::decide(const std::vector<bool>& faulty_labels, bool has_faulty_steps,
                                           const std::function<void()>& tick) {
    return implementation_->decide(faulty_labels, has_faulty_steps, tick);
}

std::uint64_t CertificateCheck::temporary_bytes() const { return implementation_->temporary_bytes(); }

}  // namespace tideline::audit
