// CTL* of clusters.hpp: E psi for all nodes of the product of the graph in a ledger with an automaton.
//
// What a certificate needs beside the bits (docs/audit.md). A component that is neither fair nor reaches a good node
// gets a number larger than all before, and a mark that none of its inner edges carries: the component search closes
// components after everything that they reach. In the fixpoint of Emerson and Lei, the nodes that a mark removes have
// no edge to what is left and no inner edge with that mark: each removal is such a number. Ranks fall to a good node,
// or inside the core to an edge with a mark; they count the order of entering.
#include <algorithm>
#include <cassert>

#include "check/ctl/clusters.hpp"
#include "check/ctl/fair_product.hpp"
#include "check/ctl/parts.hpp"
#include "check/ctl/path_certificate.hpp"
#include "support/components.hpp"

namespace tideline::check::ctl {

using graph::RowBlock;
using graph::StateNumber;
using graph::StateRange;

// ---- CTL* -----------------------------------------------------------------------------------------------------------

struct Clusters::Product {
    const PathAutomaton& automaton;
    std::vector<const Bits*> leaves;
    bool deadlocks_repeat = false;
    std::vector<Bits> good{};  // by state of the automaton; at first what is good anyway
    PathCertificate* certificate = nullptr;

    [[nodiscard]] std::uint64_t letter(StateNumber s) const {
        std::uint64_t letter = 0;
        for (std::size_t i = 0; i < leaves.size(); ++i)
            if ((*leaves[i])[s]) letter |= std::uint64_t{1} << i;
        return letter;
    }
};

// The rows of a part; under fairness with their transitions.
class Clusters::Rows {
public:
    Rows(Clusters& clusters, const Part& part, bool deadlocks_repeat) {
        const bool is_fair = clusters.settings_.fairness.words() > 0;
        const std::uint64_t of_edge = sizeof(StateNumber) + (is_fair ? sizeof(model::TransitionId) : 0);
        clusters.work_.ask(part.states * (sizeof(StateNumber) + sizeof(std::uint64_t)) + part.edges * of_edge);
        offsets_.reserve(part.states + 1);
        states_.reserve(part.states);
        offsets_.push_back(0);
        clusters.read(part, [&](const RowBlock& block) {
            std::size_t at = 0;
            for (std::size_t i = 0; i < block.degrees.size(); ++i) {
                states_.push_back(block.first + i);
                for (const std::size_t end = at + block.degrees[i]; at < end; ++at) {
                    clusters.work_.grow(targets_);
                    targets_.push_back(block.targets[at]);
                    if (!is_fair) continue;
                    clusters.work_.grow(transitions_);
                    transitions_.push_back(static_cast<model::TransitionId>(block.transitions[at]));
                }
                if (block.degrees[i] == 0 && deadlocks_repeat) {
                    targets_.push_back(block.first + i);
                    if (is_fair) transitions_.push_back(successor::kNobodyMoves);
                }
                offsets_.push_back(targets_.size());
            }
        });
    }
    [[nodiscard]] std::size_t size() const { return states_.size(); }
    [[nodiscard]] StateNumber state(std::size_t i) const { return states_[i]; }
    [[nodiscard]] std::span<const StateNumber> targets(std::size_t i) const {
        return std::span(targets_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
    }
    // Empty where fairness does not matter.
    [[nodiscard]] std::span<const model::TransitionId> transitions(std::size_t i) const {
        if (transitions_.empty()) return {};
        return std::span(transitions_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
    }

private:
    std::vector<StateNumber> states_;
    std::vector<std::uint64_t> offsets_;
    std::vector<StateNumber> targets_;
    std::vector<model::TransitionId> transitions_;
};

Bits Clusters::path(NodeId n) {
    const Node& node = program_.nodes[n];
    assert(reading_ != DeadlockReading::finite && "CTL* is not defined on finite paths");
    const PathAutomaton& automaton = program_.paths[node.index];
    Product product{automaton, {}, reading_ == DeadlockReading::stutter};
    for (const NodeId leaf : automaton.leaves()) product.leaves.push_back(&sets_[leaf]);
    std::optional<PathCertificate> certificate;
    if (settings_.certificate != nullptr)
        product.certificate = &certificate.emplace(*settings_.certificate, n, automaton);
    for (std::uint32_t q = 0; q < automaton.size(); ++q) {
        work_.ask(Bits::bytes_for(sets_.state_count()));
        product.good.emplace_back(sets_.state_count());
    }
    product_nodes_ += sets_.state_count() * automaton.size();
    solve(product);
    Bits result = product.good[automaton.initial()];
    if (node.quantifier == Quantifier::forall) result.flip();
    if (certificate) certificate->finish(product.good, result);
    return result;
}

Bits Clusters::fair_greatest(StateSets::Masks masks) {
    const PathAutomaton automaton = PathAutomaton::always();
    if (endless_.size() > 0) {
        masks.stop &= endless_;
        masks.go &= endless_;
    }
    Product product{automaton, {&masks.go}, reading_ != DeadlockReading::ignore};
    product.good.push_back(std::move(masks.stop));
    solve(product);
    return std::move(product.good.front());
}

void Clusters::solve(Product& product) {
    for (const Unit& unit : units_) {
        if (unit.count == 1) solve_components(parts_[unit.first], product);
        else solve_fixpoint(unit, product);
    }
}

namespace {

// The product of the states of a part with an automaton: node local * size + q. Edges that leave the part are not in
// it.
class PartProduct {
public:
    using Node = std::uint32_t;
    struct Edge {
        Node target;
        automata::Marks marks;
        model::TransitionId transition;  // where fairness matters
    };
    struct Cursor {
        const PathAutomaton::Step* first = nullptr;
        const PathAutomaton::Step* at = nullptr;
        const PathAutomaton::Step* end = nullptr;
        std::uint64_t next = 0;
        std::uint64_t last = 0;
        Local target = 0;
    };
    // Its states, and their edges inside the part.
    struct States {
        std::vector<std::uint64_t> letters;
        std::vector<std::uint64_t> offsets{0};
        std::vector<Local> targets;
        // Where fairness matters: of each edge, and who has a step in each state.
        std::vector<model::TransitionId> transitions;
        std::vector<std::uint64_t> enabled;
    };

    PartProduct(const PathAutomaton& automaton, const States& states)
        : automaton_(automaton),
          states_(states),
          letters_(states.letters),
          offsets_(states.offsets),
          targets_(states.targets) {}

    [[nodiscard]] std::uint64_t node_count() const { return letters_.size() * automaton_.size(); }
    [[nodiscard]] Cursor successors(Node node) const {
        const std::size_t s = node / automaton_.size();
        const std::vector<PathAutomaton::Step>& steps = automaton_.steps(node % automaton_.size(), letters_[s]);
        Cursor cursor;
        cursor.first = steps.data();
        cursor.at = cursor.end = steps.data() + steps.size();
        cursor.next = offsets_[s];
        cursor.last = steps.empty() ? offsets_[s] : offsets_[s + 1];
        return cursor;
    }
    [[nodiscard]] bool next(Cursor& cursor, Edge& edge) const {
        if (cursor.at == cursor.end) {
            if (cursor.next == cursor.last) return false;
            cursor.target = targets_[cursor.next++];
            cursor.at = cursor.first;
        }
        edge = {static_cast<Node>(cursor.target * automaton_.size() + cursor.at->target), cursor.at->marks,
                states_.transitions.empty() ? successor::kNobodyMoves : states_.transitions[cursor.next - 1]};
        ++cursor.at;
        return true;
    }
    void read_enabled(Node node, const ProcessBits& processes, std::uint64_t* enabled) const {
        std::copy_n(&states_.enabled[node / automaton_.size() * processes.words()], processes.words(), enabled);
    }

private:
    const PathAutomaton& automaton_;
    const States& states_;
    const std::vector<std::uint64_t>& letters_;
    const std::vector<std::uint64_t>& offsets_;
    const std::vector<Local>& targets_;
};

}  // namespace

namespace {

// What a certificate says of the nodes of a part. Components come in the order in which the search closes them.
class PartCertificate {
public:
    PartCertificate(PathCertificate& certificate, const PartProduct& product, Work& work)
        : certificate_(certificate), product_(product), work_(work), place_(product.node_count()) {
        for (PathCertificate::NodeValues* values : {&core_, &rank_, &number_, &mark_})
            values->resize(product.node_count());
        to_.assign(certificate.marks(), PathCertificate::NodeValues(product.node_count()));
    }
    static std::uint64_t bytes(std::uint64_t nodes, std::size_t marks) {
        return nodes * (sizeof(Local) + (4 + marks) * sizeof(std::uint64_t));
    }

    // Neither fair nor with an edge to a good node; `marks` are those of its inner edges.
    void add_false(std::span<const Local> members, automata::Marks marks) {
        const std::uint64_t number = certificate_.next_number();
        std::uint64_t absent = 0;
        while (absent + 1 < certificate_.marks() && (marks >> absent & 1U) != 0) ++absent;
        for (const Local member : members) {
            number_[member] = number;
            mark_[member] = absent;
        }
    }
    // `is_exit(member)`: it has a good successor outside.
    template <class IsExit>
    void add_reaching(std::span<const Local> members, const IsExit& is_exit) {
        collect(members);
        const std::uint64_t least = certificate_.next_rank();
        certificate_.raise_rank(least + fall(members, rank_, least, is_exit));
    }
    void add_core(std::span<const Local> members, bool has_marks) {
        collect(members);
        for (const Local member : members) core_[member] = 1;
        for (std::size_t m = 0; m < to_.size(); ++m) {
            const automata::Marks mark = has_marks ? automata::Marks{1} << m : 0;
            fall(members, to_[m], 0, [&](Local member) {
                PartProduct::Cursor cursor = product_.successors(member);
                for (PartProduct::Edge edge{}; product_.next(cursor, edge);)
                    if (is_member(members, edge.target) && (edge.marks & mark) == mark) return true;
                return false;
            });
        }
    }
    void write(std::span<const StateRange> ranges) {
        using What = PathCertificate::What;
        certificate_.write(What::core, ranges, core_, work_);
        certificate_.write(What::rank, ranges, rank_, work_);
        certificate_.write(What::number, ranges, number_, work_);
        certificate_.write(What::mark, ranges, mark_, work_);
        for (std::size_t m = 0; m < to_.size(); ++m) certificate_.write(What::to, ranges, to_[m], work_, m);
    }

private:
    [[nodiscard]] bool is_member(std::span<const Local> members, Local node) const {
        return place_[node] < members.size() && members[place_[node]] == node;
    }
    // The edges inside a component, backward.
    void collect(std::span<const Local> members) {
        for (Local i = 0; i < members.size(); ++i) place_[members[i]] = i;
        sources_.clear();
        targets_.clear();
        for (Local i = 0; i < members.size(); ++i) {
            work_.poll();
            PartProduct::Cursor cursor = product_.successors(members[i]);
            for (PartProduct::Edge edge{}; product_.next(cursor, edge);) {
                if (!is_member(members, edge.target)) continue;
                work_.grow(sources_);
                work_.grow(targets_);
                sources_.push_back(i);
                targets_.push_back(place_[edge.target]);
            }
        }
        before_.emplace(members.size(), sources_, targets_);
    }
    // Distances to the members that are seeds, from `least` on; the largest distance.
    template <class IsSeed>
    std::uint64_t fall(std::span<const Local> members, PathCertificate::NodeValues& values, std::uint64_t least,
                       const IsSeed& is_seed) {
        std::vector<bool> is_known(members.size(), false);
        std::vector<Local> queue;
        for (Local i = 0; i < members.size(); ++i) {
            if (!is_seed(members[i])) continue;
            is_known[i] = true;
            values[members[i]] = least;
            queue.push_back(i);
        }
        std::uint64_t largest = 0;
        for (std::size_t next = 0; next < queue.size(); ++next) {
            work_.poll();
            const std::uint64_t value = values[members[queue[next]]];
            largest = std::max(largest, value - least);
            for (const Local source : before_->of(queue[next])) {
                if (is_known[source]) continue;
                is_known[source] = true;
                values[members[source]] = value + 1;
                queue.push_back(source);
            }
        }
        return largest;
    }

    PathCertificate& certificate_;
    const PartProduct& product_;
    Work& work_;
    std::vector<Local> place_;  // in its component
    PathCertificate::NodeValues core_;
    PathCertificate::NodeValues rank_;
    PathCertificate::NodeValues number_;
    PathCertificate::NodeValues mark_;
    std::vector<PathCertificate::NodeValues> to_;
    std::vector<Local> sources_;
    std::vector<Local> targets_;
    std::optional<Sources> before_;
};

}  // namespace

void Clusters::solve_components(const Part& part, Product& product) {
    const PathAutomaton& automaton = product.automaton;
    const std::uint32_t size = automaton.size();
    LocalNumbers numbers(part.ranges);
    const std::uint64_t nodes = part.states * size;
    const ProcessBits& processes = settings_.fairness;
    const bool is_fair = processes.words() > 0;
    work_.ask(part.states * (2 + processes.words()) * sizeof(std::uint64_t) +
              part.edges * (sizeof(Local) + (is_fair ? sizeof(model::TransitionId) : 0)) + nodes * sizeof(Local));
    PartProduct::States states;
    auto& [letters, offsets, targets, transitions, enabled] = states;
    letters.reserve(part.states);
    offsets.reserve(part.states + 1);
    if (is_fair) enabled.reserve(part.states * processes.words());
    read(part, [&](const RowBlock& block) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < block.degrees.size(); ++i) {
            const StateNumber s = block.first + i;
            const std::uint64_t letter = product.letter(s);
            if (is_fair) enabled.resize(enabled.size() + processes.words());
            for (const std::size_t end = at + block.degrees[i]; at < end; ++at) {
                const StateNumber t = block.targets[at];
                const auto transition =
                    is_fair ? static_cast<model::TransitionId>(block.transitions[at]) : successor::kNobodyMoves;
                if (is_fair) processes.enable(transition, &enabled[enabled.size() - processes.words()]);
                if (const Local target = numbers.of(t); target != kOutside) {
                    work_.grow(targets);
                    targets.push_back(target);
                    if (!is_fair) continue;
                    work_.grow(transitions);
                    transitions.push_back(transition);
                    continue;
                }
                for (std::uint32_t q = 0; q < size; ++q) {
                    if (product.good[q][s]) continue;
                    for (const PathAutomaton::Step& step : automaton.steps(q, letter)) {
                        ++edge_visits_;
                        if (product.good[step.target][t]) product.good[q].set(s);
                    }
                }
            }
            if (block.degrees[i] == 0 && product.deadlocks_repeat) {
                targets.push_back(static_cast<Local>(letters.size()));
                if (is_fair) transitions.push_back(successor::kNobodyMoves);
            }
            letters.push_back(letter);
            offsets.push_back(targets.size());
        }
    });
    const PartProduct view(automaton, states);
    using Contributions = ProductContributions<PartProduct>;
    const Contributions contributions(view, automaton.marks(), processes);
    FairSetSearch<Contributions> fair_sets(contributions);
    std::optional<PartCertificate> certificate;
    if (product.certificate != nullptr) {
        work_.ask(PartCertificate::bytes(nodes, product.certificate->marks()));
        certificate.emplace(*product.certificate, view, work_);
    }
    support::ComponentSearch<PartProduct> search(view);
    const auto is_good = [&](Local node) { return product.good[node % size][numbers.state(node / size)]; };
    const auto complete = [&](std::span<const Local> members) {
        automata::Marks marks = 0;
        bool has_inner = false;
        bool reaches = false;
        const Local number = search.number(members[0]);
        for (std::size_t m = 0; m < members.size() && !reaches; ++m) {
            work_.poll();
            reaches = is_good(members[m]);
            PartProduct::Cursor cursor = view.successors(members[m]);
            for (PartProduct::Edge edge{}; !reaches && view.next(cursor, edge);) {
                ++edge_visits_;
                if (search.number(edge.target) == number) {
                    marks |= edge.marks;
                    has_inner = true;
                } else {
                    reaches = is_good(edge.target);
                }
            }
        }
        if (!reaches && !(has_inner && (marks & automaton.marks()) == automaton.marks())) {
            if (certificate) certificate->add_false(members, marks);
            return;
        }
        if (!reaches && is_fair) {
            if (processes.kind() == Fairness::strong) work_.ask(members.size() * 4 * sizeof(std::uint64_t));
            const auto is_inside = [&](std::uint64_t node) {
                return search.number(static_cast<Local>(node)) == number;
            };
            const auto keep_going = [&] {
                work_.poll();
                return true;
            };
            if (!fair_sets.find(members, is_inside, keep_going)) return;
        }
        if (certificate && reaches)
            certificate->add_reaching(members, [&](Local member) {
                if (is_good(member)) return true;
                PartProduct::Cursor cursor = view.successors(member);
                for (PartProduct::Edge edge{}; view.next(cursor, edge);)
                    if (search.number(edge.target) != number && is_good(edge.target)) return true;
                return false;
            });
        if (certificate && !reaches) certificate->add_core(members, automaton.marks() != 0);
        for (const Local member : members) product.good[member % size].set(numbers.state(member / size));
    };
    const auto keep = [&](Local, const PartProduct::Edge&) {
        ++edge_visits_;
        return true;
    };
    for (std::uint64_t node = 0; node < nodes; ++node) {
        work_.poll();
        search.search_from(static_cast<Local>(node), keep, complete);
    }
    if (certificate) certificate->write(part.ranges);
}

void Clusters::solve_fixpoint(const Unit& unit, Product& product) {
    const PathAutomaton& automaton = product.automaton;
    const std::uint32_t size = automaton.size();
    const std::uint64_t bytes = Bits::bytes_for(sets_.state_count());
    work_.ask((settings_.fairness.words() > 0 ? 4 : 3) * size * bytes);
    PathCertificate* const certificate = product.certificate;
    using What = PathCertificate::What;
    PathCertificate::NodeValues values;
    const ProcessBits& processes = settings_.fairness;
    std::vector<std::uint64_t> enabled(processes.words());
    std::vector<std::uint64_t> contributed(processes.words());
    const auto read_enabled = [&](const Rows& rows, std::size_t i) {
        std::ranges::fill(enabled, 0);
        for (const model::TransitionId transition : rows.transitions(i)) processes.enable(transition, enabled.data());
    };
    // Adds to `set` the nodes of `inside` with an edge that `decides`, or an edge to a node of the set, until nothing
    // changes. `begins(rows, i)` is called before `decides` is asked of the edges of a row. Writes the order of
    // entering, where asked for, as ranks to good nodes or to a mark.
    struct Ranks {
        What what;
        std::size_t mark;
    };
    const auto close = [&](std::vector<Bits>& set, const std::vector<Bits>* inside, const auto& begins,
                           const auto& decides, const std::optional<Ranks>& ranks) {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t p = 0; p < unit.count; ++p) {
                const Part& part = parts_[unit.first + p];
                const Rows rows(*this, part, product.deadlocks_repeat);
                if (ranks) {
                    work_.ask(rows.size() * size * sizeof(std::uint64_t));
                    values.assign(rows.size() * size, 0);
                }
                // In memory, from the last row to the first and back.
                for (bool here = true, down = true; here; down = !down) {
                    here = false;
                    for (std::size_t n = 0; n < rows.size(); ++n) {
                        work_.poll();
                        const std::size_t i = down ? rows.size() - 1 - n : n;
                        const StateNumber s = rows.state(i);
                        const std::uint64_t letter = product.letter(s);
                        begins(rows, i);
                        for (std::uint32_t q = 0; q < size; ++q) {
                            if (set[q][s] || (inside != nullptr && !(*inside)[q][s])) continue;
                            const std::vector<PathAutomaton::Step>& steps = automaton.steps(q, letter);
                            bool is_in = false;
                            const std::span<const StateNumber> targets = rows.targets(i);
                            for (std::size_t e = 0; e < targets.size() && !is_in; ++e)
                                for (const PathAutomaton::Step& step : steps) {
                                    ++edge_visits_;
                                    is_in = is_in || set[step.target][targets[e]] || decides(rows, i, e, step);
                                }
                            if (!is_in) continue;
                            set[q].set(s);
                            if (ranks) values[i * size + q] = certificate->next_rank();
                            here = changed = true;
                        }
                    }
                }
                if (ranks) certificate->write(ranks->what, part.ranges, values, work_, ranks->mark);
            }
        }
    };
    const std::optional<Ranks> to_good =
        certificate == nullptr ? std::nullopt : std::optional<Ranks>(Ranks{What::rank, 0});
    // A value for the nodes that are in one set and not in the other.
    const auto write_nodes = [&](What what, std::uint64_t value, const std::vector<Bits>& in,
                                 const std::vector<Bits>* out) {
        for (std::size_t p = 0; p < unit.count; ++p) {
            const Part& part = parts_[unit.first + p];
            work_.ask(part.states * size * sizeof(std::uint64_t));
            values.assign(part.states * size, 0);
            std::size_t at = 0;
            for (const StateRange& range : part.ranges)
                for (StateNumber s = range.first; s < range.end(); ++s)
                    for (std::uint32_t q = 0; q < size; ++q, ++at)
                        if (in[q][s] && (out == nullptr || !(*out)[q][s])) values[at] = value;
            certificate->write(what, part.ranges, values, work_);
        }
    };
    const auto passes = [](const Rows&, std::size_t) {};
    const auto nothing = [](const Rows&, std::size_t, std::size_t, const PathAutomaton::Step&) { return false; };
    close(product.good, nullptr, passes, nothing, to_good);
    std::vector<Bits> inside(size, Bits(sets_.state_count()));
    for (std::size_t p = 0; p < unit.count; ++p)
        for (const StateRange& range : parts_[unit.first + p].ranges)
            for (StateNumber s = range.first; s < range.end(); ++s)
                for (std::uint32_t q = 0; q < size; ++q)
                    if (!product.good[q][s]) inside[q].set(s);
    // The nodes inside that reach, inside, an edge with a mark; an automaton without marks accepts every infinite run:
    // every edge counts.
    const std::size_t mark_count = PathCertificate::mark_count(automaton);
    const auto reaching_mark = [&](std::size_t m, bool writes_ranks) {
        const automata::Marks mark = automaton.marks() == 0 ? 0 : automata::Marks{1} << m;
        std::vector<Bits> reaching(size, Bits(sets_.state_count()));
        close(
            reaching, &inside, passes,
            [&](const Rows& rows, std::size_t i, std::size_t e, const PathAutomaton::Step& step) {
                return (step.marks & mark) == mark && inside[step.target][rows.targets(i)[e]];
            },
            writes_ranks ? std::optional<Ranks>(Ranks{What::to, m}) : std::nullopt);
        return reaching;
    };
    // The nodes inside that reach, inside, an edge that is fair to a process; for strong fairness also those where it
    // has no step.
    const auto reaching_fair = [&](std::size_t process) {
        const auto bit = [&](const std::vector<std::uint64_t>& words) {
            return ((words[process / 64] >> (process % 64)) & 1U) != 0;
        };
        std::vector<Bits> reaching(size, Bits(sets_.state_count()));
        close(
            reaching, &inside, read_enabled,
            [&](const Rows& rows, std::size_t i, std::size_t e, const PathAutomaton::Step& step) {
                if (!inside[step.target][rows.targets(i)[e]]) return false;
                std::ranges::fill(contributed, 0);
                processes.add(rows.transitions(i)[e], enabled.data(), contributed.data());
                return bit(contributed);
            },
            std::nullopt);
        if (processes.kind() != Fairness::strong) return reaching;
        for (std::size_t p = 0; p < unit.count; ++p) {
            const Rows rows(*this, parts_[unit.first + p], product.deadlocks_repeat);
            for (std::size_t i = 0; i < rows.size(); ++i) {
                work_.poll();
                read_enabled(rows, i);
                if (bit(enabled)) continue;
                for (std::uint32_t q = 0; q < size; ++q)
                    if (inside[q][rows.state(i)]) reaching[q].set(rows.state(i));
            }
        }
        return reaching;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t process = 0; process < processes.count(); ++process) {
            std::vector<Bits> reaching = reaching_fair(process);
            changed = changed || reaching != inside;
            inside = std::move(reaching);
        }
        for (std::size_t m = 0; m < mark_count; ++m) {
            std::vector<Bits> reaching = reaching_mark(m, false);
            if (reaching == inside) continue;
            changed = true;
            if (certificate != nullptr) {
                write_nodes(What::number, certificate->next_number(), inside, &reaching);
                write_nodes(What::mark, m, inside, &reaching);
            }
            inside = std::move(reaching);
        }
    }
    if (certificate != nullptr) {
        for (std::size_t m = 0; m < mark_count; ++m) (void)reaching_mark(m, true);
        write_nodes(What::core, 1, inside, nullptr);
    }
    for (std::uint32_t q = 0; q < size; ++q) product.good[q] |= inside[q];
    close(product.good, nullptr, passes, nothing, to_good);
}

}  // namespace tideline::check::ctl
