// A report to the user about an error in a model, a formula or a command line: where, what, what was expected. Folders
// return diagnostics; only report/ and cli/ print them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/source.hpp"
#include "support/stop_reason.hpp"

namespace tideline::support {

enum class Severity { error, warning };

struct Diagnostic {
    Severity severity = Severity::error;
    std::string file;         // empty: not about a file
    SourcePosition position;  // line 0: no position in the file
    std::string excerpt;      // the line itself, shortened around the caret where it is long
    std::string caret;        // spaces (or tabs) and carets, to be printed under the excerpt
    std::string message;
    std::string hint;                    // what was expected, or a suggestion; may be empty
    StopReason stop = StopReason::none;  // a limit ended the work: nothing is wrong with the text
};

// A diagnostic that points into a text.
Diagnostic diagnostic_at(const SourceText& source, SourceSpan span, std::string message, std::string hint = {},
                         Severity severity = Severity::error);

// A diagnostic without a position, about a file (or, with an empty name, about the command line).
Diagnostic diagnostic_about(std::string file, std::string message, std::string hint = {});

// Work on a file that was ended by the budget; `work` completes "stopped while ...".
Diagnostic diagnostic_of_stop(std::string file, StopReason reason, const std::string& work);

// file:line:column: error: message, the line, the caret, the hint; ends with a newline.
std::string to_text(const Diagnostic& diagnostic);

using Diagnostics = std::vector<Diagnostic>;

// The limit that ended the work; none where the errors are errors of the input.
StopReason stop_reason(const Diagnostics& diagnostics);

// A value, or the errors that prevented it; warnings may come with either.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value, Diagnostics warnings = {}) : value_(std::move(value)), diagnostics_(std::move(warnings)) {}
    Result(Diagnostic error) { diagnostics_.push_back(std::move(error)); }
    Result(Diagnostics errors) : diagnostics_(std::move(errors)) {}

    explicit operator bool() const { return value_.has_value(); }
    T& operator*() & { return *value_; }
    const T& operator*() const& { return *value_; }
    T&& operator*() && { return *std::move(value_); }
    T* operator->() { return &*value_; }
    const T* operator->() const { return &*value_; }

    [[nodiscard]] const Diagnostics& diagnostics() const& { return diagnostics_; }
    // Why there is no value, where a limit is the reason and not an error.
    [[nodiscard]] StopReason stopped() const { return value_ ? StopReason::none : stop_reason(diagnostics_); }
    [[nodiscard]] Diagnostics&& diagnostics() && { return std::move(diagnostics_); }

private:
    std::optional<T> value_;
    Diagnostics diagnostics_;
};

// The candidate that `word` is most likely a misspelling of; empty where none is close.
std::string closest_name(std::string_view word, const std::vector<std::string>& candidates);

// "did you mean 'x'?" or an empty text.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

// A quoted piece of user text, truncated to a sensible length, control characters made visible.
std::string in_quotes(std::string_view text);

}  // namespace tideline::support
