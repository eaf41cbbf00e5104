#include "successor/commuting.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

#include "model/footprint.hpp"

namespace tideline::successor {
namespace {

constexpr std::size_t kMostTransitions = 1024;
constexpr std::size_t kMostFootprints = 16'000'000;  // slots of all transitions together; of their bits, words
constexpr std::size_t kMostClasses = 128;            // that are merged one by one
constexpr std::size_t kBits = std::numeric_limits<SleepSet>::digits;

class Bits {
public:
    explicit Bits(std::size_t size) : words_((size + 63) / 64) {}
    void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
    [[nodiscard]] bool has(std::size_t i) const { return ((words_[i / 64] >> (i % 64)) & 1U) != 0; }
    [[nodiscard]] bool meets(const Bits& other) const {
        for (std::size_t w = 0; w < words_.size(); ++w)
            if ((words_[w] & other.words_[w]) != 0) return true;
        return false;
    }
    [[nodiscard]] std::size_t count() const {
        std::size_t result = 0;
        for (const std::uint64_t word : words_) result += static_cast<std::size_t>(std::popcount(word));
        return result;
    }
    void keep(const Bits& other) {
        for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
    }
    friend auto operator<=>(const Bits&, const Bits&) = default;

private:
    std::vector<std::uint64_t> words_;
};

bool may_sleep(const model::Model& model) {
    if (model.composition == model::Composition::lockstep || model.observer || model.atomic || model.has_priorities)
        return false;
    if (model.transitions.size() > kMostTransitions) return false;
    if (model.transitions.size() * (model.slot_count() / 64 + 1) > kMostFootprints / 8) return false;
    std::size_t slots = 0;
    for (const model::Transition& transition : model.transitions) slots += model::footprint_bound(model, transition);
    if (slots > kMostFootprints) return false;
    return std::none_of(model.processes.begin(), model.processes.end(), [](const model::Process& process) {
        return std::find(process.committed.begin(), process.committed.end(), true) != process.committed.end();
    });
}

// The position of a transition in the order of successors: processes one after the other, then the transitions without
// participants. Those of one process need no order, as they do not commute.
std::vector<std::size_t> order_of(const model::Model& model) {
    std::vector<std::size_t> order(model.transitions.size());
    for (std::size_t t = 0; t < order.size(); ++t)
        if (!model.transitions[t].participants.empty()) order[t] = model.transitions[t].participants.front().process;
    for (std::size_t i = 0; i < model.free_transitions.size(); ++i)
        order[model.free_transitions[i]] = model.processes.size() + i;
    return order;
}

// Row b: the transitions that commute with b.
std::vector<Bits> commuting_pairs(const model::Model& model) {
    const std::size_t count = model.transitions.size();
    std::vector<Bits> reads(count, Bits(model.slot_count()));
    std::vector<Bits> writes(count, Bits(model.slot_count()));
    for (std::size_t t = 0; t < count; ++t) {
        const model::Footprint slots = model::footprint(model, model.transitions[t]);
        for (const model::SlotId slot : slots.reads) reads[t].set(slot);
        for (const model::SlotId slot : slots.writes) writes[t].set(slot);
        // A process whose location does not change takes part all the same: its transitions keep their order.
        for (const model::Participant& p : model.transitions[t].participants)
            writes[t].set(model.variables[model.processes[p.process].location].first_slot);
    }
    std::vector<Bits> result(count, Bits(count));
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            if (writes[a].meets(reads[b]) || writes[a].meets(writes[b]) || reads[a].meets(writes[b])) continue;
            result[a].set(b);
            result[b].set(a);
        }
    }
    return result;
}

struct Class {
    Bits commutes;          // with all members
    std::size_t first = 0;  // in the order of successors: of the earliest and the latest member
    std::size_t last = 0;
    std::vector<model::TransitionId> members;
};

void merge(Class& into, Class& from) {
    into.commutes.keep(from.commutes);
    into.first = std::min(into.first, from.first);
    into.last = std::max(into.last, from.last);
    into.members.insert(into.members.end(), from.members.begin(), from.members.end());
}

std::vector<Class> classes_of(const std::vector<Bits>& commute, const std::vector<bool>& fixed,
                              const std::vector<std::size_t>& order, bool by_process) {
    std::map<std::pair<std::size_t, Bits>, std::size_t> places;
    std::vector<Class> classes;
    for (std::size_t t = 0; t < commute.size(); ++t) {
        if (fixed[t] || (!by_process && commute[t].count() == 0)) continue;
        Class own{commute[t], order[t], order[t], {static_cast<model::TransitionId>(t)}};
        const auto [place, is_new] =
            places.emplace(std::pair(order[t], by_process ? Bits(0) : commute[t]), classes.size());
        if (is_new) classes.push_back(std::move(own));
        else merge(classes[place->second], own);
    }
    return classes;
}

// Merges the two that lose the least, until there are few enough.
void merge_to(std::vector<Class>& classes, std::size_t wanted) {
    while (classes.size() > wanted) {
        std::size_t least = std::numeric_limits<std::size_t>::max();
        std::size_t one = 0;
        std::size_t other = 0;
        for (std::size_t i = 0; i < classes.size(); ++i) {
            for (std::size_t j = i + 1; j < classes.size(); ++j) {
                Bits both = classes[i].commutes;
                both.keep(classes[j].commutes);
                const auto lost = [&](const Class& c) {
                    return (c.commutes.count() - both.count()) * c.members.size();
                };
                // Members of different processes are rarely asleep together.
                const std::size_t apart = classes[i].first == classes[j].last ? 0 : both.count();
                const std::size_t loss = lost(classes[i]) + lost(classes[j]) + apart;
                if (loss >= least) continue;
                least = loss;
                one = i;
                other = j;
            }
        }
        merge(classes[one], classes[other]);
        classes.erase(classes.begin() + static_cast<std::ptrdiff_t>(other));
    }
}

}  // namespace

Commuting::Commuting(const model::Model& model, const KeyProgram& key) {
    if (!may_sleep(model)) return;
    const std::vector<std::size_t> order = order_of(model);
    const std::vector<bool> fixed = may_change_key(model, key);
    const std::vector<Bits> commute = commuting_pairs(model);
    std::vector<Class> classes = classes_of(commute, fixed, order, false);
    if (classes.size() > kMostClasses) classes = classes_of(commute, fixed, order, true);
    if (classes.size() > kMostClasses) return;
    merge_to(classes, kBits);
    std::erase_if(classes, [](const Class& c) { return c.commutes.count() == 0; });
    of_.resize(classes.empty() ? 0 : model.transitions.size());
    for (const Class& step_class : classes) {
        const SleepSet bit = SleepSet{1} << classes_++;
        for (const model::TransitionId t : step_class.members) of_[t].own = bit;
        for (model::TransitionId b = 0; b < of_.size(); ++b) {
            if (step_class.last < order[b]) of_[b].before |= bit;
            if (step_class.commutes.has(b)) of_[b].commutes |= bit;
        }
    }
}

}  // namespace tideline::successor
