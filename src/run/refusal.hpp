// Why something was not done: a user error, or the end of the budget.
#pragma once

#include <variant>

#include "support/diagnostic.hpp"
#include "support/stop_reason.hpp"

namespace tideline::run {

struct Refusal {
    support::Diagnostics diagnostics;                         // errors; warnings that came before may be among them
    support::StopReason stopped = support::StopReason::none;  // not `none`: the budget ended, and nothing was wrong
};

// A value or the reason why there is none. Within this folder a Refusal is also thrown as an exception.
template <class T>
using OrRefusal = std::variant<T, Refusal>;

}  // namespace tideline::run
