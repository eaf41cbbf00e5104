#include "reference/branching.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>

namespace tideline::reference {
namespace {

using Bits = std::vector<bool>;
using enum BranchingOp;

bool is_temporal(BranchingOp op) { return op >= next && op <= strong_release; }
bool is_quantifier(BranchingOp op) { return op == exists || op == forall; }

bool is_state_formula(const BranchingFormula& f) {
    if (is_quantifier(f.op)) return true;
    return !is_temporal(f.op) &&
           std::all_of(f.operands.begin(), f.operands.end(), [](const auto& g) { return is_state_formula(*g); });
}

// A path formula in negation normal form: leaves are sets of states.
struct Path {
    BranchingOp op = constant;  // constant: a leaf; conjunction, disjunction, next, until, release
    Bits leaf{};
    std::vector<std::size_t> operands{};  // numbers of other paths
    friend auto operator<=>(const Path&, const Path&) = default;
};

class Paths {
public:
    std::size_t number(Path path) {
        const auto [found, is_new] = numbers_.try_emplace(path, paths_.size());
        if (is_new) paths_.push_back(std::move(path));
        return found->second;
    }
    [[nodiscard]] const Path& operator[](std::size_t i) const { return paths_[i]; }
    [[nodiscard]] std::size_t size() const { return paths_.size(); }

private:
    std::map<Path, std::size_t> numbers_;
    std::vector<Path> paths_;
};

// A component of a product has too many nodes.
struct TooLarge {};

class Checker {
public:
    Checker(const ExplicitGraph& graph, DeadlockMeaning deadlocks, bool by_products, FairRuns runs = FairRuns::all)
        : graph_(graph), deadlocks_(deadlocks), by_products_(by_products), runs_(runs), size_(graph.successors.size()) {
        total_ = graph.successors;
        if (deadlocks != DeadlockMeaning::ignore)
            for (std::size_t s = 0; s < size_; ++s)
                if (total_[s].empty()) total_[s] = {s};
        endless_ = fixpoint(true, [&](std::size_t s, const Bits& z) { return some(total_[s], z); });
        if (runs_ != FairRuns::all) find_fair_states();
    }

    Bits value(const BranchingFormula& f) {
        switch (f.op) {
            case constant: return Bits(size_, f.value);
            case atom: return graph_.atoms.at(f.atom);
            case negation: return mapped(value(*f.operands[0]), [](bool a) { return !a; });
            case conjunction:
            case disjunction: {
                Bits result(size_, f.op == conjunction);
                for (const BranchingTree& operand : f.operands) {
                    const Bits bits = value(*operand);
                    for (std::size_t s = 0; s < size_; ++s)
                        result[s] = f.op == conjunction ? result[s] && bits[s] : result[s] || bits[s];
                }
                return result;
            }
            case implication:
            case equivalence:
            case exclusion: {
                const Bits a = value(*f.operands[0]);
                const Bits b = value(*f.operands[1]);
                Bits result(size_);
                for (std::size_t s = 0; s < size_; ++s)
                    result[s] = f.op == implication ? !a[s] || b[s] : (a[s] == b[s]) == (f.op == equivalence);
                return result;
            }
            case exists:
            case forall: return quantified(f);
            default: throw std::invalid_argument("a temporal operator without a quantifier");
        }
    }

private:
    template <class Function>
    static Bits mapped(Bits bits, Function function) {
        for (std::size_t s = 0; s < bits.size(); ++s) bits[s] = function(bits[s]);
        return bits;
    }
    static bool some(const std::vector<std::size_t>& states, const Bits& z) {
        return std::any_of(states.begin(), states.end(), [&](std::size_t t) { return z[t]; });
    }
    Bits fixpoint(bool start, const std::function<bool(std::size_t, const Bits&)>& step) const {
        Bits z(size_, start);
        for (;;) {
            Bits y(size_);
            for (std::size_t s = 0; s < size_; ++s) y[s] = step(s, z);
            if (y == z) return z;
            z = std::move(y);
        }
    }

    Bits quantified(const BranchingFormula& f) {
        const BranchingFormula& path = *f.operands[0];
        const bool is_ctl =
            is_temporal(path.op) && std::all_of(path.operands.begin(), path.operands.end(),
                                                [](const BranchingTree& g) { return is_state_formula(*g); });
        if (is_state_formula(path)) {
            // Of the first state of a path; where only infinite paths count, there may be none.
            const Bits bits = value(path);
            Bits result(size_);
            for (std::size_t s = 0; s < size_; ++s)
                result[s] = f.op == exists ? endless_[s] && bits[s] : !endless_[s] || bits[s];
            return result;
        }
        // A step leads to a fair path if and only if one begins where it leads to.
        if (is_ctl && (!by_products_ || path.op == next)) return ctl(f.op == exists, path);
        if (deadlocks_ == DeadlockMeaning::finite && !is_ctl)
            throw std::invalid_argument("CTL* is not defined on finite paths here");
        const Bits bits = by_product(path, f.op == exists);
        return f.op == exists ? bits : mapped(bits, [](bool a) { return !a; });
    }

    // The E operators by their fixpoints; A by duality.
    Bits ctl(bool some_path, const BranchingFormula& path) {
        BranchingOp op = path.op;
        Bits a = value(*path.operands.front());
        Bits b = value(*path.operands.back());
        if (!some_path) {
            const auto flip = [](bool x) { return !x; };
            a = mapped(std::move(a), flip);
            b = mapped(std::move(b), flip);
            switch (op) {
                case eventually: op = always; break;
                case always: op = eventually; break;
                case until: op = release; break;
                case release: op = until; break;
                case weak_until: op = strong_release; break;
                case strong_release: op = weak_until; break;
                default: break;
            }
        }
        const auto step = [&](std::size_t s, const Bits& z) { return some(total_[s], z); };
        Bits result;
        switch (op) {
            case next: {
                const auto& edges = deadlocks_ == DeadlockMeaning::stutter ? total_ : graph_.successors;
                result.resize(size_);
                for (std::size_t s = 0; s < size_; ++s)
                    for (const std::size_t t : edges[s])
                        if (b[t] && endless_[t]) result[s] = true;
                break;
            }
            case eventually:
                result =
                    fixpoint(false, [&](std::size_t s, const Bits& z) { return (b[s] && endless_[s]) || step(s, z); });
                break;
            case always:
                result = fixpoint(true, [&](std::size_t s, const Bits& z) { return b[s] && step(s, z); });
                break;
            case until:
            case weak_until:
                result = fixpoint(op == weak_until, [&](std::size_t s, const Bits& z) {
                    return (b[s] && endless_[s]) || (a[s] && step(s, z));
                });
                break;
            default:
                result = fixpoint(op == release, [&](std::size_t s, const Bits& z) {
                    return b[s] && ((a[s] && endless_[s]) || step(s, z));
                });
        }
        return some_path ? result : mapped(std::move(result), [](bool x) { return !x; });
    }

    // ---- path formulas: some path from a state satisfies psi (or its negation, where `positive` is false)
    // ------------

    std::size_t normal(const BranchingFormula& f, bool positive) {
        const auto leaf = [&](Bits bits) {
            return paths_.number({constant, positive ? bits : mapped(bits, [](bool x) { return !x; })});
        };
        if (is_state_formula(f)) return leaf(value(f));
        const auto junction = [&](BranchingOp op, std::size_t a, std::size_t b) {
            return paths_.number({op, {}, {a, b}});
        };
        const std::size_t full = paths_.number({constant, Bits(size_, true)});
        const std::size_t none = paths_.number({constant, Bits(size_, false)});
        switch (f.op) {
            case negation: return normal(*f.operands[0], !positive);
            case conjunction:
            case disjunction: {
                std::size_t result = normal(*f.operands[0], positive);
                for (std::size_t i = 1; i < f.operands.size(); ++i)
                    result = junction((f.op == conjunction) == positive ? conjunction : disjunction, result,
                                      normal(*f.operands[i], positive));
                return result;
            }
            case implication:
                return junction(positive ? disjunction : conjunction, normal(*f.operands[0], !positive),
                                normal(*f.operands[1], positive));
            case equivalence:
            case exclusion: {
                const bool same = (f.op == equivalence) == positive;
                return junction(disjunction,
                                junction(conjunction, normal(*f.operands[0], true), normal(*f.operands[1], same)),
                                junction(conjunction, normal(*f.operands[0], false), normal(*f.operands[1], !same)));
            }
            case next: return paths_.number({next, {}, {normal(*f.operands[0], positive)}});
            default: break;
        }
        const std::size_t a = normal(*f.operands.front(), positive);
        const std::size_t b = normal(*f.operands.back(), positive);
        BranchingOp op = f.op;
        if (!positive)
            op = op == eventually   ? always
                 : op == always     ? eventually
                 : op == until      ? release
                 : op == release    ? until
                 : op == weak_until ? strong_release
                                    : weak_until;
        switch (op) {
            case eventually: return paths_.number({until, {}, {full, b}});
            case always: return paths_.number({release, {}, {none, b}});
            case weak_until: return paths_.number({release, {}, {b, junction(disjunction, a, b)}});
            case strong_release: return paths_.number({until, {}, {b, junction(conjunction, a, b)}});
            default: return paths_.number({op, {}, {a, b}});
        }
    }

    struct Cover {
        std::set<std::size_t> later{};
        std::set<std::size_t> postponed{};
        friend auto operator<=>(const Cover&, const Cover&) = default;
    };

    // All ways to meet the obligations in a state.
    void covers(std::size_t state, std::vector<std::size_t> now, Cover cover, std::set<Cover>& found) const {
        if (now.empty()) {
            found.insert(std::move(cover));
            return;
        }
        const std::size_t psi = now.back();
        now.pop_back();
        const Path& path = paths_[psi];
        const auto branch = [&](std::vector<std::size_t> more, bool postpones, bool is_until) {
            std::vector<std::size_t> all = now;
            all.insert(all.end(), more.begin(), more.end());
            Cover next_cover = cover;
            if (postpones) next_cover.later.insert(psi);
            if (postpones && is_until) next_cover.postponed.insert(psi);
            covers(state, std::move(all), std::move(next_cover), found);
        };
        switch (path.op) {
            case constant:
                if (path.leaf[state]) covers(state, std::move(now), std::move(cover), found);
                break;
            case conjunction: branch(path.operands, false, false); break;
            case disjunction:
                branch({path.operands[0]}, false, false);
                branch({path.operands[1]}, false, false);
                break;
            case next:
                cover.later.insert(path.operands[0]);
                covers(state, std::move(now), std::move(cover), found);
                break;
            case until:
                branch({path.operands[1]}, false, true);
                branch({path.operands[0]}, true, true);
                break;
            default: branch(path.operands, false, false); branch({path.operands[1]}, true, false);
        }
    }

    using Node = std::pair<std::size_t, std::set<std::size_t>>;
    struct Edge {
        std::size_t target;
        std::set<std::size_t> postponed;
        std::uint64_t moved;
    };

    // Nobody moves where a state repeats.
    [[nodiscard]] std::uint64_t moved(std::size_t state, std::size_t i) const {
        return runs_ == FairRuns::all || graph_.successors[state].empty() ? 0 : graph_.moved[state][i];
    }
    [[nodiscard]] std::uint64_t enabled(std::size_t state) const {
        std::uint64_t processes = 0;
        for (std::size_t i = 0; i < graph_.successors[state].size(); ++i) processes |= moved(state, i);
        return processes;
    }
    [[nodiscard]] std::uint64_t all_processes() const {
        std::uint64_t processes = 0;
        for (std::size_t s = 0; s < size_; ++s) processes |= enabled(s);
        return processes;
    }
    // Where a fair path begins.
    void find_fair_states() {
        FairGraph fair;
        fair.processes = all_processes();
        for (std::size_t s = 0; s < size_; ++s) {
            fair.enabled.push_back(enabled(s));
            for (std::size_t i = 0; i < total_[s].size(); ++i) fair.edges.push_back({s, total_[s][i], 0, moved(s, i)});
        }
        for (std::size_t s = 0; s < size_; ++s) endless_[s] = begins_fair_run(fair, s);
    }
    [[nodiscard]] bool begins_fair_run(FairGraph& fair, std::size_t node) const {
        fair.initial = {node};
        const std::optional<bool> has_one = has_fair_run(fair, runs_);
        if (!has_one) throw TooLarge{};
        return *has_one;
    }
    Bits by_fair_runs(std::size_t root, const std::map<Node, std::size_t>& numbers, const std::vector<Node>& nodes,
                      const std::vector<std::vector<Edge>>& edges) const {
        FairGraph fair;
        fair.processes = all_processes();
        std::map<std::size_t, std::uint64_t> marks;  // of the untils
        for (std::size_t i = 0; i < paths_.size(); ++i)
            if (paths_[i].op == until) {
                if (marks.size() == 64) throw TooLarge{};
                marks.emplace(i, std::uint64_t{1} << marks.size());
            }
        for (const auto& [psi, mark] : marks) fair.marks |= mark;
        for (std::size_t v = 0; v < nodes.size(); ++v) {
            fair.enabled.push_back(enabled(nodes[v].first));
            for (const Edge& edge : edges[v]) {
                std::uint64_t carried = fair.marks;
                for (const std::size_t psi : edge.postponed) carried &= ~marks.at(psi);
                fair.edges.push_back({v, edge.target, carried, edge.moved});
            }
        }
        Bits result(size_);
        for (std::size_t s = 0; s < size_; ++s) result[s] = begins_fair_run(fair, numbers.at({s, {root}}));
        return result;
    }

    Bits by_product(const BranchingFormula& psi, bool positive) {
        const std::size_t root = normal(psi, positive);
        std::map<Node, std::size_t> numbers;
        std::vector<Node> nodes;
        const auto number = [&](Node node) {
            const auto [found, is_new] = numbers.try_emplace(node, nodes.size());
            if (is_new) nodes.push_back(std::move(node));
            return found->second;
        };
        for (std::size_t s = 0; s < size_; ++s) number({s, {root}});
        std::vector<std::vector<Edge>> edges;
        for (std::size_t v = 0; v < nodes.size(); ++v) {
            const Node node = nodes[v];
            std::set<Cover> ways;
            covers(node.first, {node.second.begin(), node.second.end()}, {}, ways);
            edges.emplace_back();
            for (const Cover& way : ways)
                for (std::size_t i = 0; i < total_[node.first].size(); ++i)
                    edges[v].push_back(
                        {number({total_[node.first][i], way.later}), way.postponed, moved(node.first, i)});
        }
        if (runs_ != FairRuns::all) return by_fair_runs(root, numbers, nodes, edges);
        std::set<std::size_t> untils;
        for (std::size_t i = 0; i < paths_.size(); ++i)
            if (paths_[i].op == until) untils.insert(i);
        if (untils.empty()) untils.insert(paths_.size());  // nothing postpones it: every infinite path is fair
        // The greatest set from which, for each until, a path inside leads over an edge that does not postpone it.
        std::vector<bool> fair(nodes.size(), true);
        for (bool changed = true; changed;) {
            changed = false;
            for (const std::size_t u : untils) {
                std::vector<bool> reach(nodes.size(), false);
                for (bool grows = true; grows;) {
                    grows = false;
                    for (std::size_t v = 0; v < nodes.size(); ++v) {
                        if (reach[v] || !fair[v]) continue;
                        for (const Edge& edge : edges[v])
                            if (fair[edge.target] && (!edge.postponed.contains(u) || reach[edge.target]))
                                reach[v] = true;
                        grows = grows || reach[v];
                    }
                }
                if (reach != fair) changed = true;
                fair = std::move(reach);
            }
        }
        Bits result(size_);
        for (std::size_t s = 0; s < size_; ++s) result[s] = fair[numbers.at({s, {root}})];
        return result;
    }

    const ExplicitGraph& graph_;
    DeadlockMeaning deadlocks_;
    bool by_products_;
    FairRuns runs_;
    std::size_t size_;
    std::vector<std::vector<std::size_t>> total_;
    Bits endless_;
    Paths paths_;
};

}  // namespace

BranchingTree make_branching(BranchingOp op, std::vector<BranchingTree> operands) {
    BranchingFormula formula;
    formula.op = op;
    formula.operands = std::move(operands);
    return std::make_shared<const BranchingFormula>(std::move(formula));
}

BranchingTree make_atom(std::size_t atom_index) {
    BranchingFormula formula;
    formula.op = atom;
    formula.atom = atom_index;
    return std::make_shared<const BranchingFormula>(std::move(formula));
}

BranchingTree make_constant(bool value) {
    BranchingFormula formula;
    formula.value = value;
    return std::make_shared<const BranchingFormula>(std::move(formula));
}

std::string to_text(const BranchingFormula& formula, const std::vector<std::string>& atoms) {
    static constexpr const char* kSymbols[] = {"",  "",  "!", "&&", "||", "->", "<->", "^", "X",
                                               "F", "G", "U", "R",  "W",  "M",  "E",   "A"};
    if (formula.op == constant) return formula.value ? "true" : "false";
    if (formula.op == atom) return atoms.at(formula.atom);
    const std::string symbol = kSymbols[static_cast<std::size_t>(formula.op)];
    if (formula.operands.size() == 1) return symbol + " (" + to_text(*formula.operands[0], atoms) + ')';
    std::string text;
    for (const BranchingTree& operand : formula.operands)
        text += (text.empty() ? "(" : ' ' + symbol + " (") + to_text(*operand, atoms) + ')';
    return text;
}

std::vector<bool> satisfying(const ExplicitGraph& graph, const BranchingFormula& formula, DeadlockMeaning deadlocks) {
    return Checker(graph, deadlocks, false).value(formula);
}

std::optional<std::vector<bool>> satisfying_on_fair_paths(const ExplicitGraph& graph, const BranchingFormula& formula,
                                                          DeadlockMeaning deadlocks, FairRuns runs) {
    try {
        return Checker(graph, deadlocks, true, runs).value(formula);
    } catch (const TooLarge&) {
        return std::nullopt;
    }
}

std::vector<bool> satisfying_by_products(const ExplicitGraph& graph, const BranchingFormula& formula,
                                         DeadlockMeaning deadlocks) {
    return Checker(graph, deadlocks, true).value(formula);
}

}  // namespace tideline::reference
