// Small random DVE models whose processes have little to do with each other: variables of their own, a few shared ones,
// a few rendezvous and buffered channels. Reductions leave much out of them.
#pragma once

#include <string>
#include <vector>

#include "tests/differential/random_dve.hpp"
#include "tests/differential/random_numbers.hpp"

namespace tideline::differential {

inline RandomModel loose_model(std::uint64_t seed) {
    RandomNumbers random(seed);
    const int processes = random.between(2, 4);
    const bool has_channel = random.chance(50);
    const bool has_buffer = random.chance(25);
    const bool commits = random.chance(20);
    const unsigned shared = random.chance(50) ? 15 : 35;  // percent
    RandomModel result;
    std::string& text = result.text;
    text = "byte g = 0;\nbyte h = 1;\nbyte a[2] = {0, 1};\n";
    if (has_channel) text += "channel c;\n";
    if (has_buffer) text += "channel {byte} d[1];\n";
    for (int p = 0; p < processes; ++p) {
        const int locations = random.between(2, 4);
        const auto location = [&] { return "s" + std::to_string(random.below(static_cast<std::size_t>(locations))); };
        text += "process P" + std::to_string(p) + " {\n  byte x = 0;\n  state s0";
        for (int s = 1; s < locations; ++s) text += ", s" + std::to_string(s);
        text += ";\n";
        if (commits && random.chance(60)) text += "  commit s" + std::to_string(locations - 1) + ";\n";
        text += "  init s0;\n  trans\n";
        const int count = random.between(2, 5);
        for (int t = 0; t < count; ++t) {
            // Mostly forwards, so that there are ends and long sequences.
            std::string from = t < locations ? "s" + std::to_string(t) : location();
            std::string to = random.chance(50) && t + 1 < locations ? "s" + std::to_string(t + 1) : location();
            text += "    " + from + " -> " + to + " {";
            if (random.chance(45)) {
                const std::string value = std::to_string(random.below(3));
                if (random.chance(shared))
                    text += " guard " +
                            random.one_of<std::string>({"g == " + value, "h != " + value, "a[0] < " + value,
                                                        "P" + std::to_string((p + 1) % processes) + ".s0"}) +
                            ";";
                else text += " guard x < " + std::to_string(1 + random.below(3)) + ";";
            }
            if (has_channel && random.chance(30)) text += random.chance(50) ? " sync c!;" : " sync c?;";
            else if (has_buffer && random.chance(30)) text += random.chance(50) ? " sync d!1;" : " sync d?x;";
            if (random.chance(65)) {
                const std::string value = std::to_string(random.below(3));
                if (random.chance(shared))
                    text += " effect " +
                            random.one_of<std::string>({"g = " + value, "h = (h + 1) % 3", "a[x % 2] = " + value,
                                                        "g = x % 3", "a[0] = a[1]"}) +
                            ";";
                else if (random.chance(3)) text += " effect x = 3 / x;";
                else if (random.chance(5)) text += " effect x = x + 100;";
                else text += " effect x = (x + 1) % " + std::to_string(2 + random.below(2)) + ";";
            }
            text += " }" + std::string(t + 1 < count ? "," : ";") + "\n";
        }
        text += "}\n";
    }
    text += "system async;\n";
    result.invariants = {"g != " + std::to_string(random.below(3)), "not (P0.s1 and P1.s1)",
                         random.chance(50) ? "P0->x < 2" : "(h + g) < 4"};
    return result;
}

}  // namespace tideline::differential
