#include "report/statistics_line.hpp"

#include <nlohmann/json.hpp>

#include "support/memory.hpp"

namespace tideline::report {

std::string statistics_line(const explore::Statistics& statistics, double seconds) {
    nlohmann::ordered_json object = {{"seconds", seconds},
                                     {"states", statistics.states},
                                     {"transitions", statistics.transitions},
                                     {"expanded", statistics.expanded},
                                     {"open", statistics.waiting},
                                     {"layers", statistics.layers},
                                     {"depth", statistics.depth},
                                     {"ledger_bytes", statistics.ledger_bytes},
                                     {"rss_bytes", support::resident_memory()}};
    object["measure_share"] =
        statistics.measure_share ? nlohmann::ordered_json(*statistics.measure_share) : nlohmann::ordered_json(nullptr);
    return object.dump() + '\n';
}

}  // namespace tideline::report
