#include "ledger/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace tideline::ledger {
namespace {

template <class Call>
auto retried(Call call) {
    decltype(call()) result;
    do result = call();
    while (result == -1 && errno == EINTR);
    return result == -1 ? -errno : result;
}

}  // namespace

int Files::open(const std::string& path, int flags) {
    return retried([&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0644); });
}
std::int64_t Files::read(int file, void* data, std::size_t size, std::uint64_t offset) {
    return retried([&] { return ::pread(file, data, size, static_cast<off_t>(offset)); });
}
std::int64_t Files::write(int file, const void* data, std::size_t size, std::uint64_t offset) {
    return retried([&] { return ::pwrite(file, data, size, static_cast<off_t>(offset)); });
}
int Files::sync(int file) {
    return retried([&] { return ::fdatasync(file); });
}
int Files::sync_directory(int file) {
    return retried([&] { return ::fsync(file); });
}
int Files::resize(int file, std::uint64_t size) {
    return retried([&] { return ::ftruncate(file, static_cast<off_t>(size)); });
}
int Files::rename(const std::string& from, const std::string& to) {
    return retried([&] { return std::rename(from.c_str(), to.c_str()); });
}
int Files::remove(const std::string& path) {
    return retried([&] { return ::unlink(path.c_str()); });
}
int Files::discard(int file, std::uint64_t offset, std::uint64_t size) {
    return retried([&] {
        return ::fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                           static_cast<off_t>(size));
    });
}

LedgerError system_error(const std::string& path, const char* what, int cause) {
    LedgerFault kind = LedgerFault::io;
    if (cause == ENOSPC || cause == EDQUOT || cause == EFBIG) kind = LedgerFault::disk_full;
    if (cause == EROFS || cause == EACCES || cause == EPERM || cause == ELOOP) kind = LedgerFault::not_allowed;
    if (cause == ENOENT || cause == ENOTDIR) kind = LedgerFault::missing;
    // Reported of the last part of a path, as files are opened here.
    const char* reason = cause == ELOOP ? "it is a symbolic link" : std::strerror(cause);
    return LedgerError(kind, path, std::string(what) + ": " + reason);
}

LedgerFile::LedgerFile(Files& files, std::string path, int flags) : files_(&files), path_(std::move(path)) {
    // Without waiting for the other end of a pipe.
    file_ = files.open(path_, flags | O_NOFOLLOW | O_NONBLOCK);
    if (file_ < 0) throw system_error(path_, "cannot be opened", -file_);
    struct stat status;
    if (::fstat(file_, &status) == 0 && S_ISREG(status.st_mode)) return;
    ::close(file_);
    throw LedgerError(LedgerFault::not_allowed, path_, "is not a regular file");
}

LedgerFile LedgerFile::temporary(Files& files, const std::string& directory) {
    LedgerFile result;
    result.files_ = &files;
    result.path_ = directory + "/tideline-edges-XXXXXX";
    result.file_ = ::mkostemp(result.path_.data(), O_CLOEXEC);
    if (result.file_ < 0) throw system_error(directory, "no temporary file can be made here", errno);
    ::unlink(result.path_.c_str());
    return result;
}

LedgerFile::LedgerFile(LedgerFile&& other) noexcept
    : files_(other.files_), path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

LedgerFile& LedgerFile::operator=(LedgerFile&& other) noexcept {
    std::swap(files_, other.files_);
    std::swap(path_, other.path_);
    std::swap(file_, other.file_);
    return *this;
}

LedgerFile::~LedgerFile() {
    if (file_ >= 0) ::close(file_);
}

std::uint64_t LedgerFile::size() const {
    struct stat status;
    if (::fstat(file_, &status) != 0) throw system_error(path_, "cannot be examined", errno);
    return static_cast<std::uint64_t>(status.st_size);
}

std::size_t LedgerFile::read(void* data, std::size_t size, std::uint64_t offset) const {
    std::size_t done = 0;
    while (done < size) {
        const std::int64_t got = files_->read(file_, static_cast<std::byte*>(data) + done, size - done, offset + done);
        if (got < 0) throw system_error(path_, "cannot be read", static_cast<int>(-got));
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

void LedgerFile::write(const void* data, std::size_t size, std::uint64_t offset) {
    for (std::size_t done = 0; done < size;) {
        const std::int64_t put =
            files_->write(file_, static_cast<const std::byte*>(data) + done, size - done, offset + done);
        if (put < 0) throw system_error(path_, "cannot be written", static_cast<int>(-put));
        if (put == 0) throw system_error(path_, "cannot be written", EIO);
        done += static_cast<std::size_t>(put);
    }
}

void LedgerFile::sync() {
    if (const int result = files_->sync(file_); result < 0)
        throw system_error(path_, "cannot be written through to the disk", -result);
}

void LedgerFile::resize(std::uint64_t size) {
    if (const int result = files_->resize(file_, size); result < 0) throw system_error(path_, "cannot be cut", -result);
}

bool LedgerFile::discard(std::uint64_t offset, std::uint64_t size) { return files_->discard(file_, offset, size) == 0; }

void LedgerFile::check_linked() const {
    struct stat status;
    if (::fstat(file_, &status) != 0) throw system_error(path_, "cannot be examined", errno);
    if (status.st_nlink == 0) throw LedgerError(LedgerFault::missing, path_, "was removed while it was in use");
}

void sync_directory(Files& files, const std::string& path) {
    const int file = files.open(path, O_RDONLY | O_DIRECTORY);
    if (file < 0) throw system_error(path, "cannot be opened", -file);
    const int result = files.sync_directory(file);
    ::close(file);
    if (result < 0) throw system_error(path, "cannot be written through to the disk", -result);
}

LedgerLock::LedgerLock(const std::string& directory, bool exclusive) {
    const std::string path = directory + "/lock";
    file_ = ::open(path.c_str(), O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (exclusive ? O_RDWR | O_CREAT : O_RDONLY), 0644);
    if (file_ < 0) throw system_error(path, "cannot be opened", errno);
    if (::flock(file_, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0) return;
    const int cause = errno;
    ::close(file_);
    if (cause != EWOULDBLOCK) throw system_error(path, "cannot be locked", cause);
    throw LedgerError(LedgerFault::locked, directory,
                      exclusive ? "another process is using this ledger" : "another process is writing this ledger");
}

LedgerLock::LedgerLock(LedgerLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

LedgerLock::~LedgerLock() {
    if (file_ >= 0) ::close(file_);
}

}  // namespace tideline::ledger
