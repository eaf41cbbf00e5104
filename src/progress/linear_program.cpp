#include "progress/linear_program.hpp"

#include <coin/ClpEventHandler.hpp>
#include <coin/ClpSimplex.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "progress/certificate.hpp"
#include "progress/effects.hpp"

namespace tideline::progress {
namespace {

// Ends the solver where the budget does: it reports every iteration, and factorisations in between.
class BudgetEvents final : public ClpEventHandler {
public:
    explicit BudgetEvents(const support::Budget& budget) : budget_(&budget) {}
    [[nodiscard]] ClpEventHandler* clone() const override {
        return new BudgetEvents(*this);
    }  // the solver owns its copy

    int event(Event /*which*/) override {
        constexpr auto kLook = std::chrono::milliseconds(20);
        const support::Budget::Clock::time_point now = support::Budget::Clock::now();
        if (now < next_) return kContinue;
        next_ = now + kLook;
        return budget_->is_exhausted() ? kStop : kContinue;
    }

private:
    static constexpr int kContinue = -1;
    static constexpr int kStop = 0;
    const support::Budget* budget_;
    support::Budget::Clock::time_point next_{};
};

constexpr std::size_t kMostComponents = 6;
constexpr int kMostIterations = 20'000;
constexpr std::size_t kMostEntries = 400'000;  // of the matrix
constexpr std::size_t kBytesPerEntry = 100;    // what the solver takes beside the matrix: its copy, and factors
constexpr int kMostColumns = 4'000;
constexpr double kLargestFactor = 1e4;

// The change of the slots that a transition writes, where that is bounded.
struct Changes {
    std::map<model::SlotId, model::Range> of_slots;
    std::vector<std::pair<model::SlotId, model::Range>> of_locations;  // from and to
    bool is_possible = true;
};

Changes changes_by(const model::Model& model, const model::Transition& transition) {
    Changes changes;
    const std::optional<Slots> after = slots_after(model, transition, [](model::SlotId) { return false; });
    const EnabledRanges enabled(model, transition);
    std::set<model::SlotId> locations;
    for (const model::Participant& p : transition.participants) {
        const model::SlotId slot = model.variables[model.processes[p.process].location].first_slot;
        locations.insert(slot);
        if (p.from != p.to) changes.of_locations.emplace_back(slot, model::Range{p.from, p.to});
    }
    for (const auto& [slot, form] : *after) {
        if (locations.contains(slot)) continue;
        const std::optional<model::Range> change =
            enabled.of(added(form, scaled(Form{{{Atom{slot, Atom::Kind::slot, 0, 0}, 1}}, {0, 0}}, -1)));
        if (!change) changes.is_possible = false;
        else if (*change != model::Range{0, 0}) changes.of_slots[slot] = *change;
    }
    return changes;
}

// Columns of the program: a weight per location, two factors (up and down) per slot.
class Program {
public:
    Program(const model::Model& model, const std::vector<Changes>& changes, LinearFeatures features)
        : model_(model), changes_(changes) {
        if (features.locations) {
            for (model::ProcessId p = 0; p < model.processes.size(); ++p) {
                const model::Variable& variable = model.variables[model.processes[p].location];
                locations_[variable.first_slot] = {p, columns_};
                columns_ += static_cast<int>(variable.range.high + 1);
            }
        }
        if (!features.slots) return;
        std::set<model::SlotId> written;
        for (const Changes& each : changes)
            for (const auto& [slot, range] : each.of_slots) written.insert(slot);
        for (const model::SlotId slot : written) {
            factors_[slot] = columns_;
            columns_ += 2;
        }
    }

    // The best component for the transitions that are left; nothing where the solver finds none.
    [[nodiscard]] std::optional<std::vector<double>> solve(const std::vector<bool>& is_left,
                                                           const std::vector<double>& weights,
                                                           const support::Budget& budget) const {
        // Transitions that do the same share a row.
        std::map<std::vector<std::pair<int, double>>, double> rows;
        std::size_t entries = 0;
        for (std::size_t t = 0; t < changes_.size(); ++t) {
            if (!is_left[t]) continue;
            const auto [entry, is_new] = rows.try_emplace(row(changes_[t]), 0);
            entry->second += weights[t];
            if (is_new) entries += entry->first.size();
            if (entries > kMostEntries) return std::nullopt;
        }
        if (rows.empty() || columns_ == 0 || columns_ > kMostColumns) return std::nullopt;
        // One more column per row: by how much, up to 1, the row is increased.
        const int all_columns = columns_ + static_cast<int>(rows.size());
        std::vector<std::vector<std::pair<int, double>>> by_column(static_cast<std::size_t>(all_columns));
        std::vector<double> objective(static_cast<std::size_t>(all_columns), -1e-5);  // small factors are preferred
        std::vector<double> upper(static_cast<std::size_t>(all_columns), kLargestFactor);
        int number = 0;
        for (const auto& [entries_of_row, weight] : rows) {
            for (const auto& [column, value] : entries_of_row)
                by_column[static_cast<std::size_t>(column)].emplace_back(number, value);
            const auto gain = static_cast<std::size_t>(columns_ + number);
            by_column[gain].emplace_back(number, -1.0);
            objective[gain] = weight;
            upper[gain] = 1;
            ++number;
        }
        std::vector<CoinBigIndex> starts{0};
        std::vector<int> index;
        std::vector<double> value;
        for (const auto& column : by_column) {
            for (const auto& [r, v] : column) {
                index.push_back(r);
                value.push_back(v);
            }
            starts.push_back(static_cast<CoinBigIndex>(index.size()));
        }
        const std::vector<double> zero(static_cast<std::size_t>(all_columns), 0.0);
        const std::vector<double> row_low(rows.size(), 0.0);
        const std::vector<double> row_high(rows.size(), std::numeric_limits<double>::max());
        if (!budget.allows(kBytesPerEntry * index.size())) return std::nullopt;
        ClpSimplex solver;
        solver.setLogLevel(0);
        solver.setMaximumIterations(kMostIterations);
        solver.setOptimizationDirection(-1);
        solver.loadProblem(all_columns, number, starts.data(), index.data(), value.data(), zero.data(), upper.data(),
                           objective.data(), row_low.data(), row_high.data());
        const BudgetEvents events(budget);
        solver.passInEventHandler(&events);
        solver.primal(0);
        if (solver.status() != 0) return std::nullopt;
        const double* solution = solver.primalColumnSolution();
        return std::vector<double>(solution, solution + columns_);
    }

    // The solution with all numbers multiplied and rounded.
    [[nodiscard]] LinearComponent rounded(const std::vector<double>& solution, double multiplier) const {
        LinearComponent result;
        const auto whole = [&](int column) {
            return static_cast<model::Value>(std::llround(solution[static_cast<std::size_t>(column)] * multiplier));
        };
        for (const auto& [slot, columns] : locations_) {
            const model::Variable& variable = model_.variables[model_.processes[columns.first].location];
            std::vector<model::Value> weights;
            for (model::Value location = 0; location <= variable.range.high; ++location)
                weights.push_back(whole(columns.second + static_cast<int>(location)));
            const model::Value least = *std::min_element(weights.begin(), weights.end());
            for (model::Value& weight : weights) weight -= least;
            if (std::any_of(weights.begin(), weights.end(), [](model::Value weight) { return weight != 0; }))
                result.weights[slot] = std::move(weights);
        }
        for (const auto& [slot, column] : factors_)
            if (const model::Value factor = whole(column) - whole(column + 1); factor != 0)
                result.factors[slot] = factor;
        return result;
    }

private:
    [[nodiscard]] std::vector<std::pair<int, double>> row(const Changes& changes) const {
        std::map<int, double> entries;
        for (const auto& [slot, move] : changes.of_locations) {
            const auto found = locations_.find(slot);
            if (found == locations_.end()) continue;
            entries[found->second.second + static_cast<int>(move.high)] += 1;
            entries[found->second.second + static_cast<int>(move.low)] -= 1;
        }
        for (const auto& [slot, range] : changes.of_slots) {
            const auto found = factors_.find(slot);
            if (found == factors_.end()) continue;
            entries[found->second] = static_cast<double>(range.low);
            entries[found->second + 1] = -static_cast<double>(range.high);
        }
        return {entries.begin(), entries.end()};
    }

    const model::Model& model_;
    const std::vector<Changes>& changes_;
    std::map<model::SlotId, std::pair<model::ProcessId, int>> locations_;
    std::map<model::SlotId, int> factors_;
    int columns_ = 0;
};

bool is_whole(const std::vector<double>& solution, double multiplier) {
    return std::all_of(solution.begin(), solution.end(), [&](double x) {
        return std::abs(x * multiplier - std::round(x * multiplier)) < 1e-6 * multiplier;
    });
}

}  // namespace

std::vector<LinearComponent> monotonic_chain(const model::Model& model, const std::vector<double>& weights,
                                             LinearFeatures features, const support::Budget& budget) {
    std::vector<LinearComponent> chain;
    if (model.composition != model::Composition::interleaving || model.atomic) return chain;
    try {
        std::vector<Changes> changes;
        support::BudgetPoll poll(budget, 256);
        for (const model::Transition& transition : model.transitions) {
            if (poll.is_exhausted()) return chain;
            changes.push_back(changes_by(model, transition));
        }
        std::vector<bool> is_left;
        for (const Changes& each : changes) is_left.push_back(each.is_possible);
        model::Model extended = model.without_transitions();
        std::vector<model::Expression> expressions;
        while (chain.size() < kMostComponents && !budget.is_exhausted()) {
            // Slots whose changes are unknown only in transitions that are done are free again: the program is built
            // again.
            const Program program(model, changes, features);
            const std::optional<std::vector<double>> solution = program.solve(is_left, weights, budget);
            if (!solution) break;
            double multiplier = 1;
            while (multiplier <= 12 && !is_whole(*solution, multiplier)) ++multiplier;
            const LinearComponent component = program.rounded(*solution, multiplier <= 12 ? multiplier : 5040);
            if (component.empty()) break;
            Component built = to_component(model, component, static_cast<model::TableId>(extended.tables.size()));
            extended.tables.insert(extended.tables.end(), built.tables.begin(), built.tables.end());
            expressions.push_back(built.expression);
            if (monotonic_components(extended, model.transitions, expressions, budget) < expressions.size()) break;
            bool some_grow = false;
            for (std::size_t t = 0; t < changes.size(); ++t) {
                if (!is_left[t]) continue;
                const std::optional<model::Range> change = change_by(extended, model.transitions[t], built.expression);
                if (!change || change->low <= 0) continue;
                is_left[t] = false;
                some_grow = true;
            }
            if (!some_grow) break;
            chain.push_back(component);
        }
    } catch (const NumberTooLarge&) {
        return chain;
    }
    return chain;
}

}  // namespace tideline::progress
