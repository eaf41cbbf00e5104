// A run whose searches are reduced by the symmetries of its model: every system that is made for it is one of
// representatives (reduce/symmetric_system.hpp), so that no engine needs to know.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reduce/symmetry_group.hpp"
#include "run/formula_atoms.hpp"
#include "run/loaded_system.hpp"
#include "run/run_report.hpp"
#include "run/sink.hpp"

namespace tideline::run {

class SymmetricInput {
public:
    // Throws a Refusal where the processes that were named cannot be exchanged. The input must outlive this.
    SymmetricInput(const LoadedInput& input, const RunSpec& spec, Sink& sink, const support::Budget& budget);

    // The input itself where no symmetry was asked for.
    [[nodiscard]] const LoadedInput& input() const { return reduced_ ? *reduced_ : *plain_; }
    // Nothing where no symmetry was asked for.
    [[nodiscard]] std::optional<SymmetryReport> report() const;

private:
    // What is known of one of the systems.
    struct Reduction {
        std::shared_ptr<const reduce::SymmetryGroup> group;  // null: of a class in C++
        std::shared_ptr<std::atomic<bool>> has_ambiguous = std::make_shared<std::atomic<bool>>(false);
        std::atomic<bool> is_used{false};
        std::atomic<bool> is_measure_changed{false};
    };
    void reduce(LoadedSystem& system);
    void reduce_program(LoadedSystem& system);

    const LoadedInput* plain_;
    const RunSpec& spec_;
    Sink& sink_;
    const support::Budget& budget_;
    std::optional<LoadedInput> reduced_;
    std::vector<std::shared_ptr<Reduction>> reductions_;
};

// Throws a Refusal where a property that is decided on representatives speaks of a process by its steps.
void refuse_step_atoms(const RunSpec& spec, const std::vector<AtomMeaning>& meanings);

}  // namespace tideline::run
