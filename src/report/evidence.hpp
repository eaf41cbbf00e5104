// Evidence for a formula of branching time (check/ctl/evidence_tree.hpp), for people and for programs: indented text,
// JSON, and a drawing in the language of Graphviz.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "check/ctl/evidence_tree.hpp"
#include "check/verdict.hpp"
#include "report/summary.hpp"

namespace tideline::report {

// A line per claim, what shows it indented below it. `root_is_shown`: the path of the root stands elsewhere already, as
// the run of the verdict.
[[nodiscard]] std::string evidence_text(const check::ctl::EvidenceTree& tree, const SummaryOptions& options,
                                        const std::string& file, bool root_is_shown);

[[nodiscard]] nlohmann::ordered_json evidence_json(const check::ctl::EvidenceTree& tree);

// All trees of a report as one graph; a node per claim.
[[nodiscard]] std::string evidence_dot(const run::RunReport& report);

}  // namespace tideline::report
