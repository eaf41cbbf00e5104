#include "ledger/certificate_writer.hpp"

#include <fcntl.h>

#include <cassert>
#include <cerrno>
#include <limits>
#include <new>

#include <xxhash.h>
#include <zstd.h>

namespace tideline::ledger {
namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kFrameHeader = 40;
constexpr int kLevel = 1;

std::string final_name(const std::string& directory) { return directory + "/certificate"; }
std::string new_name(const std::string& directory) { return directory + "/certificate.new"; }

void append_magic(Bytes& bytes, const char* magic) { bytes.insert(bytes.end(), magic, magic + 4); }

void remove_file(Files& files, const std::string& path) {
    if (const int result = files.remove(path); result < 0 && result != -ENOENT)
        throw system_error(path, "cannot be removed", -result);
}

}  // namespace

void CertificateWriter::remove(const std::string& directory, Files& files) {
    remove_file(files, final_name(directory));
    remove_file(files, new_name(directory));
}

CertificateWriter::CertificateWriter(const std::string& directory, std::uint64_t ledger,
                                     std::optional<std::uint64_t> limit, std::shared_ptr<Files> files)
    : files_(std::move(files)), directory_(directory), limit_(limit) {
    remove(directory, *files_);
    file_ = LedgerFile(*files_, new_name(directory), O_RDWR | O_CREAT | O_EXCL);
    Bytes header;
    append_magic(header, "TLCE");
    append_fixed<std::uint32_t>(header, kVersion);
    append_fixed<std::uint64_t>(header, ledger);
    write(header);
}

CertificateWriter::~CertificateWriter() {
    if (!is_finished_ && !file_.path().empty()) (void)files_->remove(file_.path());
}

void CertificateWriter::write(std::span<const std::uint8_t> bytes) {
    if (limit_ && end_ + bytes.size() > *limit_)
        throw LedgerError(LedgerFault::limit, file_.path(), "the limit on the disk leaves no room for it");
    file_.write(bytes.data(), bytes.size(), end_);
    end_ += bytes.size();
}

void CertificateWriter::add(std::uint32_t column, std::uint64_t first, std::span<const std::uint64_t> values) {
    assert(values.size() <= std::size_t{1} << 20U);
    raw_.clear();
    std::uint64_t before = 0;
    for (const std::uint64_t value : values) {
        append_varint(raw_, zigzag_encode(value - before));
        before = value;
    }
    frame_.clear();
    append_magic(frame_, "TLCF");
    append_fixed<std::uint32_t>(frame_, column);
    append_fixed<std::uint64_t>(frame_, first);
    append_fixed<std::uint32_t>(frame_, static_cast<std::uint32_t>(values.size()));
    append_fixed<std::uint32_t>(frame_, static_cast<std::uint32_t>(raw_.size()));
    frame_.resize(kFrameHeader + ZSTD_compressBound(raw_.size()));
    const std::size_t stored =
        ZSTD_compress(frame_.data() + kFrameHeader, frame_.size() - kFrameHeader, raw_.data(), raw_.size(), kLevel);
    if (ZSTD_isError(stored) != 0) throw std::bad_alloc();  // nothing else can go wrong with room enough
    frame_.resize(kFrameHeader + stored);
    const auto stored_bytes = static_cast<std::uint32_t>(stored);
    const std::uint32_t zero = 0;
    std::memcpy(frame_.data() + 24, &stored_bytes, sizeof stored_bytes);
    std::memcpy(frame_.data() + 28, &zero, sizeof zero);
    const std::uint64_t of_payload = XXH3_64bits_withSeed(frame_.data() + kFrameHeader, stored, end_);
    const std::uint64_t checksum =
        XXH3_64bits_withSeed(frame_.data(), kFrameHeader - sizeof(std::uint64_t), of_payload);
    std::memcpy(frame_.data() + kFrameHeader - sizeof checksum, &checksum, sizeof checksum);
    write(frame_);
}

void CertificateWriter::finish(const std::string& description) {
    Bytes end(description.begin(), description.end());
    const std::uint64_t checksum = XXH3_64bits_withSeed(description.data(), description.size(), end_);
    append_fixed<std::uint64_t>(end, description.size());
    append_fixed<std::uint64_t>(end, checksum);
    append_magic(end, "TLCX");
    append_fixed<std::uint32_t>(end, 0);
    write(end);
    file_.sync();
    if (const int result = files_->rename(file_.path(), final_name(directory_)); result < 0)
        throw system_error(file_.path(), "cannot be renamed", -result);
    is_finished_ = true;
    sync_directory(*files_, directory_);
}

}  // namespace tideline::ledger
