#include "check/ledger_branching.hpp"

#include <algorithm>
#include <chrono>

#include "check/branching_evidence.hpp"

namespace tideline::check {
namespace {

using ctl::NodeId;
using ctl::Oracle;
using Clock = std::chrono::steady_clock;

// The graph in the ledger with what was decided. Rows and states are read from disk, near ones from decoded frames.
class LedgerOracle final : public Oracle {
public:
    LedgerOracle(const LedgerBranchingRequest& request, ledger::EdgeReaderSettings settings)
        : ledger_(*request.ledger),
          system_(request.branching.system),
          packings_(*request.ledger, *system_),
          graph_(*request.ledger, std::move(settings)),
          program_(request.branching.program),
          work_(request.branching.settings.limits()),
          deadlocks_(request.branching.deadlocks),
          settings_(request.clusters) {
        settings_.fairness = request.branching.fairness;
    }

    [[nodiscard]] support::StopReason prepare(const support::Budget& budget) { return graph_.prepare(budget); }
    [[nodiscard]] graph::LedgerGraph& graph() { return graph_; }
    // Throws Stopped and std::bad_alloc.
    void decide(ctl::Certificate* certificate) {
        settings_.certificate = certificate;
        clusters_.emplace(graph_, *program_, deadlocks_, settings_, work_);
        clusters_->run();
    }
    [[nodiscard]] const ctl::Clusters& clusters() const { return *clusters_; }

    [[nodiscard]] bool value(NodeId node, State state) override { return clusters_->sets()[node][state]; }
    [[nodiscard]] std::vector<State> successors(State state) override {
        std::vector<State> targets;
        graph_.read_range({state, 1}, [&](const graph::RowBlock& block) {
            targets.assign(block.targets.begin(), block.targets.end());
        });
        return targets;
    }
    [[nodiscard]] std::vector<model::TransitionId> transitions(State state) override {
        std::vector<model::TransitionId> transitions;
        graph_.read_range({state, 1}, [&](const graph::RowBlock& block) {
            for (const std::uint64_t transition : block.transitions)
                transitions.push_back(static_cast<model::TransitionId>(transition));
        });
        return transitions;
    }
    [[nodiscard]] bool is_deadlock(State state) override { return clusters_->deadlocks()[state]; }
    [[nodiscard]] bool is_endless(State state) override {
        return clusters_->endless().size() == 0 || clusters_->endless()[state];
    }
    [[nodiscard]] const std::shared_ptr<const successor::System>& system() override { return system_; }
    [[nodiscard]] std::vector<successor::Word> packed_initial(State state) override { return packed(state); }
    [[nodiscard]] std::vector<successor::Word> packed_successor(State /*from*/,
                                                                const std::vector<successor::Word>& /*packed*/,
                                                                State to) override {
        return packed(to);
    }
    [[nodiscard]] std::vector<successor::Word> packed(State state) {
        const ledger::Records records = ledger_.state(state);
        std::vector<successor::Word> words(system_->state_words());
        packings_.unpack(records.packing, records.bytes.data(), words.data());
        return words;
    }

private:
    ledger::LedgerWriter& ledger_;
    std::shared_ptr<const successor::System> system_;
    explore::LedgerPackings packings_;
    graph::LedgerGraph graph_;
    std::shared_ptr<const ctl::Program> program_;
    ctl::Work work_;
    DeadlockReading deadlocks_;
    ctl::ClusterSettings settings_;
    std::optional<ctl::Clusters> clusters_;
};

BranchingFigures figures_of(const ctl::Clusters& clusters, std::uint64_t edges) {
    BranchingFigures figures;
    figures.operations = clusters.visits().operators;
    figures.edges = edges;
    figures.edge_visits = clusters.visits().all;
    figures.most_edge_visits = clusters.visits().most;
    figures.product_nodes = clusters.product_nodes();
    figures.clusters = clusters.cluster_count();
    figures.largest_cluster = clusters.largest_cluster();
    figures.scans = clusters.scans();
    return figures;
}

std::vector<Satisfying> satisfying(const BranchingRequest& request, LedgerOracle& oracle, std::size_t property) {
    std::vector<Satisfying> result;
    const ctl::Program& program = *request.program;
    const std::vector<bool> needed = program.needed_by(program.roots[property]);
    for (NodeId n = 0; n < program.nodes.size(); ++n) {
        if (!needed[n]) continue;
        const ctl::Bits& set = oracle.clusters().sets()[n];
        Satisfying one{program.text(n), set.count(), {}};
        for (Oracle::State s = 0; s < set.size() && one.listed.size() < request.lists; ++s)
            if (set[s]) one.listed.push_back(state_text(*oracle.system(), oracle.packed(s).data()));
        result.push_back(std::move(one));
    }
    return result;
}

// The first atom of a property that cannot be evaluated somewhere; nothing: all can.
std::optional<std::string> faulty_atom(const ctl::Program& program, const std::vector<std::size_t>& faulty,
                                       NodeId root) {
    const std::vector<bool> needed = program.needed_by(root);
    for (NodeId n = 0; n < needed.size(); ++n)
        if (needed[n] && program.nodes[n].kind == ctl::NodeKind::atom &&
            std::ranges::find(faulty, program.nodes[n].index) != faulty.end())
            return program.atoms[program.nodes[n].index];
    return std::nullopt;
}

std::unique_ptr<ctl::Certificate> certificate_for(const LedgerBranchingRequest& request) {
    try {
        if (!request.certifies) return nullptr;
        if (request.branching.fairness.kind() != Fairness::none) {
            request.notice("there is no certificate: what holds of fair paths is not certified");
            return nullptr;
        }
        return std::make_unique<ctl::Certificate>(
            *request.branching.program, request.branching.deadlocks,
            std::make_unique<ledger::CertificateWriter>(request.directory, request.ledger->header().id,
                                                        request.certificate_bytes));
    } catch (const ledger::LedgerError& error) {
        request.notice(std::string("there is no certificate: ") + error.what());
        return nullptr;
    }
}

void finish(ctl::Certificate& certificate, const LedgerBranchingRequest& request,
            const std::vector<Verdict>& verdicts) {
    std::vector<ctl::Certificate::Answer> answers;
    for (const Verdict& verdict : verdicts)
        answers.push_back({verdict.name, verdict.formula, std::string(to_string(verdict.answer))});
    certificate.finish(answers);
    if (!certificate.failure().empty()) request.notice("there is no certificate: " + certificate.failure());
}

}  // namespace

Decision decide_on_ledger(const LedgerBranchingRequest& request, Outcome explored) {
    const Clock::time_point start = Clock::now();
    const BranchingRequest& branching = request.branching;
    const support::Budget& budget = branching.settings.limits();
    explored.engine = "ledger";
    explored.verdicts.clear();
    const double before = explored.statistics.seconds;
    const auto measure = [&] {
        explored.statistics.seconds = before + std::chrono::duration<double>(Clock::now() - start).count();
    };
    ledger::EdgeReaderSettings reading;
    if (const std::optional<std::uint64_t> left = budget.memory_left())
        reading.memory = std::min(reading.memory, *left / 8);
    reading.temporary_directory = request.directory;
    auto oracle = std::make_unique<LedgerOracle>(request, std::move(reading));
    const bool met_faults = explored.statistics.faults > 0;
    const std::unique_ptr<ctl::Certificate> certificate = certificate_for(request);
    try {
        const support::StopReason stopped = oracle->prepare(budget);
        if (stopped != support::StopReason::none) throw ctl::Stopped{stopped};
        if (!met_faults) oracle->decide(certificate.get());
    } catch (const ctl::Stopped& stopped) {
        measure();
        return undecided(branching, std::move(explored), stopped.reason);
    } catch (const std::bad_alloc&) {
        measure();
        return undecided(branching, std::move(explored), support::StopReason::memory);
    }
    measure();
    const std::span<const graph::StateNumber> initial = oracle->graph().initial_states();
    std::vector<BranchingEvidence::Shown> shown;
    for (std::size_t p = 0; p < branching.properties.size(); ++p) {
        Verdict verdict = verdict_of(branching, p, explored.statistics);
        const NodeId root = branching.program->roots[p];
        const std::optional<std::string> faulty =
            met_faults ? std::nullopt : faulty_atom(*branching.program, oracle->clusters().faulty_atoms(), root);
        if (met_faults || faulty) {
            decide(verdict, {.complete = true, .met_faults = true});
            if (faulty) verdict.reason = "'" + *faulty + "' cannot be evaluated in a reachable state";
        } else {
            std::size_t violating = 0;
            while (violating < initial.size() && oracle->value(root, initial[violating])) ++violating;
            const bool holds = violating == initial.size();
            decide(verdict, {.violated = !holds, .complete = true});
            const std::size_t index = holds ? 0 : violating;
            shown.push_back({p, initial[index], index, initial.size()});
            if (branching.counts_satisfying) verdict.satisfying = satisfying(branching, *oracle, p);
            verdict.branching = figures_of(oracle->clusters(), oracle->graph().edge_count());
        }
        explored.verdicts.push_back(std::move(verdict));
    }
    if (certificate != nullptr) finish(*certificate, request, explored.verdicts);
    return {std::move(explored), std::make_unique<BranchingEvidence>(branching, std::move(oracle), std::move(shown))};
}

}  // namespace tideline::check
