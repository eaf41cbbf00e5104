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

}  // namespace

StatusLine::StatusLine(std::FILE* out, support::TerminalTraits traits, std::function<Clock::time_point()> now)
    : out_(out), traits_(traits), now_(std::move(now)), start_(now_()), next_(start_ + kFirst) {}

StatusLine::~StatusLine() { clear(); }

void StatusLine::update(const explore::Statistics& statistics) {
    if (!traits_.terminal) return;
    const Clock::time_point now = now_();
    if (now < next_) return;
    next_ = now + kPause;
    write(text(statistics, std::chrono::duration<double>(now - start_).count()));
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
