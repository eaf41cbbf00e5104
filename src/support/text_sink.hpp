// Where text goes, piece by piece: a file, a pipe, a string. Large text is written as it is produced and never kept as
// a whole.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tideline::support {

using TextSink = std::function<void(std::string_view)>;

// Appends to a string, which must outlive the sink.
inline TextSink sink_into(std::string& text) {
    return [&text](std::string_view piece) { text += piece; };
}

}  // namespace tideline::support
