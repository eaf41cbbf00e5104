#include "run/run_ledger.hpp"

#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "run/stored_plan.hpp"
#include "support/json_text.hpp"

namespace tideline::run {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t kLittleSpace = std::uint64_t{1} << 30U;

bool is_in_memory(const fs::path& folder) {
    constexpr long kTmpfs = 0x01021994;
    struct statfs about{};
    return ::statfs(folder.c_str(), &about) == 0 && about.f_type == kTmpfs;
}

bool is_usable(const fs::path& folder) { return ::access(folder.c_str(), W_OK | X_OK) == 0; }

// Where temporary ledgers go: a ledger in memory would not save any.
fs::path temporary_folder(const std::string& wanted) {
    std::vector<fs::path> folders;
    if (!wanted.empty()) folders.emplace_back(wanted);
    folders.insert(folders.end(), {"/tmp", "/var/tmp"});
    for (const fs::path& folder : folders)
        if (is_usable(folder) && !is_in_memory(folder)) return folder;
    for (const fs::path& folder : folders)
        if (is_usable(folder)) return folder;
    throw ledger::LedgerError(ledger::LedgerFault::not_allowed, folders.front().string(),
                              "no folder for a temporary ledger can be written to; set TMPDIR, or use --ledger DIR");
}

std::string temporary_directory(const std::string& wanted) {
    std::string name = (temporary_folder(wanted) / "tideline-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        throw ledger::LedgerError(ledger::LedgerFault::not_allowed, name, "a temporary directory cannot be made");
    return name;
}

std::string_view kind_name(check::StateProperty::Kind kind) {
    switch (kind) {
        case check::StateProperty::Kind::invariant: return "invariant";
        case check::StateProperty::Kind::assertion: return "assertion";
        case check::StateProperty::Kind::deadlock: return "deadlock";
        case check::StateProperty::Kind::formula: return "formula";
    }
    return "unknown";
}

Json goals_json(const LedgerPurpose& purpose) {
    Json json = Json::array();
    for (const std::string& atom : purpose.atoms) json.push_back({{"kind", "atom"}, {"formula", atom}});
    for (const check::StateProperty& property : purpose.properties)
        json.push_back({{"kind", kind_name(property.kind)}, {"name", property.name}, {"formula", property.formula}});
    return json;
}

Json description_of(const ledger::LedgerContents& ledger, const std::string& directory) {
    try {
        return Json::parse(ledger.header().description);
    } catch (const nlohmann::json::exception& error) {
        throw ledger::LedgerError(ledger::LedgerFault::damaged, directory + "/header.json",
                                  std::string("the header cannot be read: ") + error.what());
    }
}

ledger::LedgerSettings settings_for(const support::BudgetLimits& limits) {
    ledger::LedgerSettings settings;
    settings.disk_limit = limits.disk;
    if (limits.memory) settings.fit_into(*limits.memory);
    return settings;
}

RunPlan plan_of(const Json& description, const std::string& directory) {
    const std::string place = directory + "/header.json";
    const auto plan = description.find("plan");
    if (plan == description.end())
        throw ledger::LedgerError(ledger::LedgerFault::damaged, place, "the header does not hold the plan of a run");
    RunPlan read = parse_plan(*plan, place);
    if (!description.value("temporary", false)) read.spec.ledger = {LedgerChoice::Kind::directory, directory};
    return read;
}

}  // namespace

std::unique_ptr<RunLedger> RunLedger::create(const RunPlan& plan, const successor::System& system,
                                             const LedgerPurpose& purpose, Sink& sink) {
    Json description;
    description["tool"] = {{"name", "tideline"}, {"version", TIDELINE_VERSION}};
    description["plan"] = to_json(plan);
    if (plan.spec.ledger.kind == LedgerChoice::Kind::automatic) description["temporary"] = true;
    description["goals"] = goals_json(purpose);
    if (!purpose.product.empty()) description["automaton"] = purpose.product;
    description["key"] = purpose.key_layout;
    description["packing"] = Json::parse(explore::packing_description(system));
    const std::string text = support::to_json_text(description);

    std::unique_ptr<RunLedger> ledger(new RunLedger);
    const LedgerChoice& choice = plan.spec.ledger;
    ledger->is_temporary_ = choice.kind == LedgerChoice::Kind::automatic;
    ledger->directory_ = ledger->is_temporary_ ? temporary_directory(plan.spec.temporary_folder) : choice.directory;
    const std::string& directory = ledger->directory_;
    std::error_code ignored;
    if (fs::space(fs::absolute(directory, ignored).parent_path(), ignored).available < kLittleSpace)
        sink.notice("there is little room for the ledger in " + directory);
    if (fs::exists(directory, ignored) && !fs::is_directory(directory, ignored))
        throw ledger::LedgerError(ledger::LedgerFault::exists, directory,
                                  "is not a directory; a ledger needs one of its own");
    if (!ledger->is_temporary_ && fs::is_directory(directory, ignored) && !fs::is_empty(directory, ignored) &&
        !fs::exists(fs::path(directory) / "lock", ignored))
        throw ledger::LedgerError(ledger::LedgerFault::exists, directory,
                                  "the directory holds other things; a ledger needs one of its own");
    ledger->writer_ = ledger::LedgerWriter::create(directory, explore::ledger_header(system, plan.spec.record, text),
                                                   settings_for(plan.spec.limits));
    ledger->run_.emplace(explore::LedgerRun{*ledger->writer_});
    // Few would look for it after a crash, and every checkpoint writes the frontier of each layer: much where memory,
    // and with it the layers, are small.
    if (ledger->is_temporary_) ledger->run_->checkpoint_every = std::chrono::seconds(30);
    return ledger;
}

std::unique_ptr<RunLedger> RunLedger::reopen(const std::string& directory, const support::BudgetLimits& limits) {
    std::unique_ptr<RunLedger> ledger(new RunLedger);
    ledger->directory_ = directory;
    ledger->writer_ = ledger::LedgerWriter::reopen(directory, settings_for(limits));
    ledger->is_temporary_ = description_of(*ledger->writer_, directory).value("temporary", false);
    ledger->is_kept_ = true;
    ledger->run_.emplace(explore::LedgerRun{*ledger->writer_, ledger->has_checkpoint()});
    if (ledger->run_->resumed) ledger->run_->saved = explore::parse_saved_search(ledger->writer_->engine());
    return ledger;
}

RunLedger::~RunLedger() {
    if (!is_temporary_ || is_kept_) return;
    run_.reset();
    writer_.reset();
    std::error_code ignored;
    // The header first: what is left by a process that is killed meanwhile is no ledger.
    fs::remove(fs::path(directory_) / "header.json", ignored);
    fs::remove_all(directory_, ignored);
}

std::optional<successor::Layout> RunLedger::layout() const {
    const std::vector<ledger::Packing>& packings = writer_->packings();
    if (packings.size() > 1) return explore::described_layout(packings.back().description);
    return explore::described_layout(description_of(*writer_, directory_).at("packing").dump());
}

void RunLedger::verify(const LedgerPurpose& purpose) const {
    const Json description = description_of(*writer_, directory_);
    const auto refuse = [&](const std::string& what) {
        throw ledger::LedgerError(ledger::LedgerFault::exists, directory_, what);
    };
    // The order of members is not the header's to keep.
    const auto sorted = [](const Json& json) { return nlohmann::json::parse(support::to_json_text(json)); };
    if (sorted(description.value("goals", Json())) != sorted(goals_json(purpose)))
        refuse("the ledger was written for other properties: " +
               support::to_json_text(description.value("goals", Json())));
    if (description.value("automaton", "") != purpose.product)
        refuse("the ledger was written for the product with another automaton");
    if (description.value("key", Json::array()) != Json(purpose.key_layout))
        refuse("the ledger was written for another measure");
}

std::vector<std::uint64_t> RunLedger::layer_sizes() const {
    std::map<support::UInt128, std::uint64_t> sizes;
    for (std::uint64_t i = 0; i < writer_->extent_count(); ++i)
        sizes[writer_->extent(i).key] += writer_->extent(i).count;
    std::vector<std::uint64_t> result;
    for (const auto& [key, size] : sizes) result.push_back(size);
    return result;
}

StoredRun read_stored_run(const std::string& directory) {
    std::error_code ignored;
    const std::unique_ptr<ledger::LedgerReader> ledger = ledger::LedgerReader::open(directory);
    return {fs::absolute(directory, ignored).string(), plan_of(description_of(*ledger, directory), directory)};
}

RunStatus read_status(const std::string& directory) {
    const std::unique_ptr<ledger::LedgerReader> ledger = ledger::LedgerReader::open(directory);
    RunStatus status;
    status.plan = plan_of(description_of(*ledger, directory), directory);
    status.has_checkpoint = !ledger->engine().empty();
    if (!status.has_checkpoint) return status;
    const explore::SavedSearch saved = explore::parse_saved_search(ledger->engine());
    status.complete = saved.complete;
    status.expanded = ledger->states();
    for (const auto& [id, batch] : ledger->waiting()) status.frontier += saved.complete ? 0 : batch.count;
    status.frontier -= std::min(status.frontier, saved.key_records);
    status.passes = saved.passes.size();
    status.seconds = saved.statistics.seconds;
    return status;
}

}  // namespace tideline::run
