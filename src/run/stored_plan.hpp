// A plan as the header of a ledger holds it. docs/ledger-format.md describes the members; the version says which of
// them there are.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "run/plan.hpp"

namespace tideline::run {

// Raised whenever a member changes its meaning or a plan lacks one that is needed. Plans of other versions are refused.
inline constexpr int kPlanVersion = 1;

[[nodiscard]] nlohmann::ordered_json to_json(const RunPlan& plan);
// Throws LedgerError; `place` is the file that it comes from.
[[nodiscard]] RunPlan parse_plan(const nlohmann::ordered_json& json, const std::string& place);

// How an input has changed since the plan was stored; nothing where it is the same. Reads the files of properties and
// automata that the plan names; a missing one is no difference, since the plan has its contents.
[[nodiscard]] std::optional<std::string> difference(const RunPlan& stored, const LoadedInput& now);

}  // namespace tideline::run
