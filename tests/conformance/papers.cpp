#include "tests/conformance/papers.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <ostream>

#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/conformance/census.hpp"

namespace tideline::conformance {
namespace {

std::string quoted(const std::string& path) { return "'" + path + "'"; }

// What a command writes to standard output; nothing where it fails.
std::optional<std::string> output_of(const std::string& command) {
    std::FILE* pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return std::nullopt;
    std::string text;
    std::array<char, 4096> piece;
    while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), pipe)) text.append(piece.data(), size);
    if (::pclose(pipe) != 0) return std::nullopt;
    return text;
}

std::optional<std::uint64_t> count_or_none(const nlohmann::json& value) {
    if (!value.is_number_unsigned()) return std::nullopt;
    return value.get<std::uint64_t>();
}

Figures figures_of(const nlohmann::json& report) {
    Figures figures;
    figures.states = count_or_none(report.at("states"));
    figures.transitions = count_or_none(report.at("transitions"));
    figures.layers = report.at("layers");
    figures.sweeps = report.at("sweeps");
    figures.expanded = report.at("expanded");
    figures.persistent = report.at("persistent");
    figures.peak = report.at("peak_states");
    for (const nlohmann::json& sweep : report.at("sweep_details"))
        figures.each_sweep.push_back({sweep.at("peak_states"), sweep.at("expanded")});
    return figures;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Figures& figures) {
    const auto told = [](const std::optional<std::uint64_t>& count) {
        return count ? std::to_string(*count) : "unknown";
    };
    out << "states " << told(figures.states) << ", transitions " << told(figures.transitions) << ", layers "
        << figures.layers << ", sweeps " << figures.sweeps << ", expanded " << figures.expanded << ", persistent "
        << figures.persistent << ", peak " << figures.peak;
    for (const SweepFigure& sweep : figures.each_sweep) out << " (" << sweep.peak << ", " << sweep.expanded << ')';
    return out;
}

PaperSystem PaperSystem::generated(const std::string& script, const std::string& arguments, std::string measure) {
    static std::atomic<int> number = 0;
    const std::string name = "tideline_papers_" + std::to_string(::getpid()) + '_' + std::to_string(number++) + ".dve";
    const std::string model = (std::filesystem::temp_directory_path() / name).string();
    const std::string path = (source_root() / "examples" / script).string();
    EXPECT_TRUE(output_of(quoted(TIDELINE_PYTHON) + ' ' + quoted(path) + ' ' + arguments + " > " + quoted(model)))
        << script;
    PaperSystem system(Source::dve, quoted(TIDELINE_PROGRAM) + " explore " + quoted(model), std::move(measure));
    system.model_ = model;
    return system;
}

PaperSystem PaperSystem::stop_and_wait(Source source, int packets, int capacity, bool second) {
    const std::string variant = second ? " --second" : "";
    const std::string n = std::to_string(packets);
    const std::string c = std::to_string(capacity);
    if (source == Source::dve) return generated("stop_and_wait.py", n + ' ' + c + variant, "n,k");
    return {source, quoted(TIDELINE_STOP_AND_WAIT) + " explore --packets " + n + " --capacity " + c + variant, "auto"};
}

PaperSystem PaperSystem::two_phase_commit(Source source, int workers) {
    const std::string w = std::to_string(workers);
    if (source == Source::dve) return generated("two_phase_commit.py", w, "Coordinator");
    return {source, quoted(TIDELINE_TWO_PHASE_COMMIT) + " explore --workers " + w, "auto"};
}

PaperSystem::~PaperSystem() {
    std::error_code ignored;
    if (!model_.empty()) std::filesystem::remove(model_, ignored);
}

std::optional<Figures> PaperSystem::explore(const std::string& engine, const std::string& measure) const {
    const std::string progress = engine == "bfs" ? "none" : measure.empty() ? measure_ : measure;
    const std::optional<std::string> text = output_of(command_ + " --engine " + engine + " --ledger none --progress " +
                                                      quoted(progress) + " --json - --quiet");
    if (!text) return std::nullopt;
    const nlohmann::json report = nlohmann::json::parse(*text, nullptr, false);
    if (!report.is_object() || !report.value("complete", false)) return std::nullopt;
    return figures_of(report);
}

void expect_row(const StopAndWaitRow& row) {
    for (const Source source : {Source::cpp, Source::dve}) {
        const std::optional<Figures> found =
            PaperSystem::stop_and_wait(source, row.packets, row.capacity).explore("sweep-basic");
        ASSERT_TRUE(found) << row.packets << '-' << row.capacity;
        EXPECT_EQ(found->states, row.states) << row.packets << '-' << row.capacity;
        EXPECT_EQ(found->transitions, row.edges) << row.packets << '-' << row.capacity;
        EXPECT_EQ(found->peak, row.peak) << row.packets << '-' << row.capacity;
        EXPECT_EQ(found->expanded, row.states) << row.packets << '-' << row.capacity;
        EXPECT_EQ(found->sweeps, 1u);
        EXPECT_EQ(found->persistent, 0u);
    }
}

}  // namespace tideline::conformance
