#include "reduce/symmetry_group.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "reduce/model_graph.hpp"

namespace tideline::reduce {
namespace {

// Larger models are not searched: texts of all transitions are compared for every generator.
constexpr std::size_t kMostTransitions = 20'000;

class Search {
public:
    Search(std::shared_ptr<const model::Model> model, const support::Budget& budget) : budget_(budget) {
        group_.model = std::move(model);
    }

    support::Result<SymmetryGroup> run(const std::vector<std::string>& chosen) {
        try {
            return found(chosen);
        } catch (const Stopped& stopped) {
            return support::Diagnostics{
                support::diagnostic_of_stop("--symmetry", stopped.reason, "symmetries were looked for")};
        }
    }

private:
    struct Stopped {
        support::StopReason reason;
    };

    support::Result<SymmetryGroup> found(const std::vector<std::string>& chosen) {
        if (!choose(chosen)) return std::move(errors_);
        if (model().transitions.size() > kMostTransitions || model().is_explicit_graph())
            return without_symmetry("the model is too large to look for symmetries, or a graph without processes");
        group_.domains = infer_domains(model());
        texts_.emplace(model(), group_.domains);
        const ModelGraph graph(model(), group_.domains);
        if (graph.is_too_large()) return without_symmetry("the model is too large to look for symmetries");
        const std::vector<Renaming> all = verified(graph, colours_of_chosen());
        find_classes(graph, all);
        add_others(all);
        if (!chosen.empty() && group_.classes.empty() && group_.is_trivial())
            return support::Diagnostics{support::diagnostic_about(
                "--symmetry",
                "none of these processes can be exchanged" +
                    (group_.rejected.empty() ? std::string() : ": " + group_.rejected.front()),
                "--symmetry auto uses what there is")};
        return std::move(group_);
    }

    [[nodiscard]] const model::Model& model() const { return *group_.model; }

    support::Result<SymmetryGroup> without_symmetry(std::string reason) {
        group_.rejected.push_back(std::move(reason));
        return std::move(group_);
    }

    // Names of processes; P stands for P0, P_1, P(2) and the like, where no process is called P.
    bool choose(const std::vector<std::string>& names) {
        for (const std::string& name : names) {
            bool is_known = false;
            for (const bool exact : {true, false}) {
                for (model::ProcessId p = 0; !is_known && p < model().processes.size(); ++p)
                    is_known |= matches(model().processes[p].name, name, exact);
                if (!is_known) continue;
                for (model::ProcessId p = 0; p < model().processes.size(); ++p)
                    if (matches(model().processes[p].name, name, exact)) chosen_.insert(p);
                break;
            }
            if (is_known) continue;
            std::vector<std::string> known;
            for (const model::Process& process : model().processes) known.push_back(process.name);
            errors_.push_back(support::diagnostic_about("--symmetry", "there is no process " + support::in_quotes(name),
                                                        support::suggestion(name, known)));
        }
        return errors_.empty();
    }
    static bool matches(const std::string& process, const std::string& name, bool exact) {
        if (process == name) return true;
        if (exact || !process.starts_with(name) || process.size() == name.size()) return false;
        return process.find_first_not_of("0123456789_()[]:#", name.size()) == std::string::npos;
    }
    // Processes that were not chosen stay.
    [[nodiscard]] std::vector<unsigned> colours_of_chosen() const {
        std::vector<unsigned> colours(model().processes.size(), 0);
        for (model::ProcessId p = 0; !chosen_.empty() && p < colours.size(); ++p)
            if (!chosen_.contains(p)) colours[p] = p + 1;
        return colours;
    }

    std::vector<Renaming> verified(const ModelGraph& graph, const std::vector<unsigned>& colours) {
        std::vector<Renaming> result;
        const Renaming same = identity(model(), group_.domains);
        for (Renaming& candidate : graph.candidates(colours, [this] { return is_stopped(); })) {
            look();
            if (candidate == same) continue;
            if (std::string problem = refuted(model(), group_.domains, *texts_, candidate); problem.empty())
                result.push_back(std::move(candidate));
            else group_.rejected.push_back(to_text(model(), candidate) + ": " + problem);
        }
        return result;
    }

    // ---- classes ----------------------------------------------------------------------------------------------------

    void find_classes(const ModelGraph& graph, const std::vector<Renaming>& all) {
        // Only processes of one orbit can be exchanged.
        std::vector<model::ProcessId> orbit(model().processes.size());
        std::iota(orbit.begin(), orbit.end(), model::ProcessId{0});
        for (bool is_changed = true; is_changed;) {
            is_changed = false;
            for (const Renaming& renaming : all)
                for (model::ProcessId p = 0; p < orbit.size(); ++p) {
                    model::ProcessId& other = orbit[renaming.processes[p]];
                    const model::ProcessId least = std::min(orbit[p], other);
                    is_changed |= orbit[p] != least || other != least;
                    orbit[p] = other = least;
                }
        }
        group_.names.resize(group_.domains.members.size());
        for (DomainId d = 0; d < group_.names.size(); ++d) group_.names[d].resize(group_.domains.members[d].size());
        std::vector<bool> is_placed(orbit.size(), false);
        for (model::ProcessId p = 0; p < orbit.size(); ++p) {
            if (is_placed[p]) continue;
            std::vector<model::ProcessId> members{p};
            std::vector<Renaming> swaps;
            for (model::ProcessId q = p + 1; q < orbit.size(); ++q) {
                if (orbit[q] != orbit[p] || is_placed[q]) continue;
                look();
                std::optional<Renaming> swap = swap_of(graph, members.back(), q);
                if (!swap) continue;
                members.push_back(q);
                swaps.push_back(*std::move(swap));
                is_placed[q] = true;
            }
            if (members.size() > 1) add_class(members, swaps);
        }
    }
    [[nodiscard]] bool is_stopped() const { return budget_.exhausted() != support::StopReason::none; }
    void look() const {
        if (const support::StopReason reason = budget_.exhausted(); reason != support::StopReason::none)
            throw Stopped{reason};
    }

    std::optional<Renaming> swap_of(const ModelGraph& graph, model::ProcessId p, model::ProcessId q) {
        std::vector<unsigned> colours(model().processes.size());
        std::iota(colours.begin(), colours.end(), 0U);
        colours[q] = colours[p];
        for (Renaming& renaming : verified(graph, colours))
            if (renaming.processes[p] == q) return std::move(renaming);
        return std::nullopt;
    }

    void add_class(const std::vector<model::ProcessId>& members, const std::vector<Renaming>& swaps) {
        group_.generators.insert(group_.generators.end(), swaps.begin(), swaps.end());
        ExchangeClass made;
        made.processes = members;
        std::vector<std::vector<std::pair<DomainId, std::size_t>>> name_columns;
        if (are_columns(members.size(), swaps, made.columns) && are_names(members.size(), swaps, name_columns)) {
            for (std::size_t c = 0; c < name_columns.size(); ++c)
                for (std::size_t k = 0; k < members.size(); ++k)
                    group_.names[name_columns[c][k].first][name_columns[c][k].second] =
                        NamedMember{group_.classes.size(), c, k};
            group_.classes.push_back(std::move(made));
            if (are_swaps_verified()) return;
            group_.classes.pop_back();
            for (std::vector<std::optional<NamedMember>>& of_domain : group_.names)
                for (std::optional<NamedMember>& name : of_domain)
                    if (name && name->class_number == group_.classes.size()) name.reset();
        }
        loose_.insert(loose_.end(), swaps.begin(), swaps.end());
    }

    // What the columns say of the class added last is verified again, since that is what states are permuted by.
    [[nodiscard]] bool are_swaps_verified() const {
        const std::size_t c = group_.classes.size() - 1;
        std::vector<std::size_t> permutation(group_.classes[c].processes.size());
        for (std::size_t k = 0; k + 1 < permutation.size(); ++k) {
            look();
            std::iota(permutation.begin(), permutation.end(), std::size_t{0});
            std::swap(permutation[k], permutation[k + 1]);
            if (!refuted(model(), group_.domains, *texts_, group_.permuting(c, permutation)).empty()) return false;
        }
        return true;
    }

    // Whether the swaps of neighbours move points (of `count`) in columns of n, one for each process.
    template <class Image>
    bool columns_of(std::size_t n, std::size_t count, const Image& image,
                    std::vector<std::vector<std::size_t>>& columns) const {
        std::vector<bool> is_known(count, false);
        for (std::size_t point = 0; point < count; ++point) {
            const std::size_t partner = image(0, point);
            if (partner == point || is_known[point]) continue;
            // Of the two that the first swap exchanges, the second moves one: that of the second process.
            std::size_t first = point;
            if (n > 2 && image(1, first) != first) first = partner;
            look();
            std::vector<std::size_t> column{first};
            for (std::size_t k = 0; k + 1 < n; ++k) column.push_back(image(k, column.back()));
            for (std::size_t k = 0; k < n; ++k) {
                if (is_known[column[k]]) return false;
                is_known[column[k]] = true;
                for (std::size_t swap = 0; swap + 1 < n; ++swap) {
                    const std::size_t expected = swap == k ? k + 1 : swap + 1 == k ? k - 1 : k;
                    if (image(swap, column[k]) != column[expected]) return false;
                }
            }
            columns.push_back(std::move(column));
        }
        for (std::size_t point = 0; point < count; ++point)
            for (std::size_t swap = 0; swap + 1 < n; ++swap)
                if (image(swap, point) != point && !is_known[point]) return false;
        return true;
    }

    bool are_columns(std::size_t n, const std::vector<Renaming>& swaps,
                     std::vector<std::vector<model::SlotId>>& columns) const {
        std::vector<std::vector<std::size_t>> found;
        if (!columns_of(
                n, model().slot_count(),
                [&](std::size_t swap, std::size_t s) { return std::size_t{swaps[swap].slots[s]}; }, found))
            return false;
        for (const std::vector<std::size_t>& column : found) {
            columns.emplace_back();
            for (const std::size_t s : column) columns.back().push_back(static_cast<model::SlotId>(s));
        }
        // Slots of two classes cannot be permuted one class after the other.
        std::set<model::SlotId> others;
        for (const ExchangeClass& other : group_.classes)
            for (const std::vector<model::SlotId>& column : other.columns) others.insert(column.begin(), column.end());
        return std::none_of(columns.begin(), columns.end(), [&](const std::vector<model::SlotId>& column) {
            return std::any_of(column.begin(), column.end(), [&](model::SlotId s) { return others.contains(s); });
        });
    }

    bool are_names(std::size_t n, const std::vector<Renaming>& swaps,
                   std::vector<std::vector<std::pair<DomainId, std::size_t>>>& columns) const {
        for (DomainId d = 0; d < group_.domains.members.size(); ++d) {
            const std::vector<model::Value>& members = group_.domains.members[d];
            bool is_own = true;
            for (const Renaming& swap : swaps) {
                if (swap.domains[d] == d) continue;
                is_own = false;
                // Copies of a domain: the values stay as they are.
                if (swap.values[d] != members) return false;
            }
            if (!is_own) {
                for (const Renaming& swap : swaps)
                    if (swap.values[d] != members) return false;
                continue;
            }
            std::vector<std::vector<std::size_t>> found;
            if (!columns_of(
                    n, members.size(),
                    [&](std::size_t swap, std::size_t i) {
                        return group_.domains.member(d, swaps[swap].values[d][i]).value();
                    },
                    found))
                return false;
            for (const std::vector<std::size_t>& column : found) {
                columns.emplace_back();
                for (const std::size_t i : column) {
                    if (group_.names[d][i]) return false;
                    columns.back().emplace_back(d, i);
                }
            }
        }
        return true;
    }

    // ---- what is beside the classes ---------------------------------------------------------------------------------

    void add_others(const std::vector<Renaming>& all) {
        std::vector<Renaming> generators = loose_;
        const Renaming same = identity(model(), group_.domains);
        for (const Renaming& renaming : all) {
            look();
            if (least_of_coset(renaming) == same) continue;
            generators.push_back(renaming);
            group_.generators.push_back(renaming);
        }
        // Cosets N r of the group N of all permutations of classes: every one is reached from N by generators.
        std::set<Renaming> cosets{same};
        std::vector<Renaming> open{same};
        while (!open.empty() && cosets.size() <= SymmetryGroup::kMostCosets) {
            look();
            const Renaming from = std::move(open.back());
            open.pop_back();
            for (const Renaming& generator : generators) {
                Renaming next = least_of_coset(composed(group_.domains, generator, from));
                if (cosets.insert(next).second) open.push_back(std::move(next));
            }
        }
        group_.is_complete = open.empty() && cosets.size() <= SymmetryGroup::kMostCosets;
        if (!group_.is_complete) {
            for (const Renaming& generator : generators) {
                group_.others.push_back(generator);
                group_.others.push_back(inverse(group_.domains, generator));
            }
            return;
        }
        cosets.erase(same);
        group_.others.assign(cosets.begin(), cosets.end());
    }

    // The renaming, followed by the permutations of classes that bring what comes into the first column of each into
    // order.
    [[nodiscard]] Renaming least_of_coset(Renaming renaming) const {
        for (std::size_t c = 0; c < group_.classes.size(); ++c) {
            const std::vector<model::SlotId>& column = group_.classes[c].columns.front();
            const Renaming back = inverse(group_.domains, renaming);
            std::vector<std::size_t> order(column.size());
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::sort(order.begin(), order.end(),
                      [&](std::size_t a, std::size_t b) { return back.slots[column[a]] < back.slots[column[b]]; });
            std::vector<std::size_t> permutation(column.size());
            for (std::size_t k = 0; k < order.size(); ++k) permutation[order[k]] = k;
            renaming = composed(group_.domains, renaming, group_.permuting(c, permutation));
        }
        return renaming;
    }

    const support::Budget& budget_;
    SymmetryGroup group_;
    std::optional<TransitionTexts> texts_;
    std::set<model::ProcessId> chosen_;
    std::vector<Renaming> loose_;  // swaps that do not lie in columns
    support::Diagnostics errors_;
};

}  // namespace

std::optional<std::uint64_t> SymmetryGroup::order() const {
    if (!is_complete) return std::nullopt;
    std::uint64_t result = 1;
    const auto multiply = [&](std::uint64_t factor) { return !__builtin_mul_overflow(result, factor, &result); };
    for (const ExchangeClass& one : classes)
        for (std::uint64_t k = 2; k <= one.processes.size(); ++k)
            if (!multiply(k)) return std::nullopt;
    if (!multiply(others.size() + 1)) return std::nullopt;
    return result;
}

Renaming SymmetryGroup::permuting(std::size_t class_number, const std::vector<std::size_t>& permutation) const {
    Renaming result = identity(*model, domains);
    const ExchangeClass& one = classes[class_number];
    for (std::size_t k = 0; k < permutation.size(); ++k) {
        result.processes[one.processes[k]] = one.processes[permutation[k]];
        for (const std::vector<model::SlotId>& column : one.columns) result.slots[column[k]] = column[permutation[k]];
    }
    // Names of the same column.
    std::map<std::pair<std::size_t, std::size_t>, model::Value> named;
    for (DomainId d = 0; d < names.size(); ++d)
        for (std::size_t i = 0; i < names[d].size(); ++i)
            if (names[d][i] && names[d][i]->class_number == class_number)
                named[{names[d][i]->column, names[d][i]->index}] = domains.members[d][i];
    for (DomainId d = 0; d < names.size(); ++d)
        for (std::size_t i = 0; i < names[d].size(); ++i)
            if (names[d][i] && names[d][i]->class_number == class_number)
                result.values[d][i] = named.at({names[d][i]->column, permutation[names[d][i]->index]});
    // Domains that are copies of each other, one for each process, move with their variables.
    for (model::SlotId s = 0; s < result.slots.size(); ++s)
        result.domains[domains.of_slot(s)] = domains.of_slot(result.slots[s]);
    for (model::VariableId v = 0; v < domains.is_indexed.size(); ++v)
        if (domains.is_indexed[v])
            result.domains[domains.of_index[v]] =
                domains.of_index[domains.variable_of_slot[result.slots[model->variables[v].first_slot]]];
    return result;
}

model::TransitionId SymmetryGroup::image(const Renaming& renaming, model::TransitionId transition) const {
    const std::optional<model::TransitionId> found =
        TransitionTexts(*model, domains).with_text(NormalForm(*model, domains, &renaming).text(transition));
    return found.value();
}

const Renaming* SymmetryGroup::changes(const model::Expression& expression) const {
    const auto changed = std::find_if(generators.begin(), generators.end(), [&](const Renaming& renaming) {
        return !is_invariant(*model, domains, renaming, expression);
    });
    return changed == generators.end() ? nullptr : &*changed;
}

support::Result<SymmetryGroup> find_symmetries(std::shared_ptr<const model::Model> model,
                                               const std::vector<std::string>& chosen, const support::Budget& budget) {
    return Search(std::move(model), budget).run(chosen);
}

}  // namespace tideline::reduce
