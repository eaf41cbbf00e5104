#include "check/ctl/clusters.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "support/components.hpp"

namespace tideline::check::ctl {

using graph::LayerNumber;
using graph::RowBlock;
using graph::StateNumber;
using graph::StateRange;

namespace {

using Local = std::uint32_t;
constexpr Local kOutside = std::numeric_limits<Local>::max();

// What an edge and a state of a part take while it is solved, about: source, target and predecessor; offset and
// counter.
constexpr std::uint64_t kEdgeBytes = 12;
constexpr std::uint64_t kStateBytes = 16;

// Numbers of the states of a part, from 0 on.
class LocalNumbers {
public:
    explicit LocalNumbers(std::span<const StateRange> ranges) : ranges_(ranges) {
        Local sum = 0;
        for (const StateRange& range : ranges) {
            begins_.push_back(sum);
            sum += static_cast<Local>(range.count);
        }
    }
    // kOutside where it is no state of the part.
    [[nodiscard]] Local of(StateNumber state) {
        if (state - ranges_[last_].first < ranges_[last_].count) [[likely]]
            return begins_[last_] + static_cast<Local>(state - ranges_[last_].first);
        const auto behind = std::upper_bound(ranges_.begin(), ranges_.end(), state,
                                             [](StateNumber n, const StateRange& r) { return n < r.first; });
        if (behind == ranges_.begin()) return kOutside;
        const auto index = static_cast<std::size_t>(behind - ranges_.begin()) - 1;
        if (state - ranges_[index].first >= ranges_[index].count) return kOutside;
        last_ = index;
        return begins_[index] + static_cast<Local>(state - ranges_[index].first);
    }
    [[nodiscard]] StateNumber state(Local local) {
        if (local - begins_[last_state_] >= ranges_[last_state_].count) {
            const auto behind = std::upper_bound(begins_.begin(), begins_.end(), local);
            last_state_ = static_cast<std::size_t>(behind - begins_.begin()) - 1;
        }
        return ranges_[last_state_].first + (local - begins_[last_state_]);
    }

private:
    std::span<const StateRange> ranges_;
    std::vector<Local> begins_;
    std::size_t last_ = 0;
    std::size_t last_state_ = 0;
};

// Those that lead to a state, of edges that come in any order.
class Sources {
public:
    Sources(std::uint64_t states, const std::vector<Local>& sources, const std::vector<Local>& targets)
        : offsets_(states + 1), sources_(sources.size()) {
        for (const Local target : targets) ++offsets_[std::size_t{target} + 1];
        for (std::size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
        for (std::size_t i = targets.size(); i-- > 0;) sources_[--offsets_[std::size_t{targets[i]} + 1]] = sources[i];
        // Now offset i + 1 is where the sources of i begin.
    }
    [[nodiscard]] std::span<const Local> of(Local state) const {
        const std::uint64_t begin = offsets_[std::size_t{state} + 1];
        const std::uint64_t end =
            std::size_t{state} + 2 < offsets_.size() ? offsets_[std::size_t{state} + 2] : sources_.size();
        return std::span(sources_).subspan(begin, end - begin);
    }

private:
    std::vector<std::uint64_t> offsets_;
    std::vector<Local> sources_;
};

}  // namespace

Clusters::Clusters(graph::LedgerGraph& graph, const Program& program, DeadlockReading reading, ClusterSettings settings,
                   Work& work)
    : graph_(graph),
      program_(program),
      reading_(reading),
      settings_(std::move(settings)),
      work_(work),
      sets_(program, graph.state_count()) {
    assert(graph.is_complete() && graph.faulty_count() == 0);
}

void Clusters::run() {
    divide();
    read_atoms();
    if (reading_ == DeadlockReading::ignore) {
        // All paths from a state end iff it is a deadlock, or all of its successors are such states.
        work_.ask(2 * Bits::bytes_for(sets_.state_count()));
        Bits ends = deadlocks_;
        const Bits go = Bits(deadlocks_).flip();
        least({Quantifier::forall, &go, &ends, false});
        endless_ = std::move(ends.flip());
    }
    for (NodeId n = 0; n < program_.nodes.size(); ++n) decide(n);
}

std::uint64_t Clusters::scans() const {
    const std::uint64_t edges = std::max<std::uint64_t>(graph_.edge_count(), 1);
    return (edges_read_ + edges - 1) / edges;
}

// ---- clusters, units and parts --------------------------------------------------------------------------------------

void Clusters::divide() {
    constexpr std::uint64_t kMost = std::uint64_t{256} << 20U;
    constexpr std::uint64_t kLeast = std::uint64_t{1} << 20U;
    std::uint64_t bytes = 0;
    if (settings_.unit_bytes) {
        bytes = *settings_.unit_bytes;
    } else {
        const std::optional<std::uint64_t> left = work_.budget().memory_left();
        bytes = left ? std::clamp(*left / 8, kLeast, kMost) : kMost;
    }
    const auto layers = graph_.layer_graph();
    support::ComponentSearch<support::ArrayGraph<LayerNumber>> search(layers);
    std::vector<LayerNumber> members;
    for (LayerNumber layer = 0; layer < graph_.layer_count(); ++layer) {
        search.search_from(layer, support::KeepAllEdges{}, [&](std::span<const LayerNumber> component) {
            work_.poll();
            members.assign(component.begin(), component.end());
            std::ranges::sort(members, std::greater<>());
            add_cluster(members, bytes);
        });
    }
    // Neighbours are one range.
    for (Part& part : parts_) {
        std::ranges::sort(part.ranges, {}, &StateRange::first);
        std::vector<StateRange> merged;
        for (const StateRange& range : part.ranges) {
            if (!merged.empty() && merged.back().end() == range.first) merged.back().count += range.count;
            else merged.push_back(range);
        }
        part.ranges = std::move(merged);
    }
}

// Layers in descending order.
void Clusters::add_cluster(std::span<const LayerNumber> layers, std::uint64_t bytes) {
    std::uint64_t largest_automaton = 1;
    for (const PathAutomaton& path : program_.paths)
        largest_automaton = std::max<std::uint64_t>(largest_automaton, path.size());
    const auto cost = [](std::uint64_t states, std::uint64_t edges) {
        return states * kStateBytes + edges * kEdgeBytes;
    };
    const auto fits = [&](std::uint64_t states, std::uint64_t edges) {
        return cost(states, edges) <= bytes && states * largest_automaton < kOutside / 2;
    };
    ++clusters_;
    std::uint64_t states = 0;
    std::uint64_t edges = 0;
    for (const LayerNumber layer : layers) {
        states += graph_.states_of(layer);
        edges += graph_.edges_of(layer);
    }
    largest_ = std::max(largest_, states);
    const auto add_layer = [&](Part& part, LayerNumber layer) {
        for (const StateRange& range : graph_.ranges(layer)) part.ranges.push_back(range);
        part.states += graph_.states_of(layer);
        part.edges += graph_.edges_of(layer);
    };
    if (fits(states, edges)) {
        const bool joins = !units_.empty() && units_.back().count == 1 &&
                           fits(parts_.back().states + states, parts_.back().edges + edges);
        if (!joins) {
            units_.push_back({parts_.size(), 1});
            parts_.emplace_back();
        }
        for (const LayerNumber layer : layers) add_layer(parts_.back(), layer);
        return;
    }
    Unit unit{parts_.size(), 0};
    for (const LayerNumber layer : layers) {
        const std::uint64_t n = graph_.states_of(layer);
        const std::uint64_t e = graph_.edges_of(layer);
        if (fits(n, e)) {
            const bool joins = parts_.size() > unit.first && fits(parts_.back().states + n, parts_.back().edges + e);
            if (!joins) parts_.emplace_back();
            add_layer(parts_.back(), layer);
            continue;
        }
        // A layer that is too large by itself: pieces of its ranges, as if all states had as many edges. A unit with
        // one part is solved in one go, so there are two at least.
        const std::uint64_t pieces =
            std::clamp<std::uint64_t>(cost(n, e) / std::max<std::uint64_t>(bytes, 1) + 1, 2, n);
        const std::uint64_t most = (n + pieces - 1) / pieces;
        const std::span<const StateRange> ranges = graph_.ranges(layer);
        for (std::size_t r = ranges.size(); r-- > 0;) {
            for (std::uint64_t done = 0; done < ranges[r].count;) {
                const std::uint64_t count = std::min(most, ranges[r].count - done);
                done += count;
                Part& part = parts_.emplace_back();
                part.ranges.push_back({ranges[r].end() - done, count});
                part.states = count;
                part.edges = e * count / n;
            }
        }
    }
    unit.count = parts_.size() - unit.first;
    units_.push_back(unit);
}

template <class Visit>
void Clusters::read(const Part& part, const Visit& visit) {
    for (const StateRange& range : part.ranges)
        graph_.read_range(range, [&](const RowBlock& block) {
            work_.check();
            edges_read_ += block.targets.size();
            visit(block);
        });
}

// All atoms, and which states are deadlocks, in one pass.
void Clusters::read_atoms() {
    std::vector<NodeId> atoms(program_.atoms.size());
    for (NodeId n = 0; n < program_.nodes.size(); ++n)
        if (program_.nodes[n].kind == NodeKind::atom) atoms[program_.nodes[n].index] = n;
    std::vector<Bits> sets;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        work_.ask(Bits::bytes_for(sets_.state_count()));
        sets.emplace_back(sets_.state_count());
    }
    work_.ask(Bits::bytes_for(sets_.state_count()));
    deadlocks_ = Bits(sets_.state_count());
    const auto label = [bytes = graph_.label_bytes()](const RowBlock& block, std::size_t i, std::size_t n) {
        return ((block.labels[i * bytes + n / 8] >> (n % 8)) & 1U) != 0;
    };
    std::vector<bool> is_faulty(settings_.guards.size(), false);
    graph_.read_forward([&](const RowBlock& block) {
        work_.check();
        edges_read_ += block.targets.size();
        for (std::size_t i = 0; i < block.degrees.size(); ++i) {
            if (block.degrees[i] == 0) deadlocks_.set(block.first + i);
            for (std::size_t atom = 0; atom < atoms.size(); ++atom)
                if (label(block, i, atom)) sets[atom].set(block.first + i);
            for (std::size_t g = 0; g < is_faulty.size(); ++g)
                if (!label(block, i, settings_.guards[g].label)) is_faulty[g] = true;
        }
    });
    for (std::size_t i = 0; i < atoms.size(); ++i) sets_.set(atoms[i], std::move(sets[i]));
    for (std::size_t g = 0; g < is_faulty.size(); ++g)
        if (is_faulty[g]) faulty_atoms_.push_back(settings_.guards[g].atom);
}

// ---- operations of CTL ----------------------------------------------------------------------------------------------

void Clusters::decide(NodeId n) {
    const Node& node = program_.nodes[n];
    edge_visits_ = 0;
    switch (node.kind) {
        case NodeKind::atom: return;
        case NodeKind::infinite: {
            Bits set = sets_[node.operands[0]];
            if (endless_.size() > 0) {
                if (node.quantifier == Quantifier::exists) set &= endless_;
                else set |= Bits(endless_).flip();
            }
            sets_.set(n, std::move(set));
            return;
        }
        case NodeKind::temporal:
            sets_.set(n, node.op == logic::Connective::next ? next(node) : fixpoint(node));
            visits_.add(edge_visits_);
            return;
        case NodeKind::path:
            sets_.set(n, path(node));
            visits_.add(edge_visits_);
            return;
        default: sets_.decide_boolean(n, work_); return;
    }
}

Bits Clusters::next(const Node& node) {
    const Bits& f = sets_[node.operands[0]];
    const bool exists = node.quantifier == Quantifier::exists;
    work_.ask(Bits::bytes_for(sets_.state_count()));
    Bits result(sets_.state_count());
    graph_.read_forward([&](const RowBlock& block) {
        work_.check();
        edges_read_ += block.targets.size();
        std::size_t at = 0;
        for (std::size_t i = 0; i < block.degrees.size(); ++i) {
            const StateNumber s = block.first + i;
            const std::size_t end = at + block.degrees[i];
            // Whether a successor is one that decides: satisfies f for E, does not for A.
            bool decided = false;
            for (; at < end && !decided; ++at) {
                ++edge_visits_;
                const StateNumber t = block.targets[at];
                decided = f[t] == exists && (endless_.size() == 0 || endless_[t]);
            }
            at = end;
            if (block.degrees[i] == 0 && reading_ == DeadlockReading::stutter) decided = f[s] == exists;
            result.assign(s, decided == exists);
        }
    });
    return result;
}

Bits Clusters::fixpoint(const Node& node) {
    const Fixpoint fixpoint = fixpoint_of(node);
    StateSets::Masks masks = sets_.masks(node, work_);
    Quantifier quantifier = fixpoint.quantifier;
    if (!fixpoint.is_least) {
        masks = StateSets::complement(std::move(masks));
        quantifier = quantifier == Quantifier::exists ? Quantifier::forall : Quantifier::exists;
    }
    if (endless_.size() > 0) {
        if (quantifier == Quantifier::exists) masks.stop &= endless_;
        else masks.stop |= Bits(endless_).flip();
        masks.go &= endless_;
    }
    least({quantifier, &masks.go, &masks.stop, endless_.size() > 0});
    if (!fixpoint.is_least) masks.stop.flip();
    return std::move(masks.stop);
}

void Clusters::least(const Least& least) {
    for (const Unit& unit : units_) {
        if (unit.count == 1) {
            solve(parts_[unit.first], least);
            continue;
        }
        // A part is solved again where another one has changed since.
        std::vector<std::uint64_t> solved(unit.count, 0);
        std::vector<std::uint64_t> changed(unit.count, 0);
        std::uint64_t time = 0;
        for (bool goes_on = true; goes_on;) {
            goes_on = false;
            for (std::size_t i = 0; i < unit.count; ++i) {
                bool is_due = solved[i] == 0;
                for (std::size_t j = 0; j < unit.count && !is_due; ++j) is_due = j != i && changed[j] > solved[i];
                if (!is_due) continue;
                goes_on = true;
                solved[i] = ++time;
                if (solve(parts_[unit.first + i], least)) changed[i] = time;
            }
        }
    }
}

bool Clusters::solve(const Part& part, const Least& least) {
    LocalNumbers numbers(part.ranges);
    Bits& set = *least.set;
    const Bits& go = *least.go;
    const bool exists = least.quantifier == Quantifier::exists;
    std::vector<Local> sources;
    std::vector<Local> targets;
    std::vector<Local> missing;
    std::vector<Local> work_list;
    bool has_changed = false;
    Local local = 0;
    if (!exists) {
        work_.ask(part.states * sizeof(Local));
        missing.resize(part.states);
    }
    const auto enter = [&](StateNumber s, Local l) {
        set.set(s);
        work_.grow(work_list);
        work_list.push_back(l);
        has_changed = true;
    };
    const auto record = [&](Local source, Local target) {
        work_.grow(sources);
        work_.grow(targets);
        sources.push_back(source);
        targets.push_back(target);
    };
    read(part, [&](const RowBlock& block) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < block.degrees.size(); ++i, ++local) {
            const StateNumber s = block.first + i;
            const std::size_t begin = at;
            at += block.degrees[i];
            if (set[s] || !go[s]) continue;
            const std::size_t recorded = sources.size();
            bool is_known = false;  // E: it is in; A: nothing here can make it so
            std::uint32_t counted = 0;
            std::uint32_t open = 0;
            for (std::size_t e = begin; e < at && !is_known; ++e) {
                const StateNumber t = block.targets[e];
                ++edge_visits_;
                if (least.skips_ends && !endless_[t]) continue;
                ++counted;
                if (set[t]) {
                    is_known = exists;
                    continue;
                }
                const Local target = go[t] ? numbers.of(t) : kOutside;
                if (target != kOutside) record(local, target);
                else if (!exists) is_known = true;
                ++open;
            }
            if (is_known) {
                sources.resize(recorded);
                targets.resize(recorded);
                if (exists) enter(s, local);
            } else if (!exists) {
                missing[local] = open;
                if (open == 0 && counted > 0) enter(s, local);
            }
        }
    });
    if (work_list.empty() || sources.empty()) return has_changed;
    work_.ask(part.states * sizeof(std::uint64_t) + sources.size() * sizeof(Local));
    const Sources before(part.states, sources, targets);
    std::vector<Local>().swap(sources);
    std::vector<Local>().swap(targets);
    while (!work_list.empty()) {
        work_.poll();
        const Local target = work_list.back();
        work_list.pop_back();
        for (const Local source : before.of(target)) {
            ++edge_visits_;
            const StateNumber s = numbers.state(source);
            if (set[s] || (!exists && --missing[source] > 0)) continue;
            enter(s, source);
        }
    }
    return has_changed;
}

// ---- CTL* -----------------------------------------------------------------------------------------------------------

struct Clusters::Product {
    const PathAutomaton& automaton;
    const StateSets& sets;
    std::vector<Bits> good;  // by state of the automaton

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

Bits Clusters::path(const Node& node) {
    assert(reading_ != DeadlockReading::finite && "CTL* is not defined on finite paths");
    const PathAutomaton& automaton = program_.paths[node.index];
    Product product{automaton, sets_, {}};
    for (std::uint32_t q = 0; q < automaton.size(); ++q) {
        work_.ask(Bits::bytes_for(sets_.state_count()));
        product.good.emplace_back(sets_.state_count());
    }
    product_nodes_ += sets_.state_count() * automaton.size();
    for (const Unit& unit : units_) {
        if (unit.count == 1) solve_components(parts_[unit.first], product);
        else solve_fixpoint(unit, product);
    }
    Bits result = std::move(product.good[automaton.initial()]);
    if (node.quantifier == Quantifier::forall) result.flip();
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
        if (!reaches && !(has_inner && (marks & automaton.marks()) == automaton.marks())) return;
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
}

void Clusters::solve_fixpoint(const Unit& unit, Product& product) {
    const PathAutomaton& automaton = product.automaton;
    const std::uint32_t size = automaton.size();
    const std::uint64_t bytes = Bits::bytes_for(sets_.state_count());
    work_.ask(3 * size * bytes);
    // Adds to `set` the nodes of `inside` with an edge that `decides`, or an edge to a node of the set, until nothing
    // changes.
    const auto close = [&](std::vector<Bits>& set, const std::vector<Bits>* inside, const auto& decides) {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t p = 0; p < unit.count; ++p) {
                const Rows rows(*this, parts_[unit.first + p]);
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
                            here = changed = true;
                        }
                    }
                }
            }
        }
    };
    const auto nothing = [](const PathAutomaton::Step&, StateNumber) { return false; };
    close(product.good, nullptr, nothing);
    std::vector<Bits> inside(size, Bits(sets_.state_count()));
    for (std::size_t p = 0; p < unit.count; ++p)
        for (const StateRange& range : parts_[unit.first + p].ranges)
            for (StateNumber s = range.first; s < range.end(); ++s)
                for (std::uint32_t q = 0; q < size; ++q)
                    if (!product.good[q][s]) inside[q].set(s);
    for (bool changed = true; changed;) {
        changed = false;
        // An automaton without marks accepts every infinite run: every edge counts.
        automata::Marks left = automaton.marks();
        do {
            const automata::Marks mark = left & (~left + 1);
            left &= left - (left != 0 ? 1 : 0);
            std::vector<Bits> reaching(size, Bits(sets_.state_count()));
            close(reaching, &inside, [&](const PathAutomaton::Step& step, StateNumber t) {
                return (step.marks & mark) == mark && inside[step.target][t];
            });
            if (reaching != inside) {
                changed = true;
                inside = std::move(reaching);
            }
        } while (left != 0);
    }
    for (std::uint32_t q = 0; q < size; ++q) product.good[q] |= inside[q];
    close(product.good, nullptr, nothing);
}

}  // namespace tideline::check::ctl
