#include "automata/label.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <unordered_set>

#include "automata/budget.hpp"

namespace tideline::automata {
namespace {

constexpr std::uint32_t kConstant = ~0U;  // the variable of the two constants: below all others
constexpr std::size_t kFirstTable = 1024;
constexpr std::size_t kLargestCache = std::size_t{1} << 18U;

std::size_t mixed(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    std::uint64_t hash = a * 0x9E3779B97F4A7C15ULL;
    hash = (hash ^ (hash >> 29U) ^ b) * 0xBF58476D1CE4E5B9ULL;
    hash = (hash ^ (hash >> 32U) ^ c) * 0x94D049BB133111EBULL;
    return static_cast<std::size_t>(hash ^ (hash >> 31U));
}

}  // namespace

Labels::Labels() : table_(kFirstTable, 0), cache_(kFirstTable) {
    nodes_.push_back({kConstant, Label(0), Label(0)});
    nodes_.push_back({kConstant, Label(1), Label(1)});
}

void Labels::grow_table() {
    table_.assign(table_.size() * 2, 0);
    const std::size_t mask = table_.size() - 1;
    for (std::uint32_t i = 2; i < nodes_.size(); ++i) {
        std::size_t at = mixed(nodes_[i].variable, nodes_[i].low.number(), nodes_[i].high.number()) & mask;
        while (table_[at] != 0) at = (at + 1) & mask;
        table_[at] = i;
    }
    if (cache_.size() < kLargestCache) cache_.assign(table_.size(), {});
}

Label Labels::node(std::uint32_t variable, Label low, Label high) {
    if (low == high) return low;
    if (nodes_.size() * 2 > table_.size()) grow_table();
    const std::size_t mask = table_.size() - 1;
    std::size_t at = mixed(variable, low.number(), high.number()) & mask;
    for (; table_[at] != 0; at = (at + 1) & mask) {
        const Node& candidate = nodes_[table_[at]];
        if (candidate.variable == variable && candidate.low == low && candidate.high == high) return Label(table_[at]);
    }
    if (nodes_.size() >= most_nodes_)
        throw LimitReached{"its labels take more than " + std::to_string(most_nodes_) + " nodes"};
    constexpr std::size_t kNodesPerLook = 4096;
    if (nodes_.size() % kNodesPerLook == 0 && stop_ && stop_()) throw LimitReached{kInterrupted, true};
    table_[at] = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({variable, low, high});
    return Label(table_[at]);
}

std::size_t Labels::cache_place(Label a, Label b, Label c) const {
    return mixed(a.number(), b.number(), c.number()) & (cache_.size() - 1);
}

// Stores the result in `result` where it is cached; otherwise pushes the query.
bool Labels::is_answered(Label a, Label b, Label c, Label& result) {
    if (b == a) b = truth();
    if (c == a) c = falsity();
    if (a == truth() || b == c) {
        result = b;
        return true;
    }
    if (a == falsity()) {
        result = c;
        return true;
    }
    if (b == truth() && c == falsity()) {
        result = a;
        return true;
    }
    const Cached& cached = cache_[cache_place(a, b, c)];
    if (cached.a == a.number() && cached.b == b.number() && cached.c == c.number()) {
        result = Label(cached.result);
        return true;
    }
    stack_.push_back({a, b, c, std::min({top(a), top(b), top(c)}), 0, {}});
    return false;
}

// With an explicit stack, since diagrams are as deep as there are variables.
Label Labels::if_then_else(Label condition, Label then, Label otherwise) {
    Label result;
    stack_.clear();  // an exception may have left something
    if (is_answered(condition, then, otherwise, result)) return result;
    while (!stack_.empty()) {
        Frame& frame = stack_.back();
        const auto branch = [&](Label l, bool up) { return top(l) != frame.variable ? l : up ? high(l) : low(l); };
        if (frame.stage == 0) {
            frame.stage = 1;
            is_answered(branch(frame.a, false), branch(frame.b, false), branch(frame.c, false), result);
        } else if (frame.stage == 1) {
            frame.stage = 2;
            frame.low = result;
            is_answered(branch(frame.a, true), branch(frame.b, true), branch(frame.c, true), result);
        } else {
            result = node(frame.variable, frame.low, result);
            cache_[cache_place(frame.a, frame.b, frame.c)] = {frame.a.number(), frame.b.number(), frame.c.number(),
                                                              result.number()};
            stack_.pop_back();
        }
    }
    return result;
}

Label Labels::cube(const Cube& c) {
    Label result = truth();
    for (std::uint32_t v = kMostAtoms; v-- > 0;) {
        if (((c.positive >> v) & 1U) != 0) result = node(v, falsity(), result);
        if (((c.negative >> v) & 1U) != 0)
            result = ((c.positive >> v) & 1U) != 0 ? falsity() : node(v, result, falsity());
    }
    return result;
}

bool Labels::evaluate(Label a, std::uint64_t valuation) const {
    while (!is_constant(a)) a = ((valuation >> top(a)) & 1U) != 0 ? high(a) : low(a);
    return a == truth();
}

std::vector<std::uint32_t> Labels::support(Label a) const {
    std::vector<std::uint32_t> result;
    std::vector<Label> open{a};
    std::unordered_set<std::uint32_t> seen;
    while (!open.empty()) {
        const Label l = open.back();
        open.pop_back();
        if (is_constant(l) || !seen.insert(l.number()).second) continue;
        result.push_back(top(l));
        open.push_back(low(l));
        open.push_back(high(l));
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

// Products whose sum lies between `lower` and `upper`; returns that sum. The depth is that of the diagrams, which the
// caller has bounded.
Label Labels::irredundant(Label lower, Label upper, std::size_t most, std::vector<Literal>& prefix, Sum& products) {
    if (lower == falsity() || products.size() > most) return falsity();
    if (upper == truth()) {
        products.push_back(prefix);
        return truth();
    }
    const std::uint32_t v = std::min(top(lower), top(upper));
    const auto branch = [&](Label l, bool up) { return top(l) != v ? l : up ? high(l) : low(l); };
    const Label lower0 = branch(lower, false);
    const Label lower1 = branch(lower, true);
    const Label upper0 = branch(upper, false);
    const Label upper1 = branch(upper, true);
    prefix.push_back({v, false});
    const Label sum0 = irredundant(minus(lower0, upper1), upper0, most, prefix, products);
    prefix.back().positive = true;
    const Label sum1 = irredundant(minus(lower1, upper0), upper1, most, prefix, products);
    prefix.pop_back();
    const Label rest = either(minus(lower0, sum0), minus(lower1, sum1));
    const Label sum = irredundant(rest, both(upper0, upper1), most, prefix, products);
    return either(sum, if_then_else(variable(v), sum1, sum0));
}

std::optional<Labels::Sum> Labels::sum_of_products(Label a, std::size_t most) {
    Sum products;
    std::vector<Literal> prefix;
    [[maybe_unused]] const Label sum = irredundant(a, a, most, prefix, products);
    if (products.size() > most) return std::nullopt;
    assert(sum == a);
    return products;
}

std::vector<Cube> Labels::cubes(Label a) {
    std::vector<Cube> result;
    const std::optional<Sum> sum = sum_of_products(a, std::numeric_limits<std::size_t>::max());
    for (const std::vector<Literal>& product : *sum) {
        Cube c;
        for (const Literal& literal : product)
            (literal.positive ? c.positive : c.negative) |= std::uint64_t{1} << literal.variable;
        result.push_back(c);
    }
    return result;
}

std::uint64_t Labels::example(Label a) const {
    assert(a != falsity());
    std::uint64_t result = 0;
    while (!is_constant(a)) {
        if (low(a) != falsity()) {
            a = low(a);
        } else {
            result |= std::uint64_t{1} << top(a);
            a = high(a);
        }
    }
    return result;
}

}  // namespace tideline::automata
