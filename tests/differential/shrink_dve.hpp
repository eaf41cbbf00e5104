// Makes a failing DVE model small while it keeps failing.
#pragma once

#include <functional>
#include <string>

namespace tideline::differential {

// `fails` says whether a text still shows the failure; it must return false for texts that are not valid models, which
// most attempts are. The result fails, and no single further cut of it does. A text that does not parse, or that fails
// only as it is written, is returned unchanged.
[[nodiscard]] std::string shrink_dve_model(const std::string& text,
                                           const std::function<bool(const std::string&)>& fails);

}  // namespace tideline::differential
