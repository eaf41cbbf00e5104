#include "reduce/normal_form.hpp"

#include <algorithm>
#include <set>

namespace tideline::reduce {
namespace {

using model::Op;

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += ' ' + part;
    return text;
}

bool commutes(Op op) {
    return op == Op::multiply || op == Op::add || op == Op::equal || op == Op::not_equal || op == Op::bit_and ||
           op == Op::bit_or || op == Op::bit_xor;
}
// Operators whose chains mean the same in every order; a sum where no partial sum can overflow.
bool associates(const Term& term) {
    constexpr model::Value kFar = model::Value{1} << 50U;
    if (term.op == Op::bit_and || term.op == Op::bit_or || term.op == Op::bit_xor) return true;
    return term.op == Op::add && term.range.low > -kFar && term.range.high < kFar;
}

// The operands of nested applications of one operator.
void flatten(const Term& term, Op op, std::vector<const Term*>& all) {
    if (term.op != op) return all.push_back(&term);
    for (const Term& operand : term.operands) flatten(operand, op, all);
}

// Neighbours that cannot be faulty are sorted.
std::string in_order_of_faults(const std::vector<const Term*>& all, std::vector<std::string> texts) {
    for (std::size_t i = 0; i < all.size();) {
        std::size_t end = i;
        while (end < all.size() && all[end]->is_total) ++end;
        std::sort(texts.begin() + static_cast<std::ptrdiff_t>(i), texts.begin() + static_cast<std::ptrdiff_t>(end));
        i = end + 1;
    }
    return joined(texts);
}

struct Touched {
    std::set<model::SlotId> reads;
    std::set<model::SlotId> writes;
    bool is_total = true;
    bool is_sortable = true;
};

bool is_disjoint(const std::set<model::SlotId>& a, const std::set<model::SlotId>& b) {
    return std::none_of(a.begin(), a.end(), [&](model::SlotId s) { return b.contains(s); });
}
bool is_independent(const Touched& a, const Touched& b) {
    return a.is_sortable && b.is_sortable && (a.is_total || b.is_total) && is_disjoint(a.writes, b.writes) &&
           is_disjoint(a.writes, b.reads) && is_disjoint(a.reads, b.writes);
}

void add_reads(const Term& term, Touched& touched) {
    if (term.op == Op::load) touched.reads.insert(term.argument);
    if (term.op == Op::load_element)
        for (model::Value i = 0; i < term.value; ++i)
            touched.reads.insert(term.argument + static_cast<model::SlotId>(i));
    for (const Term& operand : term.operands) add_reads(operand, touched);
}

Touched touched_by(const model::Model& model, const TermEffect& effect) {
    constexpr std::uint32_t kLongArray = 1000;
    Touched touched;
    const auto* assign = std::get_if<TermAssign>(&effect);
    if (assign == nullptr) {
        touched.is_sortable = false;
        return touched;
    }
    for (std::size_t i = 0; i < assign->targets.size(); ++i) {
        const TermAssign::To& to = assign->targets[i];
        const Term& value = assign->values[i];
        const model::Variable& variable = model.variables[to.variable];
        add_reads(value, touched);
        touched.is_total = touched.is_total && value.is_total && assign->source->passing.empty() &&
                           (assign->source->wrap ||
                            (variable.range.low <= value.range.low && value.range.high <= variable.range.high));
        if (!to.index) {
            touched.writes.insert(variable.first_slot);
        } else if (to.index->is_constant() && to.index->value >= 0 && to.index->value < variable.slot_count()) {
            touched.writes.insert(variable.first_slot + static_cast<model::SlotId>(to.index->value));
        } else {
            add_reads(*to.index, touched);
            if (variable.slot_count() > kLongArray) touched.is_sortable = false;
            for (std::uint32_t e = 0; touched.is_sortable && e < variable.slot_count(); ++e)
                touched.writes.insert(variable.first_slot + e);
            touched.is_total = touched.is_total && to.index->is_total && to.index->range.low >= 0 &&
                               to.index->range.high < variable.slot_count();
        }
    }
    for (std::size_t i = assign->targets.size(); i < assign->values.size(); ++i) {
        add_reads(assign->values[i], touched);
        touched.is_total = touched.is_total && assign->values[i].is_total && assign->source->passing.empty();
    }
    return touched;
}

std::string range_text(model::Range range) { return std::to_string(range.low) + ".." + std::to_string(range.high); }

}  // namespace

std::string NormalForm::constant(const Term& term) const {
    if (term.domain == kNumbers) return std::to_string(term.value);
    const DomainId domain = renaming_ ? renaming_->domains[term.domain] : term.domain;
    const model::Value value = renaming_ ? renaming_->value(domains_, term.domain, term.value) : term.value;
    return '#' + std::to_string(domain) + ':' + std::to_string(value);
}

// The array that an array becomes, by its variable: the check of renamings (automorphisms.cpp) makes sure that it
// becomes one as a whole.
std::string NormalForm::array(model::SlotId first) const {
    return 'v' + std::to_string(domains_.variable_of_slot[slot(first)]);
}

std::string NormalForm::operands(const Term& term, bool ordered) const {
    std::vector<std::string> parts;
    for (const Term& operand : term.operands) parts.push_back(text(operand));
    if (!ordered) std::sort(parts.begin(), parts.end());
    return joined(parts);
}

std::string NormalForm::conjunction(const std::vector<const Term*>& all) const {
    std::vector<std::string> texts;
    for (const Term* term : all) texts.push_back(text(*term));
    return in_order_of_faults(all, std::move(texts));
}

std::string NormalForm::text(const Term& term) const {
    const std::string op = '(' + std::to_string(static_cast<int>(term.op));
    switch (term.op) {
        case Op::constant: return constant(term);
        case Op::load: return 's' + std::to_string(slot(term.argument));
        case Op::load_element:
            return array(term.argument) + '+' +
                   std::to_string(term.argument -
                                  model_.variables[domains_.variable_of_slot[term.argument]].first_slot) +
                   ',' + std::to_string(term.value) + '[' + text(term.operands[0]) + ']';
        case Op::load_table: {
            std::string values = op;
            for (const model::Value value : model_.tables[term.argument].values) values += ' ' + std::to_string(value);
            return values + '[' + text(term.operands[0]) + "])";
        }
        case Op::and_then:
        case Op::or_else: {
            std::vector<const Term*> all;
            flatten(term, term.op, all);
            return op + conjunction(all) + ')';
        }
        default: break;
    }
    if (associates(term) && term.is_total) {
        std::vector<const Term*> all;
        flatten(term, term.op, all);
        std::vector<std::string> parts;
        for (const Term* part : all) parts.push_back(text(*part));
        std::sort(parts.begin(), parts.end());
        return op + joined(parts) + ')';
    }
    // Of two operands that can both be faulty the first one decides which fault it is.
    const bool is_free = commutes(term.op) && (term.operands[0].is_total || term.operands[1].is_total);
    return op + operands(term, !is_free) + ')';
}

std::string NormalForm::text(const TermEffect& effect) const {
    if (const auto* shift = std::get_if<TermShift>(&effect))
        return "shift " + array(model_.variables[shift->variable].first_slot) + ' ' + text(shift->first) + ' ' +
               std::to_string(shift->count);
    if (const auto* require = std::get_if<TermRequire>(&effect))
        return "require " + std::to_string(static_cast<int>(require->source->fault)) + ' ' + text(require->condition);
    const auto& assign = std::get<TermAssign>(effect);
    std::string result = assign.source->wrap ? "wrap" : "set";
    for (std::size_t i = 0; i < assign.targets.size(); ++i) {
        const TermAssign::To& to = assign.targets[i];
        const model::Variable& variable = model_.variables[to.variable];
        result += ' ';
        if (!to.index) result += 's' + std::to_string(slot(variable.first_slot));
        else if (to.index->is_constant() && to.index->value >= 0 && to.index->value < variable.slot_count())
            result += 's' + std::to_string(slot(variable.first_slot + static_cast<model::SlotId>(to.index->value)));
        else result += array(variable.first_slot) + '[' + text(*to.index) + ']';
        result += ":=" + text(assign.values[i]);
        if (!assign.source->passing.empty()) result += " in " + range_text(assign.source->passing[i]);
    }
    for (std::size_t i = assign.targets.size(); i < assign.values.size(); ++i) {  // evaluated, and perhaps a fault
        result += " -:=" + text(assign.values[i]);
        if (!assign.source->passing.empty()) result += " in " + range_text(assign.source->passing[i]);
    }
    return result;
}

// The least order among those that neighbours without influence on each other can be brought into (the lexicographic
// normal form of a trace, A. Mazurkiewicz).
std::string NormalForm::effects(const std::vector<TermEffect>& all) const {
    std::vector<std::string> texts;
    std::vector<Touched> touched;
    for (const TermEffect& effect : all) {
        texts.push_back(text(effect));
        touched.push_back(touched_by(model_, effect));
    }
    std::vector<std::string> result;
    std::vector<bool> is_done(all.size(), false);
    for (std::size_t n = 0; n < all.size(); ++n) {
        std::optional<std::size_t> least;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (is_done[i] || (least && texts[*least] <= texts[i])) continue;
            bool is_first = true;
            for (std::size_t j = 0; j < i && is_first; ++j)
                is_first = is_done[j] || is_independent(touched[j], touched[i]);
            if (is_first) least = i;
        }
        is_done[*least] = true;
        result.push_back(std::move(texts[*least]));
    }
    return joined(result);
}

std::string NormalForm::text(model::TransitionId id) const {
    const model::Transition& transition = model_.transitions[id];
    const TermTransition& terms = domains_.transitions[id];
    std::string result = std::to_string(transition.priority) + (transition.committed ? " committed" : "") + " marks " +
                         std::to_string(transition.marks) + " by";
    for (const model::Participant& participant : transition.participants)
        result += " p" + std::to_string(process(participant.process)) + ' ' + std::to_string(participant.from) + '>' +
                  std::to_string(participant.to);
    std::vector<const Term*> guards;
    for (const Term& guard : terms.guards) flatten(guard, Op::and_then, guards);
    return result + " if" + conjunction(guards) + " do" + effects(terms.effects);
}

}  // namespace tideline::reduce
