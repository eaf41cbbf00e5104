#include "run/symmetry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/print.hpp"
#include "reduce/symmetric_system.hpp"
#include "run/sink.hpp"

namespace tideline::run {
namespace {

std::vector<std::string> chosen_processes(const std::string& symmetry) {
    std::vector<std::string> names;
    if (symmetry == "auto") return names;
    for (std::size_t begin = 0; begin <= symmetry.size();) {
        const std::size_t end = std::min(symmetry.find(',', begin), symmetry.size());
        names.push_back(symmetry.substr(begin, end - begin));
        begin = end + 1;
    }
    return names;
}

bool is_invariant(const reduce::SymmetryGroup& group, const model::Model& model, const successor::KeyProgram& program) {
    return std::all_of(program.components.begin(), program.components.end(), [&](const auto& component) {
        return std::all_of(group.generators.begin(), group.generators.end(), [&](const reduce::Renaming& renaming) {
            return reduce::is_invariant(model, group.domains, renaming, component.expression);
        });
    });
}

}  // namespace

SymmetricInput::SymmetricInput(const LoadedInput& input, const RunSpec& spec, Sink& sink, const support::Budget& budget)
    : plain_(&input), spec_(spec), sink_(sink), budget_(budget) {
    if (spec.symmetry.empty()) return;
    reduced_ = input;
    reduce(reduced_->system);
    if (reduced_->with_process) reduce(*reduced_->with_process);
}

void SymmetricInput::reduce(LoadedSystem& system) {
    if (system.kind == InputKind::program) return reduce_program(system);
    support::Result<reduce::SymmetryGroup> found =
        reduce::find_symmetries(system.names, chosen_processes(spec_.symmetry), budget_);
    if (!found) {
        const support::StopReason stopped = found.stopped();
        throw Refusal{std::move(found).diagnostics(), stopped};
    }
    const auto group = std::make_shared<const reduce::SymmetryGroup>(*std::move(found));
    auto reduction = std::make_shared<Reduction>();
    reduction->group = group;
    reductions_.push_back(reduction);
    if (group->is_trivial()) {
        if (reductions_.size() == 1)
            sink_.notice("the model has no symmetry that was found; the search is not reduced");
        reduction->is_used = true;
        return;
    }
    const auto make_plain = system.make_system;
    const std::shared_ptr<const model::Model> model = system.names;
    const std::optional<progress::Measure> own = system.own_measure;
    const auto keeps = [group, model](const progress::Measure& measure) {
        return is_invariant(*group, measure.tables.empty() ? *model : progress::with_tables(*model, measure),
                            measure.program);
    };
    system.keeps_measure = keeps;
    system.make_system = [=](std::vector<model::Expression> labels, const progress::Measure* measure,
                             successor::Successors successors, std::optional<successor::Layout> layout,
                             const support::Budget& budget,
                             std::string& notice) -> std::shared_ptr<const successor::System> {
        for (const model::Expression& label : labels)
            if (const reduce::Renaming* renaming = group->changes(label))
                throw Refusal{{support::diagnostic_about(
                                  "--symmetry",
                                  fmt::format("{} is not the same after the symmetry {}",
                                              support::in_quotes(model::to_text(*model, label)),
                                              reduce::to_text(*model, *renaming)),
                                  "name the processes that it does not tell apart with --symmetry LIST, or leave "
                                  "--symmetry out")},
                              support::StopReason::none};
        const std::optional<progress::Measure> given =
            measure != nullptr ? std::optional(*measure) : std::optional<progress::Measure>();
        reduce::SymmetrySettings settings{group, true, reduction->has_ambiguous};
        if (const progress::Measure* used = given ? &*given : own ? &*own : nullptr)
            settings.is_key_invariant = keeps(*used);
        reduction->is_used = true;
        if (!settings.is_key_invariant) reduction->is_measure_changed = true;
        if (!layout) {
            std::string unused;
            const auto observed = make_plain({}, nullptr, successor::Successors::interpret, {}, budget, unused);
            layout = *observed->layout();
        }
        layout = reduce::closed_layout(*group, *layout);
        // The first system says what could not be done as asked; it is made at once.
        auto is_noticed = std::make_shared<bool>(false);
        std::string* const first_notice = &notice;
        return reduce::make_symmetric(
            [=, &budget](const successor::Layout* wanted) {
                std::string unused;
                std::string& said = std::exchange(*is_noticed, true) ? unused : *first_notice;
                return make_plain(labels, given ? &*given : nullptr, successors, wanted != nullptr ? *wanted : *layout,
                                  budget, said);
            },
            std::move(settings));
    };
}

void SymmetricInput::reduce_program(LoadedSystem& system) {
    if (spec_.symmetry != "auto")
        throw Refusal{{support::diagnostic_about("--symmetry", "a system written in C++ has no processes to name",
                                                 "expected auto or none")},
                      support::StopReason::none};
    if (!system.make_canonical)
        throw Refusal{{support::diagnostic_about("--symmetry", "this system has no canonical(State)",
                                                 "add a member that gives the representative of a state's class")},
                      support::StopReason::none};
    system.make_system = system.make_canonical;
    // Nothing is known of what canonical() does to a measure.
    system.keeps_measure = [](const progress::Measure&) { return false; };
    reductions_.push_back(std::make_shared<Reduction>());
    reductions_.back()->is_used = true;
}

std::optional<SymmetryReport> SymmetricInput::report() const {
    if (reductions_.empty()) return std::nullopt;
    SymmetryReport report;
    report.requested = spec_.symmetry;
    const auto used = std::find_if(reductions_.rbegin(), reductions_.rend(),
                                   [](const auto& reduction) { return reduction->is_used.load(); });
    const Reduction& reduction = used == reductions_.rend() ? *reductions_.front() : **used;
    report.is_canonical = !*reduction.has_ambiguous;
    report.is_measure_kept = !reduction.is_measure_changed;
    if (!reduction.group) return report;
    const reduce::SymmetryGroup& group = *reduction.group;
    report.is_canonical = report.is_canonical && group.is_complete;
    report.order = group.order();
    report.others = group.is_complete ? group.others.size() : group.others.size() / 2;
    for (const reduce::ExchangeClass& one : group.classes) {
        report.exchangeable.emplace_back();
        for (const model::ProcessId p : one.processes)
            report.exchangeable.back().push_back(group.model->processes[p].name);
    }
    return report;
}

void refuse_step_atoms(const RunSpec& spec, const std::vector<AtomMeaning>& meanings) {
    if (spec.symmetry.empty()) return;
    for (const AtomMeaning& meaning : meanings)
        if (meaning.kind == AtomMeaning::Kind::enabled || meaning.kind == AtomMeaning::Kind::moved)
            throw Refusal{{support::diagnostic_about(
                              "--symmetry", "enabled(P) and moved(P) are about one process, which symmetries exchange",
                              "leave --symmetry out")},
                          support::StopReason::none};
}

}  // namespace tideline::run
