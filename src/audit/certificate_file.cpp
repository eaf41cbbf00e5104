#include "audit/certificate_file.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <xxhash.h>
#include <zstd.h>

namespace tideline::audit {
namespace {

constexpr std::size_t kFileHeader = 16;
constexpr std::size_t kFrameHeader = 40;
constexpr std::size_t kFileEnd = 24;
constexpr std::uint32_t kMostStates = std::uint32_t{1} << 20U;  // of a frame
constexpr std::uint64_t kMostColumns = 1U << 20U;
constexpr std::uint64_t kMostText = std::uint64_t{256} << 20U;

template <class Number>
Number at(const std::uint8_t* bytes) {
    Number number{};
    std::memcpy(&number, bytes, sizeof number);
    return number;
}

Objection damage(const File& file, std::uint64_t offset, const char* what) {
    return Objection(fmt::format("{}: at byte {}: {}", file.path(), offset, what));
}

// A number in base 128, and where the next one begins; null: there is none.
const std::uint8_t* take(const std::uint8_t* from, const std::uint8_t* end, std::uint64_t& number) {
    number = 0;
    for (unsigned shift = 0; from != end && shift < 64; shift += 7, ++from) {
        number |= std::uint64_t{*from & 127U} << shift;
        if (*from < 128) return from + 1;
    }
    return nullptr;
}

}  // namespace

std::optional<CertificateFile> CertificateFile::open(const std::string& directory, std::uint64_t ledger,
                                                     std::uint64_t states) {
    const std::string path = directory + "/certificate";
    std::error_code ignored;
    if (!std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) return std::nullopt;
    CertificateFile result{File(path)};
    const std::uint64_t size = result.file_.size();
    std::uint8_t header[kFileHeader];
    if (size < kFileHeader + kFileEnd || result.file_.read(header, sizeof header, 0) != sizeof header ||
        std::memcmp(header, "TLCE", 4) != 0)
        throw damage(result.file_, 0, "this is not a certificate");
    if (at<std::uint32_t>(header + 4) != 1)
        throw AuditError(AuditFault::version, path + ": the certificate has another version of the format");
    if (at<std::uint64_t>(header + 8) != ledger) throw damage(result.file_, 8, "the certificate is of another ledger");
    result.read_description(size);
    result.read_frames(result.end_of_frames_, states);
    return result;
}

void CertificateFile::read_description(std::uint64_t size) {
    std::uint8_t end[kFileEnd];
    if (file_.read(end, sizeof end, size - kFileEnd) != sizeof end || std::memcmp(end + 16, "TLCX", 4) != 0)
        throw damage(file_, size - kFileEnd, "the certificate is not complete");
    const auto length = at<std::uint64_t>(end);
    if (length > size - kFileHeader - kFileEnd || length > kMostText)
        throw damage(file_, size - kFileEnd, "the certificate is not complete");
    end_of_frames_ = size - kFileEnd - length;
    std::string text(length, '\0');
    if (file_.read(text.data(), length, end_of_frames_) != length ||
        XXH3_64bits_withSeed(text.data(), length, end_of_frames_) != at<std::uint64_t>(end + 8))
        throw damage(file_, end_of_frames_, "the description does not fit its checksum");
    description_ = parse_json(text);
    const Json& columns = list(description_, "columns", "the certificate");
    if (columns.size() > kMostColumns) throw damage(file_, end_of_frames_, "there are too many columns");
    for (const Json& column : columns) {
        const auto number = static_cast<std::uint32_t>(names_.size());
        const auto [place, is_new] =
            names_.emplace(std::pair(audit::text(column, "what", "a column of the certificate"),
                                     audit::text(column, "formula", "a column of the certificate")),
                           number);
        if (!is_new) throw Objection("the certificate has the column '" + place->first.first + "' of a formula twice");
    }
    frames_.resize(names_.size());
}

void CertificateFile::read_frames(std::uint64_t end, std::uint64_t states) {
    std::uint8_t header[kFrameHeader];
    for (std::uint64_t offset = kFileHeader; offset < end;) {
        if (end - offset < kFrameHeader || file_.read(header, sizeof header, offset) != sizeof header ||
            std::memcmp(header, "TLCF", 4) != 0)
            throw damage(file_, offset, "there is no frame here");
        const auto column = at<std::uint32_t>(header + 4);
        const Frame frame{offset, at<std::uint64_t>(header + 8), at<std::uint32_t>(header + 16),
                          at<std::uint32_t>(header + 20), at<std::uint32_t>(header + 24)};
        const bool is_possible = column < frames_.size() && frame.count > 0 && frame.count <= kMostStates &&
                                 frame.first < states && frame.count <= states - frame.first &&
                                 frame.stored_bytes <= end - offset - kFrameHeader &&
                                 frame.raw_bytes <= frame.count * 10U && at<std::uint32_t>(header + 28) == 0;
        if (!is_possible) throw damage(file_, offset, "the frame cannot be understood");
        frames_[column].push_back(frame);
        offset += kFrameHeader + frame.stored_bytes;
    }
    for (std::vector<Frame>& frames : frames_)
        std::stable_sort(frames.begin(), frames.end(),
                         [](const Frame& a, const Frame& b) { return a.first < b.first; });
}

std::optional<std::uint32_t> CertificateFile::column(const std::string& what, const std::string& formula) const {
    const auto found = names_.find({what, formula});
    return found == names_.end() ? std::nullopt : std::optional(found->second);
}

const std::vector<std::uint64_t>& CertificateFile::decoded(std::uint32_t column, std::size_t number) {
    const Frame& frame = frames_[column][number];
    if (decoded_offset_ == frame.offset) return decoded_;
    decoded_offset_ = 0;
    stored_.resize(kFrameHeader + frame.stored_bytes);
    if (file_.read(stored_.data(), stored_.size(), frame.offset) != stored_.size())
        throw damage(file_, frame.offset, "the file ends within this frame");
    const std::uint8_t* payload = stored_.data() + kFrameHeader;
    const std::uint64_t sum = XXH3_64bits_withSeed(stored_.data(), kFrameHeader - 8,
                                                   XXH3_64bits_withSeed(payload, frame.stored_bytes, frame.offset));
    if (sum != at<std::uint64_t>(stored_.data() + kFrameHeader - 8))
        throw damage(file_, frame.offset, "the frame does not fit its checksum");
    raw_.resize(frame.raw_bytes);
    const std::size_t size = ZSTD_decompress(raw_.data(), raw_.size(), payload, frame.stored_bytes);
    if (ZSTD_isError(size) != 0 || size != frame.raw_bytes)
        throw damage(file_, frame.offset, "the frame cannot be decompressed");
    decoded_.clear();
    const std::uint8_t* from = raw_.data();
    std::uint64_t value = 0;
    for (std::uint32_t i = 0; i < frame.count; ++i) {
        std::uint64_t folded = 0;
        from = take(from, raw_.data() + raw_.size(), folded);
        if (from == nullptr) throw damage(file_, frame.offset, "the frame cannot be understood");
        value += folded % 2 == 0 ? folded / 2 : ~(folded / 2);
        decoded_.push_back(value);
    }
    if (from != raw_.data() + raw_.size()) throw damage(file_, frame.offset, "the frame cannot be understood");
    decoded_offset_ = frame.offset;
    return decoded_;
}

void CertificateFile::read(std::uint32_t column, std::uint64_t first, std::vector<std::uint64_t>& values) {
    std::fill(values.begin(), values.end(), 0);
    const std::uint64_t end = first + values.size();
    const std::vector<Frame>& frames = frames_[column];
    // Frames may overlap, but none has more states than this.
    const std::uint64_t from = first < kMostStates ? 0 : first - kMostStates;
    auto frame = std::partition_point(frames.begin(), frames.end(), [&](const Frame& f) { return f.first < from; });
    for (; frame != frames.end() && frame->first < end; ++frame) {
        if (frame->first + frame->count <= first) continue;
        const std::vector<std::uint64_t>& numbers = decoded(column, static_cast<std::size_t>(frame - frames.begin()));
        const std::uint64_t begin = std::max(first, frame->first);
        const std::uint64_t last = std::min(end, frame->first + frame->count);
        for (std::uint64_t s = begin; s < last; ++s)
            values[s - first] = std::max(values[s - first], numbers[s - frame->first]);
    }
}

}  // namespace tideline::audit
