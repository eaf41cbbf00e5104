// tideline resume: goes on with a run that was interrupted, as it was started; or says how far it got.
#include <cstdio>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/run_ledger.hpp"
#include "cli/session.hpp"

namespace tideline {
namespace {

int print_status(const std::string& directory) {
    const std::unique_ptr<LedgerReader> ledger = LedgerReader::open(directory);
    const LedgerOrigin origin = ledger_origin(ledger->header(), directory);
    std::printf("model      %s\nengine     %s\n", origin.model.c_str(), origin.engine.c_str());
    if (ledger->engine().empty()) {
        std::printf("nothing has been committed yet\n");
        return end_of_output(kHolds);
    }
    const SavedSearch saved = parse_saved_search(ledger->engine());
    std::uint64_t waiting = 0;
    for (const auto& [id, batch] : ledger->waiting()) waiting += batch.count;
    std::printf("expanded   %llu states\nwaiting    %llu states at most\npasses     %zu\ntime       %.1f s\n%s\n",
                static_cast<unsigned long long>(ledger->states()), static_cast<unsigned long long>(saved.complete ? 0 : waiting), saved.passes.size(),
                saved.statistics.seconds, saved.complete ? "complete" : "can be resumed");
    return end_of_output(kHolds);
}

}  // namespace

int run(const ResumeCommand& command, const CppProgram* program) {
    if (command.status) return print_status(command.directory);
    const std::filesystem::path directory = std::filesystem::absolute(command.directory);
    std::unique_ptr<LedgerReader> ledger = LedgerReader::open(directory.string());
    const LedgerOrigin origin = ledger_origin(ledger->header(), directory.string());
    ledger.reset();
    // Paths of the command are meant from where it was given.
    std::error_code error;
    std::filesystem::current_path(origin.directory, error);
    if (error) throw LedgerError(LedgerFault::missing, origin.directory, "the folder that the run was started in is not there: " + error.message());
    std::vector<const char*> arguments{"tideline"};
    for (const std::string& argument : origin.arguments) arguments.push_back(argument.c_str());
    CommandLine started = parse_command_line(static_cast<int>(arguments.size()), arguments.data(), program == nullptr ? nullptr : &program->options);
    const auto go_on = [&](auto first) {
        SearchOptions& search = first.search;
        search.ledger = directory.string();
        search.resume = true;
        if (search.progress == "auto" && origin.progress != "auto") {
            search.engine = origin.engine;
            search.progress = origin.progress;
            search.progress_was_found = true;
        }
        if (command.memory) search.memory = command.memory;
        if (command.disk) search.disk = command.disk;
        if (command.threads) search.threads = *command.threads;
        if (command.output.json) search.output.json = command.output.json;
        // Limits of the first run are spent; they hold for this one only where they are given again.
        search.time = command.time;
        search.states.reset();
        search.output.quiet = search.output.quiet || command.output.quiet;
        return run(first, program);
    };
    if (auto* explore = std::get_if<ExploreCommand>(&started)) return go_on(*explore);
    if (auto* check = std::get_if<CheckCommand>(&started)) return go_on(*check);
    throw LedgerError(LedgerFault::damaged, directory.string() + "/header.json", "the command that the run was started with is not understood");
}

}  // namespace tideline
