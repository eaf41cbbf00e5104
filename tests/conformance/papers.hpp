// The systems of the papers as users run them: the programs of examples/cpp, and the models that the scripts of
// examples/ write, each explored by a separate process whose report is read back.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace tideline::conformance {

struct SweepFigure {
    std::uint64_t peak = 0;
    std::uint64_t expanded = 0;
    friend bool operator==(const SweepFigure&, const SweepFigure&) = default;
};

// What a run reports; states and transitions are absent where it cannot know them.
struct Figures {
    std::optional<std::uint64_t> states;
    std::optional<std::uint64_t> transitions;
    std::uint64_t layers = 0;
    std::uint64_t sweeps = 0;
    std::uint64_t expanded = 0;
    std::uint64_t persistent = 0;
    std::uint64_t peak = 0;
    std::vector<SweepFigure> each_sweep;
    friend bool operator==(const Figures&, const Figures&) = default;
};

std::ostream& operator<<(std::ostream& out, const Figures& figures);

enum class Source : std::uint8_t { cpp, dve };

// A system of a paper, ready to be explored.
class PaperSystem {
public:
    static PaperSystem stop_and_wait(Source source, int packets, int capacity, bool second = false);
    static PaperSystem two_phase_commit(Source source, int workers);
    ~PaperSystem();
    PaperSystem(PaperSystem&&) = default;
    PaperSystem& operator=(PaperSystem&&) = delete;
    PaperSystem(const PaperSystem&) = delete;
    PaperSystem& operator=(const PaperSystem&) = delete;

    // Nothing where the program fails or does not finish. Without a measure, the system's own is used.
    [[nodiscard]] std::optional<Figures> explore(const std::string& engine, const std::string& measure = {}) const;
    // What the coordinator's phase is called in measures.
    [[nodiscard]] std::string phase() const { return source_ == Source::cpp ? "coordinator" : "Coordinator"; }

private:
    PaperSystem(Source source, std::string command, std::string measure)
        : source_(source), command_(std::move(command)), measure_(std::move(measure)) {}
    static PaperSystem generated(const std::string& script, const std::string& arguments, std::string measure);

    Source source_;
    std::string command_;  // up to the options of the search
    std::string measure_;
    std::string model_;  // a file of its own, removed at the end; none: empty
};

// A row of the table of the 2017 paper.
struct StopAndWaitRow {
    int packets;
    int capacity;
    std::uint64_t states;
    std::uint64_t edges;
    std::uint64_t peak;
};

// Expects the row's figures of both sources.
void expect_row(const StopAndWaitRow& row);

}  // namespace tideline::conformance
