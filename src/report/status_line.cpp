// The line is overwritten with spaces, not erased with an escape sequence, so that it works on every terminal; it
// leaves the last column free, since some terminals begin a new line when that is written.
#include "report/status_line.hpp"

#include <algorithm>
#include <utility>

#include "explore/frontier_trend.hpp"
#include "support/memory.hpp"
#include "support/quantity.hpp"

namespace tideline::report {
namespace {

constexpr std::chrono::milliseconds kFirst{350};  // short runs show none; figures come every 100 ms
constexpr std::chrono::milliseconds kPause{200};
constexpr double kSlack = 0.1;              // seconds
constexpr std::size_t kInterruptWidth = 2;  // "^C", which the terminal shows behind the line
constexpr std::size_t kMostLooks = 25;      // five seconds
constexpr double kShortest = 1;             // seconds that a guess is based on, at least

}  // namespace

StatusLine::StatusLine(std::FILE* out, support::TerminalTraits traits, std::function<Clock::time_point()> now,
                       std::optional<Clock::time_point> begun)
    : out_(out), traits_(traits), now_(std::move(now)), start_(begun ? *begun : now_()), next_(start_ + kFirst) {}

StatusLine::~StatusLine() { clear(); }

void StatusLine::update(const explore::Statistics& statistics) {
    if (!traits_.terminal) return;
    const Clock::time_point now = now_();
    // A run that was resumed begins with figures of longer than it has been running.
    if (!has_begun_ && statistics.seconds > std::chrono::duration<double>(now - start_).count() + kSlack)
        first_ = {statistics.seconds, statistics.states};
    has_begun_ = true;
    if (now < next_) return;
    next_ = now + kPause;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    look(statistics, seconds);
    write(text(statistics, seconds));
}

void StatusLine::show(const std::string& what) {
    if (!traits_.terminal) return;
    const double seconds = std::chrono::duration<double>(now_() - start_).count();
    write(support::cut_to_width(what + (traits_.utf8 ? " \u00b7 " : " | ") + support::duration_text(seconds), room(),
                                traits_.utf8));
}

void StatusLine::look(const explore::Statistics& statistics, double seconds) {
    // Another search has begun.
    if (!looks_.empty() && statistics.expanded < looks_.back().expanded) looks_.clear();
    looks_.push_back({seconds, statistics.expanded, statistics.states, statistics.measure_share.value_or(0)});
    if (looks_.size() > kMostLooks) looks_.pop_front();
}

std::string StatusLine::guess(const explore::Statistics& statistics) const {
    const Look& first = looks_.front();
    const Look& last = looks_.back();
    if (last.seconds - first.seconds < kShortest || last.expanded <= first.expanded) return {};
    if (statistics.measure_share) {
        std::string text = std::to_string(static_cast<int>(100 * last.share)) + " % of the measure";
        if (last.share > first.share)
            text +=
                ", perhaps " +
                support::duration_text((1 - last.share) * (last.seconds - first.seconds) / (last.share - first.share)) +
                " left";
        return text;
    }
    const std::optional<double> left =
        explore::states_left({first.expanded, first.states}, {last.expanded, last.states}, statistics.waiting);
    if (!left) return {};
    const double share = static_cast<double>(last.expanded) / (static_cast<double>(last.expanded) + *left);
    const double per_state = (last.seconds - first.seconds) / static_cast<double>(last.expanded - first.expanded);
    return "perhaps " + std::to_string(static_cast<int>(100 * share)) + " %, " +
           support::duration_text(*left * per_state) + " left";
}

void StatusLine::clear() {
    if (shown_width_ == 0) return;
    shown_width_ += kInterruptWidth;
    write("");
    shown_width_ = 0;
    std::fputc('\r', out_);
    std::fflush(out_);
}

std::string StatusLine::text(const explore::Statistics& statistics, double seconds) const {
    const std::string between = traits_.utf8 ? " \u00b7 " : " | ";
    std::string line = support::count_text(statistics.states) + " states";
    // Of this run: one that was resumed has states and seconds of others.
    const double before = first_ ? first_->seconds : 0;
    const std::uint64_t known = first_ ? first_->states : 0;
    const double searched = statistics.seconds - before;
    const std::uint64_t found = statistics.states - std::min(statistics.states, known);
    line += between + support::rate_text(static_cast<double>(found) / (searched > 0 ? searched : seconds));
    line += between + support::count_text(statistics.waiting) + " open";
    line += between + support::bytes_text(support::resident_memory());
    line += between + support::duration_text(seconds);
    if (const std::string left = guess(statistics); !left.empty()) line += between + left;
    return support::cut_to_width(line, room(), traits_.utf8);
}

std::size_t StatusLine::room() const {
    return traits_.width - std::min<std::size_t>(traits_.width, 1 + kInterruptWidth);
}

void StatusLine::write(const std::string& line) {
    const std::size_t width = support::text_width(line);
    std::string whole = '\r' + line;
    if (width < shown_width_) whole.append(shown_width_ - width, ' ');
    std::fwrite(whole.data(), 1, whole.size(), out_);
    std::fflush(out_);
    shown_width_ = width;
}

}  // namespace tideline::report
