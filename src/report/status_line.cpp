// The line is overwritten with spaces, not erased with an escape sequence, so that it works on every terminal; it
// leaves the last column free, since some terminals begin a new line when that is written.
#include "report/status_line.hpp"

#include <algorithm>
#include <utility>

#include "support/memory.hpp"
#include "support/quantity.hpp"

namespace tideline::report {
namespace {

constexpr std::chrono::milliseconds kFirst{500};  // short searches show none
constexpr std::chrono::milliseconds kPause{200};
constexpr std::size_t kMostLooks = 25;  // five seconds
constexpr double kShortest = 1;         // seconds that a guess is based on, at least
constexpr double kMostGrowth = 0.98;    // new states per expanded one, where the end is in sight

}  // namespace

StatusLine::StatusLine(std::FILE* out, support::TerminalTraits traits, std::function<Clock::time_point()> now)
    : out_(out), traits_(traits), now_(std::move(now)), start_(now_()), next_(start_ + kFirst) {}

StatusLine::~StatusLine() { clear(); }

void StatusLine::update(const explore::Statistics& statistics) {
    if (!traits_.terminal) return;
    const Clock::time_point now = now_();
    if (now < next_) return;
    next_ = now + kPause;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    look(statistics, seconds);
    write(text(statistics, seconds));
}

void StatusLine::show(const std::string& what) {
    if (!traits_.terminal) return;
    const double seconds = std::chrono::duration<double>(now_() - start_).count();
    write(support::cut_to_width(what + (traits_.utf8 ? " \u00b7 " : " | ") + support::duration_text(seconds),
                                traits_.width - std::min<std::size_t>(traits_.width, 1), traits_.utf8));
}

void StatusLine::look(const explore::Statistics& statistics, double seconds) {
    // Another search has begun.
    if (!looks_.empty() && statistics.expanded < looks_.back().expanded) looks_.clear();
    looks_.push_back({seconds, statistics.expanded, statistics.states});
    if (looks_.size() > kMostLooks) looks_.pop_front();
}

std::string StatusLine::guess(const explore::Statistics& statistics) const {
    const Look& first = looks_.front();
    const Look& last = looks_.back();
    if (last.seconds - first.seconds < kShortest || last.expanded <= first.expanded) return {};
    const auto expanded = static_cast<double>(last.expanded - first.expanded);
    const double growth = (static_cast<double>(last.states) - static_cast<double>(first.states)) / expanded;
    if (growth >= kMostGrowth) return {};
    const double left = static_cast<double>(statistics.waiting) / (1 - std::max(0.0, growth));
    const double share = static_cast<double>(last.expanded) / (static_cast<double>(last.expanded) + left);
    return "perhaps " + std::to_string(static_cast<int>(100 * share)) + " %, " +
           support::duration_text(left * (last.seconds - first.seconds) / expanded) + " left";
}

void StatusLine::clear() {
    if (shown_width_ == 0) return;
    write("");
    std::fputc('\r', out_);
    std::fflush(out_);
}

std::string StatusLine::text(const explore::Statistics& statistics, double seconds) const {
    const std::string between = traits_.utf8 ? " \u00b7 " : " | ";
    std::string line = support::count_text(statistics.states) + " states";
    line += between + support::rate_text(static_cast<double>(statistics.states) / seconds);
    line += between + support::count_text(statistics.waiting) + " open";
    line += between + support::bytes_text(support::resident_memory());
    line += between + support::duration_text(seconds);
    if (const std::string left = guess(statistics); !left.empty()) line += between + left;
    return support::cut_to_width(line, traits_.width - std::min<std::size_t>(traits_.width, 1), traits_.utf8);
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
