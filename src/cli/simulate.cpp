// tideline simulate: a run that is made step by step. On a terminal, or from lines on standard input, a person chooses;
// with --runs, chance does; with --along, a trace does.
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/run_command.hpp"
#include "cli/terminal_output.hpp"
#include "cli/terminal_sink.hpp"
#include "run/simulation.hpp"
#include "support/file.hpp"
#include "support/quantity.hpp"
#include "trace/step_text.hpp"

namespace tideline::cli {
namespace {

using Problem = run::Simulation::Problem;

constexpr const char* kHelp =
    "  NUMBER      take this step; Enter: the only one\n"
    "  b [N]       back, one step or N\n"
    "  j N         jump to state N of the run, which begins in state 0\n"
    "  r [N]       N steps by chance (1)\n"
    "  w EXPR      watch an expression: its value is shown in every state\n"
    "  s           show all values\n"
    "  t           show the run so far\n"
    "  h           this help\n"
    "  q           quit\n";

// SplitMix64: the same numbers everywhere.
class Chance {
public:
    explicit Chance(std::uint64_t seed) : state_(seed) {}
    std::size_t below(std::size_t count) {
        state_ += 0x9E3779B97F4A7C15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return static_cast<std::size_t>((z ^ (z >> 31U)) % count);
    }

private:
    std::uint64_t state_;
};

std::string problem_text(const Problem& problem) {
    switch (problem.kind) {
        case Problem::Kind::deadlock: return "deadlock: no step is possible";
        case Problem::Kind::invariant: return "violated: " + problem.text;
        case Problem::Kind::fault: return "fault: " + problem.text;
    }
    return "";
}

class Simulator {
public:
    Simulator(const SimulateCommand& command, const run::LoadedSystem& system, run::Simulation simulation,
              std::vector<run::WatchedExpression> watched, const support::Budget& budget)
        : command_(command),
          system_(system),
          simulation_(std::move(simulation)),
          watched_(std::move(watched)),
          budget_(budget),
          words_({traits_of(STDOUT_FILENO).utf8, false, "", 100}),
          chance_(command.seed) {}

    int run() {
        if (command_.along) return along();
        return command_.runs ? by_chance() : by_hand();
    }

private:
    // ---- by chance ----

    int by_chance() {
        std::uint64_t deadlocks = 0;
        std::uint64_t violations = 0;
        std::uint64_t steps = 0;
        std::optional<std::uint64_t> shown;  // the first run with a problem
        std::uint64_t done = 0;
        for (; done < *command_.runs && !budget_.is_exhausted(); ++done) {
            simulation_.restart(chance_.below(simulation_.initial_count()));
            const std::optional<Problem> problem = walk();
            steps += simulation_.length();
            if (!problem) continue;
            ++(problem->kind == Problem::Kind::deadlock ? deadlocks : violations);
            if (shown) continue;
            shown = done;
            std::printf("run %s, after %s: %s\n", support::count_text(done + 1).c_str(),
                        counted(simulation_.length()).c_str(), problem_text(*problem).c_str());
            if (show_run() != kHolds) return kInternalError;
        }
        std::printf("%s%s by chance, %s in all, seed %llu\n%s in a deadlock, %s in a violation or a fault%s\n",
                    shown ? "\n" : "", done == 1 ? "1 run" : (support::count_text(done) + " runs").c_str(),
                    counted(steps).c_str(), static_cast<unsigned long long>(command_.seed), ended(deadlocks).c_str(),
                    support::count_text(violations).c_str(),
                    shown ? "" : "; this is no proof: 'tideline check' visits every state");
        if (done < *command_.runs) {
            std::printf("stopped: %s\n", std::string(support::to_string(budget_.exhausted())).c_str());
            return end_of_output(shown ? kViolated : kUndecided);
        }
        return end_of_output(shown ? kViolated : kHolds);
    }

    // Until something is wrong, nothing is left to do, or the run is long enough.
    std::optional<Problem> walk() {
        for (std::uint64_t i = 0;; ++i) {
            if (std::optional<Problem> problem = simulation_.problem()) return problem;
            if (i == command_.steps || budget_.is_exhausted() || !step_by_chance()) return std::nullopt;
        }
    }

    bool step_by_chance() {
        std::vector<std::size_t> possible;
        for (std::size_t i = 0; i < simulation_.steps().size(); ++i)
            if (simulation_.steps()[i].fault == model::FaultKind::none) possible.push_back(i);
        if (possible.empty()) return false;
        simulation_.take(possible[chance_.below(possible.size())]);
        return true;
    }

    static std::string counted(std::uint64_t steps) {
        return steps == 1 ? "1 step" : support::count_text(steps) + " steps";
    }
    static std::string ended(std::uint64_t runs) {
        return runs == 1 ? "1 run ended" : support::count_text(runs) + " runs ended";
    }

    // ---- along a trace ----

    int along() {
        const support::Result<std::string> text = support::read_text_file(*command_.along, budget_);
        if (!text) {
            print(text.diagnostics());
            return kWrongInput;
        }
        const nlohmann::json saved = nlohmann::json::parse(*text, nullptr, false);
        if (!saved.is_object() || !saved.contains("states") || !saved["states"].is_array() || saved["states"].empty()) {
            print({support::diagnostic_about(*command_.along, "this is no trace",
                                             "expected the Informal Trace Format, as --itf FILE writes it")});
            return kWrongInput;
        }
        const nlohmann::json& states = saved["states"];
        std::size_t initial = 0;
        while (initial < simulation_.initial_count() &&
               !(simulation_.restart(initial), simulation_.begins_in(states[0].dump())))
            ++initial;
        if (initial == simulation_.initial_count()) return deviates(0, "the model has no such initial state");
        if (!command_.only_result) show_values();
        for (std::size_t i = 1; i < states.size(); ++i) {
            const std::optional<std::size_t> step = simulation_.step_to(states[i].dump());
            if (!step) return deviates(i, "the model has no step to this state");
            if (!command_.only_result)
                std::printf("%s\n", line_of(simulation_.steps()[*step], simulation_.length() + 1).c_str());
            simulation_.take(*step);
            if (!command_.only_result) show_watched();
        }
        if (const std::optional<Problem> problem = simulation_.problem())
            std::printf("%s\n", problem_text(*problem).c_str());
        std::printf("the model has this run: %s\n", counted(simulation_.length()).c_str());
        if (!command_.only_result && isatty(STDIN_FILENO) != 0) return by_hand();
        return end_of_output(kHolds);
    }

    int deviates(std::size_t state, const std::string& what) {
        std::printf("state %zu of the trace: %s\n", state, what.c_str());
        return end_of_output(kViolated);
    }

    // ---- by hand ----

    int by_hand() {
        const bool is_terminal = isatty(STDIN_FILENO) != 0;
        if (simulation_.length() == 0) show_values();
        bool has_problem = false;
        for (;;) {
            if (const std::optional<Problem> problem = simulation_.problem()) {
                std::printf("%s\n", problem_text(*problem).c_str());
                has_problem = true;
            }
            show_steps();
            std::printf("> ");
            std::fflush(stdout);
            std::string line;
            if (!std::getline(std::cin, line)) break;
            if (!is_terminal) std::printf("%s\n", line.c_str());
            if (line == "q") break;
            execute(line);
        }
        std::printf("\n");
        return end_of_output(has_problem ? kViolated : kHolds);
    }

    void execute(const std::string& line) {
        std::istringstream words(line);
        std::string command;
        words >> command;
        std::string rest;
        std::getline(words >> std::ws, rest);
        const std::optional<std::uint64_t> number = parsed(rest);
        const std::uint64_t state = simulation_.length();
        if (command.empty()) take(1, simulation_.steps().size() == 1);
        else if (const std::optional<std::uint64_t> chosen = parsed(command)) take(*chosen, rest.empty());
        else if (command == "b" && (rest.empty() || number)) jump(state - std::min(state, number.value_or(1)));
        else if (command == "j" && number) jump(*number);
        else if (command == "r" && (rest.empty() || number)) {
            for (std::uint64_t i = 0; i < number.value_or(1) && !budget_.is_exhausted() && step_by_chance(); ++i)
                show_step();
        } else if (command == "w" && !rest.empty()) watch(rest);
        else if (command == "s") show_values();
        else if (command == "t") (void)show_run();
        else std::printf("%s", kHelp);
    }

    static std::optional<std::uint64_t> parsed(const std::string& text) {
        if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
            return std::nullopt;
        return std::stoull(text);
    }

    void take(std::uint64_t chosen, bool is_clear) {
        if (!is_clear || chosen == 0 || chosen > simulation_.steps().size()) {
            std::printf("choose a step by its number, or h for help\n");
            return;
        }
        if (const successor::StepDetail& step = simulation_.steps()[chosen - 1]; step.fault != model::FaultKind::none) {
            std::printf("this step is faulty: %s\n", step.fault_text.c_str());
            return;
        }
        simulation_.take(chosen - 1);
        show_step();
    }

    void jump(std::uint64_t state) {
        if (state > simulation_.length()) {
            std::printf("the run has no state %llu: it has come to state %zu\n", static_cast<unsigned long long>(state),
                        simulation_.length());
            return;
        }
        simulation_.go_back_to(state);
        std::printf("state %zu\n", simulation_.length());
        show_values();
    }

    void watch(const std::string& text) {
        support::Result<run::WatchedExpression> watched = run::watched_expression(simulation_.model(), text, "watch");
        if (!watched) {
            for (const support::Diagnostic& each : watched.diagnostics())
                std::printf("%s", support::to_text(each).c_str());
            return;
        }
        watched_.push_back(*std::move(watched));
        show_watched();
    }

    // ---- what is shown ----

    [[nodiscard]] std::string line_of(const successor::StepDetail& step, std::size_t number) const {
        return fmt::format("{:>2}  {}", number, words_.whole({step.parts, step.label}));
    }

    void show_steps() const {
        for (std::size_t i = 0; i < simulation_.steps().size(); ++i) {
            const successor::StepDetail& step = simulation_.steps()[i];
            std::printf("  %s%s\n", line_of(step, i + 1).c_str(),
                        step.fault == model::FaultKind::none ? "" : ("   faulty: " + step.fault_text).c_str());
        }
    }

    // The last step that was taken: its number, and what it changed.
    void show_step() const {
        const std::vector<model::Value> before = simulation_.values_before();
        const std::vector<model::Value> after = simulation_.values();
        std::string text = fmt::format("state {}:", simulation_.length());
        const std::vector<std::string>& names = simulation_.system().slot_names();
        for (std::size_t slot = 0; slot < after.size(); ++slot)
            if (before[slot] != after[slot])
                text += fmt::format(" {}: {} {} {}", names[slot], text_of(slot, before), words_.arrow(),
                                    text_of(slot, after));
        std::printf("%s\n", text.c_str());
        show_watched();
    }

    [[nodiscard]] std::string text_of(std::size_t slot, const std::vector<model::Value>& values) const {
        return simulation_.system().value_text(static_cast<model::SlotId>(slot), values[slot]);
    }

    void show_values() const {
        const std::vector<model::Value> values = simulation_.values();
        std::string text;
        for (std::size_t slot = 0; slot < values.size(); ++slot)
            text +=
                (text.empty() ? "" : ", ") + simulation_.system().slot_names()[slot] + " = " + text_of(slot, values);
        std::printf("%s\n", text.c_str());
        show_watched();
    }

    void show_watched() const {
        for (const run::WatchedExpression& each : watched_)
            std::printf("    %s = %s\n", each.text.c_str(), simulation_.value_of(each).c_str());
    }

    // Confirmed by other code before it is shown.
    int show_run() {
        const trace::Trace trace = simulation_.trace();
        const trace::Confirmation confirmed = system_.confirm(trace, budget_);
        if (confirmed.disagreement) {
            print({support::diagnostic_about(
                "",
                "internal error: the reference implementation does not confirm the run: " + *confirmed.disagreement)});
            return kInternalError;
        }
        const report::SummaryOptions options = summary_options(STDOUT_FILENO, command_.trace);
        trace::render(trace, options.style,
                      {.utf8 = options.utf8, .colour = options.colour, .file = system_.path, .width = options.width},
                      sink_into(stdout), budget_);
        return kHolds;
    }

    const SimulateCommand& command_;
    const run::LoadedSystem& system_;
    run::Simulation simulation_;
    std::vector<run::WatchedExpression> watched_;
    const support::Budget& budget_;
    trace::StepWords words_;
    Chance chance_;
};

}  // namespace

int run(const SimulateCommand& command, const Caller& caller) {
    const support::Budget budget = budget_for(command.limits, caller);
    TerminalSink sink(false, false);
    run::RunSpec spec;
    spec.model = command.model;
    const run::OrRefusal<run::LoadedInput> loaded = load(spec, caller, budget);
    if (const auto* refusal = std::get_if<run::Refusal>(&loaded)) return print(*refusal);
    const auto& input = std::get<run::LoadedInput>(loaded);
    sink.report(input.warnings);
    std::vector<run::WatchedExpression> invariants;
    std::vector<run::WatchedExpression> watched;
    for (const auto& [option, texts, list] : {std::tuple("--invariant", &command.invariants, &invariants),
                                              std::tuple("--watch", &command.watched, &watched)})
        for (const std::string& text : *texts) {
            support::Result<run::WatchedExpression> parsed = run::watched_expression(*input.system.names, text, option);
            sink.report(parsed.diagnostics());
            if (!parsed) return kWrongInput;
            list->push_back(*std::move(parsed));
        }
    run::Simulation simulation(input.system, std::move(invariants), budget);
    return Simulator(command, input.system, std::move(simulation), std::move(watched), budget).run();
}

}  // namespace tideline::cli
