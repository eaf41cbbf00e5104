#include "explore/path_to_state.hpp"

#include <algorithm>
#include <utility>

#include "explore/search.hpp"

namespace tideline::explore {
namespace {

using successor::Word;

// A state as another system packs it.
std::vector<Word> packed_by(const successor::System& system, const std::vector<model::Value>& values) {
    std::vector<Word> state(system.state_words());
    if (system.layout()->pack(values.data(), state.data())) return {};  // it does not fit: no state is like it
    return state;
}

class Finder final : public SearchObserver {
public:
    Finder(const successor::System& system, const std::vector<Word>& state)
        : system_(&system),
          state_(state),
          values_(system.layout() == nullptr ? std::vector<model::Value>() : system.decode(state.data())) {}

    [[nodiscard]] bool wants_discoveries() const override { return true; }
    [[nodiscard]] bool wants_deadlocks() const override { return false; }

    bool discovered(SearchView& search, std::span<const StateRef> discovered) override {
        if (&search.system() != system_) {
            system_ = &search.system();
            if (system_->layout() != nullptr) state_ = packed_by(*system_, values_);
        }
        for (const StateRef& each : discovered) {
            if (state_.empty() || !std::equal(state_.begin(), state_.end(), each.state)) continue;
            number_ = each.number;
            return false;
        }
        return true;
    }

    [[nodiscard]] const std::optional<std::uint64_t>& number() const { return number_; }

private:
    const successor::System* system_;
    std::vector<Word> state_;
    std::vector<model::Value> values_;
    std::optional<std::uint64_t> number_;
};

}  // namespace

std::optional<PackedPath> path_to_state(const std::shared_ptr<const successor::System>& system,
                                        const std::vector<Word>& state, const support::Budget& budget) {
    SearchSettings settings;
    settings.budget = &budget;
    Finder finder(*system, state);
    const SearchResult result = search(system, WalkOrder::breadth_first, settings, finder);
    if (!finder.number() || !result.paths) return std::nullopt;
    std::optional<PackedPath> path = result.paths->path_to(*finder.number(), budget);
    if (!path || path->system->layout() == nullptr || path->system->state_words() == 0) return path;
    if (path->system == system) return path;
    // The search had to widen fields for states that it met on the way.
    PackedPath repacked{system, {}, std::move(path->transitions)};
    for (std::size_t i = 0; i < path->size(); ++i) {
        const std::vector<Word> as_here = packed_by(*system, path->system->decode(path->state(i)));
        if (as_here.empty()) return std::nullopt;
        repacked.states.insert(repacked.states.end(), as_here.begin(), as_here.end());
    }
    return repacked;
}

}  // namespace tideline::explore
