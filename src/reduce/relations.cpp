#include "reduce/relations.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "reduce/cycle_breaking.hpp"
#include "reduce/may_fault.hpp"
#include "reduce/step_facts.hpp"

namespace tideline::reduce {
namespace {

constexpr std::size_t kMostTransitions = 16'384;
constexpr std::size_t kMostFacts = std::size_t{1} << 32U;  // bits of all footprints

bool leaves_committed(const model::Model& model, const model::Participant& p) {
    const std::vector<bool>& committed = model.processes[p.process].committed;
    return !committed.empty() && committed[static_cast<std::size_t>(p.from)];
}

bool enters_committed(const model::Model& model, const model::Transition& transition) {
    return std::any_of(transition.participants.begin(), transition.participants.end(),
                       [&](const model::Participant& p) {
                           const std::vector<bool>& committed = model.processes[p.process].committed;
                           return !committed.empty() && committed[static_cast<std::size_t>(p.to)];
                       });
}

class Builder {
public:
    Builder(const model::Model& model, std::span<const model::Expression> labels)
        : model_(model), facts_(model), steps_(step_facts(model, facts_)) {
        result_.count = model.transitions.size();
        find_committed();
        find_low();
        find_visible(labels);
        find_users();
        find_dependent();
        find_enabling();
        find_cared();
    }

    Relations result() && { return std::move(result_); }

private:
    [[nodiscard]] std::size_t count() const { return result_.count; }

    void find_committed() {
        enters_.resize(count());
        leaving_ = BitRows(1, count());
        for (std::size_t t = 0; t < count(); ++t) {
            const model::Transition& transition = model_.transitions[t];
            enters_[t] = std::any_of(steps_.members[t].begin(), steps_.members[t].end(), [&](model::TransitionId m) {
                return enters_committed(model_, model_.transitions[m]);
            });
            if (std::any_of(transition.participants.begin(), transition.participants.end(),
                            [&](const model::Participant& p) { return leaves_committed(model_, p); }))
                leaving_.set(0, t);
        }
    }

    void find_low() {
        int highest = 0;
        for (const model::Transition& transition : model_.transitions)
            highest = &transition == &model_.transitions.front() ? transition.priority
                                                                 : std::max(highest, transition.priority);
        result_.low.resize(count());
        if (!model_.has_priorities) return;
        for (std::size_t t = 0; t < count(); ++t) {
            result_.low[t] = model_.transitions[t].priority < highest;
            result_.has_low = result_.has_low || result_.low[t];
        }
    }

    void find_visible(std::span<const model::Expression> labels) {
        BitRows seen(1, facts_.count());
        for (const model::Expression& label : labels) facts_.add_reads(label, seen, 0);
        result_.visible = BitRows(1, count());
        for (std::size_t t = 0; t < count(); ++t)
            if (steps_.writes.meets(t, seen, 0)) result_.visible.set(0, t);
    }

    // Who reads and who writes a fact.
    void find_users() {
        readers_ = writers_ = BitRows(facts_.count(), count());
        for_each(steps_.reads, [&](std::size_t t, std::size_t fact) { readers_.set(fact, t); });
        for_each(steps_.writes, [&](std::size_t t, std::size_t fact) { writers_.set(fact, t); });
        for (std::size_t t = 0; t < count(); ++t) {
            for (const model::Participant& p : model_.transitions[t].participants) {
                const auto fact = facts_.at(model_, p.process, p.from);
                places_.emplace(fact, static_cast<std::uint32_t>(places_.size()));
            }
        }
        there_ = BitRows(places_.size(), count());
        moving_ = BitRows(model_.processes.size(), count());
        for (std::size_t t = 0; t < count(); ++t) {
            for (const model::Participant& p : model_.transitions[t].participants) {
                there_.set(place(p), t);
                moving_.set(p.process, t);
            }
        }
    }

    template <class Visitor>
    void for_each(const BitRows& rows, Visitor visit) const {
        for (std::size_t t = 0; t < count(); ++t)
            for (std::size_t w = 0; w < rows.stride(); ++w)
                for (std::uint64_t rest = rows.row(t)[w]; rest != 0; rest &= rest - 1)
                    visit(t, w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    }

    [[nodiscard]] std::uint32_t place(const model::Participant& p) const {
        return places_.at(facts_.at(model_, p.process, p.from));
    }

    void find_dependent() {
        BitRows& needs = result_.dependent = BitRows(count(), count());
        for_each(steps_.writes, [&](std::size_t t, std::size_t fact) {
            needs.add(t, readers_, fact);
            needs.add(t, writers_, fact);
        });
        for_each(steps_.reads, [&](std::size_t t, std::size_t fact) { needs.add(t, writers_, fact); });
        BitRows committed(2, count());  // those that enter committed locations; those that do not leave one
        for (std::size_t t = 0; t < count(); ++t) {
            if (enters_[t]) committed.set(0, t);
            if (!model_.transitions[t].committed) committed.set(1, t);
        }
        for (std::size_t t = 0; t < count(); ++t) {
            if (enters_[t]) needs.add(t, committed, 1);
            if (!model_.transitions[t].committed) needs.add(t, committed, 0);
            // What needs a process elsewhere.
            for (const model::Participant& p : model_.transitions[t].participants)
                for (std::size_t w = 0; w < needs.stride(); ++w)
                    needs.row(t)[w] &= ~moving_.row(p.process)[w] | there_.row(place(p))[w];
            needs.reset(t, t);
        }
    }

    // The row of what brings a process to a location. A single transition that leaves it does not.
    std::uint32_t location_row(const model::Participant& p) {
        const std::size_t fact = facts_.at(model_, p.process, p.from);
        const auto [found, is_new] = location_rows_.emplace(fact, static_cast<std::uint32_t>(rows_.size()));
        if (!is_new) return found->second;
        BitRows& row = rows_.emplace_back(1, count());
        row.add(0, writers_, fact);
        for (std::size_t t = 0; t < count(); ++t)
            if (there_.has(place(p), t) && steps_.members[t].size() == 1 &&
                !assigns_location(model_, model_.transitions[t]))
                row.reset(0, t);
        return found->second;
    }

    std::uint32_t guard_row(const model::Expression& guard, std::size_t t) {
        BitRows read(1, facts_.count());
        facts_.add_reads(guard, read, 0);
        // Room for a message is made by receives.
        const auto& use = facts_.channel_use().use(static_cast<model::TransitionId>(t));
        if (use && use->kind == ChannelUse::Kind::send) read.reset(0, facts_.front(use->channel) + 1);
        std::vector<std::uint64_t> words(read.row(0), read.row(0) + read.stride());
        const auto [found, is_new] = guard_rows_.emplace(std::move(words), static_cast<std::uint32_t>(rows_.size()));
        if (!is_new) return found->second;
        BitRows& row = rows_.emplace_back(1, count());
        for (std::size_t fact = 0; fact < facts_.count(); ++fact)
            if (read.has(0, fact)) row.add(0, writers_, fact);
        return found->second;
    }

    void find_enabling() {
        rows_.push_back(leaving_);
        for (std::size_t t = 0; t < count(); ++t) {
            const std::size_t first = result_.conditions.size();
            result_.first_condition.push_back(static_cast<std::uint32_t>(first));
            const model::Transition& transition = model_.transitions[t];
            for (const model::Participant& p : transition.participants)
                result_.conditions.push_back({location_row(p), Relations::kLocation,
                                              model_.variables[model_.processes[p.process].location].first_slot,
                                              p.from});
            for (std::uint32_t g = 0; g < transition.guards.size(); ++g)
                result_.conditions.push_back({guard_row(transition.guards[g], t), g, 0, 0});
            std::stable_sort(result_.conditions.begin() + static_cast<std::ptrdiff_t>(first), result_.conditions.end(),
                             [&](const Relations::Condition& a, const Relations::Condition& b) {
                                 return rows_[a.enabling].count(0) < rows_[b.enabling].count(0);
                             });
        }
        result_.first_condition.push_back(static_cast<std::uint32_t>(result_.conditions.size()));
        result_.enabling = BitRows(rows_.size(), count());
        for (std::size_t row = 0; row < rows_.size(); ++row) result_.enabling.add(row, rows_[row], 0);
    }

    // Those that depend on little should rather not be sticky: sets that begin with them are small.
    [[nodiscard]] std::vector<model::TransitionId> preference() const {
        std::vector<std::size_t> weight(count());
        for (std::size_t t = 0; t < count(); ++t)
            weight[t] = result_.dependent.count(t) + (result_.visible.has(0, t) ? count() : 0);
        std::vector<model::TransitionId> order(count());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](model::TransitionId a, model::TransitionId b) { return weight[a] < weight[b]; });
        return order;
    }

    void find_cared() {
        result_.sticky = sticky_transitions(model_, steps_, preference());
        const std::vector<bool> single = may_fault(model_);
        result_.faulty = BitRows(1, count());
        for (std::size_t t = 0; t < count(); ++t)
            if (std::any_of(steps_.members[t].begin(), steps_.members[t].end(),
                            [&](model::TransitionId member) { return single[member]; }))
                result_.faulty.set(0, t);
    }

    const model::Model& model_;
    Facts facts_;
    StepFacts steps_;
    std::vector<bool> enters_;  // by transition: a committed location
    BitRows leaving_;           // one row: transitions that leave a committed location
    BitRows readers_;           // by fact: transitions
    BitRows writers_;
    std::map<std::size_t, std::uint32_t> places_;         // a fact that a process is in a location: a row of there_
    BitRows there_;                                       // transitions with a participant in that location
    std::vector<BitRows> rows_;                           // of Relations::enabling
    std::map<std::size_t, std::uint32_t> location_rows_;  // by fact
    std::map<std::vector<std::uint64_t>, std::uint32_t> guard_rows_;  // by the facts that are read
    BitRows moving_;  // by process: transitions with it as a participant
    Relations result_;
};

}  // namespace

std::string_view irreducible(const model::Model& model) {
    if (model.composition == model::Composition::lockstep) return "all processes move at once in a synchronous system";
    if (model.observer) return "a property process moves with every step";
    if (model.is_explicit_graph()) return "an explicit graph has one process, whose transitions depend on each other";
    if (model.transitions.size() > kMostTransitions) return "the model has too many transitions to compare all pairs";
    if (model.transitions.size() * (model.slot_count() + 64) > kMostFacts)
        return "the model has too many transitions and variables to compare all pairs";
    return "";
}

Relations basic_relations(std::shared_ptr<const model::Model> model, std::span<const model::Expression> labels) {
    Relations result = Builder(*model, labels).result();
    result.model = std::move(model);
    return result;
}

Relations with_conditions(Relations relations) {
    BitRows cared = relations.visible;
    cared.add(0, relations.faulty, 0);
    relations.needs = relations.dependent;
    relations.lone.resize(relations.count);
    for (std::size_t t = 0; t < relations.count; ++t) {
        const bool is_visible = relations.visible.has(0, t);
        if (is_visible) relations.needs.add(t, relations.visible, 0);
        if (relations.sticky[t]) relations.needs.add(t, cared, 0);
        relations.lone[t] = !relations.sticky[t] && !is_visible;
    }
    return relations;
}

}  // namespace tideline::reduce
