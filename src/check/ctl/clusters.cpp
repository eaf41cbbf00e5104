#include "check/ctl/clusters.hpp"

#include <algorithm>
#include <cassert>

#include "check/ctl/parts.hpp"
#include "support/components.hpp"

namespace tideline::check::ctl {

using graph::LayerNumber;
using graph::RowBlock;
using graph::StateNumber;
using graph::StateRange;

namespace {

// What an edge and a state of a part take while it is solved, about: source, target and predecessor; offset and
// counter.
constexpr std::uint64_t kEdgeBytes = 12;
constexpr std::uint64_t kStateBytes = 16;

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
    assert(settings_.fairness.words() == 0 || settings_.certificate == nullptr);
    if (reading_ == DeadlockReading::ignore && settings_.fairness.words() > 0) {
        work_.ask(2 * Bits::bytes_for(sets_.state_count()));
        endless_ = fair_greatest({Bits(sets_.state_count()), Bits(sets_.state_count(), true)});
    } else if (reading_ == DeadlockReading::ignore) {
        // All paths from a state end iff it is a deadlock, or all of its successors are such states.
        work_.ask(2 * Bits::bytes_for(sets_.state_count()));
        Bits ends = deadlocks_;
        const Bits go = Bits(deadlocks_).flip();
        Least endings{Quantifier::forall, &go, &ends, false};
        if (settings_.certificate != nullptr) endings.ranks = settings_.certificate->add("ranks of endless");
        least(endings);
        endless_ = std::move(ends.flip());
        if (settings_.certificate != nullptr)
            settings_.certificate->write(settings_.certificate->add(Certificate::kEndless), endless_);
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

// All atoms, and which states are deadlocks, in one pass. The label of an atom that speaks of steps is 0; the steps are
// there.
void Clusters::read_atoms() {
    const std::vector<NodeId> atoms = sets_.atoms();
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
        std::size_t at = 0;
        for (std::size_t i = 0; i < block.degrees.size(); ++i) {
            if (block.degrees[i] == 0) deadlocks_.set(block.first + i);
            const auto transitions = block.transitions.subspan(at, block.degrees[i]);
            at += block.degrees[i];
            for (const StepAtom& step_atom : settings_.step_atoms) {
                const bool is_true =
                    step_atom.process
                        ? std::ranges::any_of(transitions,
                                              [&](std::uint64_t t) {
                                                  return settings_.processes->moves(static_cast<model::TransitionId>(t),
                                                                                    *step_atom.process);
                                              })
                        : transitions.empty();
                if (is_true) sets[step_atom.atom].set(block.first + i);
            }
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
        case NodeKind::infinite: sets_.decide_infinite(n, endless_); return;
        case NodeKind::temporal:
            sets_.set(n, node.op == logic::Connective::next ? next(node) : fixpoint(n));
            visits_.add(edge_visits_);
            if (settings_.certificate != nullptr)
                settings_.certificate->write(settings_.certificate->add("bits", n), sets_[n]);
            return;
        case NodeKind::path:
            sets_.set(n, path(n));
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

Bits Clusters::fixpoint(NodeId n) {
    const Node& node = program_.nodes[n];
    const Fixpoint fixpoint = fixpoint_of(node);
    StateSets::Masks masks = sets_.masks(node, work_);
    Quantifier quantifier = fixpoint.quantifier;
    const bool is_forall = quantifier == Quantifier::forall;
    if (settings_.fairness.words() > 0 && fixpoint.is_least == is_forall) {
        Bits set = fair_greatest(is_forall ? StateSets::complement(std::move(masks)) : std::move(masks));
        if (is_forall) set.flip();
        return set;
    }
    if (!fixpoint.is_least) {
        masks = StateSets::complement(std::move(masks));
        quantifier = quantifier == Quantifier::exists ? Quantifier::forall : Quantifier::exists;
    }
    if (endless_.size() > 0) {
        if (quantifier == Quantifier::exists) masks.stop &= endless_;
        else masks.stop |= Bits(endless_).flip();
        masks.go &= endless_;
    }
    Least question{quantifier, &masks.go, &masks.stop, endless_.size() > 0};
    if (settings_.certificate != nullptr) question.ranks = settings_.certificate->add("ranks", n);
    least(question);
    if (!fixpoint.is_least) masks.stop.flip();
    return std::move(masks.stop);
}

void Clusters::least(const Least& least) {
    largest_rank_ = 0;
    for (const Unit& unit : units_) {
        if (unit.count == 1) {
            solve(parts_[unit.first], least);
            continue;
        }
        // A part is solved again where another one has changed since.
        std::vector<std::uint64_t> solved(unit.count, 0);
        std::vector<std::uint64_t> changed(unit.count, 0);
        std::uint64_t time = 0;
        for (bool continues = true; continues;) {
            continues = false;
            for (std::size_t i = 0; i < unit.count; ++i) {
                bool is_due = solved[i] == 0;
                for (std::size_t j = 0; j < unit.count && !is_due; ++j) is_due = j != i && changed[j] > solved[i];
                if (!is_due) continue;
                continues = true;
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
    // How far from what was known before, where ranks are asked for: 0 is what was in the set.
    std::vector<Local> levels;
    if (least.ranks) {
        work_.ask(part.states * sizeof(Local));
        levels.resize(part.states);
    }
    const auto rise = [&](Local l, Local level) { levels[l] = std::max(levels[l], level); };
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
    const auto level_of = [&](StateNumber t) {
        const Local l = numbers.of(t);
        return l == kOutside ? 0 : levels[l];
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
            Local level = 0;
            for (std::size_t e = begin; e < at && !is_known; ++e) {
                const StateNumber t = block.targets[e];
                ++edge_visits_;
                if (least.skips_ends && !endless_[t]) continue;
                ++counted;
                if (set[t]) {
                    is_known = exists;
                    if (least.ranks) level = std::max(level, level_of(t));
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
                if (exists) {
                    if (least.ranks) rise(local, level + 1);
                    enter(s, local);
                }
            } else if (!exists) {
                missing[local] = open;
                if (least.ranks) rise(local, level + 1);
                if (open == 0 && counted > 0) enter(s, local);
            }
        }
    });
    const auto finish = [&] {
        if (!least.ranks || !has_changed) return has_changed;
        // A state that is waiting for a successor has a level before it has entered.
        for (Local l = 0; l < levels.size(); ++l)
            if (!exists && !set[numbers.state(l)]) levels[l] = 0;
        write_ranks(*least.ranks, part, levels);
        return has_changed;
    };
    if (work_list.empty() || sources.empty()) return finish();
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
            if (set[s]) continue;
            if (least.ranks) rise(source, levels[target] + 1);
            if (!exists && --missing[source] > 0) continue;
            enter(s, source);
        }
    }
    return finish();
}

void Clusters::write_ranks(Certificate::Column column, const Part& part, std::span<const std::uint32_t> levels) {
    constexpr std::uint64_t kTogether = std::uint64_t{1} << 16U;
    std::vector<std::uint64_t> ranks;
    const std::uint64_t before = largest_rank_;
    std::size_t at = 0;
    for (const StateRange& range : part.ranges) {
        for (std::uint64_t done = 0; done < range.count; done += ranks.size()) {
            work_.check();
            ranks.resize(std::min(kTogether, range.count - done));
            for (std::uint64_t& rank : ranks) {
                const Local level = levels[at++];
                rank = level == 0 ? 0 : before + level;
                largest_rank_ = std::max(largest_rank_, rank);
            }
            settings_.certificate->write(column, range.first + done, ranks);
        }
    }
}

}  // namespace tideline::check::ctl
