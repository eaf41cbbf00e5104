// The calls of the system that a ledger makes, in one place: tests replace them to let the n-th write fail or to look
// at the directory between two of them, and every failure becomes a LedgerError that names the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "ledger/error.hpp"

namespace tideline::ledger {

// As the calls of the same names, but all return -errno where those return -1. Used by two threads at a time.
class Files {
public:
    virtual ~Files() = default;
    virtual int open(const std::string& path, int flags);
    virtual std::int64_t read(int file, void* data, std::size_t size, std::uint64_t offset);
    virtual std::int64_t write(int file, const void* data, std::size_t size, std::uint64_t offset);
    virtual int sync(int file);            // fdatasync
    virtual int sync_directory(int file);  // fsync
    virtual int resize(int file, std::uint64_t size);
    virtual int rename(const std::string& from, const std::string& to);
    virtual int remove(const std::string& path);
    // Punches a hole into the file; it reads as zeros then.
    virtual int discard(int file, std::uint64_t offset, std::uint64_t size);
};

// An open file of a ledger: a regular one, and no symbolic link, which could lead to a foreign file.
class LedgerFile {
public:
    LedgerFile() = default;
    LedgerFile(Files& files, std::string path, int flags);
    // A file of this directory that has no name any more: however the process ends, nothing is left of it.
    static LedgerFile temporary(Files& files, const std::string& directory);
    LedgerFile(LedgerFile&& other) noexcept;
    LedgerFile& operator=(LedgerFile&& other) noexcept;
    ~LedgerFile();

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::uint64_t size() const;
    // How many bytes there were; fewer than asked for only at the file's end.
    [[nodiscard]] std::size_t read(void* data, std::size_t size, std::uint64_t offset) const;
    void write(const void* data, std::size_t size, std::uint64_t offset);
    void sync();
    void resize(std::uint64_t size);
    // Whether the system did so; where it cannot, nothing has happened.
    bool discard(std::uint64_t offset, std::uint64_t size);
    // Throws where no directory lists the file any more: what is written to it is lost.
    void check_linked() const;

private:
    Files* files_ = nullptr;
    std::string path_;
    int file_ = -1;
};

// The error for a failed call on a file.
[[nodiscard]] LedgerError system_error(const std::string& path, const char* what, int cause);

void sync_directory(Files& files, const std::string& path);

// Held while a ledger is in use, by one writer or by any number of readers. Gone with the process, however that ends.
class LedgerLock {
public:
    LedgerLock(const std::string& directory, bool exclusive);
    LedgerLock(LedgerLock&& other) noexcept;
    LedgerLock& operator=(LedgerLock&&) = delete;
    ~LedgerLock();

private:
    int file_ = -1;
};

}  // namespace tideline::ledger
