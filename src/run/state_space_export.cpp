#include "run/state_space_export.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "graph/build_graph.hpp"
#include "graph/compact_kripke.hpp"
#include "graph/graph_export.hpp"
#include "model/parse_expression.hpp"
#include "run/measure_in_use.hpp"
#include "run/run_ledger.hpp"
#include "run/search_for_measure.hpp"

namespace tideline::run {
namespace {

Refusal refused(std::string about, std::string message, std::string hint = {}) {
    return {{support::diagnostic_about(std::move(about), std::move(message), std::move(hint))},
            support::StopReason::none};
}

Refusal stopped(const LoadedSystem& system, support::StopReason reason, const std::string& work) {
    return {{support::diagnostic_of_stop(system.path, reason, work)}, reason};
}

// A name that can be used in an expression when the file is read again.
bool is_name(std::string_view text) {
    constexpr std::string_view kReserved[] = {"and", "false", "imply", "not", "or", "state", "true"};
    const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const auto is_letter_or_digit = [&](char c) {
        return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
    };
    return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, is_letter_or_digit) &&
           std::ranges::find(kReserved, text) == std::end(kReserved);
}

struct NamedLabels {
    std::vector<std::string> names;
    std::vector<model::Expression> expressions;
};

// The labels of the model, and those that are given. Throws Refusal.
NamedLabels labels_of(const StateSpaceSpec& spec, const model::Model& model) {
    NamedLabels labels;
    for (const model::NamedExpression& label : model.labels) {
        labels.names.push_back(label.name);
        labels.expressions.push_back(label.expression);
    }
    for (const std::string& given : spec.labels) {
        const std::size_t equals = given.find('=');
        const std::string name = given.substr(0, equals);
        if (equals == std::string::npos || !is_name(name))
            throw refused("--label", support::in_quotes(given) + " does not begin with a name and '='",
                          "expected NAME=EXPR; a name has letters, digits and _, and is no word of the expressions");
        if (std::ranges::find(labels.names, name) != labels.names.end())
            throw refused("--label", "there are two labels " + support::in_quotes(name));
        support::Result<model::Expression> parsed =
            model::parse_expression(model, support::SourceText("--label", given.substr(equals + 1)));
        if (!parsed) throw Refusal{std::move(parsed).diagnostics(), support::StopReason::none};
        labels.names.push_back(name);
        labels.expressions.push_back(*std::move(parsed));
    }
    return labels;
}

struct Ticks final : explore::SearchObserver {
    explicit Ticks(Sink& to) : sink(to) {}
    [[nodiscard]] bool wants_deadlocks() const override { return false; }
    void tick(const explore::Statistics& statistics) override { sink.progress(statistics); }
    Sink& sink;
};

// The measure of the sweep; a constant where there is none: one layer.
MeasureInUse measure_for(const StateSpaceSpec& spec, const LoadedSystem& loaded, const support::Budget& budget) {
    const model::Model& model = *loaded.names;
    MeasureInUse measure(loaded, nullptr);
    const auto use = [&](const std::string& text) {
        support::Result<progress::Measure> parsed = progress::parse_measure(model, text);
        if (!parsed) throw Refusal{std::move(parsed).diagnostics(), support::StopReason::none};
        measure.use(*std::move(parsed));
    };
    if (spec.progress.kind == ProgressChoice::Kind::given) use(spec.progress.measure);
    else if (spec.progress.kind == ProgressChoice::Kind::automatic && !loaded.own_measure) {
        progress::FoundMeasures found =
            search_for_measures(loaded, nullptr, progress::SweepKind::with_ledger, nullptr, budget);
        if (!found.measures.empty()) measure.use(std::move(found.measures[0].measure));
    }
    if (!measure.exists() || spec.progress.kind == ProgressChoice::Kind::none) use("0");
    return measure;
}

// Throws Refusal and LedgerError.
void write_compact(const StateSpaceSpec& spec, const LoadedSystem& loaded, Sink& sink, const support::Budget& budget,
                   const support::TextSink& out) {
    NamedLabels labels = labels_of(spec, *loaded.names);
    const std::size_t label_count = labels.names.size();
    // A ledger has bits of labels, not their faults: behind each label, whether it can be evaluated.
    for (std::size_t i = 0; i < label_count; ++i)
        labels.expressions.push_back(
            model::Expression::binary(model::Op::equal, labels.expressions[i], labels.expressions[i]));
    const MeasureInUse measure = measure_for(spec, loaded, budget);
    if (budget.is_exhausted()) throw stopped(loaded, budget.exhausted(), "a measure was looked for");
    std::string notice;
    const std::shared_ptr<const successor::System> system = loaded.make_system(
        std::move(labels.expressions), measure.given(), successor::Successors::automatic, std::nullopt, budget, notice);
    if (!notice.empty()) sink.notice(notice);
    RunPlan plan;
    plan.spec.record = explore::Recorded::edges;
    plan.spec.limits = budget.limits();
    plan.spec.temporary_folder = spec.temporary_folder;
    plan.engine = Engine::sweep;
    const std::unique_ptr<RunLedger> ledger = RunLedger::create(plan, *system, {{}, "", measure.key_layout()}, sink);
    ledger->run().checkpoint_every = std::chrono::hours(24 * 365);  // it is never resumed
    if (system->layout() != nullptr) ledger->run().block_bits = measure.block_bits();
    explore::SearchSettings settings;
    settings.budget = &budget;
    settings.threads = spec.threads;
    settings.states = spec.states.value_or(kMostWrittenStates * 64) + 1;
    settings.ledger = &ledger->run();
    Ticks ticks(sink);
    const explore::SearchResult result = explore::search(system, explore::WalkOrder::sweep, settings, ticks);
    sink.progress_ended();
    if (result.reason == support::StopReason::no_key)
        throw refused(loaded.path, "the measure cannot be evaluated in a state that is reached");
    if (!result.complete) throw stopped(loaded, result.reason, "the state space was explored");
    if (result.statistics.faults > 0)
        throw refused(loaded.path, "has run-time faults, which no other form can express",
                      "'tideline explore' shows how one is reached");
    graph::LedgerGraph graph(ledger->run().writer);
    if (const support::StopReason reason = graph.prepare(budget); reason != support::StopReason::none)
        throw stopped(loaded, reason, "the edges were read");
    graph.read_forward([&](const graph::RowBlock& block) {
        for (std::size_t i = 0; i < block.degrees.size(); ++i)
            for (std::size_t label = label_count; label < 2 * label_count; ++label)
                if ((block.labels[i * graph.label_bytes() + label / 8] >> (label % 8) & 1U) == 0)
                    throw refused(loaded.path, fmt::format("the label {} cannot be evaluated in every state",
                                                           support::in_quotes(labels.names[label - label_count])));
    });
    graph::CompactKripkeSize size;
    const support::StopReason reason =
        graph::write_compact_kripke({graph, loaded.path, labels.names}, out, budget, size);
    if (reason != support::StopReason::none) throw stopped(loaded, reason, "the state space was written");
    sink.notice(fmt::format("{} states and {} edges in {} bytes: {} bits, where {} are the bound", graph.state_count(),
                            graph.edge_count(), size.bytes, size.bits, size.bound));
}

// Throws Refusal.
void write_state_space(const StateSpaceSpec& spec, const LoadedSystem& loaded, Sink& sink,
                       const support::Budget& budget, const support::TextSink& out) {
    const model::Model& model = *loaded.names;
    NamedLabels labels = spec.format == StateSpaceFormat::aut ? NamedLabels{} : labels_of(spec, model);
    progress::Measure measure;
    bool has_progress = spec.format == StateSpaceFormat::kripke && loaded.own_measure &&
                        spec.progress.kind == ProgressChoice::Kind::automatic;
    const bool has_own = has_progress;
    if (spec.progress.kind == ProgressChoice::Kind::given) {
        support::Result<progress::Measure> parsed = progress::parse_measure(model, spec.progress.measure);
        if (!parsed) throw Refusal{std::move(parsed).diagnostics(), support::StopReason::none};
        measure = *std::move(parsed);
        has_progress = true;
    }
    const std::size_t label_count = labels.expressions.size();
    std::string notice;
    std::shared_ptr<const successor::System> system =
        loaded.make_system(std::move(labels.expressions), has_own ? nullptr : &measure,
                           successor::Successors::automatic, std::nullopt, budget, notice);
    if (!notice.empty()) sink.notice(notice);

    const bool draws = spec.format == StateSpaceFormat::dot;
    const std::uint64_t most = spec.states.value_or(draws ? kMostDrawnStates : kMostWrittenStates);
    explore::SearchSettings settings;
    settings.budget = &budget;
    settings.threads = spec.threads;
    settings.states = most + 1;
    Ticks ticks(sink);
    const graph::BuiltGraph built =
        graph::build_graph(std::move(system), settings, {.labels = label_count, .observer = &ticks});
    sink.progress_ended();
    if (built.reason == support::StopReason::no_key)
        throw refused(loaded.path, "the measure cannot be evaluated in a state that is reached");
    if (built.reason == support::StopReason::states || built.graph.state_count() > most)
        throw Refusal{{support::diagnostic_about(
                          loaded.path, fmt::format("has more than {} states", most),
                          draws ? "a drawing of them shows nothing; --to aut writes them, --states N allows more"
                                : "--states N allows more")},
                      support::StopReason::states};
    if (!built.complete) throw stopped(loaded, built.reason, "the state space was explored");
    const graph::MemoryGraph& graph = built.graph;
    if (!graph.faulty_steps().empty())
        throw refused(loaded.path,
                      fmt::format("has run-time faults ({}), which no other form can express",
                                  model::to_string(graph.faulty_steps().front().fault)),
                      "'tideline explore' shows how one is reached");
    if (!graph.faulty_labels().empty())
        throw refused(loaded.path, fmt::format("the label {} cannot be evaluated in every state ({})",
                                               support::in_quotes(labels.names[graph.faulty_labels().front().label]),
                                               model::to_string(graph.faulty_labels().front().fault)));
    if (spec.format == StateSpaceFormat::aut && graph.initial_states().size() > 1)
        throw refused(loaded.path,
                      fmt::format("has {} initial states, an Aldebaran file has one", graph.initial_states().size()),
                      "--to kripke can express them");

    graph::ExportedGraph exported{.graph = graph,
                                  .system = *built.system,
                                  .name = loaded.path,
                                  .labels = std::move(labels.names),
                                  .names_are_labels = model.format == "aut" || model.format == "kripke"};
    if (has_progress) {
        graph::ProgressRanks ranks = graph::progress_ranks(graph, *built.system, budget);
        if (ranks.is_undefined)
            throw refused(loaded.path, "the measure cannot be evaluated in a state that is reached");
        if (ranks.stopped != support::StopReason::none) throw stopped(loaded, ranks.stopped, "progress was evaluated");
        exported.progress = std::move(ranks.of);
    }
    support::StopReason reason = support::StopReason::none;
    switch (spec.format) {
        case StateSpaceFormat::aut: reason = graph::write_aut(exported, out, budget); break;
        case StateSpaceFormat::dot: reason = graph::write_dot(exported, out, budget); break;
        case StateSpaceFormat::kripke: reason = graph::write_kripke(exported, out, budget); break;
    }
    if (reason != support::StopReason::none) throw stopped(loaded, reason, "the state space was written");
}

}  // namespace

std::optional<Refusal> export_state_space(const StateSpaceSpec& spec, const LoadedSystem& system, Sink& sink,
                                          const support::Budget& budget, const support::TextSink& out) {
    try {
        if (spec.is_compact) write_compact(spec, system, sink, budget, out);
        else write_state_space(spec, system, sink, budget, out);
    } catch (Refusal& refusal) {
        return std::move(refusal);
    } catch (const ledger::LedgerError& error) {
        return refused(system.path, std::string("the ledger of the sweep cannot be used: ") + error.what());
    }
    return std::nullopt;
}

}  // namespace tideline::run
