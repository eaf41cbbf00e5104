#include "check/ltl/cycle_certificate.hpp"

#include <fcntl.h>

#include <utility>

namespace tideline::check::ltl {
namespace {

constexpr std::size_t kFlush = std::size_t{64} << 10U;
constexpr std::uint64_t kRange = 1;  // what follows
constexpr std::uint64_t kRemoval = 2;
constexpr std::uint64_t kEnd = 0;

}  // namespace

CycleCertificateWriter::CycleCertificateWriter(std::string directory, DiskAccount& disk)
    : directory_(std::move(directory)),
      name_(directory_ + "/" + kCycleCertificate + ".part"),
      file_(files_, name_, O_RDWR | O_CREAT | O_TRUNC),
      on_disk_(&disk) {
    buffer_.assign(kCycleCertificateMagic.begin(), kCycleCertificateMagic.end());
}

CycleCertificateWriter::~CycleCertificateWriter() {
    if (!is_complete_) (void)files_.remove(name_);
}

void CycleCertificateWriter::put(std::uint64_t value) {
    for (; value >= 128; value >>= 7U) buffer_.push_back(static_cast<std::uint8_t>(value | 128U));
    buffer_.push_back(static_cast<std::uint8_t>(value));
    if (buffer_.size() >= kFlush) flush();
}

void CycleCertificateWriter::flush() {
    on_disk_.take(buffer_.size());
    file_.write(buffer_.data(), buffer_.size(), written_);
    written_ += buffer_.size();
    buffer_.clear();
}

void CycleCertificateWriter::begin_range(std::uint64_t first, std::uint64_t count) {
    put(kRange);
    put(first);
    put(count);
}

void CycleCertificateWriter::begin(const Removal& removal) {
    put(kRemoval);
    put(static_cast<std::uint64_t>(removal.kind));
    if (removal.kind == Removal::Kind::mark) put(removal.mark);
    is_ranked_ = removal.kind == Removal::Kind::ranked;
    last_ = 0;
}

// Differences, one more than they are: 0 ends the list.
void CycleCertificateWriter::add(std::uint64_t number, std::uint32_t rank) {
    const auto difference = static_cast<std::int64_t>(number - std::exchange(last_, number));
    put(((static_cast<std::uint64_t>(difference) << 1U) ^ static_cast<std::uint64_t>(difference >> 63)) + 1);
    if (is_ranked_) put(rank);
}

void CycleCertificateWriter::end(std::span<const std::optional<unsigned>> claims) {
    put(0);
    if (!is_ranked_) return;
    put(claims.size());
    for (const std::optional<unsigned>& claim : claims) put(claim ? *claim + 1 : 0);
}

void CycleCertificateWriter::end_range() { put(kEnd); }

void CycleCertificateWriter::complete() {
    put(kEnd);
    flush();
    file_.sync();
    const std::string name = directory_ + "/" + kCycleCertificate;
    if (const int result = files_.rename(name_, name); result < 0)
        throw ledger::system_error(name, "cannot be made", -result);
    ledger::sync_directory(files_, directory_);
    is_complete_ = true;
}

}  // namespace tideline::check::ltl
