#include "run/spec.hpp"

#include <array>
#include <utility>

namespace tideline::run {
namespace {

template <class Enumeration>
struct Names;

template <>
struct Names<Task> {
    static constexpr std::array kAll{std::pair(Task::explore, "explore"), std::pair(Task::check, "check")};
};
template <>
struct Names<Engine> {
    static constexpr std::array kAll{std::pair(Engine::automatic, "auto"),
                                     std::pair(Engine::bfs, "bfs"),
                                     std::pair(Engine::dfs, "dfs"),
                                     std::pair(Engine::sweep, "sweep"),
                                     std::pair(Engine::sweep_basic, "sweep-basic"),
                                     std::pair(Engine::couvreur, "couvreur"),
                                     std::pair(Engine::graph, "graph"),
                                     std::pair(Engine::ndfs, "ndfs"),
                                     std::pair(Engine::map, "map"),
                                     std::pair(Engine::ltl_sweep_offline, "ltl-sweep-offline"),
                                     std::pair(Engine::ltl_sweep_online, "ltl-sweep-online"),
                                     std::pair(Engine::labelling, "labelling"),
                                     std::pair(Engine::prod, "prod"),
                                     std::pair(Engine::local, "local"),
                                     std::pair(Engine::ledger, "ledger"),
                                     std::pair(Engine::scc_ctl, "scc-ctl")};
};
template <>
struct Names<EngineVariant> {
    static constexpr std::array kAll{std::pair(EngineVariant::plain, "plain"), std::pair(EngineVariant::early, "early"),
                                     std::pair(EngineVariant::progress_graph, "progress-graph"),
                                     std::pair(EngineVariant::progress_order, "progress-order"),
                                     std::pair(EngineVariant::mpp2, "mpp2")};
};
template <>
struct Names<PropertyKind> {
    static constexpr std::array kAll{std::pair(PropertyKind::invariant, "invariant"),
                                     std::pair(PropertyKind::deadlock, "deadlock"),
                                     std::pair(PropertyKind::ltl, "ltl"),
                                     std::pair(PropertyKind::automaton, "automaton"),
                                     std::pair(PropertyKind::ctl, "ctl"),
                                     std::pair(PropertyKind::ctlstar, "ctlstar"),
                                     std::pair(PropertyKind::assertion, "assertion"),
                                     std::pair(PropertyKind::process, "process")};
};
template <>
struct Names<DeadlockReading> {
    static constexpr std::array kAll{std::pair(DeadlockReading::stutter, "stutter"),
                                     std::pair(DeadlockReading::finite, "finite"),
                                     std::pair(DeadlockReading::ignore, "ignore")};
};
template <>
struct Names<ProdOrder> {
    static constexpr std::array kAll{std::pair(ProdOrder::numbers, "numbers"),
                                     std::pair(ProdOrder::components, "components")};
};
template <>
struct Names<Fairness> {
    static constexpr std::array kAll{std::pair(Fairness::none, "none"), std::pair(Fairness::weak, "weak"),
                                     std::pair(Fairness::strong, "strong")};
};
template <>
struct Names<explore::Recorded> {
    static constexpr std::array kAll{std::pair(explore::Recorded::tree, "tree"),
                                     std::pair(explore::Recorded::labels, "labels"),
                                     std::pair(explore::Recorded::edges, "edges")};
};
template <>
struct Names<successor::Successors> {
    static constexpr std::array kAll{std::pair(successor::Successors::automatic, "auto"),
                                     std::pair(successor::Successors::native, "native"),
                                     std::pair(successor::Successors::interpret, "interpret")};
};
template <>
struct Names<SleepSets> {
    static constexpr std::array kAll{std::pair(SleepSets::automatic, "auto"), std::pair(SleepSets::none, "none")};
};
template <>
struct Names<StubbornSets> {
    static constexpr std::array kAll{std::pair(StubbornSets::none, "none"), std::pair(StubbornSets::automatic, "auto")};
};

template <class Enumeration>
std::string_view name_of(Enumeration value) {
    for (const auto& [each, name] : Names<Enumeration>::kAll)
        if (each == value) return name;
    return "unknown";
}

PropertySpec property_of(PropertyKind kind, std::string text, std::string name) {
    PropertySpec property;
    property.kind = kind;
    property.text = std::move(text);
    property.name = std::move(name);
    return property;
}

}  // namespace

PropertySpec invariant(std::string expression, std::string name) {
    return property_of(PropertyKind::invariant, std::move(expression), std::move(name));
}
PropertySpec no_deadlock(std::string name) { return property_of(PropertyKind::deadlock, "", std::move(name)); }
PropertySpec ltl(std::string formula, std::string name) {
    return property_of(PropertyKind::ltl, std::move(formula), std::move(name));
}
PropertySpec ctl(std::string formula, std::string name) {
    return property_of(PropertyKind::ctl, std::move(formula), std::move(name));
}
PropertySpec ctlstar(std::string formula, std::string name) {
    return property_of(PropertyKind::ctlstar, std::move(formula), std::move(name));
}

std::string_view to_string(Task task) { return name_of(task); }
std::string_view to_string(Engine engine) { return name_of(engine); }
std::string_view to_string(EngineVariant variant) { return name_of(variant); }
std::string_view to_string(PropertyKind kind) { return name_of(kind); }
std::string_view to_string(ProdOrder order) { return name_of(order); }
std::string_view to_string(explore::Recorded recorded) { return name_of(recorded); }
std::string_view to_string(successor::Successors successors) { return name_of(successors); }
std::string_view to_string(SleepSets sleep) { return name_of(sleep); }
std::string_view to_string(StubbornSets stubborn) { return name_of(stubborn); }

template <class Enumeration>
std::optional<Enumeration> named(std::string_view name) {
    for (const auto& [value, its] : Names<Enumeration>::kAll)
        if (name == its) return value;
    return std::nullopt;
}

template <class Enumeration>
std::string names_of() {
    const auto& all = Names<Enumeration>::kAll;
    std::string text;
    for (std::size_t i = 0; i < all.size(); ++i)
        text += (i == 0 ? "" : i + 1 < all.size() ? ", " : " or ") + std::string(all[i].second);
    return text;
}

template std::optional<Task> named(std::string_view);
template std::optional<Engine> named(std::string_view);
template std::optional<EngineVariant> named(std::string_view);
template std::optional<PropertyKind> named(std::string_view);
template std::optional<DeadlockReading> named(std::string_view);
template std::optional<ProdOrder> named(std::string_view);
template std::optional<Fairness> named(std::string_view);
template std::optional<explore::Recorded> named(std::string_view);
template std::optional<successor::Successors> named(std::string_view);
template std::optional<SleepSets> named(std::string_view);
template std::optional<StubbornSets> named(std::string_view);
template std::string names_of<Engine>();
template std::string names_of<EngineVariant>();
template std::string names_of<DeadlockReading>();
template std::string names_of<ProdOrder>();
template std::string names_of<Fairness>();
template std::string names_of<explore::Recorded>();
template std::string names_of<successor::Successors>();
template std::string names_of<SleepSets>();
template std::string names_of<StubbornSets>();

}  // namespace tideline::run
