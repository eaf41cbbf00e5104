#include "reduce/model_graph.hpp"

#include <algorithm>

namespace tideline::reduce {

using model::Op;

class ModelGraph::Builder {
public:
    explicit Builder(ModelGraph& made)
        : made_(made), model_(made.model_), domains_(made.domains_), graph_(made.graph_) {}

    void run() {
        find_used_slots();
        add_domains();
        add_processes();
        add_variables();
        for (model::TransitionId t = 0; t < model_.transitions.size(); ++t) {
            if (graph_.size() > kMostNodes) {
                made_.is_too_large_ = true;
                return;
            }
            add_transition(t);
        }
    }

private:
    // What nothing reads or writes never changes: it need not move, and would add symmetries that exchange nothing.
    void find_used_slots() {
        is_used_.resize(model_.slot_count(), false);
        const auto use = [this](model::VariableId v) {
            for (std::uint32_t i = 0; i < model_.variables[v].slot_count(); ++i)
                is_used_[model_.variables[v].first_slot + i] = true;
        };
        for (const model::Process& process : model_.processes) use(process.location);
        for (model::VariableId v = 0; v < model_.variables.size(); ++v)
            if (domains_.is_indexed[v] || model_.atomic == v) use(v);
        for (const TermTransition& transition : domains_.transitions) {
            for (const Term& guard : transition.guards) use_slots_of(guard);
            for (const TermEffect& effect : transition.effects) {
                if (const auto* require = std::get_if<TermRequire>(&effect)) use_slots_of(require->condition);
                const auto* assign = std::get_if<TermAssign>(&effect);
                if (assign == nullptr) continue;
                for (const TermAssign::To& to : assign->targets) {
                    const model::SlotId first = model_.variables[to.variable].first_slot;
                    if (!to.index) is_used_[first] = true;
                    else if (is_element(to)) is_used_[first + static_cast<model::SlotId>(to.index->value)] = true;
                }
                for (const Term& value : assign->values) use_slots_of(value);
            }
        }
    }
    void use_slots_of(const Term& term) {
        if (term.op == Op::load) is_used_[term.argument] = true;
        for (const Term& operand : term.operands) use_slots_of(operand);
    }
    // Whether the target is a slot that is known.
    [[nodiscard]] bool is_element(const TermAssign::To& to) const {
        return to.index->is_constant() && to.index->value >= 0 &&
               to.index->value < model_.variables[to.variable].slot_count();
    }

    void add_domains() {
        made_.values_.resize(domains_.members.size());
        for (DomainId d = 0; d < domains_.members.size(); ++d) {
            made_.domain_nodes_.push_back(graph_.add(d == kNumbers ? "numbers" : "domain"));
            for (std::size_t i = 0; i < domains_.members[d].size(); ++i) {
                made_.values_[d].push_back(graph_.add("value"));
                graph_.connect(made_.values_[d].back(), made_.domain_nodes_[d]);
            }
        }
    }

    void add_processes() {
        for (model::ProcessId p = 0; p < model_.processes.size(); ++p)
            made_.processes_.push_back(graph_.add(model_.observer == p ? "observer" : "process"));
        if (!model_.atomic) return;
        const DomainId domain = domains_.of_variable[*model_.atomic];
        for (model::ProcessId p = 0; p < model_.processes.size(); ++p)
            by_way_of("atomic", made_.processes_[p], domain, model::Value{p} + 1);
    }

    // A value as it occurs at a node: a number is part of a colour, a name is a node of its domain.
    void by_way_of(const std::string& what, Node node, DomainId domain, model::Value value) {
        const std::optional<std::size_t> member = domains_.member(domain, value);
        const Node way = graph_.add(member ? what : what + ' ' + std::to_string(value));
        graph_.connect(node, way);
        if (member) graph_.connect(way, made_.values_[domain][*member]);
    }

    void add_variables() {
        made_.slots_.resize(model_.slot_count());
        for (model::VariableId v = 0; v < model_.variables.size(); ++v) {
            const model::Variable& variable = model_.variables[v];
            const std::string kind = std::to_string(static_cast<int>(variable.kind)) + ' ' +
                                     std::to_string(variable.range.low) + ' ' + std::to_string(variable.range.high);
            const Node whole =
                graph_.add("variable " + kind + ' ' +
                           (domains_.is_indexed[v] ? std::to_string(variable.slot_count()) : std::string("slots")));
            graph_.connect(whole, made_.domain_nodes_[domains_.of_variable[v]]);
            if (domains_.is_indexed[v]) {
                const Node indices = graph_.add("indices");
                graph_.connect(whole, indices);
                graph_.connect(indices, made_.domain_nodes_[domains_.of_index[v]]);
            }
            arrays_.push_back(whole);
            for (std::uint32_t i = 0; i < variable.slot_count(); ++i) {
                if (graph_.size() > kMostNodes) return;
                const model::SlotId slot = variable.first_slot + i;
                const Node node = made_.slots_[slot] =
                    graph_.add(is_used_[slot] ? "slot " + kind : "unused " + std::to_string(slot));
                by_way_of("initially", node, domains_.of_variable[v], model_.initial[slot]);
                if (domains_.is_indexed[v]) {
                    graph_.connect(whole, node);
                    by_way_of("at", node, domains_.of_index[v], i);
                } else {
                    // Elements that are never computed are variables of their own.
                    const Node values = graph_.add("values");
                    graph_.connect(node, values);
                    graph_.connect(values, made_.domain_nodes_[domains_.of_variable[v]]);
                }
            }
        }
        for (model::ProcessId p = 0; p < model_.processes.size(); ++p) {
            const model::Process& process = model_.processes[p];
            graph_.connect(made_.processes_[p], made_.slots_[model_.variables[process.location].first_slot]);
            for (std::size_t l = 0; l < process.committed.size(); ++l)
                if (process.committed[l])
                    graph_.connect(made_.processes_[p], graph_.add("committed " + std::to_string(l)));
        }
    }

    // Children in order, or in any.
    void hang(Node parent, const std::vector<Node>& children, bool ordered) {
        for (std::size_t i = 0; i < children.size(); ++i) {
            if (!ordered) {
                graph_.connect(parent, children[i]);
                continue;
            }
            const Node place = graph_.add("place " + std::to_string(i));
            graph_.connect(parent, place);
            graph_.connect(place, children[i]);
        }
    }

    // Operands of a conjunction or disjunction: neighbours that cannot be faulty are in no order, as in the normal
    // form.
    void hang_in_order_of_faults(Node parent, const std::vector<const Term*>& operands) {
        std::vector<Node> groups;
        bool is_open = false;
        for (const Term* operand : operands) {
            if (!is_open || !operand->is_total) groups.push_back(graph_.add("group"));
            graph_.connect(groups.back(), node_of(*operand));
            is_open = operand->is_total;
        }
        hang(parent, groups, true);
    }

    Node node_of(const Term& term) {
        switch (term.op) {
            case Op::constant: {
                const Node node = graph_.add("constant");
                by_way_of("is", node, term.domain, term.value);
                return node;
            }
            case Op::load: {
                const Node node = graph_.add("read");
                graph_.connect(node, made_.slots_[term.argument]);
                return node;
            }
            case Op::load_element: {
                const Node node = graph_.add("element " + std::to_string(term.value));
                graph_.connect(node, arrays_[domains_.variable_of_slot[term.argument]]);
                hang(node, {node_of(term.operands[0])}, true);
                return node;
            }
            case Op::load_table: {
                std::string values = "table";
                for (const model::Value value : model_.tables[term.argument].values)
                    values += ' ' + std::to_string(value);
                const Node node = graph_.add(values);
                hang(node, {node_of(term.operands[0])}, true);
                return node;
            }
            default: break;
        }
        std::vector<const Term*> operands;
        if (term.op == Op::and_then || term.op == Op::or_else) {
            const Node node = graph_.add("operator " + std::to_string(static_cast<int>(term.op)));
            collect(term, term.op, operands);
            hang_in_order_of_faults(node, operands);
            return node;
        }
        const bool is_chain = term.is_total && (term.op == Op::add || term.op == Op::bit_and || term.op == Op::bit_or ||
                                                term.op == Op::bit_xor);
        if (is_chain) collect(term, term.op, operands);
        else
            for (const Term& operand : term.operands) operands.push_back(&operand);
        const bool is_free = is_chain || term.op == Op::equal || term.op == Op::not_equal || term.op == Op::multiply;
        const Node node = graph_.add("operator " + std::to_string(static_cast<int>(term.op)));
        std::vector<Node> children;
        for (const Term* operand : operands) children.push_back(node_of(*operand));
        hang(node, children, !is_free);
        return node;
    }
    static void collect(const Term& term, Op op, std::vector<const Term*>& all) {
        if (term.op != op) return all.push_back(&term);
        for (const Term& operand : term.operands) collect(operand, op, all);
    }

    Node node_of(const TermEffect& effect) {
        if (const auto* shift = std::get_if<TermShift>(&effect)) {
            const Node node = graph_.add("shift " + std::to_string(shift->count));
            graph_.connect(node, arrays_[shift->variable]);
            hang(node, {node_of(shift->first)}, true);
            by_way_of("fills", node, domains_.of_variable[shift->variable], 0);
            return node;
        }
        if (const auto* require = std::get_if<TermRequire>(&effect)) {
            const Node node = graph_.add("require " + std::to_string(static_cast<int>(require->source->fault)));
            hang(node, {node_of(require->condition)}, true);
            return node;
        }
        const auto& assign = std::get<TermAssign>(effect);
        const Node node = graph_.add(assign.source->wrap ? "wrap" : "assign");
        std::vector<Node> children;
        for (std::size_t i = 0; i < assign.targets.size(); ++i) {
            const TermAssign::To& to = assign.targets[i];
            const model::Variable& variable = model_.variables[to.variable];
            const Node target = graph_.add("target");
            if (!to.index) {
                graph_.connect(target, made_.slots_[variable.first_slot]);
            } else if (is_element(to)) {
                graph_.connect(target, made_.slots_[variable.first_slot + static_cast<model::SlotId>(to.index->value)]);
            } else {
                graph_.connect(target, arrays_[to.variable]);
                hang(target, {node_of(*to.index)}, true);
            }
            children.push_back(target);
            children.push_back(node_of(assign.values[i]));
        }
        for (std::size_t i = assign.targets.size(); i < assign.values.size(); ++i)
            children.push_back(node_of(assign.values[i]));
        hang(node, children, true);
        return node;
    }

    void add_transition(model::TransitionId id) {
        const model::Transition& transition = model_.transitions[id];
        const TermTransition& terms = domains_.transitions[id];
        const Node node = graph_.add("transition " + std::to_string(transition.priority) + ' ' +
                                     std::to_string(transition.marks) + (transition.committed ? " committed" : ""));
        for (std::size_t i = 0; i < transition.participants.size(); ++i) {
            const model::Participant& participant = transition.participants[i];
            const Node part = graph_.add("part " + std::to_string(i) + ' ' + std::to_string(participant.from) + ' ' +
                                         std::to_string(participant.to));
            graph_.connect(node, part);
            graph_.connect(part, made_.processes_[participant.process]);
        }
        std::vector<const Term*> conjuncts;
        for (const Term& guard : terms.guards) collect(guard, Op::and_then, conjuncts);
        const Node guard = graph_.add("guard");
        graph_.connect(node, guard);
        hang_in_order_of_faults(guard, conjuncts);
        std::vector<Node> effects;
        for (const TermEffect& effect : terms.effects) effects.push_back(node_of(effect));
        const Node effect = graph_.add("effect");
        graph_.connect(node, effect);
        // Whether their order matters is known to the verification.
        hang(effect, effects, false);
    }

    ModelGraph& made_;
    const model::Model& model_;
    const ValueDomains& domains_;
    ColouredGraph& graph_;
    std::vector<Node> arrays_;
    std::vector<bool> is_used_;  // by slot
};

ModelGraph::ModelGraph(const model::Model& model, const ValueDomains& domains) : model_(model), domains_(domains) {
    Builder(*this).run();
}

std::vector<Renaming> ModelGraph::candidates(const std::vector<unsigned>& process_classes,
                                             const ColouredGraph::Stops& stops) const {
    std::vector<std::pair<Node, unsigned>> marked;
    for (std::size_t p = 0; p < process_classes.size(); ++p) marked.emplace_back(processes_[p], process_classes[p]);
    std::vector<model::SlotId> slot_of(graph_.size());
    std::vector<model::ProcessId> process_of(graph_.size());
    std::vector<DomainId> domain_of(graph_.size());
    std::vector<model::Value> value_of(graph_.size());
    for (model::SlotId s = 0; s < slots_.size(); ++s) slot_of[slots_[s]] = s;
    for (model::ProcessId p = 0; p < processes_.size(); ++p) process_of[processes_[p]] = p;
    for (DomainId d = 0; d < values_.size(); ++d) {
        domain_of[domain_nodes_[d]] = d;
        for (std::size_t i = 0; i < values_[d].size(); ++i) value_of[values_[d][i]] = domains_.members[d][i];
    }
    std::vector<Renaming> result;
    for (const std::vector<Node>& image : graph_.automorphisms(marked, stops)) {
        Renaming renaming;
        for (const Node node : slots_) renaming.slots.push_back(slot_of[image[node]]);
        for (const Node node : processes_) renaming.processes.push_back(process_of[image[node]]);
        renaming.values.resize(values_.size());
        for (DomainId d = 0; d < values_.size(); ++d) {
            renaming.domains.push_back(domain_of[image[domain_nodes_[d]]]);
            for (const Node node : values_[d]) renaming.values[d].push_back(value_of[image[node]]);
        }
        result.push_back(std::move(renaming));
    }
    return result;
}

}  // namespace tideline::reduce
