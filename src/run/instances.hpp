// Which processes a model creates at run time, where its language lets processes be created (Promela): a pilot run
// finds the pairs of pid and proctype that have slots of their own. Where a search later needs another one, the step is
// a fault of the kind `instance`.
#pragma once

#include "input/load.hpp"

namespace tideline::run {

// Loads the model again, with further instances, until a pilot run needs no other one. `options` gets them.
support::Result<input::LoadedModel> with_instances(input::LoadedModel loaded, input::LoadOptions& options,
                                                   const support::Budget& budget);

[[nodiscard]] bool creates_processes(const model::Model& model);

// The process that a step of this state creates and that the model has no slots for; nothing: there is none.
[[nodiscard]] std::optional<input::ProcessInstance> missing_instance(const model::Model& model,
                                                                     const std::vector<model::Value>& state);

}  // namespace tideline::run
