#include "ledger/journal.hpp"

#include <fcntl.h>

#include <cstddef>
#include <exception>
#include <filesystem>
#include <optional>

#include <nlohmann/json.hpp>

#include "support/json_text.hpp"

namespace tideline::ledger {
namespace {

using Json = nlohmann::json;

struct RecordHeader {
    std::uint32_t magic;
    std::uint32_t unused;  // 0
    std::uint64_t ledger;
    std::uint64_t sequence;  // of the commit, from 0 on
    std::uint64_t previous;  // checksum of the record before
    std::uint64_t payload_bytes;
    std::uint64_t checksum;  // of the above, the payload and the offset
};
constexpr std::uint32_t kRecordMagic = 0x524A4C54;  // "TLJR"
static_assert(sizeof(RecordHeader) == 48);

struct LatestSlot {
    std::uint32_t magic;
    std::uint32_t unused;  // 0
    std::uint64_t ledger;
    std::uint64_t commits;   // in the journal
    std::uint64_t offset;    // where they end
    std::uint64_t chain;     // checksum of the last of them
    std::uint64_t checksum;  // of the above
};
constexpr std::uint32_t kLatestMagic = 0x4E4C4C54;  // "TLLN"
static_assert(sizeof(LatestSlot) == 48);
constexpr std::uint64_t kSlotDistance = kLatestBytes / 2;

std::uint64_t record_checksum(const RecordHeader& header, std::span<const std::uint8_t> payload, std::uint64_t offset) {
    return checksum_of(&header, offsetof(RecordHeader, checksum), checksum_of(payload.data(), payload.size(), offset));
}

class KeyDifferences {
public:
    void put(Bytes& bytes, const AddedExtent& extent) {
        const auto lower = static_cast<std::uint64_t>(extent.key);
        const auto upper = static_cast<std::uint64_t>(extent.key >> 64U);
        append_varint(bytes, zigzag_encode(upper - upper_));
        append_varint(bytes, zigzag_encode(lower - lower_));
        append_varint(bytes, extent.pass);
        append_varint(bytes, extent.count);
        upper_ = upper;
        lower_ = lower;
    }
    AddedExtent take(ByteReader& in) {
        AddedExtent result;
        upper_ += zigzag_decode(in.digits());
        lower_ += zigzag_decode(in.digits());
        result.key = support::UInt128{upper_} << 64U | lower_;
        result.pass = static_cast<std::uint32_t>(in.digits());
        result.count = in.digits();
        return result;
    }

private:
    std::uint64_t upper_ = 0;
    std::uint64_t lower_ = 0;
};

void put_extents(Bytes& bytes, const std::vector<AddedExtent>& extents) {
    append_varint(bytes, extents.size());
    KeyDifferences keys;
    for (const AddedExtent& extent : extents) keys.put(bytes, extent);
}

std::vector<AddedExtent> take_extents(ByteReader& in) {
    std::vector<AddedExtent> result;
    KeyDifferences keys;
    for (std::uint64_t left = in.length(); left > 0 && in.good(); --left) result.push_back(keys.take(in));
    return result;
}

void put_frame(Bytes& bytes, Stream stream, const FrameEntry& frame) {
    bytes.push_back(static_cast<std::uint8_t>(stream));
    bytes.push_back(static_cast<std::uint8_t>(frame.codec));
    append_varint(bytes, frame.packing);
    append_varint(bytes, frame.count);
    append_varint(bytes, frame.raw_bytes);
    append_varint(bytes, frame.stored_bytes);
    append_fixed(bytes, frame.checksum);
}

// The next frame of its stream; false where it cannot be one.
bool take_frame(ByteReader& in, Manifest& manifest) {
    const auto stream = in.fixed<std::uint8_t>();
    if (stream >= kStreams) return false;
    FrameEntry frame;
    frame.codec = static_cast<Codec>(in.fixed<std::uint8_t>());
    frame.packing = static_cast<std::uint16_t>(in.digits());
    frame.count = static_cast<std::uint32_t>(in.digits());
    frame.raw_bytes = static_cast<std::uint32_t>(in.digits());
    frame.stored_bytes = static_cast<std::uint32_t>(in.digits());
    frame.checksum = in.fixed<std::uint64_t>();
    frame.first = manifest.records(static_cast<Stream>(stream));
    frame.offset = manifest.bytes(static_cast<Stream>(stream));
    manifest.frames(static_cast<Stream>(stream)).push_back(frame);
    return in.good() && frame.packing < manifest.packings().size();
}

// Whether all of it could be understood. Checksums have been compared before: what fails here was never written by this
// program.
bool take_over(std::span<const std::uint8_t> payload, LoadedJournal& journal) {
    ByteReader in(payload);
    Manifest& manifest = journal.manifest;
    for (std::uint64_t left = in.length(); left > 0 && in.good(); --left) {
        const std::uint64_t state_bytes = in.digits();
        manifest.packings().push_back({static_cast<std::uint32_t>(state_bytes), in.text()});
    }
    for (std::uint64_t left = in.length(); left > 0; --left)
        if (!take_frame(in, manifest)) return false;
    for (std::size_t stream = 0; stream < kStreams; ++stream)
        if (in.digits() != manifest.bytes(static_cast<Stream>(stream))) return false;
    for (const AddedExtent& extent : take_extents(in)) manifest.add_extent(extent.key, extent.pass, extent.count);
    for (const AddedExtent& batch : take_extents(in)) manifest.add_batch(batch.key, batch.pass, batch.count);
    std::uint64_t id = 0;
    for (std::uint64_t left = in.length(); left > 0 && in.good(); --left)
        if (!manifest.drop_batch(id += zigzag_decode(in.digits()))) return false;
    std::uint64_t initial = 0;
    for (std::uint64_t left = in.length(); left > 0 && in.good(); --left)
        if (!manifest.add_initial(initial += in.digits())) return false;
    journal.engine = in.text();
    return in.good() && in.at_end() && manifest.states() <= kNumberEnd &&
           manifest.states() == manifest.records(Stream::states) &&
           manifest.waiting_records() == manifest.records(Stream::waiting);
}

// What `latest` says the journal has at least.
LatestSlot load_latest(const LedgerFile& latest, const LedgerHeader& header) {
    std::optional<LatestSlot> found;
    for (const std::uint64_t offset : {std::uint64_t{0}, kSlotDistance}) {
        LatestSlot slot;
        if (latest.read(&slot, sizeof slot, offset) != sizeof slot) continue;
        if (slot.magic != kLatestMagic || slot.ledger != header.id || slot.unused != 0) continue;
        if (slot.checksum != checksum_of(&slot, offsetof(LatestSlot, checksum), offset)) continue;
        if (!found || slot.commits > found->commits) found = slot;
    }
    if (!found) throw LedgerError(LedgerFault::damaged, latest.path(), 0, "neither of its two entries is valid");
    return *found;
}

constexpr const char* kStreamList = "streams";

std::string hexadecimal(std::uint64_t value) {
    std::string result(16, '0');
    for (std::size_t i = 16; i-- > 0; value >>= 4U) result[i] = "0123456789abcdef"[value & 15U];
    return result;
}

// Discarded where the text is not JSON, or so deep that no ledger of ours has it: printing descends into it.
Json parse_flat(const std::string& text) {
    constexpr std::size_t kDeepest = 500;
    if (support::json_depth(text) > kDeepest) return Json(Json::value_t::discarded);
    return Json::parse(text, nullptr, false);
}

std::string render(Json json) {
    json.erase("checksum");
    const std::string text = support::to_json_text(json);
    json["checksum"] = hexadecimal(checksum_of(text.data(), text.size(), 0));
    return support::to_json_text(json, 2) + "\n";
}

}  // namespace

bool LedgerHeader::has(Stream stream) const {
    switch (stream) {
        case Stream::states: return true;
        case Stream::parents: return parents;
        case Stream::labels: return label_bytes != 0;
        case Stream::edges: return edges;
        case Stream::numbers: return numbers;
        case Stream::waiting: return waiting;
    }
    return false;
}

Shape LedgerHeader::shape(Stream stream, const Packing& packing) const {
    switch (stream) {
        case Stream::states: return {.record_bytes = packing.state_bytes};
        case Stream::parents: return {.numbers = true, .tags = true, .bounded_numbers = true};
        case Stream::labels: return {.record_bytes = label_bytes};
        case Stream::edges: return {.numbers = true, .others = true, .tags = true, .marks = marks, .lists = true};
        case Stream::numbers: return {.numbers = true, .others = true, .bounded_numbers = true, .bounded_others = true};
        case Stream::waiting:
            return {.record_bytes = packing.state_bytes,
                    .numbers = true,
                    .others = waiting_numbers,
                    .tags = true,
                    .bounded_others = waiting_numbers};
    }
    return {};
}

std::string header_text(const LedgerHeader& header, const std::string& path) {
    Json description = parse_flat(header.description);
    if (description.is_discarded())
        throw LedgerError(LedgerFault::io, path, "the description of the ledger is not JSON, or too deep");
    Json streams = Json::array();
    for (std::size_t stream = 0; stream < kStreams; ++stream)
        if (header.has(static_cast<Stream>(stream))) streams.push_back(std::string(kStreamNames[stream]));
    return render({{"format", "tideline-ledger"},
                   {"version", kLedgerVersion},
                   {"id", hexadecimal(header.id)},
                   {kStreamList, std::move(streams)},
                   {"state_bytes", header.state_bytes},
                   {"label_bytes", header.label_bytes},
                   {"waiting_numbers", header.waiting_numbers},
                   {"marks", header.marks},
                   {"description", std::move(description)}});
}

LedgerHeader parse_header(const std::string& text, const std::string& path) {
    const Json json = parse_flat(text);
    if (!json.is_object()) throw LedgerError(LedgerFault::damaged, path, 0, "this is not a JSON object");
    const auto format = json.find("format");
    const auto version = json.find("version");
    if (format == json.end() || *format != "tideline-ledger" || version == json.end())
        throw LedgerError(LedgerFault::damaged, path, 0, "this is not the header of a ledger");
    // Another version may have another checksum.
    if (*version != kLedgerVersion)
        throw LedgerError(LedgerFault::version, path,
                          "the ledger has format version " + support::to_json_text(*version) + ", this program reads " +
                              std::to_string(kLedgerVersion));
    if (text != render(json)) throw LedgerError(LedgerFault::damaged, path, 0, "the header does not fit its checksum");
    LedgerHeader header;
    try {
        header.id = std::stoull(json.at("id").get<std::string>(), nullptr, 16);
        header.state_bytes = json.at("state_bytes");
        header.label_bytes = json.at("label_bytes");
        header.waiting_numbers = json.at("waiting_numbers");
        header.marks = json.at("marks");
        header.description = support::to_json_text(json.at("description"));
        for (const Json& stream : json.at(kStreamList)) {
            if (stream == "parents") header.parents = true;
            if (stream == "edges") header.edges = true;
            if (stream == "numbers") header.numbers = true;
            if (stream == "waiting") header.waiting = true;
        }
    } catch (const std::exception&) {
        throw LedgerError(LedgerFault::damaged, path, 0, "the header is not complete");
    }
    return header;
}

LedgerHeader read_header(Files& files, const std::string& directory) {
    const std::string path = directory + "/header.json";
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        throw LedgerError(LedgerFault::missing, directory, "there is no ledger here");
    const LedgerFile file(files, path, O_RDONLY);
    std::string text(file.size(), '\0');
    text.resize(file.read(text.data(), text.size(), 0));
    return parse_header(text, path);
}

Bytes commit_bytes(std::uint64_t ledger, const CommitRecord& record, const StreamSizes& sizes, const JournalEnd& end) {
    Bytes bytes(sizeof(RecordHeader));
    append_varint(bytes, record.packings.size());
    for (const Packing& packing : record.packings) {
        append_varint(bytes, packing.state_bytes);
        append_text(bytes, packing.description);
    }
    append_varint(bytes, record.frames.size());
    for (const auto& [stream, frame] : record.frames) put_frame(bytes, stream, frame);
    for (const std::uint64_t size : sizes) append_varint(bytes, size);
    put_extents(bytes, record.extents);
    put_extents(bytes, record.batches);
    append_varint(bytes, record.dropped.size());
    std::uint64_t last = 0;
    for (const std::uint64_t id : record.dropped) {
        append_varint(bytes, zigzag_encode(id - last));
        last = id;
    }
    append_varint(bytes, record.initial.size());
    last = 0;
    for (const std::uint64_t number : record.initial) append_varint(bytes, number - std::exchange(last, number));
    append_text(bytes, record.engine);

    const std::span<const std::uint8_t> payload = std::span(bytes).subspan(sizeof(RecordHeader));
    RecordHeader header{kRecordMagic, 0, ledger, end.commits, end.checksum, payload.size(), 0};
    header.checksum = record_checksum(header, payload, end.offset);
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes;
}

void append_commit(LedgerFile& journal, LedgerFile& latest, std::uint64_t ledger, const Bytes& record,
                   JournalEnd& end) {
    journal.write(record.data(), record.size(), end.offset);
    journal.sync();
    RecordHeader header;
    std::memcpy(&header, record.data(), sizeof header);
    end = {end.commits + 1, end.offset + record.size(), header.checksum};
    write_latest(latest, ledger, end);
}

void write_latest(LedgerFile& latest, std::uint64_t ledger, const JournalEnd& end) {
    const std::uint64_t offset = end.commits % 2 * kSlotDistance;
    LatestSlot slot{kLatestMagic, 0, ledger, end.commits, end.offset, end.checksum, 0};
    slot.checksum = checksum_of(&slot, offsetof(LatestSlot, checksum), offset);
    latest.write(&slot, sizeof slot, offset);
    latest.sync();
}

LoadedJournal load_journal(const LedgerFile& journal, const LedgerFile& latest, const LedgerHeader& header) {
    const LatestSlot least = load_latest(latest, header);
    const std::uint64_t size = journal.size();
    LoadedJournal loaded;
    loaded.end.checksum = header.id;
    loaded.manifest.packings().push_back({header.state_bytes, {}});
    Bytes payload;
    for (JournalEnd& end = loaded.end;; ++end.commits) {
        RecordHeader record;
        bool valid = journal.read(&record, sizeof record, end.offset) == sizeof record &&
                     record.magic == kRecordMagic && record.unused == 0 && record.ledger == header.id &&
                     record.sequence == end.commits && record.previous == end.checksum &&
                     record.payload_bytes <= size - end.offset - sizeof record;
        if (valid) {
            payload.resize(record.payload_bytes);
            valid = journal.read(payload.data(), payload.size(), end.offset + sizeof record) == payload.size() &&
                    record.checksum == record_checksum(record, payload, end.offset);
        }
        if (!valid) break;
        if (!take_over(payload, loaded))
            throw LedgerError(LedgerFault::damaged, journal.path(), end.offset, "the record cannot be understood");
        end.offset += sizeof record + payload.size();
        end.checksum = record.checksum;
        if (end.commits + 1 == least.commits && (end.offset != least.offset || end.checksum != least.chain))
            throw LedgerError(LedgerFault::damaged, journal.path(), end.offset,
                              "the record is not the one that was committed");
    }
    if (loaded.end.commits < least.commits)
        throw LedgerError(LedgerFault::damaged, journal.path(), loaded.end.offset,
                          "commit " + std::to_string(loaded.end.commits) + " of at least " +
                              std::to_string(least.commits) + " is missing or damaged");
    return loaded;
}

}  // namespace tideline::ledger
