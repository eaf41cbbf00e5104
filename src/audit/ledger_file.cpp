#include "audit/ledger_file.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <xxhash.h>
#include <zstd.h>

#include "support/json_text.hpp"

namespace tideline::audit {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the files are little-endian, and so are the machines that this is built for");

constexpr std::uint64_t kVersion = 5;
constexpr std::uint64_t kNumberEnd = std::uint64_t{1} << 40U;  // behind the largest number of a state
constexpr std::size_t kFrameHeader = 56;
constexpr std::size_t kRecordHeader = 48;
constexpr std::size_t kSlot = 64;  // of `latest`
constexpr std::size_t kSlotUsed = 48;
constexpr std::uint8_t kStored = 0;
constexpr std::uint8_t kZstd = 1;

std::uint64_t checksum(const void* data, std::size_t size, std::uint64_t seed) {
    return XXH3_64bits_withSeed(data, size, seed);
}

Objection damage(const std::string& file, std::uint64_t offset, std::string_view what) {
    return Objection(fmt::format("{}: at byte {}: {}", file, offset, what));
}

template <class T>
T number_at(const std::uint8_t* bytes, std::size_t offset) {
    T result;
    std::memcpy(&result, bytes + offset, sizeof result);
    return result;
}

bool magic_is(const std::uint8_t* bytes, std::string_view magic) {
    return std::memcmp(bytes, magic.data(), magic.size()) == 0;
}

std::string hexadecimal(std::uint64_t number) { return fmt::format("{:016x}", number); }

std::optional<std::uint64_t> from_hexadecimal(const std::string& digits) {
    std::uint64_t result = 0;
    const char* end = digits.data() + digits.size();
    const auto [behind, error] = std::from_chars(digits.data(), end, result, 16);
    if (digits.size() != 16 || error != std::errc() || behind != end || hexadecimal(result) != digits)
        return std::nullopt;
    return result;
}

std::uint64_t unfolded(std::uint64_t number) { return number % 2 == 0 ? number / 2 : ~(number / 2); }

// How far the journal reaches at least.
struct Latest {
    std::uint64_t commits = 0;
    std::uint64_t end = 0;
    std::uint64_t checksum = 0;
};

Latest read_latest(const File& file, std::uint64_t id) {
    std::optional<Latest> latest;
    for (const std::size_t offset : {std::size_t{0}, kSlot}) {
        std::uint8_t slot[kSlotUsed];
        if (file.read(slot, sizeof slot, offset) != sizeof slot) continue;
        if (!magic_is(slot, "TLLN") || number_at<std::uint32_t>(slot, 4) != 0 ||
            number_at<std::uint64_t>(slot, 8) != id)
            continue;
        if (number_at<std::uint64_t>(slot, 40) != checksum(slot, 40, offset)) continue;
        const Latest found{number_at<std::uint64_t>(slot, 16), number_at<std::uint64_t>(slot, 24),
                           number_at<std::uint64_t>(slot, 32)};
        if (!latest || found.commits > latest->commits) latest = found;
    }
    if (!latest) throw damage(file.path(), 0, "neither of its two entries is valid");
    return *latest;
}

}  // namespace

// Varints and what stands between them. What cannot be read is an Objection.
class LedgerFile::Digits {
public:
    Digits(std::span<const std::uint8_t> bytes, std::string complaint)
        : rest_(bytes), complaint_(std::move(complaint)) {}

    [[nodiscard]] bool at_end() const { return rest_.empty(); }
    void require(bool condition) const {
        if (!condition) throw Objection(complaint_);
    }

    std::uint8_t byte() {
        require(!rest_.empty());
        const std::uint8_t result = rest_.front();
        rest_ = rest_.subspan(1);
        return result;
    }
    std::uint64_t number(std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
        std::uint64_t result = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint8_t digit = byte();
            const std::uint64_t value = digit & 127U;
            require(shift < 63 || (shift == 63 && value <= 1));
            result |= value << shift;
            if (digit < 128) break;
        }
        require(result <= most);
        return result;
    }
    std::uint32_t short_number() {
        return static_cast<std::uint32_t>(number(std::numeric_limits<std::uint32_t>::max()));
    }
    std::uint64_t fixed() {
        require(rest_.size() >= sizeof(std::uint64_t));
        const auto result = number_at<std::uint64_t>(rest_.data(), 0);
        rest_ = rest_.subspan(sizeof result);
        return result;
    }
    std::string text() {
        const std::uint64_t size = number(rest_.size());
        require(size <= rest_.size());
        std::string result(reinterpret_cast<const char*>(rest_.data()), size);
        rest_ = rest_.subspan(size);
        return result;
    }

private:
    std::span<const std::uint8_t> rest_;
    std::string complaint_;
};

struct LedgerFile::Decompressor {
    ZSTD_DCtx* context = ZSTD_createDCtx();
    Decompressor() {
        if (context == nullptr) throw std::bad_alloc();
    }
    Decompressor(const Decompressor&) = delete;
    Decompressor& operator=(const Decompressor&) = delete;
    ~Decompressor() { ZSTD_freeDCtx(context); }
};

LedgerFile::LedgerFile(const std::string& directory)
    : directory_(directory), decompressor_(std::make_unique<Decompressor>()) {
    std::error_code ignored;
    if (!std::filesystem::exists(directory, ignored))
        throw AuditError(AuditFault::missing, directory + ": there is no such directory");
    if (!std::filesystem::is_directory(directory, ignored))
        throw AuditError(AuditFault::not_a_ledger, directory + ": this is not a directory");
    if (!std::filesystem::exists(directory + "/header.json", ignored))
        throw AuditError(AuditFault::not_a_ledger, directory + ": there is no ledger here (no header.json)");
    lock_ = File(directory + "/lock");
    if (!lock_.lock_shared())
        throw AuditError(AuditFault::locked, directory + ": another process is writing this ledger");
    read_header(directory);
    for (std::size_t stream = 0; stream < kStreams; ++stream)
        if (present_[stream]) files_[stream] = File(directory + "/" + kStreamNames[stream]);
    read_journal(directory);
    check_sizes();
}

LedgerFile::~LedgerFile() = default;

std::uint64_t LedgerFile::records(Stream stream) const {
    const std::vector<Frame>& all = frames(stream);
    return all.empty() ? 0 : all.back().first + all.back().count;
}

std::uint64_t LedgerFile::bytes(Stream stream) const {
    const std::vector<Frame>& all = frames(stream);
    return all.empty() ? 0 : all.back().offset + kFrameHeader + all.back().stored_bytes;
}

bool LedgerFile::dropped(const Frame& frame) const {
    const auto batch =
        std::partition_point(kept_.begin(), kept_.end(), [&](const Batch& b) { return b.end <= frame.first; });
    return batch == kept_.end() || batch->first >= frame.first + frame.count;
}

void LedgerFile::read_header(const std::string& directory) {
    const File file(directory + "/header.json");
    std::string content(file.size(), '\0');
    content.resize(file.read(content.data(), content.size(), 0));
    Json json = parse_json(content);
    if (!json.is_object()) throw damage(file.path(), 0, "this is not a JSON object");
    if (!json.contains("format") || json["format"] != "tideline-ledger")
        throw AuditError(AuditFault::not_a_ledger, file.path() + ": this is not the header of a ledger");
    if (!json.contains("version") || json["version"] != kVersion)
        throw AuditError(
            AuditFault::version,
            fmt::format("{}: the ledger has format version {}, audits read {}", file.path(),
                        json.contains("version") ? support::to_json_text(json["version"]) : "none", kVersion));

    const std::string printed = support::to_json_text(json, 2) + "\n";
    const std::string claimed = text(json, "checksum", file.path());
    json.erase("checksum");
    const std::string compact = support::to_json_text(json);
    if (content != printed || claimed != hexadecimal(checksum(compact.data(), compact.size(), 0)))
        throw damage(file.path(), 0, "the header does not fit its checksum");

    const std::optional<std::uint64_t> id = from_hexadecimal(text(json, "id", file.path()));
    if (!id) throw damage(file.path(), 0, "'id' is not 16 hexadecimal digits");
    id_ = *id;
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    const auto state_bytes = static_cast<std::uint32_t>(natural(json, "state_bytes", file.path(), kMost));
    label_bytes_ = static_cast<std::uint32_t>(natural(json, "label_bytes", file.path(), kMost));
    waiting_numbers_ = boolean(json, "waiting_numbers", file.path());
    marks_ = boolean(json, "marks", file.path());
    for (const Json& name : list(json, "streams", file.path())) {
        const auto known =
            std::find_if(kStreamNames.begin(), kStreamNames.end(), [&](const char* n) { return name == n; });
        if (known == kStreamNames.end())
            throw damage(file.path(), 0, "it lists a stream that is not known: " + support::to_json_text(name));
        present_[static_cast<std::size_t>(known - kStreamNames.begin())] = true;
    }
    if (!has(Stream::states)) throw damage(file.path(), 0, "it lists no stream of states");
    description_ = member(json, "description", file.path());
    const bool packed = description_.is_object() && description_.contains("packing");
    packings_.push_back({state_bytes, packed ? support::to_json_text(description_["packing"]) : ""});
}

void LedgerFile::read_journal(const std::string& directory) {
    const Latest latest = read_latest(File(directory + "/latest"), id_);
    const File journal(directory + "/journal");
    const std::uint64_t size = journal.size();
    std::uint64_t offset = 0;
    std::uint64_t before = id_;
    std::vector<std::uint8_t> payload;
    std::uint64_t commits = 0;
    for (;; ++commits) {
        std::uint8_t header[kRecordHeader];
        if (journal.read(header, sizeof header, offset) != sizeof header) break;
        if (!magic_is(header, "TLJR") || number_at<std::uint32_t>(header, 4) != 0 ||
            number_at<std::uint64_t>(header, 8) != id_)
            break;
        if (number_at<std::uint64_t>(header, 16) != commits || number_at<std::uint64_t>(header, 24) != before) break;
        const auto payload_bytes = number_at<std::uint64_t>(header, 32);
        if (payload_bytes > size - offset - kRecordHeader) break;
        payload.resize(payload_bytes);
        if (journal.read(payload.data(), payload.size(), offset + kRecordHeader) != payload.size()) break;
        const std::uint64_t sum = checksum(header, 40, checksum(payload.data(), payload.size(), offset));
        if (number_at<std::uint64_t>(header, 40) != sum) break;

        Digits in(payload,
                  damage(journal.path(), offset, fmt::format("the record of commit {} cannot be understood", commits))
                      .what());
        take_commit(in);
        offset += kRecordHeader + payload_bytes;
        before = sum;
        if (commits + 1 == latest.commits && (offset != latest.end || sum != latest.checksum))
            throw damage(journal.path(), offset, "the record that ends here is not the one that was committed");
    }
    if (commits < latest.commits)
        throw damage(journal.path(), offset,
                     fmt::format("{} commits were made, but only {} are valid", latest.commits, commits));
    for (const auto& [id, batch] : live_)
        if (batch.first != batch.end) kept_.push_back(batch);
    live_.clear();
}

void LedgerFile::take_commit(Digits& in) {
    for (std::uint64_t left = in.number(); left > 0; --left) {
        const std::uint32_t state_bytes = in.short_number();
        packings_.push_back({state_bytes, in.text()});
    }
    for (std::uint64_t left = in.number(); left > 0; --left) take_frame(in);
    for (std::size_t stream = 0; stream < kStreams; ++stream)
        in.require(in.number() == bytes(static_cast<Stream>(stream)));
    states_ += take_extents(in, false);
    waiting_ += take_extents(in, true);
    std::uint64_t id = 0;
    for (std::uint64_t left = in.number(); left > 0; --left) {
        id += unfolded(in.number());
        in.require(live_.erase(id) == 1);
    }
    std::uint64_t initial = 0;
    for (std::uint64_t left = in.number(); left > 0; --left) {
        initial += in.number(kNumberEnd);
        in.require(initial < states_ && (initial_.empty() || initial > initial_.back()));
        initial_.push_back(initial);
    }
    engine_ = in.text();
    in.require(in.at_end() && states_ <= kNumberEnd && states_ == records(Stream::states) &&
               waiting_ == records(Stream::waiting));
    for (const Stream stream : {Stream::parents, Stream::labels})
        in.require(!has(stream) || records(stream) == states_);
}

void LedgerFile::take_frame(Digits& in) {
    const std::uint8_t number = in.byte();
    in.require(number < kStreams && present_[number]);
    const auto stream = static_cast<Stream>(number);
    Frame frame;
    frame.codec = in.byte();
    frame.packing = static_cast<std::uint16_t>(in.number(std::numeric_limits<std::uint16_t>::max()));
    frame.count = in.short_number();
    frame.raw_bytes = in.short_number();
    frame.stored_bytes = in.short_number();
    frame.checksum = in.fixed();
    frame.first = records(stream);
    frame.offset = bytes(stream);
    in.require(frame.packing < packings_.size());
    frames_[number].push_back(frame);
}

std::uint64_t LedgerFile::take_extents(Digits& in, bool waiting) {
    std::uint64_t added = 0;
    for (std::uint64_t left = in.number(); left > 0; --left) {
        (void)in.number();  // the upper half of the key
        (void)in.number();  // the lower half
        (void)in.short_number();
        const std::uint64_t count = in.number(std::numeric_limits<std::uint64_t>::max() - waiting_ - states_ - added);
        if (waiting) live_.emplace_hint(live_.end(), batches_++, Batch{waiting_ + added, waiting_ + added + count});
        added += count;
    }
    return added;
}

void LedgerFile::check_sizes() const {
    for (std::size_t stream = 0; stream < kStreams; ++stream) {
        if (!present_[stream]) continue;
        const std::uint64_t size = files_[stream].size();
        const std::uint64_t committed = bytes(static_cast<Stream>(stream));
        if (size < committed)
            throw damage(files_[stream].path(), size,
                         fmt::format("the file ends here, but has had {} bytes", committed));
    }
}

void LedgerFile::read(Stream stream, std::size_t number, Records& records) {
    const Frame& frame = frames(stream)[number];
    const File& file = files_[index(stream)];
    stored_.resize(kFrameHeader + frame.stored_bytes);
    if (file.read(stored_.data(), stored_.size(), frame.offset) != stored_.size())
        throw damage(file.path(), frame.offset, "the file ends within this frame");
    const std::uint8_t* header = stored_.data();
    const std::uint8_t* payload = header + kFrameHeader;
    const std::uint64_t sum = checksum(header, 48, checksum(payload, frame.stored_bytes, frame.offset));
    if (sum != frame.checksum || sum != number_at<std::uint64_t>(header, 48))
        throw damage(file.path(), frame.offset, "the frame does not fit its checksum");
    if (!magic_is(header, "TLFR") || header[4] != index(stream) || header[5] != frame.codec ||
        number_at<std::uint16_t>(header, 6) != frame.packing || number_at<std::uint32_t>(header, 8) != frame.count ||
        number_at<std::uint32_t>(header, 12) != frame.raw_bytes ||
        number_at<std::uint32_t>(header, 16) != frame.stored_bytes || number_at<std::uint32_t>(header, 20) != 0 ||
        number_at<std::uint64_t>(header, 24) != frame.first || number_at<std::uint64_t>(header, 32) != number ||
        number_at<std::uint64_t>(header, 40) != id_)
        throw damage(file.path(), frame.offset, "the frame is not the one that the journal speaks of");

    const std::uint8_t* raw = payload;
    if (frame.codec == kZstd) {
        raw_.resize(frame.raw_bytes);
        const std::size_t size =
            ZSTD_decompressDCtx(decompressor_->context, raw_.data(), raw_.size(), payload, frame.stored_bytes);
        if (ZSTD_isError(size) != 0 || size != frame.raw_bytes)
            throw damage(file.path(), frame.offset, "the frame cannot be decompressed");
        raw = raw_.data();
    } else if (frame.codec != kStored || frame.raw_bytes != frame.stored_bytes) {
        throw damage(file.path(), frame.offset, "the frame has an unknown codec or the wrong size");
    }
    decode(stream, frame, raw, records);
}

void LedgerFile::decode(Stream stream, const Frame& frame, const std::uint8_t* raw, Records& records) const {
    const bool of_states = stream == Stream::states || stream == Stream::waiting;
    const std::uint64_t width = of_states                  ? packings_[frame.packing].state_bytes
                                : stream == Stream::labels ? label_bytes_
                                                           : 0;
    const std::uint64_t size = frame.count * width;  // below 2^64: both factors are below 2^32
    const Objection complaint = damage(files_[index(stream)].path(), frame.offset, "the frame cannot be understood");
    if (size > frame.raw_bytes) throw complaint;

    records.count = frame.count;
    records.parents.clear();
    records.degrees.clear();
    records.targets.clear();
    records.transitions.clear();
    records.marks.clear();
    records.numbers.clear();
    records.bytes.assign(raw, raw + size);
    for (std::size_t i = width; i < size; ++i)
        records.bytes[i] = static_cast<std::uint8_t>(records.bytes[i] ^ records.bytes[i - width]);

    Digits numbers({raw + size, frame.raw_bytes - size}, complaint.what());
    std::uint64_t parent = 0;
    std::uint64_t temporary = 0;
    std::uint64_t final_number = 0;
    if (stream == Stream::edges) decode_edges(frame, numbers, records);
    for (std::uint32_t i = 0; i < frame.count; ++i) {
        switch (stream) {
            case Stream::states:
            case Stream::edges:
            case Stream::labels: break;
            case Stream::parents:
                records.parents.push_back(parent += unfolded(numbers.number()));
                numbers.require(parent < kNumberEnd);
                records.transitions.push_back(numbers.short_number());
                break;
            case Stream::numbers:
                temporary += unfolded(numbers.number());
                final_number += unfolded(numbers.number());
                numbers.require(temporary < kNumberEnd && final_number < kNumberEnd);
                records.numbers.emplace_back(temporary, final_number);
                break;
            case Stream::waiting:
                (void)numbers.number();
                if (waiting_numbers_) (void)numbers.number();
                (void)numbers.short_number();
                break;
        }
    }
    numbers.require(numbers.at_end());
}

// How many edges each state has, then all transitions, then all targets, then perhaps all marks.
void LedgerFile::decode_edges(const Frame& frame, Digits& in, Records& records) const {
    std::uint64_t edges = 0;
    for (std::uint32_t i = 0; i < frame.count; ++i) {
        records.degrees.push_back(in.short_number());
        edges += records.degrees.back();
        in.require(edges <= frame.raw_bytes);  // each takes more than a byte
    }
    for (std::uint64_t i = 0; i < edges; ++i) records.transitions.push_back(in.number());
    constexpr std::size_t kContexts = 1024;
    std::vector<std::uint64_t> before_final(kContexts);
    std::vector<std::uint64_t> before_temporary(kContexts);
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < edges; ++i) {
        const std::uint64_t code = in.number();
        const bool temporary = code == 0 || code % 2 == 0;
        std::uint64_t& before = (temporary ? before_temporary : before_final)[records.transitions[i] % kContexts];
        before = code == 0 ? next : before + unfolded((code - 1) / 2);
        in.require(before < kNumberEnd);
        if (temporary) next = std::max(next, before + 1);
        records.targets.push_back(temporary ? before | kTemporaryId : before);
    }
    for (std::uint64_t i = 0; i < edges && marks_; ++i) records.marks.push_back(in.number());
}

}  // namespace tideline::audit
