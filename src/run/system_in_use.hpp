// The systems that a run searches: the one that was loaded, ordered by a measure, times the automaton of a property
// where there is one, and with the run's cut-off. All systems of a run are made here: a notice about them is given
// once.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reduce/cut_off_system.hpp"
#include "run/linear_product.hpp"
#include "run/linear_property.hpp"
#include "run/loaded_system.hpp"
#include "run/measure_in_use.hpp"
#include "run/sink.hpp"
#include "run/spec.hpp"
#include "support/budget.hpp"

namespace tideline::run {

class SystemInUse {
public:
    // All must outlive this.
    SystemInUse(const LoadedSystem& loaded, const RunSpec& spec, Sink& sink, const support::Budget& budget);

    // The systems that follow are products with this automaton, or with this monitor; null: they are none.
    void multiply_with(std::unique_ptr<LinearProperty> property, bool is_monitor = false);
    [[nodiscard]] const LinearProperty* product() const { return product_.get(); }
    // With the monitor in use: two where the search changed over.
    [[nodiscard]] const std::vector<LinearProduct>& monitor_products() const { return monitor_products_; }

    [[nodiscard]] const MeasureInUse& measure() const { return measure_; }
    void use_measure(progress::Measure measure) { measure_.use(std::move(measure)); }
    // Throws Refusal where the text is no measure of the model.
    void use_measure(const std::string& text);

    // Null: every state is expanded.
    [[nodiscard]] reduce::CutOff* cut_off() { return cut_off_.get(); }

    // `by_measure`: what searches it goes by the measure in use. `layout`: that of the system without an automaton.
    // `preferred`: how successors are computed, unless the user has said it.
    [[nodiscard]] std::shared_ptr<const successor::System> make(
        std::vector<model::Expression> labels, bool by_measure, std::optional<successor::Layout> layout,
        successor::Successors preferred = successor::Successors::automatic);
    // The same of any system of the run, without automaton and cut-off. `measure` null: the system's own.
    [[nodiscard]] std::shared_ptr<const successor::System> make_plain(
        const LoadedSystem& system, std::vector<model::Expression> labels, const progress::Measure* measure,
        std::optional<successor::Layout> layout, successor::Successors preferred = successor::Successors::automatic);
    // The layout that make() takes, from that of a system that it has made.
    [[nodiscard]] successor::Layout layout_without_product(const successor::Layout& layout) const;

private:
    [[nodiscard]] const model::Model& model() const { return *loaded_.names; }

    const LoadedSystem& loaded_;
    const RunSpec& spec_;
    Sink& sink_;
    const support::Budget& budget_;
    std::unique_ptr<LinearProperty> product_;
    bool is_monitor_ = false;
    std::vector<LinearProduct> monitor_products_;
    MeasureInUse measure_;
    std::shared_ptr<reduce::CutOff> cut_off_;
    std::set<std::string> given_notices_;
};

// The layout of a system in that of its product, whose last slot is the automaton's state.
[[nodiscard]] successor::Layout without_last_slot(const successor::Layout& layout, model::SlotId slots);

}  // namespace tideline::run
