// Ledgers. An input is a list of changes to one of three small ledgers, which the program itself writes when the fuzzer
// starts: changes to their parts, which are put together with checksums that fit, and changes to the files, which are
// not. Both readers, of ledger/ and of audit/, must refuse it or read all of it, and agree on which; the writer must
// refuse it or go on with it.
//
// An input: which ledger; then, as often as there are bytes, a change: what, where (16 bits each: a part, a place in
// it), how. See Changes.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <span>
#include <string>

#include "audit/audit.hpp"
#include "audit/ledger_file.hpp"
#include "audit/sample_run.hpp"
#include "ledger/edge_reader.hpp"
#include "ledger/ledger.hpp"
#include "ledger/sample_ledger.hpp"
#include "run/execute.hpp"
#include "run/run_ledger.hpp"
#include "tests/fuzz/expect.hpp"
#include "tests/fuzz/ledger_parts.hpp"

namespace tideline::fuzz {
namespace {

constexpr const char* kModel = R"(byte x = 0;
byte y = 0;
process P {
    state s, t;
    init s;
    trans s -> t { guard x < 3; effect x = x + 1; }, t -> s { effect y = (y + x) % 3; };
}
system async;
)";

// Goes with the process.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "tideline-fuzz-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) std::abort();
        path_ = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

// The three ledgers: one of everything that the format has; a finished run with labels and edges, for audits; one of a
// run of the program.
class Originals {
public:
    Originals() {
        std::ofstream(folder_ / "model.dve") << kModel;
        {
            ledger::sample::Scribe scribe(7);
            const auto ledger = ledger::LedgerWriter::create(folder_ / "0", ledger::sample::full_header(),
                                                             ledger::sample::small_settings());
            scribe.write(*ledger, 40, 12);
            scribe.commit(*ledger);
            ledger->wait();
        }
        audit::sample::SampleRun finished(folder_ / "model.dve");
        finished.add_property("invariant", "x < 9");
        finished.labels.assign(finished.states.size(), {1});
        finished.add_edges();
        finished.write(folder_ / "1");
        run::RunSpec spec;
        spec.task = run::Task::check;
        spec.model.path = folder_ / "model.dve";
        spec.properties = {run::invariant("x < 9")};
        spec.engine = run::Engine::bfs;
        spec.ledger = {run::LedgerChoice::Kind::directory, folder_ / "2"};
        spec.record = explore::Recorded::edges;
        run::Sink sink;
        const support::Budget unlimited;
        const run::OrRefusal<run::RunReport> report = run::run(spec, sink, unlimited);
        expect(std::holds_alternative<run::RunReport>(report), "the run that is fuzzed can be made");
        for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i] = take_apart(folder_ / std::to_string(i));
    }

    [[nodiscard]] const LedgerParts& operator[](std::size_t i) const { return parts_[i]; }
    [[nodiscard]] std::size_t size() const { return parts_.size(); }
    // Where the changed ledger goes; the only one that there is.
    [[nodiscard]] std::string place() const { return folder_ / "changed"; }
    [[nodiscard]] std::string temporary() const { return folder_ / ""; }

private:
    Folder folder_;
    std::array<LedgerParts, 3> parts_;
};

const Originals& originals() {
    static const Originals result;
    return result;
}

// What an input says, byte by byte; 0 behind its end.
class Digest {
public:
    explicit Digest(Input input) : input_(input) {}
    [[nodiscard]] bool at_end() const { return at_ >= input_.size(); }
    std::uint8_t byte() { return at_ < input_.size() ? input_[at_++] : 0; }
    std::uint16_t word() { return static_cast<std::uint16_t>(byte() | byte() << 8U); }
    std::size_t below(std::size_t end) { return end == 0 ? 0 : word() % end; }
    // Small numbers, and those at which something may go wrong.
    std::uint64_t number() {
        const std::uint8_t kind = byte();
        constexpr std::array<unsigned, 8> kPowers = {7, 8, 16, 31, 32, 62, 63, 0};
        if (kind < 128) return kind;
        const std::uint64_t power = std::uint64_t{1} << kPowers[kind % 8];
        return kind < 192 ? power - 1 : kind < 224 ? power : power + 1;
    }
    std::string text(std::size_t most) {
        std::string result;
        for (std::size_t left = byte() % (most + 1); left > 0; --left) result += static_cast<char>(byte());
        return result;
    }

private:
    Input input_;
    std::size_t at_ = 0;
};

// Some bytes of a text are replaced by others, not necessarily as many.
template <class Text>
void splice(Digest& input, Text& text) {
    const auto at = text.begin() + static_cast<std::ptrdiff_t>(input.below(text.size() + 1));
    const auto end = at + static_cast<std::ptrdiff_t>(
                              std::min<std::size_t>(input.byte() % 16, static_cast<std::size_t>(text.end() - at)));
    const std::string inserted = input.text(15);
    text.insert(text.erase(at, end), inserted.begin(), inserted.end());
}

// A number in base 128 takes the place of some bytes.
void replace_number(Digest& input, ledger::Bytes& bytes) {
    const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(input.below(bytes.size() + 1));
    const auto end = at + static_cast<std::ptrdiff_t>(
                              std::min<std::size_t>(input.byte() % 4, static_cast<std::size_t>(bytes.end() - at)));
    ledger::Bytes digits;
    ledger::append_varint(digits, input.number());
    bytes.insert(bytes.erase(at, end), digits.begin(), digits.end());
}

// One value of a JSON text becomes another one.
void change_json(Digest& input, std::string& text) {
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_structured() || json.empty()) return splice(input, text);
    nlohmann::json flat = json.flatten();
    const auto member = std::next(flat.begin(), static_cast<std::ptrdiff_t>(input.below(flat.size())));
    const std::string name = member.key();
    const std::uint8_t how = input.byte();
    nlohmann::json value;
    switch (how % 8) {
        case 0: value = input.number(); break;
        case 1: value = -static_cast<std::int64_t>(input.number() >> 1U); break;
        case 2: value = input.text(15); break;
        case 3: value = how >= 128; break;
        case 4: value = nlohmann::json::array(); break;
        case 5: value = 1e300; break;
        case 6: value = nlohmann::json::object(); break;
        default: value = nullptr; break;
    }
    nlohmann::json changed = json;
    const nlohmann::json::json_pointer place(name);
    if (how < 192) changed[place] = value;
    else
        changed[place.parent_pointer()].erase(changed[place.parent_pointer()].is_array()
                                                  ? nlohmann::json(place.back()).get<std::string>()
                                                  : place.back());
    text = changed.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void change_frame(Digest& input, ledger::FrameHeader& header) {
    switch (input.byte() % 7) {
        case 0: header.count = static_cast<std::uint32_t>(input.number()); break;
        case 1: header.packing = static_cast<std::uint16_t>(input.number()); break;
        case 2: header.codec = static_cast<ledger::Codec>(input.byte()); break;
        case 3:
            header.raw_bytes = static_cast<std::uint32_t>(input.number() % 100'000'000);
            header.codec = ledger::Codec::zstd;
            break;
        case 4: header.first = input.number(); break;
        case 5: header.sequence = input.number(); break;
        default: header.unused = static_cast<std::uint32_t>(input.number()); break;
    }
}

void change_parts(Digest& input, std::uint8_t what, LedgerParts& parts) {
    std::vector<LedgerParts::Part*> frames;
    for (std::vector<LedgerParts::Part>& stream : parts.frames)
        for (LedgerParts::Part& part : stream) frames.push_back(&part);
    if (frames.empty() || parts.commits.empty()) return;
    LedgerParts::Part& frame = *frames[input.below(frames.size())];
    LedgerParts::Commit& commit = parts.commits[input.below(parts.commits.size())];
    switch (what % 10) {
        case 0: splice(input, frame.payload); break;
        case 1: replace_number(input, frame.payload); break;
        case 2: change_frame(input, frame.header); break;
        case 3: splice(input, commit.rest); break;
        case 4: replace_number(input, commit.rest); break;
        case 5: splice(input, commit.packings); break;
        case 6: replace_number(input, commit.packings); break;
        case 7: change_json(input, commit.engine); break;
        case 8: change_json(input, parts.header); break;
        default:
            if (!commit.frames.empty())
                commit.frames.erase(commit.frames.begin() +
                                    static_cast<std::ptrdiff_t>(input.below(commit.frames.size())));
            break;
    }
}

void change_file(Digest& input, std::uint8_t what, LedgerFiles& files) {
    auto& [name, text] = *std::next(files.begin(), static_cast<std::ptrdiff_t>(input.below(files.size())));
    switch (what % 4) {
        case 0: splice(input, text); break;
        case 1: text.resize(input.below(text.size() + 1)); break;
        case 2: text += input.text(100); break;
        default: files.erase(name); break;
    }
}

LedgerFiles changed_ledger(Input input) {
    Digest digest(input);
    LedgerParts parts = originals()[digest.byte() % originals().size()];
    constexpr std::uint8_t kFiles = 192;  // from here on, changes are to the files
    std::uint8_t what = digest.byte();
    for (; !digest.at_end() && what < kFiles; what = digest.byte()) change_parts(digest, what, parts);
    LedgerFiles files = put_together(parts);
    for (; !digest.at_end() && !files.empty(); what = digest.byte()) change_file(digest, what, files);
    return files;
}

void write(const LedgerFiles& files, const std::string& directory) {
    std::filesystem::remove_all(directory);
    std::filesystem::create_directory(directory);
    for (const auto& [name, text] : files) std::ofstream(directory + "/" + name, std::ios::binary) << text;
}

// Whether all of it could be read.
bool read_by_ledger(const std::string& directory) {
    try {
        const auto ledger = ledger::LedgerReader::open(directory, std::make_shared<ledger::sample::UnsyncedFiles>());
        ledger->verify();
        (void)ledger::sample::contents_of(*ledger);
        for (std::uint64_t i = 0; i < ledger->states(); i += 3) {
            (void)ledger->state(i);
            if (ledger->header().parents) (void)ledger->parent(i);
        }
        if (ledger->header().edges && ledger->header().numbers &&
            ledger->records(ledger::Stream::edges) == ledger->states()) {
            ledger::EdgeReader edges(*ledger, {.memory = 1 << 20, .temporary_directory = originals().temporary()});
            std::uint64_t forwards = 0;
            std::uint64_t backwards = 0;
            edges.read(0, ledger->states(), [&](const ledger::Edges& part) { forwards += part.targets.size(); });
            edges.read_backwards(
                [&](support::UInt128 /*key*/, const ledger::Edges& part) { backwards += part.targets.size(); });
            expect(forwards == backwards, "as many edges in either direction");
        }
        return true;
    } catch (const ledger::LedgerError&) {
        return false;
    }
}

bool read_by_audit(const std::string& directory) {
    try {
        audit::LedgerFile ledger(directory);
        audit::Records records;
        for (std::size_t stream = 0; stream < audit::kStreams; ++stream) {
            const auto& frames = ledger.frames(static_cast<audit::Stream>(stream));
            for (std::size_t i = 0; i < frames.size(); ++i) {
                if (static_cast<audit::Stream>(stream) == audit::Stream::waiting && ledger.dropped(frames[i])) continue;
                ledger.read(static_cast<audit::Stream>(stream), i, records);
            }
        }
        return true;
    } catch (const audit::Objection&) {
        return false;
    } catch (const audit::AuditError&) {
        return false;
    }
}

// The writer cuts off what was not committed and goes on.
void go_on(const std::string& directory) {
    try {
        const auto ledger = ledger::LedgerWriter::reopen(directory, ledger::sample::small_settings());
        ledger->commit("more");
        ledger->wait();
    } catch (const ledger::LedgerError&) {
        return;
    }
    expect(ledger::LedgerReader::open(directory)->engine() == "more", "what is committed can be read");
}

}  // namespace

void ledger(Input input) {
    // Once, that the parts are those of the format as it is now.
    static const bool are_sound = [] {
        for (std::size_t i = 0; i < originals().size(); ++i) {
            write(put_together(originals()[i]), originals().place());
            expect(read_by_ledger(originals().place()), "an unchanged ledger can be read");
            expect(read_by_audit(originals().place()), "an unchanged ledger can be read by an audit");
            if (i != 0) expect(audit::audit(originals().place()).confirmed(), "an unchanged ledger is confirmed");
            if (i == 2)
                expect(run::read_status(originals().place()).complete, "the run of an unchanged ledger is complete");
        }
        return true;
    }();
    (void)are_sound;

    const std::string place = originals().place();
    write(changed_ledger(input), place);
    const bool is_read = read_by_ledger(place);
    const bool is_read_by_audit = read_by_audit(place);
    expect(is_read == is_read_by_audit, "both readers agree",
           is_read ? "only the reader of ledger/ accepts it" : "only that of audit/ does");
    try {
        audit::AuditSettings settings;
        settings.memory = 1 << 20;
        settings.temporary_directory = originals().temporary();
        (void)audit::audit(place, settings);
    } catch (const audit::AuditError&) {
    }
    try {
        (void)run::read_status(place);
    } catch (const ledger::LedgerError&) {
    }
    if (input.size() % 4 == 0) go_on(place);
}

}  // namespace tideline::fuzz
