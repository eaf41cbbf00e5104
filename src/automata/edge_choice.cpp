#include "automata/edge_choice.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <unordered_map>

#include "automata/components.hpp"

namespace tideline::automata {
namespace {

class GuardCopy {
public:
    GuardCopy(const Labels& labels, std::vector<GuardNode>& nodes) : labels_(labels), nodes_(nodes) {}

    std::uint32_t operator()(Label label) {
        std::vector<Label> stack{label};
        while (!stack.empty()) {
            const Label top = stack.back();
            if (find(top)) {
                stack.pop_back();
                continue;
            }
            const std::optional<std::uint32_t> low = find(labels_.low(top));
            const std::optional<std::uint32_t> high = find(labels_.high(top));
            if (!low) stack.push_back(labels_.low(top));
            if (!high) stack.push_back(labels_.high(top));
            if (!low || !high) continue;
            places_[top.number()] = static_cast<std::uint32_t>(nodes_.size());
            assert(labels_.top(top) < kMostAtoms && "a letter has 64 bits");
            nodes_.push_back({labels_.top(top), *low, *high});
        }
        return *find(label);
    }

private:
    [[nodiscard]] std::optional<std::uint32_t> find(Label label) const {
        if (labels_.is_constant(label)) return label == labels_.truth() ? 1U : 0U;
        const auto place = places_.find(label.number());
        return place == places_.end() ? std::nullopt : std::optional(place->second);
    }

    const Labels& labels_;
    std::vector<GuardNode>& nodes_;
    std::unordered_map<std::uint32_t, std::uint32_t> places_;
};

}  // namespace

std::shared_ptr<const EdgeTable> make_edge_table(const Automaton& automaton, Label watched) {
    assert(automaton.atoms.size() <= kMostAtoms && "a letter has 64 bits");
    auto table = std::make_shared<EdgeTable>();
    const Components found = components(automaton);
    GuardCopy copy(*automaton.labels, table->guards);
    table->atoms = automaton.atoms;
    table->initial = automaton.initial;
    table->sets = static_cast<unsigned>(automaton.sets);
    table->rank_bits = found.count() == 0 ? 0 : static_cast<unsigned>(std::bit_width(found.count() - 1));
    for (StateNumber s = 0; s < automaton.size(); ++s) {
        for (const Edge& edge : automaton.states[s])
            table->edges.push_back({edge.target, edge.marks, copy(edge.label)});
        table->begin.push_back(static_cast<std::uint32_t>(table->edges.size()));
        table->ranks.push_back(found.rank(s));
        table->most_edges = std::max(table->most_edges, automaton.states[s].size());
    }
    table->watched = copy(watched);
    // An automaton without states accepts nothing, as one whose only state has no edges.
    if (automaton.size() == 0) {
        table->begin.push_back(0);
        table->ranks.push_back(0);
    }
    return table;
}

EdgeChoice::EdgeChoice(const EdgeTable& table, const successor::System& system, std::size_t first_atom,
                       std::uint64_t step_atoms)
    : table_(table),
      first_atom_(first_atom),
      bits_(system.label_words() + 1),
      faults_(system.label_count(), model::FaultKind::none),
      step_atoms_(step_atoms) {
    edges_.reserve(table.most_edges);
}

EdgeChoice::Letter EdgeChoice::read(successor::Expander& expander, const successor::Word* state) {
    Letter letter;
    const std::size_t atoms = table_.atoms.size();
    if (atoms == 0) return letter;
    expander.labels(state, bits_.data(), faults_.data());
    const std::size_t word = first_atom_ / 64;
    const unsigned shift = first_atom_ % 64;
    letter.valuation = bits_[word] >> shift;
    if (shift != 0) letter.valuation |= bits_[word + 1] << (64 - shift);
    for (std::size_t i = 0; i < atoms; ++i)
        letter.unknown |= std::uint64_t{faults_[first_atom_ + i] != model::FaultKind::none} << i;
    return letter;
}

void EdgeChoice::look(Letter letter, StateNumber s) {
    faulty_atom_.reset();
    state_ = s;
    valuation_ = letter.valuation & ~step_atoms_;
    unknown_ = letter.unknown & ~step_atoms_;
    // A fault belongs to the state: it is one where the value matters for any step.
    if (unknown_ != 0)
        for (std::uint32_t e = table_.begin[s]; e < table_.begin[s + 1]; ++e)
            (void)depends(table_.edges[e].guard, valuation_, unknown_, step_atoms_);
    choose_edges();
}

void EdgeChoice::choose(std::uint64_t step_letter) {
    const std::uint64_t valuation = (valuation_ & ~step_atoms_) | step_letter;
    if (valuation == valuation_) return;
    valuation_ = valuation;
    choose_edges();
}

void EdgeChoice::choose_edges() {
    edges_.clear();
    const std::optional<std::size_t> faulty = faulty_atom_;
    for (std::uint32_t e = table_.begin[state_]; e < table_.begin[state_ + 1]; ++e) {
        const ProductEdge& edge = table_.edges[e];
        if (unknown_ != 0 && depends(edge.guard, valuation_, unknown_)) continue;
        if (fits(edge.guard, valuation_)) edges_.push_back(&edge);
    }
    faulty_atom_ = faulty;
}

bool EdgeChoice::fits(std::uint32_t guard, std::uint64_t valuation) const {
    while (guard > 1) {
        const GuardNode& node = table_.guards[guard];
        guard = ((valuation >> node.atom) & 1U) != 0 ? node.high : node.low;
    }
    return guard == 1;
}

// Whether the guard is true for some values of the unknown atoms and false for others, for some values of those that
// are free. Slow, but such states are rare.
bool EdgeChoice::depends(std::uint32_t guard, std::uint64_t valuation, std::uint64_t unknown, std::uint64_t free) {
    std::vector<std::uint32_t> stack{guard};
    std::vector<bool> seen(table_.guards.size());
    std::optional<std::size_t> atom;
    while (!stack.empty()) {
        const std::uint32_t top = stack.back();
        stack.pop_back();
        if (seen[top]) continue;
        seen[top] = true;
        if (top <= 1) continue;
        const GuardNode& node = table_.guards[top];
        const bool is_unknown = ((unknown >> node.atom) & 1U) != 0;
        const bool is_free = is_unknown || ((free >> node.atom) & 1U) != 0;
        const bool value = ((valuation >> node.atom) & 1U) != 0;
        if (is_unknown && (!atom || node.atom < *atom)) atom = node.atom;
        if (is_free || value) stack.push_back(node.high);
        if (is_free || !value) stack.push_back(node.low);
    }
    if (!seen[0] || !seen[1] || !atom) return false;
    if (!faulty_atom_ || *atom < *faulty_atom_) faulty_atom_ = atom;
    return true;
}

}  // namespace tideline::automata
