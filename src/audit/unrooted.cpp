#include "audit/unrooted.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "support/quantity.hpp"

namespace tideline::audit {
namespace {

constexpr std::size_t kBlock = 4096;  // steps; 64 KB

}  // namespace

Unrooted::Unrooted(std::uint64_t states, std::uint64_t memory, std::string directory)
    : directory_(std::move(directory)) {
    const std::uint64_t needed = bytes(states);
    if (needed > memory)
        throw AuditError(AuditFault::memory,
                         fmt::format("{} is not enough memory to audit {} states that a search in memory discovered",
                                     support::bytes_text(memory), support::count_text(states)));
    most_in_memory_ = (memory - needed) / 2 / sizeof(Step);
    unrooted_.resize(states);
    reached_.resize(states);
    steps_ = empty();
}

std::unique_ptr<Unrooted::Steps> Unrooted::empty() const { return std::make_unique<Steps>(directory_, 1, kBlock); }

void Unrooted::add_step(std::uint64_t source, std::uint64_t target) {
    if (unrooted_[source] || reached_[source]) steps_->add(0, {source, target});
}

Tally Unrooted::decide(const std::function<void()>& tick) {
    steps_->finish();
    temporary_bytes_ = steps_->bytes();
    while (steps_->size(0) > most_in_memory_)
        if (!pass(tick)) break;
    if (steps_->size(0) <= most_in_memory_) finish_in_memory(tick);
    Tally result;
    for (std::uint64_t number = 0; number < unrooted_.size(); ++number)
        if (unrooted_[number] && !reached_[number]) result.add(number);
    return result;
}

bool Unrooted::pass(const std::function<void()>& tick) {
    std::unique_ptr<Steps> rest = empty();
    bool has_changed = false;
    steps_->visit(0, [&](std::span<const Step> block) {
        tick();
        for (const Step& step : block) {
            if (reached_[step.target]) continue;
            if (!reached_[step.source]) {
                rest->add(0, step);
                continue;
            }
            reached_[step.target] = true;
            has_changed = true;
        }
    });
    rest->finish();
    temporary_bytes_ = std::max(temporary_bytes_, steps_->bytes() + rest->bytes());
    steps_ = std::move(rest);
    return has_changed;
}

void Unrooted::finish_in_memory(const std::function<void()>& tick) {
    std::vector<Step> steps;
    steps.reserve(steps_->size(0));
    steps_->visit(0, [&](std::span<const Step> block) {
        tick();
        for (const Step& step : block)
            if (!reached_[step.target]) steps.push_back(step);
    });
    std::sort(steps.begin(), steps.end(), [](const Step& left, const Step& right) {
        return std::pair(left.source, left.target) < std::pair(right.source, right.target);
    });
    const auto from = [&](std::uint64_t source) {
        return std::lower_bound(steps.begin(), steps.end(), source,
                                [](const Step& step, std::uint64_t value) { return step.source < value; });
    };
    std::vector<std::uint64_t> open;
    std::uint64_t expanded = 0;
    for (auto begin = steps.begin(); begin != steps.end();) {
        const std::uint64_t source = begin->source;
        if (reached_[source]) open.push_back(source);
        while (begin != steps.end() && begin->source == source) ++begin;
        // What it reaches, and so on: a source that comes later has been followed then, and is followed again without
        // effect.
        while (!open.empty()) {
            constexpr std::uint64_t kBetweenTicks = 4096;
            if (++expanded % kBetweenTicks == 0) tick();
            const std::uint64_t state = open.back();
            open.pop_back();
            for (auto step = from(state); step != steps.end() && step->source == state; ++step) {
                if (reached_[step->target]) continue;
                reached_[step->target] = true;
                open.push_back(step->target);
            }
        }
    }
}

}  // namespace tideline::audit
