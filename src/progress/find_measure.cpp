#include "progress/find_measure.hpp"

#include <algorithm>
#include <compare>
#include <limits>
#include <utility>

#include "progress/candidates.hpp"
#include "progress/certificate.hpp"
#include "progress/explanation.hpp"

namespace tideline::progress {
namespace {

constexpr std::size_t kBeam = 3;
constexpr std::size_t kVectorBeam = 1;  // of measures with a vector, which must not crowd out the others
constexpr std::size_t kMostComponents = 10;
constexpr std::size_t kPromising = 8;         // extensions of a measure that are rated on more states,
constexpr std::size_t kPromisingVectors = 3;  // and of one with a vector
constexpr std::uint32_t kFewStates = 5'000;
constexpr std::uint32_t kMoreStates = 40'000;
constexpr std::uint64_t kMostEdges = 60'000'000;    // examined by all ratings together,
constexpr std::uint64_t kVectorEdges = 10'000'000;  // and by those of measures with a vector
// Where the pilot saw all states, a sweep saves little and the search must be cheap: the budget is this number of
// ratings of the whole.
constexpr std::uint64_t kRatings = 300;
constexpr std::uint64_t kVectorRatings = 50;
constexpr double kLeastGain = 0.98;
constexpr unsigned kKeyBits = 128;
constexpr double kMostExpansions = 8;  // per state, without a ledger
constexpr std::uint64_t kMostExpansionsTold =
    200;  // the same in a reported rating, of a measure that may be bad: there may be one sweep per state

// The cost of a state read back, or of a layer visited, in expanded states.
constexpr double kReread = 0.25;
constexpr double kVisit = 10;
constexpr double kPasses = 0.5;  // as many as the pilot has levels
// Without a ledger steps back cost more than a pilot shows: it sees few of the states that are reached again.
constexpr double kStepsBack = 1.5;
// A partial pilot has relatively more open states than the whole search; the factor is an average that was measured.
constexpr double kWithoutBorder = 0.75;

// The cost of a measure. Of two with the same cost, the one with fewer passes is better.
struct Score {
    double cost = 1;
    std::uint64_t passes = 0;
    friend auto operator<=>(const Score&, const Score&) = default;
};

struct Node {
    std::vector<std::size_t> chosen;  // candidates
    Ranks few;
    Ranks more;
    bool leads = true;  // all its components together never decrease
    unsigned bits = 0;
    Score score;
};

double cost(const Rating& rating, const Pilot& pilot, SweepKind kind) {
    const auto n = static_cast<double>(rating.states);
    const double share = static_cast<double>(rating.peak) / n;
    const double visits = kVisit * static_cast<double>(rating.visits) / n;
    // A measure that goes back with most steps looks good near the initial state and gets worse with every level: it
    // needs a pass for each.
    const double passes =
        pilot.complete ? 0 : kPasses * static_cast<double>(rating.passes - 1) / static_cast<double>(pilot.depth + 1);
    if (kind == SweepKind::with_ledger)
        return share * (1 + kReread * static_cast<double>(rating.reread) / n + visits) * (1 + passes);
    if (rating.given_up) return std::numeric_limits<double>::infinity();
    const double expansions = static_cast<double>(rating.expanded) / n;
    return share * (expansions * expansions * expansions * expansions + visits) * (rating.passes > 1 ? kStepsBack : 1);
}

Score score(const Rating& rating, const Pilot& pilot, SweepKind kind, MeasureShape shape) {
    if (shape == MeasureShape::projection && kind == SweepKind::without_ledger && !rating.given_up) {
        // As the paper on LTL and the sweep-line method weighs: states in memory times states visited.
        const auto n = static_cast<double>(rating.states);
        return {static_cast<double>(rating.peak) / n * (static_cast<double>(rating.expanded) / n), rating.passes};
    }
    return {cost(rating, pilot, kind), rating.passes};
}

// Puts measures together from linear components. The names of the model are copied once; the tables of a measure come
// and go.
class Assembly {
public:
    explicit Assembly(const model::Model& model)
        : transitions_(model.transitions), model_(model.without_transitions()), tables_(model.tables.size()) {}

    Measure measure(const std::vector<LinearComponent>& components) {
        model_.tables.resize(tables_);
        Measure result;
        for (const LinearComponent& linear : components) {
            Component component = to_component(model_, linear, static_cast<model::TableId>(model_.tables.size()));
            model_.tables.insert(model_.tables.end(), component.tables.begin(), component.tables.end());
            result.tables.insert(result.tables.end(), component.tables.begin(), component.tables.end());
            result.components.push_back(std::move(component.text));
            result.program.components.push_back(key_component(model_, std::move(component.expression)));
        }
        return result;
    }

    // The number of leading components that never decrease.
    std::size_t monotonic(const std::vector<LinearComponent>& components, const support::Budget& budget) {
        return monotonic(measure(components), budget);
    }
    std::size_t monotonic(const Measure& assembled, const support::Budget& budget) {
        model_.tables.resize(tables_);
        model_.tables.insert(model_.tables.end(), assembled.tables.begin(), assembled.tables.end());
        std::vector<model::Expression> expressions;
        for (const successor::KeyComponent& component : assembled.program.components)
            expressions.push_back(component.expression);
        return monotonic_components(model_, transitions_, expressions, budget);
    }

private:
    const std::vector<model::Transition>& transitions_;
    model::Model model_;
    std::size_t tables_;
};

class MeasureSearch {
public:
    MeasureSearch(const model::Model& model, Assembly& assembly, const Pilot& pilot, SweepKind kind,
                  const support::Budget& budget, MeasureShape shape)
        : assembly_(assembly),
          pilot_(pilot),
          budget_(budget),
          kind_(kind),
          shape_(shape),
          few_(std::min(pilot.states, kFewStates)),
          more_(std::min(pilot.states, kMoreStates)),
          candidates_(shape == MeasureShape::projection ? single_slots(model, pilot, more_)
                                                        : progress::candidates(model, pilot, more_, budget)),
          rater_(pilot),
          edges_{allowed(kMostEdges, kRatings)},
          vector_edges_{allowed(kVectorEdges, kVectorRatings)} {
        for (const Candidate& candidate : candidates_) {
            unsigned bits = 0;
            for (const successor::KeyComponent& component : assembly_.measure(candidate.components).program.components)
                bits += component.bits;
            bits_.push_back(bits);
        }
    }

    std::vector<std::vector<LinearComponent>> run() {
        std::vector<Node> beam(1);
        beam[0].few = constant_ranks(few_);
        beam[0].more = constant_ranks(more_);
        std::vector<Node> vector_beam;
        std::vector<Node> best;
        std::vector<Node> best_vectors;
        for (std::size_t length = 0; length < kMostComponents && !(beam.empty() && vector_beam.empty()); ++length) {
            std::vector<Node> longer;
            std::vector<Node> with_vectors;
            for (const Node& node : beam) extend(node, {true, false, kPromising}, edges_, longer);
            if (!beam.empty()) extend(beam[0], {false, true, kPromisingVectors}, vector_edges_, with_vectors);
            for (const Node& node : vector_beam)
                extend(node, {true, true, kPromisingVectors}, vector_edges_, with_vectors);
            beam = the_best(std::move(longer), kBeam);
            vector_beam = the_best(std::move(with_vectors), kVectorBeam);
            best.insert(best.end(), beam.begin(), beam.end());
            best_vectors.insert(best_vectors.end(), vector_beam.begin(), vector_beam.end());
        }
        std::vector<std::vector<LinearComponent>> result;
        for (const Node& node : the_best(std::move(best), kBeam)) result.push_back(components_of(node));
        for (const Node& node : the_best(std::move(best_vectors), kVectorBeam)) result.push_back(components_of(node));
        return result;
    }

private:
    struct Allowance {
        std::uint64_t most = 0;  // edges examined
        std::uint64_t spent = 0;
        [[nodiscard]] bool is_spent() const { return spent >= most; }
    };
    [[nodiscard]] std::uint64_t allowed(std::uint64_t most, std::uint64_t ratings) const {
        return pilot_.complete ? std::min(most, ratings * (pilot_.edge_ends[pilot_.states - 1] + pilot_.states)) : most;
    }
    // The candidates that a measure is extended by.
    struct Choice {
        bool single;
        bool vectors;
        std::size_t promising;  // number of candidates that are rated on more states
    };

    // Two that partition the states in the same way count as one.
    static std::vector<Node> the_best(std::vector<Node> nodes, std::size_t most) {
        std::stable_sort(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return a.score < b.score; });
        std::vector<Node> result;
        for (Node& node : nodes) {
            if (result.size() == most) break;
            const bool is_known = std::any_of(result.begin(), result.end(),
                                              [&](const Node& other) { return other.more.of == node.more.of; });
            if (!is_known) result.push_back(std::move(node));
        }
        return result;
    }

    [[nodiscard]] std::vector<LinearComponent> components_of(const Node& node) const {
        std::vector<LinearComponent> result;
        for (const std::size_t i : node.chosen)
            result.insert(result.end(), candidates_[i].components.begin(), candidates_[i].components.end());
        return result;
    }

    [[nodiscard]] Score rated(const Ranks& ranks, std::uint32_t states, Allowance& allowance) {
        const Rating rating =
            kind_ == SweepKind::with_ledger
                ? rater_.exact(ranks, states)
                : rater_.forgetful(ranks, states, static_cast<std::uint64_t>(kMostExpansions * states));
        allowance.spent += pilot_.edge_ends[states - 1] * rating.expanded / states + states;
        return score(rating, pilot_, kind_, shape_);
    }

    void extend(const Node& node, Choice choice, Allowance& allowance, std::vector<Node>& longer) {
        std::vector<std::pair<Score, std::size_t>> promising;
        std::vector<std::uint32_t> few_ranks(few_);
        for (std::size_t i = 0; i < candidates_.size() && !allowance.is_spent(); ++i) {
            if (i % 16 == 0 && budget_.is_exhausted()) return;
            if (!(candidates_[i].components.size() > 1 ? choice.vectors : choice.single)) continue;
            if (node.bits + bits_[i] > kKeyBits) continue;
            std::copy_n(candidates_[i].ranks.begin(), few_, few_ranks.begin());
            const Ranks ranks = refined(node.few, few_ranks, false);
            if (ranks.count == node.few.count) continue;
            promising.emplace_back(rated(ranks, few_, allowance), i);
        }
        std::stable_sort(promising.begin(), promising.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        if (promising.size() > choice.promising) promising.resize(choice.promising);
        for (const auto& [few_score, i] : promising) {
            if (budget_.is_exhausted()) return;
            Node next;
            next.chosen = node.chosen;
            next.chosen.push_back(i);
            next.leads = node.leads && is_monotonic(next);
            if (kind_ == SweepKind::basic && !next.leads) continue;
            next.more = refined(node.more, candidates_[i].ranks, next.leads);
            next.score = rated(next.more, more_, allowance);
            if (next.score.cost > node.score.cost * kLeastGain) continue;
            next.bits = node.bits + bits_[i];
            std::copy_n(candidates_[i].ranks.begin(), few_, few_ranks.begin());
            next.few = refined(node.few, few_ranks, next.leads);
            longer.push_back(std::move(next));
        }
    }

    [[nodiscard]] bool is_monotonic(const Node& node) {
        const std::vector<LinearComponent> components = components_of(node);
        return assembly_.monotonic(components, budget_) == components.size();
    }

    Assembly& assembly_;
    const Pilot& pilot_;
    const support::Budget& budget_;
    SweepKind kind_;
    MeasureShape shape_;
    std::uint32_t few_;
    std::uint32_t more_;
    std::vector<Candidate> candidates_;
    std::vector<unsigned> bits_;
    Rater rater_;
    Allowance edges_;
    Allowance vector_edges_;
};

}  // namespace

FoundMeasures find_measures(const model::Model& model, const successor::System& system, SweepKind kind,
                            const PilotLimits& limits, const support::Budget& budget, const Measure* given,
                            MeasureShape shape) {
    FoundMeasures found;
    found.pilot = explore_pilot(system, limits, budget);
    const Pilot& pilot = found.pilot;
    if (pilot.states == 0) return found;
    std::vector<Measure> measures;
    if (given != nullptr) measures.push_back(*given);
    Assembly assembly(model);
    for (const std::vector<LinearComponent>& components :
         MeasureSearch(model, assembly, pilot, kind, budget, shape).run())
        measures.push_back(assembly.measure(components));
    Rater rater(pilot);
    for (Measure& measure : measures) {
        // Ratings take time but little memory; where the time is over, no measure is used any more.
        if (const support::StopReason reason = budget.exhausted();
            reason == support::StopReason::time || reason == support::StopReason::interrupted)
            break;
        RatedMeasure rated;
        rated.monotonic = assembly.monotonic(measure, budget);
        rated.measure = std::move(measure);
        if (std::optional<Ranks> ranks = ranks_of(pilot, model, rated.measure, rated.monotonic)) {
            rated.rating = kind == SweepKind::with_ledger
                               ? rater.exact(*ranks, pilot.states)
                               : rater.forgetful(*ranks, pilot.states, kMostExpansionsTold * pilot.states);
            rated.predicted_share = static_cast<double>(rated.rating.peak) / static_cast<double>(pilot.states) *
                                    (pilot.complete ? 1 : kWithoutBorder);
            rated.ranks = *std::move(ranks);
        }
        found.measures.push_back(std::move(rated));
    }
    // Rated on all states, another one may be the best.
    std::stable_sort(found.measures.begin() + (given == nullptr || found.measures.empty() ? 0 : 1),
                     found.measures.end(), [&](const RatedMeasure& a, const RatedMeasure& b) {
                         return score(a.rating, pilot, kind, shape) < score(b.rating, pilot, kind, shape);
                     });
    return found;
}

}  // namespace tideline::progress
