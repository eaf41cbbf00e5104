#include "cli/run_ledger.hpp"

#include <sys/vfs.h>
#include <xxhash.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

namespace tideline {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t kLittleSpace = std::uint64_t{1} << 30U;

std::string hash_of_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(XXH3_64bits(text.data(), text.size())));
    return digits;
}

// What was searched: a file's contents, or what a system written in C++ says of itself.
std::string hash_of(const Subject& subject) { return subject.hash.empty() ? hash_of_file(subject.path) : subject.hash; }

bool is_in_memory(const fs::path& folder) {
    constexpr long kTmpfs = 0x01021994;
    struct statfs about {};
    return ::statfs(folder.c_str(), &about) == 0 && about.f_type == kTmpfs;
}

bool is_usable(const fs::path& folder) { return ::access(folder.c_str(), W_OK | X_OK) == 0; }

// Where temporary ledgers go: a ledger in memory would not save any.
fs::path temporary_folder() {
    const char* chosen = std::getenv("TMPDIR");
    std::vector<fs::path> folders;
    if (chosen != nullptr && *chosen != '\0') folders.emplace_back(chosen);
    folders.insert(folders.end(), {"/tmp", "/var/tmp"});
    for (const fs::path& folder : folders)
        if (is_usable(folder) && !is_in_memory(folder)) return folder;
    for (const fs::path& folder : folders)
        if (is_usable(folder)) return folder;
    throw LedgerError(LedgerFault::not_allowed, folders.front().string(), "no folder for a temporary ledger can be written to; set TMPDIR, or use --ledger DIR");
}

std::string temporary_directory() {
    std::string name = (temporary_folder() / "tideline-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw LedgerError(LedgerFault::not_allowed, name, "a temporary directory cannot be made");
    return name;
}

const char* kind_name(Goal::Kind kind) {
    switch (kind) {
        case Goal::Kind::invariant: return "invariant";
        case Goal::Kind::assertion: return "assertion";
        case Goal::Kind::deadlock: return "deadlock";
    }
    return "unknown";
}

}  // namespace

RunLedger::RunLedger(const SearchOptions& options, const Subject& subject, const std::optional<Measure>& measure, std::string automaton)
    : options_(options), subject_(subject), progress_(measure ? measure_text(*measure) : options.progress), automaton_(std::move(automaton)) {
    settings_.disk_limit = options.disk;
    if (options.memory) settings_.fit_into(*options.memory);
    if (!options.resume) return;
    directory_ = options.ledger;
    writer_ = LedgerWriter::reopen(directory_, settings_);
    const Json header = Json::parse(writer_->header().description);
    if (header.at("model").at("hash") != hash_of(subject))
        throw LedgerError(LedgerFault::exists, subject.path, "the model has changed since the run began whose ledger is in " + directory_);
    if (header.value("automaton", "") != automaton_)
        throw LedgerError(LedgerFault::exists, directory_, "the automaton has changed since the run began");
}

RunLedger::~RunLedger() {
    if (!is_temporary_ || is_kept_) return;
    writer_.reset();
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
}

std::optional<Layout> RunLedger::layout() const {
    if (!writer_) return std::nullopt;
    const std::vector<Packing>& packings = writer_->packings();
    if (packings.size() > 1) return described_layout(packings.back().description);
    return described_layout(Json::parse(writer_->header().description).at("packing").dump());
}

LedgerRun& RunLedger::start(const System& system, WalkOrder order, const std::vector<Goal>& goals) {
    if (writer_) {
        run_.emplace(LedgerRun{*writer_, !writer_->engine().empty()});
        if (run_->resumed) run_->saved = parse_saved_search(writer_->engine());
        return *run_;
    }
    Json header;
    header["tool"] = {{"name", "tideline"}, {"version", TIDELINE_VERSION}};
    std::error_code ignored;
    header["model"] = {{"path", fs::absolute(subject_.path, ignored).string()}, {"format", subject_.names->format}, {"hash", hash_of(subject_)}};
    header["wrap"] = options_.wrap;
    header["with_property"] = subject_.names->observer.has_value();
    header["engine"] = to_string(order);
    header["progress"] = progress_;
    header["goals"] = Json::array();
    for (const Goal& goal : goals) header["goals"].push_back({{"kind", kind_name(goal.kind)}, {"name", goal.name}, {"formula", goal.formula}});
    header["command"] = {{"directory", fs::current_path(ignored).string()}, {"arguments", options_.arguments}};
    if (!automaton_.empty()) header["automaton"] = automaton_;
    header["packing"] = Json::parse(packing_description(system));
    is_temporary_ = options_.ledger == "auto";
    directory_ = is_temporary_ ? temporary_directory() : options_.ledger;
    if (!options_.output.quiet && fs::space(fs::absolute(directory_, ignored).parent_path(), ignored).available < kLittleSpace)
        std::fprintf(stderr, "tideline: notice: there is little room for the ledger in %s\n", directory_.c_str());
    if (fs::exists(directory_, ignored) && !fs::is_directory(directory_, ignored))
        throw LedgerError(LedgerFault::exists, directory_, "is not a directory; a ledger needs one of its own");
    if (!is_temporary_ && fs::is_directory(directory_, ignored) && !fs::is_empty(directory_, ignored) && !fs::exists(fs::path(directory_) / "lock", ignored))
        throw LedgerError(LedgerFault::exists, directory_, "the directory holds other things; a ledger needs one of its own");
    writer_ = LedgerWriter::create(directory_, ledger_header(system, options_.record, header.dump()), settings_);
    run_.emplace(LedgerRun{*writer_});
    // Few would look for it after a crash, and every commit writes what waits in each layer: much where memory, and with it the layers, are small.
    if (is_temporary_) run_->commit_every = std::chrono::seconds(30);
    return *run_;
}

std::vector<std::uint64_t> RunLedger::layer_sizes() const {
    std::map<UInt128, std::uint64_t> sizes;
    for (std::uint64_t i = 0; i < writer_->extent_count(); ++i) sizes[writer_->extent(i).key] += writer_->extent(i).count;
    std::vector<std::uint64_t> result;
    for (const auto& [key, size] : sizes) result.push_back(size);
    return result;
}

ScratchLedger::ScratchLedger(const System& system, const SearchOptions& options) : directory_(temporary_directory()) {
    LedgerSettings settings;
    settings.disk_limit = options.disk;
    if (options.memory) settings.fit_into(*options.memory);
    Json header;
    header["packing"] = Json::parse(packing_description(system));
    writer_ = LedgerWriter::create(directory_, ledger_header(system, Recorded::tree, header.dump()), settings);
    run_.emplace(LedgerRun{*writer_});
    // Nobody resumes it.
    run_->commit_every = std::chrono::hours(24 * 365);
}

ScratchLedger::~ScratchLedger() {
    run_.reset();
    writer_.reset();
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
}

LedgerOrigin ledger_origin(const LedgerHeader& header, const std::string& directory) {
    try {
        const Json json = Json::parse(header.description);
        return {json.at("command").at("directory"), json.at("command").at("arguments"), json.at("model").at("path"), json.at("engine"), json.at("progress")};
    } catch (const nlohmann::json::exception& error) {
        throw LedgerError(LedgerFault::damaged, directory + "/header.json", std::string("the header does not tell how the run was started: ") + error.what());
    }
}

}  // namespace tideline
