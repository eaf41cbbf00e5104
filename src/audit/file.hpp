// An open file whose failures are AuditErrors that name it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tideline::audit {

class File {
public:
    File() = default;
    // For reading.
    explicit File(std::string path);
    // For reading and writing, in a directory, without a name: however the process ends, nothing is left of it.
    static File temporary(const std::string& directory);
    File(File&& other) noexcept;
    File& operator=(File&& other) noexcept;
    ~File();

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::uint64_t size() const;
    // How many bytes there were; fewer than asked for only at the file's end.
    [[nodiscard]] std::size_t read(void* data, std::size_t size, std::uint64_t offset) const;
    void write(const void* data, std::size_t size, std::uint64_t offset);
    // Shares it with other readers; false where a writer has it.
    [[nodiscard]] bool lock_shared();

private:
    std::string path_;
    int file_ = -1;
};

}  // namespace tideline::audit
