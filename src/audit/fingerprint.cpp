#include "audit/fingerprint.hpp"

#include <sys/random.h>

#include <cerrno>
#include <cstring>
#include <string>

#include <xxhash.h>

#include "audit/error.hpp"

namespace tideline::audit {

FingerprintKey::FingerprintKey() {
    static_assert(sizeof secret_ >= XXH3_SECRET_SIZE_MIN && sizeof secret_ <= 256);  // up to 256 bytes come at once
    ssize_t got = 0;
    do got = ::getrandom(secret_, sizeof secret_, 0);
    while (got == -1 && errno == EINTR);
    if (got != sizeof secret_)
        throw AuditError(AuditFault::io, std::string("the system gives no random bytes: ") + std::strerror(errno));
}

Fingerprint FingerprintKey::operator()(std::span<const std::int64_t> values) const {
    const XXH128_hash_t hash = XXH3_128bits_withSecret(values.data(), values.size_bytes(), secret_, sizeof secret_);
    return {hash.high64, hash.low64};
}

}  // namespace tideline::audit
