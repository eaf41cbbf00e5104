// A quantifier over a path formula of CTL*, on the nodes (state, state of the automaton) of the product. The automaton
// is that of the formula for E, of its negation for A, translated again here; one without marks has a mark on every
// edge. Per node:
//   true, in the core       for each mark, an edge of the core with that mark, or to a node of the core whose rank for
//                           the mark is smaller;
//   true, outside the core  an edge to a true node of smaller rank;
//   false                   all successors are false; the number never rises along an edge, and where it stays, so
//                           does the mark, which the edge does not carry.
// A deadlock repeats for ever with `stutter`; with `ignore` the relation is as it is.
#include <algorithm>
#include <unordered_map>

#include "audit/certificate_rule.hpp"
#include "automata/translate.hpp"
#include "logic/canonical.hpp"

namespace tideline::audit {
namespace {

using logic::Connective;
using logic::Formula;

constexpr std::uint8_t kGood = 1;
constexpr std::uint8_t kCore = 2;

// What the certificate says of the nodes of a range of states with one state of the automaton.
struct NodeColumns {
    std::vector<std::uint64_t> good;
    std::vector<std::uint64_t> core;
    std::vector<std::uint64_t> rank;
    std::vector<std::uint64_t> number;
    std::vector<std::uint64_t> mark;
    std::vector<std::vector<std::uint64_t>> to;  // by mark

    [[nodiscard]] std::uint8_t flags(std::uint64_t s) const {
        return static_cast<std::uint8_t>((good[s] != 0 ? kGood : 0U) | (core[s] != 0 ? kCore : 0U));
    }
};

class PathRule final : public CertificateRule {
public:
    PathRule(RangeValues& values, Formula formula) : CertificateRule(values), formula_(formula) {
        const logic::Formulas& formulas = values.formulas();
        is_negated_ = formulas.is(formula, Connective::forall);
        logic::PathFormula path = logic::over_leaves(formulas, formulas.operand(formula, 0));
        leaves_ = path.leaves;
        if (leaves_.size() > 64) throw Objection("a path formula has more than 64 state formulas in it");
        const Formula psi = is_negated_ ? path.formulas.negation(path.formula) : path.formula;
        const support::Result<automata::Automaton> automaton =
            automata::translate(path.formulas, psi, labels_, automata::AutomatonKind::generalised, {}, path.atoms);
        if (!automaton) throw Objection("a path formula cannot be translated: " + automaton.diagnostics()[0].message);
        initial_ = automaton->initial;
        marks_ = std::max<std::size_t>(automaton->sets, 1);
        for (const std::vector<automata::Edge>& edges : automaton->states) {
            std::vector<Edge>& out = edges_.emplace_back();
            for (const automata::Edge& edge : edges)
                out.push_back({labels_.cubes(edge.label), edge.target, automaton->sets == 0 ? 1 : edge.marks});
        }
    }

    void load_targets(const StateRange& range) override {
        targets_ = range;
        load(range, target_columns_);
    }

    void emit(std::uint64_t source, std::uint64_t target, const Deliver& deliver) override {
        send(source, target_columns_, target - targets_.first, deliver);
    }

    void load_sources(const StateRange& range) override {
        sources_ = range;
        load(range, columns_);
        letters_.assign(range.count, 0);
        for (std::size_t i = 0; i < leaves_.size(); ++i) {
            const Truth truth = values_.truth(leaves_[i], range);
            for (std::uint64_t s = 0; s < range.count; ++s)
                if (truth[s] != 0) letters_[s] |= std::uint64_t{1} << i;
        }
        bits_ = values_.truth(formula_, range);
        has_successor_.assign(range.count, 0);
        // Per node and mark: of a true node, whether it was confirmed; of a false one, whether it was refuted.
        decided_.assign(range.count * edges_.size() * marks_, 0);
    }

    void receive(const Message& message) override {
        const std::uint64_t s = message.source - sources_.first;
        has_successor_[s] = 1;
        for (std::uint32_t q = 0; q < edges_.size(); ++q)
            for (const Edge& edge : edges_[q])
                if (edge.target == message.node && edge.contains(letters_[s])) follow(s, q, edge.marks, message);
    }

    void finish() override {
        for (std::uint64_t s = 0; s < sources_.count; ++s) {
            if (has_successor_[s] == 0 && values_.ends() == Ends::stutter)
                send(sources_.first + s, columns_, s, [this](const Message& message) { receive(message); });
            bool is_right = (columns_[initial_].good[s] != 0) == ((bits_[s] != 0) != is_negated_);
            for (std::uint32_t q = 0; q < edges_.size(); ++q) {
                const std::uint8_t flags = columns_[q].flags(s);
                const std::size_t place = (s * edges_.size() + q) * marks_;
                if ((flags & kGood) == 0) is_right = is_right && decided_[place] == 0;
                else if ((flags & kCore) == 0) is_right = is_right && decided_[place] != 0;
                else
                    for (std::size_t m = 0; m < marks_; ++m) is_right = is_right && decided_[place + m] != 0;
            }
            if (!is_right) wrong_.add(sources_.first + s);
        }
    }

private:
    struct Edge {
        std::vector<automata::Cube> cubes;
        std::uint32_t target;
        std::uint64_t marks;
        [[nodiscard]] bool contains(std::uint64_t letter) const {
            return std::any_of(cubes.begin(), cubes.end(),
                               [&](const automata::Cube& cube) { return cube.contains(letter); });
        }
    };

    void load(const StateRange& range, std::vector<NodeColumns>& columns) {
        columns.resize(edges_.size());
        for (std::size_t q = 0; q < edges_.size(); ++q) {
            const std::string node = ' ' + std::to_string(q);
            const auto read = [&](const std::string& what) { return values_.column(what + node, formula_, range); };
            columns[q].good = read("good");
            columns[q].core = read("core");
            columns[q].rank = read("rank");
            columns[q].number = read("number");
            columns[q].mark = read("mark");
            columns[q].to.clear();
            for (std::size_t m = 0; m < marks_; ++m) columns[q].to.push_back(read("to " + std::to_string(m)));
        }
    }

    // Kind 0: rank and number; kind 1 + m: the rank for mark m.
    void send(std::uint64_t source, const std::vector<NodeColumns>& columns, std::uint64_t t,
              const Deliver& deliver) const {
        for (std::uint32_t q = 0; q < columns.size(); ++q) {
            Message message;
            message.source = source;
            message.node = q;
            message.flags = columns[q].flags(t);
            message.mark = static_cast<std::uint8_t>(std::min<std::uint64_t>(columns[q].mark[t], 255));
            message.first = columns[q].rank[t];
            message.second = columns[q].number[t];
            deliver(message);
            for (std::size_t m = 0; m < marks_; ++m) {
                message.kind = static_cast<std::uint16_t>(1 + m);
                message.first = columns[q].to[m][t];
                deliver(message);
            }
        }
    }

    // An edge of the product from (s, q), to the node of the message.
    void follow(std::uint64_t s, std::uint32_t q, std::uint64_t marks, const Message& message) {
        const NodeColumns& own = columns_[q];
        const std::uint8_t flags = own.flags(s);
        const std::size_t place = (s * edges_.size() + q) * marks_;
        const bool is_good = (message.flags & kGood) != 0;
        if ((flags & kGood) != 0 && (flags & kCore) != 0) {
            if (message.kind == 0) return;
            const std::size_t m = message.kind - 1U;
            const bool is_inside = is_good && (message.flags & kCore) != 0;
            if (is_inside && ((marks >> m & 1U) != 0 || message.first < own.to[m][s])) decided_[place + m] = 1;
            return;
        }
        if (message.kind != 0) return;
        if ((flags & kGood) != 0) {
            if (is_good && message.first < own.rank[s]) decided_[place] = 1;
            return;
        }
        const std::uint64_t mark = own.mark[s];
        const bool stays =
            message.second == own.number[s] && message.mark == mark && mark < marks_ && (marks >> mark & 1U) == 0;
        if (is_good || !(message.second < own.number[s] || stays)) decided_[place] = 1;
    }

    Formula formula_;
    bool is_negated_ = false;
    std::vector<Formula> leaves_;
    automata::Labels labels_;
    std::uint32_t initial_ = 0;
    std::size_t marks_ = 1;
    std::vector<std::vector<Edge>> edges_;  // by state of the automaton
    StateRange targets_;
    std::vector<NodeColumns> target_columns_;
    StateRange sources_;
    std::vector<NodeColumns> columns_;
    std::vector<std::uint64_t> letters_;
    Truth bits_;
    Truth has_successor_;
    std::vector<std::uint8_t> decided_;
};

}  // namespace

std::unique_ptr<CertificateRule> path_rule(RangeValues& values, Formula formula) {
    return std::make_unique<PathRule>(values, formula);
}

}  // namespace tideline::audit
