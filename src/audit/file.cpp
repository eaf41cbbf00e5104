#include "audit/file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "audit/error.hpp"

namespace tideline::audit {
namespace {

AuditError failure(const std::string& path, const char* what, int cause) {
    // Reported of the last part of a path, as files are opened here.
    const char* reason = cause == ELOOP ? "it is a symbolic link" : std::strerror(cause);
    return {AuditFault::io, path + ": " + what + ": " + reason};
}

template <class Call>
auto retried(Call call) {
    decltype(call()) result;
    do result = call();
    while (result == -1 && errno == EINTR);
    return result;
}

}  // namespace

File::File(std::string path) : path_(std::move(path)) {
    file_ = retried([this] { return ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); });
    if (file_ < 0) throw failure(path_, "cannot be opened", errno);
}

File File::temporary(const std::string& directory) {
    File result;
    result.path_ = directory + "/tideline-audit-XXXXXX";
    result.file_ = ::mkostemp(result.path_.data(), O_CLOEXEC);
    if (result.file_ < 0) throw failure(directory, "no temporary file can be made here", errno);
    ::unlink(result.path_.c_str());
    return result;
}

File::File(File&& other) noexcept : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

File& File::operator=(File&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(file_, other.file_);
    return *this;
}

File::~File() {
    if (file_ >= 0) ::close(file_);
}

std::uint64_t File::size() const {
    struct stat status;
    if (::fstat(file_, &status) != 0) throw failure(path_, "cannot be examined", errno);
    return static_cast<std::uint64_t>(status.st_size);
}

std::size_t File::read(void* data, std::size_t size, std::uint64_t offset) const {
    std::size_t done = 0;
    while (done < size) {
        const ssize_t got = retried([&] {
            return ::pread(file_, static_cast<std::byte*>(data) + done, size - done, static_cast<off_t>(offset + done));
        });
        if (got < 0) throw failure(path_, "cannot be read", errno);
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

void File::write(const void* data, std::size_t size, std::uint64_t offset) {
    std::size_t done = 0;
    while (done < size) {
        const ssize_t put = retried([&] {
            return ::pwrite(file_, static_cast<const std::byte*>(data) + done, size - done,
                            static_cast<off_t>(offset + done));
        });
        if (put <= 0) throw failure(path_, "cannot be written", put == 0 ? EIO : errno);
        done += static_cast<std::size_t>(put);
    }
}

bool File::lock_shared() {
    if (retried([this] { return ::flock(file_, LOCK_SH | LOCK_NB); }) == 0) return true;
    if (errno != EWOULDBLOCK) throw failure(path_, "cannot be locked", errno);
    return false;
}

}  // namespace tideline::audit
