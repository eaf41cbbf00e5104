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
    const StateSets& sets;
    std::vector<Bits> good;  // by state of the automaton
    PathCertificate* certificate = nullptr;

    [[nodiscard]] std::uint64_t letter(StateNumber s) const {
        std::uint64_t letter = 0;
        const std::vector<NodeId>& leaves = automaton.leaves();
        for (std::size_t i = 0; i < leaves.size(); ++i)
            if (sets[leaves[i]][s]) letter |= std::uint64_t{1} << i;
        return letter;
    }
};

// The rows of a part.
class Clusters::Rows {
public:
    Rows(Clusters& clusters, const Part& part) {
        clusters.work_.ask(part.states * (sizeof(StateNumber) + sizeof(std::uint64_t)) +
                           part.edges * sizeof(StateNumber));
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
                }
                // It repeats for ever.
                if (block.degrees[i] == 0 && clusters.reading_ == DeadlockReading::stutter)
                    targets_.push_back(block.first + i);
                offsets_.push_back(targets_.size());
            }
        });
    }
    [[nodiscard]] std::size_t size() const { return states_.size(); }
    [[nodiscard]] StateNumber state(std::size_t i) const { return states_[i]; }
    [[nodiscard]] std::span<const StateNumber> targets(std::size_t i) const {
        return std::span(targets_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
    }

private:
    std::vector<StateNumber> states_;
    std::vector<std::uint64_t> offsets_;
    std::vector<StateNumber> targets_;
};

Bits Clusters::path(NodeId n) {
    const Node& node = program_.nodes[n];
    assert(reading_ != DeadlockReading::finite && "CTL* is not defined on finite paths");
    const PathAutomaton& automaton = program_.paths[node.index];
    Product product{automaton, sets_, {}};
    std::optional<PathCertificate> certificate;
    if (settings_.certificate != nullptr)
        product.certificate = &certificate.emplace(*settings_.certificate, n, automaton);
    for (std::uint32_t q = 0; q < automaton.size(); ++q) {
        work_.ask(Bits::bytes_for(sets_.state_count()));
        product.good.emplace_back(sets_.state_count());
    }
    product_nodes_ += sets_.state_count() * automaton.size();
    for (const Unit& unit : units_) {
        if (unit.count == 1) solve_components(parts_[unit.first], product);
        else solve_fixpoint(unit, product);
    }
    Bits result = product.good[automaton.initial()];
    if (node.quantifier == Quantifier::forall) result.flip();
    if (certificate) certificate->finish(product.good, result);
    return result;
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
    };
    struct Cursor {
        const PathAutomaton::Step* first = nullptr;
        const PathAutomaton::Step* at = nullptr;
        const PathAutomaton::Step* end = nullptr;
        std::uint64_t next = 0;
        std::uint64_t last = 0;
        Local target = 0;
    };

    PartProduct(const PathAutomaton& automaton, const std::vector<std::uint64_t>& letters,
                const std::vector<std::uint64_t>& offsets, const std::vector<Local>& targets)
        : automaton_(automaton), letters_(letters), offsets_(offsets), targets_(targets) {}

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
        edge = {static_cast<Node>(cursor.target * automaton_.size() + cursor.at->target), cursor.at->marks};
        ++cursor.at;
        return true;
    }

private:
    const PathAutomaton& automaton_;
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
    work_.ask(part.states * 2 * sizeof(std::uint64_t) + part.edges * sizeof(Local) + nodes * sizeof(Local));
    std::vector<std::uint64_t> letters;
    std::vector<std::uint64_t> offsets{0};
    std::vector<Local> targets;
    letters.reserve(part.states);
    offsets.reserve(part.states + 1);
    read(part, [&](const RowBlock& block) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < block.degrees.size(); ++i) {
            const StateNumber s = block.first + i;
            const std::uint64_t letter = product.letter(s);
            for (const std::size_t end = at + block.degrees[i]; at < end; ++at) {
                const StateNumber t = block.targets[at];
                if (const Local target = numbers.of(t); target != kOutside) {
                    work_.grow(targets);
                    targets.push_back(target);
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
            if (block.degrees[i] == 0 && reading_ == DeadlockReading::stutter)
                targets.push_back(static_cast<Local>(letters.size()));
            letters.push_back(letter);
            offsets.push_back(targets.size());
        }
    });
    const PartProduct view(automaton, letters, offsets, targets);
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
    work_.ask(3 * size * bytes);
    PathCertificate* const certificate = product.certificate;
    using What = PathCertificate::What;
    PathCertificate::NodeValues values;
    // Adds to `set` the nodes of `inside` with an edge that `decides`, or an edge to a node of the set, until nothing
    // changes. Writes the order of entering, where asked for, as ranks to good nodes or to a mark.
    struct Ranks {
        What what;
        std::size_t mark;
    };
    const auto close = [&](std::vector<Bits>& set, const std::vector<Bits>* inside, const auto& decides,
                           const std::optional<Ranks>& ranks) {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t p = 0; p < unit.count; ++p) {
                const Part& part = parts_[unit.first + p];
                const Rows rows(*this, part);
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
                        for (std::uint32_t q = 0; q < size; ++q) {
                            if (set[q][s] || (inside != nullptr && !(*inside)[q][s])) continue;
                            const std::vector<PathAutomaton::Step>& steps = automaton.steps(q, letter);
                            bool is_in = false;
                            for (const StateNumber t : rows.targets(i)) {
                                for (const PathAutomaton::Step& step : steps) {
                                    ++edge_visits_;
                                    is_in = is_in || set[step.target][t] || decides(step, t);
                                }
                                if (is_in) break;
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
    const auto nothing = [](const PathAutomaton::Step&, StateNumber) { return false; };
    close(product.good, nullptr, nothing, to_good);
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
            reaching, &inside,
            [&](const PathAutomaton::Step& step, StateNumber t) {
                return (step.marks & mark) == mark && inside[step.target][t];
            },
            writes_ranks ? std::optional<Ranks>(Ranks{What::to, m}) : std::nullopt);
        return reaching;
    };
    for (bool changed = true; changed;) {
        changed = false;
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
    close(product.good, nullptr, nothing, to_good);
}

}  // namespace tideline::check::ctl
