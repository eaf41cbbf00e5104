// What a command works on: a model that was loaded from a file, or a system written in C++.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/audit.hpp"
#include "input/load.hpp"
#include "progress/measure.hpp"
#include "successor/native/native_system.hpp"
#include "successor/system.hpp"
#include "trace/confirm.hpp"

namespace tideline {

struct Subject {
    std::string path;
    std::shared_ptr<const Model> names;  // what expressions may speak of, and the assertions
    std::optional<Measure> own_measure;  // that comes with it
    std::string hash;                    // of what it does, where the file does not tell
    // The system with these labels; by its own measure where `measure` is null; packed as it was before where `layout` says how. `notice` says
    // what could not be done as asked.
    std::function<std::shared_ptr<const System>(std::vector<Expression> labels, const Measure* measure, Successors successors,
                                                std::optional<Layout> layout, std::string& notice)>
        make_system;
    Confirm confirm;  // walks a trace again with other code
    // A system written in C++, for an audit.
    std::optional<AuditedProgram> audited;
};

// Nothing where the model's own measure cannot be used (said in the result).
Result<Subject> make_subject(const std::string& path, LoadedModel loaded, const LoadOptions& options);

}  // namespace tideline
