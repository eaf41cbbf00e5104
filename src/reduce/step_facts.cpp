#include "reduce/step_facts.hpp"

#include <algorithm>
#include <set>

#include "model/footprint.hpp"

namespace tideline::reduce {
namespace {

// The value that an effect stores into the slot that holds atomic sequences together.
struct Hold {
    bool assigned = false;
    bool known = false;
    model::Value value = 0;
};

Hold hold_after(const model::Model& model, const model::Transition& transition) {
    Hold result;
    for (const model::Effect& effect : transition.effects) {
        const auto* assign = std::get_if<model::Assign>(&effect);
        if (assign == nullptr) continue;
        for (std::size_t i = 0; i < assign->targets.size(); ++i) {
            if (assign->targets[i].variable != *model.atomic) continue;
            const model::Expression& value = assign->values[i];
            result = {true, value.is_constant(), value.is_constant() ? value.constant_value() : 0};
        }
    }
    return result;
}

// What may be tried after a transition, inside an atomic sequence.
class Sequence {
public:
    explicit Sequence(const model::Model& model) : model_(model) {}

    std::vector<model::TransitionId> members(model::TransitionId first) {
        seen_.clear();
        members_ = {first};
        const Hold hold = hold_after(model_, model_.transitions[first]);
        if (hold.assigned) go_on(model_.transitions[first], hold);
        for (std::size_t i = 0; i < nodes_.size(); ++i) try_all(nodes_[i]);
        nodes_.clear();
        std::sort(members_.begin(), members_.end());
        members_.erase(std::unique(members_.begin(), members_.end()), members_.end());
        return members_;
    }

private:
    struct Node {
        model::ProcessId holder;
        model::Value location;
        friend auto operator<=>(const Node&, const Node&) = default;
    };

    void try_all(Node node) {
        const model::Process& process = model_.processes[node.holder];
        for (const model::TransitionId t : process.outgoing[static_cast<std::size_t>(node.location)]) {
            members_.push_back(t);
            Hold hold = hold_after(model_, model_.transitions[t]);
            if (!hold.assigned) hold = {true, true, static_cast<model::Value>(node.holder) + 1};
            go_on(model_.transitions[t], hold);
        }
    }

    void go_on(const model::Transition& after, Hold hold) {
        if (hold.known && hold.value == 0) return;
        for (model::ProcessId p = 0; p < model_.processes.size(); ++p) {
            if (hold.known && hold.value != static_cast<model::Value>(p) + 1) continue;
            const auto mover = std::find_if(after.participants.begin(), after.participants.end(),
                                            [&](const model::Participant& part) { return part.process == p; });
            const bool is_known = mover != after.participants.end() && !assigns_location(model_, after);
            const auto locations = static_cast<model::Value>(model_.processes[p].outgoing.size());
            for (model::Value at = is_known ? mover->to : 0; at < (is_known ? mover->to + 1 : locations); ++at)
                if (seen_.insert({p, at}).second) nodes_.push_back({p, at});
        }
    }

    const model::Model& model_;
    std::set<Node> seen_;
    std::vector<Node> nodes_;
    std::vector<model::TransitionId> members_;
};

void add_writes(const model::Model& model, const Facts& facts, const model::Transition& transition, BitRows& rows,
                std::size_t row) {
    for (const model::Participant& p : transition.participants) {
        if (p.from == p.to) continue;
        rows.set(row, facts.at(model, p.process, p.from));
        rows.set(row, facts.at(model, p.process, p.to));
    }
    model::Transition effects;
    effects.effects = transition.effects;
    for (const model::SlotRun run : model::runs_written(model, effects))
        for (model::SlotId i = 0; i < run.count; ++i) facts.add_slot(run.first + i, rows, row);
}

void add_effect_reads(const model::Model& model, const Facts& facts, const model::Effect& effect, BitRows& rows,
                      std::size_t row) {
    if (const auto* shift = std::get_if<model::Shift>(&effect)) {
        facts.add_reads(shift->first, rows, row);
        const model::Variable& variable = model.variables[shift->variable];
        for (model::SlotId i = 0; i < variable.slot_count(); ++i) facts.add_slot(variable.first_slot + i, rows, row);
    } else if (const auto* require = std::get_if<model::Require>(&effect)) {
        facts.add_reads(require->condition, rows, row);
    } else {
        const auto& assign = std::get<model::Assign>(effect);
        for (const model::Expression& value : assign.values) facts.add_reads(value, rows, row);
        for (const model::Target& target : assign.targets)
            if (target.index) facts.add_reads(*target.index, rows, row);
    }
}

void add_reads(const model::Model& model, const Facts& facts, const model::Transition& transition, BitRows& rows,
               std::size_t row) {
    for (const model::Participant& p : transition.participants) rows.set(row, facts.at(model, p.process, p.from));
    for (const model::Expression& guard : transition.guards) facts.add_reads(guard, rows, row);
    for (const model::Effect& effect : transition.effects) add_effect_reads(model, facts, effect, rows, row);
}

}  // namespace

Facts::Facts(const model::Model& model)
    : use_(model), first_(model.slot_count()), width_(model.slot_count(), 1), is_location_(model.slot_count(), false) {
    for (const model::Process& process : model.processes) {
        const model::SlotId slot = model.variables[process.location].first_slot;
        is_location_[slot] = true;
        width_[slot] = static_cast<std::uint32_t>(
            std::max<std::size_t>(process.outgoing.size(), model.variables[process.location].range.span() + 1));
    }
    if (model.atomic) width_[model.variables[*model.atomic].first_slot] = 0;
    for (model::SlotId slot = 0; slot < first_.size(); ++slot) {
        if (use_.channel_of(slot)) continue;
        first_[slot] = count_;
        count_ += width_[slot];
    }
    channels_ = count_;
    count_ += 2 * use_.channels();
    for (model::SlotId slot = 0; slot < first_.size(); ++slot) {
        const std::optional<std::uint32_t> channel = use_.channel_of(slot);
        if (!channel) continue;
        first_[slot] = front(*channel);
        width_[slot] = 2;
    }
}

void Facts::add_slot(model::SlotId slot, BitRows& rows, std::size_t row) const {
    for (std::uint32_t i = 0; i < width_[slot]; ++i) rows.set(row, first_[slot] + i);
}

void Facts::add_reads(const model::Expression& expression, BitRows& rows, std::size_t row) const {
    const std::vector<model::Instruction>& code = expression.code();
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].op == model::Op::load_element) {
            for (model::SlotId e = 0; e < static_cast<model::SlotId>(code[i].value); ++e)
                add_slot(code[i].argument + e, rows, row);
        } else if (code[i].op == model::Op::load) {
            // Nothing can jump between the operands such that another value than the slot's meets another than the
            // constant.
            const bool is_compared = i + 2 < code.size() && code[i + 1].op == model::Op::constant &&
                                     (code[i + 2].op == model::Op::equal || code[i + 2].op == model::Op::not_equal);
            if (!is_compared || !is_location_[code[i].argument]) add_slot(code[i].argument, rows, row);
            else if (code[i + 1].value >= 0 && code[i + 1].value < width_[code[i].argument])
                rows.set(row, first_[code[i].argument] + static_cast<std::size_t>(code[i + 1].value));
        }
    }
}

bool assigns_location(const model::Model& model, const model::Transition& transition) {
    return std::any_of(transition.effects.begin(), transition.effects.end(), [&](const model::Effect& effect) {
        const auto* assign = std::get_if<model::Assign>(&effect);
        return assign != nullptr &&
               std::any_of(assign->targets.begin(), assign->targets.end(), [&](const model::Target& target) {
                   return model.variables[target.variable].kind == model::Variable::Kind::location;
               });
    });
}

StepFacts step_facts(const model::Model& model, const Facts& facts) {
    const std::size_t count = model.transitions.size();
    BitRows own_reads(count, facts.count());
    BitRows own_writes(count, facts.count());
    StepFacts result;
    result.members.resize(count);
    for (std::size_t t = 0; t < count; ++t) {
        add_reads(model, facts, model.transitions[t], own_reads, t);
        add_writes(model, facts, model.transitions[t], own_writes, t);
        result.members[t] = {static_cast<model::TransitionId>(t)};
        if (const auto& use = facts.channel_use().use(static_cast<model::TransitionId>(t))) {
            const std::size_t front = facts.front(use->channel);
            const bool sends = use->kind == ChannelUse::Kind::send;
            for (BitRows* rows : {&own_reads, &own_writes}) rows->reset(t, sends ? front : front + 1);
        }
    }
    result.reads = own_reads;
    result.writes = own_writes;
    if (!model.atomic) return result;
    Sequence sequence(model);
    for (std::size_t t = 0; t < count; ++t) {
        result.members[t] = sequence.members(static_cast<model::TransitionId>(t));
        for (const model::TransitionId member : result.members[t]) {
            result.reads.add(t, own_reads, member);
            result.writes.add(t, own_writes, member);
        }
    }
    return result;
}

}  // namespace tideline::reduce
