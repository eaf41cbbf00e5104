// What edges are beside their targets: a transition and a set of acceptance marks, together a *kind*. Few kinds occur,
// and few follow each other within a row. A kind is named by its index among those that have followed the kind before
// it (or the row's beginning), in the order of their first occurrence: mostly a number below 30.
//
// Both lists only grow, so what was written stays readable. Kinds beyond kMostKinds, and followers beyond
// kMostFollowers, have no name: the row says transition and marks themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/model.hpp"

namespace tideline::graph {

class StepKinds {
public:
    using Kind = std::uint16_t;
    static constexpr Kind kStart = 0;  // no kind: the beginning of a row, and what follows an edge without a name
    static constexpr std::size_t kMostKinds = 2048;
    static constexpr std::size_t kMostFollowers = 255;

    struct Step {
        model::Marks marks = 0;
        model::TransitionId transition = 0;
        std::uint32_t next_of_transition = 0;  // the next kind with the same transition; 0: none
    };

    StepKinds() : steps_(1), followers_(kMostFollowers + 1), sizes_(1), stride_(1), indices_(1) {}

    struct Named {
        Kind kind;
        std::uint8_t index;  // among the followers of the kind before
    };
    // The name of a step that follows a kind. Nothing where it has none.
    [[nodiscard]] std::optional<Named> name(Kind before, model::TransitionId transition, model::Marks marks) {
        const Kind kind = kind_of(transition, marks);
        if (kind == kStart) [[unlikely]]
            return std::nullopt;
        std::uint8_t& index = indices_[before * stride_ + kind];
        if (index == 0) [[unlikely]] {
            if (sizes_[before] == kMostFollowers) return std::nullopt;
            followers_[before * (kMostFollowers + 1) + sizes_[before]] = kind;
            index = static_cast<std::uint8_t>(++sizes_[before]);
        }
        return Named{kind, static_cast<std::uint8_t>(index - 1)};
    }

    [[nodiscard]] Kind follower(Kind before, std::size_t index) const {
        return followers_[before * (kMostFollowers + 1) + index];
    }
    [[nodiscard]] const Step& step(Kind kind) const { return steps_[kind]; }

    [[nodiscard]] std::uint64_t bytes() const {
        return steps_.size() * sizeof(Step) + followers_.size() * sizeof(Kind) + sizes_.size() + indices_.size() +
               first_of_.size() * sizeof(Kind);
    }

private:
    static constexpr std::size_t kMostTransitions = std::size_t{1} << 16U;  // those beyond have no names

    Kind kind_of(model::TransitionId transition, model::Marks marks) {
        if (transition >= first_of_.size()) [[unlikely]] {
            if (transition >= kMostTransitions || steps_.size() == kMostKinds) return kStart;
            first_of_.resize(transition + 1, kStart);
        }
        Kind* link = &first_of_[transition];
        for (Kind kind = *link; kind != kStart; kind = static_cast<Kind>(steps_[kind].next_of_transition))
            if (steps_[kind].marks == marks) [[likely]]
                return kind;
        return add(transition, marks);
    }

    Kind add(model::TransitionId transition, model::Marks marks) {
        if (steps_.size() == kMostKinds) return kStart;
        const auto kind = static_cast<Kind>(steps_.size());
        steps_.push_back({marks, transition, first_of_[transition]});
        first_of_[transition] = kind;
        followers_.resize(steps_.size() * (kMostFollowers + 1));
        sizes_.push_back(0);
        if (steps_.size() > stride_) {
            const std::size_t stride = stride_ * 2;
            std::vector<std::uint8_t> indices(stride * stride);
            for (std::size_t before = 0; before < kind; ++before)
                for (std::size_t after = 0; after < kind; ++after)
                    indices[before * stride + after] = indices_[before * stride_ + after];
            indices_ = std::move(indices);
            stride_ = stride;
        }
        return kind;
    }

    std::vector<Step> steps_;            // by kind
    std::vector<Kind> followers_;        // kMostFollowers + 1 of each kind
    std::vector<std::uint8_t> sizes_;    // how many of them there are
    std::vector<Kind> first_of_;         // by transition: the kind that was added last
    std::size_t stride_;                 // a power of two
    std::vector<std::uint8_t> indices_;  // before * stride_ + kind: the index among the followers + 1; 0: none yet
};

}  // namespace tideline::graph
