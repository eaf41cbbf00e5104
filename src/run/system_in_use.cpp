#include "run/system_in_use.hpp"

#include <utility>

#include "automata/system_product.hpp"
#include "model/parse_expression.hpp"
#include "run/refusal.hpp"

namespace tideline::run {

SystemInUse::SystemInUse(const LoadedSystem& loaded, const RunSpec& spec, Sink& sink, const support::Budget& budget)
    : loaded_(loaded),
      spec_(spec),
      sink_(sink),
      budget_(budget),
      measure_(loaded, nullptr),
      cut_off_(spec.cut_off.empty() ? nullptr : std::make_shared<reduce::CutOff>()) {}

void SystemInUse::multiply_with(std::unique_ptr<LinearProperty> property, bool is_monitor) {
    product_ = std::move(property);
    is_monitor_ = is_monitor;
    monitor_products_.clear();
    measure_ = MeasureInUse(loaded_, product_ ? &product_->automaton : nullptr);
}

void SystemInUse::use_measure(const std::string& text) {
    support::Result<progress::Measure> measure = progress::parse_measure(model(), text);
    if (!measure) throw Refusal{std::move(measure).diagnostics(), support::StopReason::none};
    measure_.use(*std::move(measure));
}

std::shared_ptr<const successor::System> SystemInUse::make_plain(const LoadedSystem& system,
                                                                 std::vector<model::Expression> labels,
                                                                 const progress::Measure* measure,
                                                                 std::optional<successor::Layout> layout,
                                                                 successor::Successors preferred) {
    std::string notice;
    const bool is_free = spec_.successors == successor::Successors::automatic;
    std::shared_ptr<const successor::System> made = system.make_system(
        std::move(labels), measure, is_free ? preferred : spec_.successors, std::move(layout), budget_, notice);
    if (!notice.empty() && (!is_free || preferred == spec_.successors) && given_notices_.insert(notice).second)
        sink_.notice(notice);
    return made;
}

std::shared_ptr<const successor::System> SystemInUse::make(std::vector<model::Expression> labels, bool by_measure,
                                                           std::optional<successor::Layout> layout,
                                                           successor::Successors preferred) {
    const progress::Measure none;
    const MakeSystem plain = [&](std::vector<model::Expression> all) {
        if (cut_off_) all.push_back(*model::parse_expression(model(), support::SourceText("", spec_.cut_off)));
        std::shared_ptr<const successor::System> system =
            make_plain(loaded_, std::move(all), by_measure ? measure_.given() : &none, std::move(layout), preferred);
        return cut_off_ ? reduce::make_cut_off(std::move(system), cut_off_) : system;
    };
    if (!product_) return plain(std::move(labels));
    automata::ProductSettings settings;
    if (by_measure && measure_.has_rank()) settings.rank = automata::RankPlace::first;
    if (by_measure) settings.key_bits = measure_.key_bits();
    settings.is_monitor = is_monitor_;
    LinearProduct product =
        linear_product(*product_, spec_, model(), std::move(labels), plain, FairnessBy::marks, settings);
    if (is_monitor_) monitor_products_.push_back(product);
    return product.system;
}

successor::Layout SystemInUse::layout_without_product(const successor::Layout& layout) const {
    return product_ ? without_last_slot(layout, model().slot_count()) : layout;
}

successor::Layout without_last_slot(const successor::Layout& layout, model::SlotId slots) {
    std::vector<model::Range> ranges;
    for (model::SlotId slot = 0; slot < slots; ++slot) ranges.push_back(layout.range(slot));
    return successor::Layout(std::move(ranges));
}

}  // namespace tideline::run
