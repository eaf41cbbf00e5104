#include "reduce/representative.hpp"

#include <algorithm>
#include <numeric>

namespace tideline::reduce {

Representative::Representative(std::shared_ptr<const SymmetryGroup> group) : group_(std::move(group)) {
    const ValueDomains& domains = group_->domains;
    const std::size_t slot_count = group_->model->slot_count();
    std::vector<bool> is_read(slot_count, false);
    std::vector<bool> is_in_column(slot_count, false);
    for (std::uint32_t c = 0; c < group_->classes.size(); ++c) {
        const ExchangeClass& one = group_->classes[c];
        first_block_.push_back(static_cast<std::uint32_t>(blocks_.size()));
        for (std::uint32_t k = 0; k < one.processes.size(); ++k) blocks_.push_back({c, k});
        for (const std::vector<model::SlotId>& column : one.columns)
            for (const model::SlotId slot : column) is_read[slot] = is_in_column[slot] = true;
    }
    named_.resize(blocks_.size());
    domains_.resize(group_->names.size());
    for (DomainId d = 0; d < group_->names.size(); ++d) {
        for (std::size_t i = 0; i < group_->names[d].size(); ++i) {
            const std::optional<NamedMember>& name = group_->names[d][i];
            if (!name) continue;
            Domain& domain = domains_[d];
            if (domain.blocks.empty()) domain.low = domains.members[d][i];
            const auto offset = static_cast<std::size_t>(domains.members[d][i] - domain.low);
            domain.blocks.resize(offset + 1, -1);
            domain.columns.resize(offset + 1, -1);
            const std::size_t block = first_block_[name->class_number] + name->index;
            domain.blocks[offset] = static_cast<std::int32_t>(block);
            domain.columns[offset] = static_cast<std::int32_t>(name->column);
            named_[block].resize(std::max(named_[block].size(), name->column + 1));
            named_[block][name->column] = domains.members[d][i];
        }
    }
    domain_of_.resize(slot_count);
    for (model::SlotId s = 0; s < slot_count; ++s) {
        const DomainId d = domains.of_slot(s);
        if (d >= domains_.size() || domains_[d].blocks.empty()) continue;
        domain_of_[s] = &domains_[d];
        is_read[s] = has_names_ = true;
        if (!is_in_column[s]) global_names_.push_back(s);
    }
    for (const Renaming& other : group_->others)
        for (model::SlotId s = 0; s < slot_count; ++s) {
            const DomainId d = domains.of_slot(s);
            if (other.slots[s] != s || other.values[d] != domains.members[d])
                is_read[s] = is_read[other.slots[s]] = true;
        }
    for (model::SlotId s = 0; s < slot_count; ++s)
        if (is_read[s]) slots_.push_back(s);
    signatures_.resize(blocks_.size());
    position_.resize(blocks_.size());
    best_position_.resize(blocks_.size());
    ranks_.assign(blocks_.size() + 1, Ranks(blocks_.size()));
    candidate_.resize(slot_count);
    best_.resize(slot_count);
    start_.resize(slot_count);
    renamed_.resize(slot_count);
    done_.resize(1);
}

bool Representative::is_less(const model::Value* a, const model::Value* b) const {
    for (const model::SlotId s : slots_)
        if (a[s] != b[s]) return a[s] < b[s];
    return false;
}

bool Representative::replace(model::Value* values) {
    is_least_ = group_->is_complete;
    for (const model::SlotId s : slots_) start_[s] = values[s];
    sort_classes(values);
    done_.resize(1);
    done_.front().other = -1;
    done_.front().position = best_position_;
    const auto improve = [&](std::size_t other, const model::Value* from) {
        const Renaming& renaming = group_->others[other];
        for (const model::SlotId s : slots_)
            renamed_[renaming.slots[s]] = renaming.value(group_->domains, group_->domains.of_slot(s), from[s]);
        sort_classes(renamed_.data());
        if (!is_less(renamed_.data(), values)) return false;
        for (const model::SlotId s : slots_) values[s] = renamed_[s];
        return true;
    };
    if (group_->is_complete) {
        for (std::size_t other = 0; other < group_->others.size(); ++other) {
            if (!improve(other, start_.data())) continue;
            done_.front().other = static_cast<std::int32_t>(other);
            done_.front().position = best_position_;
        }
    } else {
        constexpr std::size_t kMostSteps = 256;
        for (bool is_better = true; is_better && done_.size() < kMostSteps;) {
            is_better = false;
            for (std::size_t other = 0; other < group_->others.size() && !is_better; ++other) {
                is_better = improve(other, std::vector<model::Value>(values, values + candidate_.size()).data());
                if (is_better) done_.push_back({static_cast<std::int32_t>(other), best_position_});
            }
        }
    }
    return std::any_of(slots_.begin(), slots_.end(), [&](model::SlotId s) { return start_[s] != values[s]; });
}

void Representative::sort_classes(model::Value* values) {
    if (has_names_) sort_with_names(values);
    else sort_without_names(values);
}

// An insertion sort: classes are small, and successors nearly sorted.
void Representative::sort_without_names(model::Value* values) {
    for (std::uint32_t c = 0; c < group_->classes.size(); ++c) {
        const ExchangeClass& one = group_->classes[c];
        const std::size_t n = one.processes.size();
        order_.resize(n);
        std::iota(order_.begin(), order_.end(), 0U);
        const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
            for (const std::vector<model::SlotId>& column : one.columns)
                if (values[column[a]] != values[column[b]]) return values[column[a]] < values[column[b]];
            return false;
        };
        bool is_sorted = true;
        for (std::size_t i = 1; i < n; ++i)
            for (std::size_t j = i; j > 0 && is_before(order_[j], order_[j - 1]); --j) {
                std::swap(order_[j], order_[j - 1]);
                is_sorted = false;
            }
        for (std::uint32_t k = 0; k < n; ++k) best_position_[first_block_[c] + order_[k]] = k;
        if (is_sorted) continue;
        for (const std::vector<model::SlotId>& column : one.columns) {
            for (const model::SlotId slot : column) candidate_[slot] = values[slot];
            for (std::size_t k = 0; k < n; ++k) values[column[k]] = candidate_[column[order_[k]]];
        }
    }
}

void Representative::sort_with_names(model::Value* values) {
    has_best_ = false;
    orders_ = 0;
    Ranks& ranks = ranks_.front();
    std::fill(ranks.begin(), ranks.end(), 0U);
    refine(values, ranks);
    try_orders(values, 0);
    for (const model::SlotId s : slots_) values[s] = best_[s];
}

// What blocks are compared by.
void Representative::sign(const model::Value* values, const Ranks& ranks) {
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
        std::vector<model::Value>& signature = signatures_[b];
        signature.clear();
        const Block block = blocks_[b];
        for (const std::vector<model::SlotId>& column : group_->classes[block.class_number].columns) {
            const model::SlotId slot = column[block.index];
            const model::Value value = values[slot];
            const Domain* names = names_in(slot);
            const std::int32_t named = names == nullptr ? -1 : at(*names, names->blocks, value);
            if (named < 0) {
                signature.push_back(0);
                signature.push_back(value);
                continue;
            }
            const auto target = static_cast<std::uint32_t>(named);
            const bool is_own = target == b;
            signature.push_back(is_own ? 1 : 2 + blocks_[target].class_number);
            signature.push_back(at(*names, names->columns, value));
            signature.push_back(is_own ? 0 : ranks[target]);
        }
        for (const model::SlotId slot : global_names_) {
            const Domain& names = *names_in(slot);
            signature.push_back(at(names, names.blocks, values[slot]) == static_cast<std::int32_t>(b)
                                    ? 1 + at(names, names.columns, values[slot])
                                    : 0);
        }
    }
}

// Whether blocks were told apart that were not before.
bool Representative::refine_once(const model::Value* values, Ranks& ranks) {
    sign(values, ranks);
    bool is_finer = false;
    for (std::size_t c = 0; c < group_->classes.size(); ++c) {
        const std::uint32_t first = first_block_[c];
        const std::size_t n = group_->classes[c].processes.size();
        order_.resize(n);
        std::iota(order_.begin(), order_.end(), first);
        const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
            return ranks[a] != ranks[b] ? ranks[a] < ranks[b] : signatures_[a] < signatures_[b];
        };
        for (std::size_t i = 1; i < n; ++i)
            for (std::size_t j = i; j > 0 && is_before(order_[j], order_[j - 1]); --j)
                std::swap(order_[j], order_[j - 1]);
        std::uint32_t rank = 0;
        std::uint32_t before = 0;
        for (std::uint32_t k = 0; k < n; ++k) {
            const std::uint32_t b = order_[k];
            const std::uint32_t old = ranks[b];
            const bool is_tied = k > 0 && old == before && signatures_[order_[k - 1]] == signatures_[b];
            if (!is_tied) rank = k;
            is_finer |= rank != old;
            before = old;
            ranks[b] = rank;
        }
    }
    return is_finer;
}

void Representative::refine(const model::Value* values, Ranks& ranks) {
    while (refine_once(values, ranks)) {
    }
}

// A block that is tied with others and named by another one, so that their order matters; -1: none.
std::int32_t Representative::undecided(const model::Value* values, const Ranks& ranks) {
    const auto is_tied = [&](std::uint32_t b) {
        const std::uint32_t first = first_block_[blocks_[b].class_number];
        const std::size_t n = group_->classes[blocks_[b].class_number].processes.size();
        for (std::uint32_t other = first; other < first + n; ++other)
            if (other != b && ranks[other] == ranks[b]) return true;
        return false;
    };
    std::int32_t found = -1;
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
        const Block block = blocks_[b];
        for (const std::vector<model::SlotId>& column : group_->classes[block.class_number].columns) {
            const Domain* names = names_in(column[block.index]);
            if (names == nullptr) continue;
            const std::int32_t named = at(*names, names->blocks, values[column[block.index]]);
            if (named < 0 || named == static_cast<std::int32_t>(b) || !is_tied(static_cast<std::uint32_t>(named)))
                continue;
            // The same choice for all renamings of a state: by class and rank.
            const auto is_before = [&](std::int32_t x, std::int32_t y) {
                const Block& p = blocks_[static_cast<std::size_t>(x)];
                const Block& q = blocks_[static_cast<std::size_t>(y)];
                return p.class_number != q.class_number
                           ? p.class_number < q.class_number
                           : ranks[static_cast<std::size_t>(x)] < ranks[static_cast<std::size_t>(y)];
            };
            if (found < 0 || is_before(named, found)) found = named;
        }
    }
    return found;
}

void Representative::try_orders(const model::Value* values, std::size_t depth) {
    const Ranks& ranks = ranks_[depth];
    const std::int32_t chosen = undecided(values, ranks);
    if (chosen < 0) {
        ++orders_;
        place(ranks);
        permute(values, candidate_.data());
        if (has_best_ && !is_less(candidate_.data(), best_.data())) return;
        has_best_ = true;
        std::swap(best_, candidate_);
        best_position_ = position_;
        return;
    }
    const std::uint32_t class_number = blocks_[static_cast<std::size_t>(chosen)].class_number;
    const std::uint32_t first = first_block_[class_number];
    const std::uint32_t tied = ranks[static_cast<std::size_t>(chosen)];
    const std::size_t n = group_->classes[class_number].processes.size();
    for (std::uint32_t b = first; b < first + n; ++b) {
        if (ranks_[depth][b] != tied) continue;
        if (orders_ >= kMostOrders) {
            is_least_ = false;
            return;
        }
        Ranks& next = ranks_[depth + 1];
        next = ranks_[depth];
        for (std::uint32_t other = first; other < first + n; ++other)
            if (other != b && next[other] == tied) ++next[other];
        refine(values, next);
        try_orders(values, depth + 1);
    }
}

// Blocks that are equal keep their order.
void Representative::place(const Ranks& ranks) {
    for (std::size_t c = 0; c < group_->classes.size(); ++c) {
        const std::uint32_t first = first_block_[c];
        const auto n = static_cast<std::uint32_t>(group_->classes[c].processes.size());
        for (std::uint32_t b = first; b < first + n; ++b) {
            position_[b] = ranks[b];
            for (std::uint32_t before = first; before < b; ++before)
                if (ranks[before] == ranks[b]) ++position_[b];
        }
    }
}

// Every block goes to its position, and names follow.
void Representative::permute(const model::Value* from, model::Value* to) {
    const auto renamed = [&](model::SlotId slot) {
        const Domain* names = names_in(slot);
        const std::int32_t named = names == nullptr ? -1 : at(*names, names->blocks, from[slot]);
        if (named < 0) return from[slot];
        const auto block = static_cast<std::size_t>(named);
        return named_[first_block_[blocks_[block].class_number] + position_[block]]
                     [static_cast<std::size_t>(at(*names, names->columns, from[slot]))];
    };
    for (const model::SlotId slot : slots_) to[slot] = renamed(slot);
    for (std::uint32_t b = 0; b < blocks_.size(); ++b)
        for (const std::vector<model::SlotId>& column : group_->classes[blocks_[b].class_number].columns)
            to[column[position_[b]]] = renamed(column[blocks_[b].index]);
}

Renaming Representative::renaming() const {
    Renaming result = identity(*group_->model, group_->domains);
    for (const Done& done : done_) {
        if (done.other >= 0)
            result = composed(group_->domains, result, group_->others[static_cast<std::size_t>(done.other)]);
        for (std::size_t c = 0; c < group_->classes.size(); ++c) {
            std::vector<std::size_t> permutation;
            for (std::size_t k = 0; k < group_->classes[c].processes.size(); ++k)
                permutation.push_back(done.position[first_block_[c] + k]);
            result = composed(group_->domains, result, group_->permuting(c, permutation));
        }
    }
    return result;
}

}  // namespace tideline::reduce
