// Rows of a graph in a temporary file: written once, in ascending order of their sources, and read as often as wanted,
// forwards or backwards, a block at a time. Few rows stay in memory. An edge takes some two bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "check/ltl/disk_account.hpp"
#include "ledger/files.hpp"
#include "model/model.hpp"

namespace tideline::check::ltl {

class EdgeSpool {
public:
    struct Settings {
        std::string directory;                               // of the file
        std::uint64_t in_memory = std::uint64_t{64} << 10U;  // bytes that need no file
        std::uint64_t block = std::uint64_t{16} << 10U;      // bytes, about
        model::Marks marks = 0;                              // those that are kept
        DiskAccount* disk = nullptr;                         // null: nobody counts
    };
    // Decoded; row i has the edges from ends[i - 1] to ends[i].
    struct Block {
        std::vector<std::uint64_t> sources;
        std::vector<std::uint32_t> ends;
        std::vector<std::uint64_t> targets;
        std::vector<model::Marks> marks;
        [[nodiscard]] std::size_t begin(std::size_t row) const { return row == 0 ? 0 : ends[row - 1]; }
    };

    // `files` must outlive the spool.
    EdgeSpool(ledger::Files& files, Settings settings)
        : files_(&files), settings_(std::move(settings)), on_disk_(settings_.disk) {}

    // Throw LedgerError, and DiskIsShort.
    void begin_row(std::uint64_t source);
    void add(std::uint64_t target, model::Marks marks);
    // No more rows.
    void finish();

    [[nodiscard]] std::uint64_t rows() const { return rows_; }
    [[nodiscard]] std::uint64_t edges() const { return edges_; }
    [[nodiscard]] std::size_t block_count() const { return blocks_.size(); }
    // Throws LedgerError.
    void read(std::size_t block, Block& into);

    [[nodiscard]] std::uint64_t disk_bytes() const { return is_in_file_ ? written_ : 0; }
    [[nodiscard]] std::uint64_t memory_bytes() const;
    [[nodiscard]] const Settings& settings() const { return settings_; }

private:
    void end_row();
    void end_block();
    void put(std::uint64_t value);

    ledger::Files* files_;
    Settings settings_;
    DiskShare on_disk_;
    ledger::LedgerFile file_;
    bool is_in_file_ = false;
    std::vector<std::uint8_t> encoded_;       // blocks that are not in the file, and the open one
    std::vector<std::uint64_t> row_targets_;  // of the open row
    std::vector<model::Marks> row_marks_;
    std::uint64_t source_ = 0;
    bool has_row_ = false;
    std::uint64_t last_source_ = 0;      // of the row before, in the open block
    std::uint64_t written_ = 0;          // bytes of all blocks that have ended
    std::size_t open_begin_ = 0;         // of the open block, in encoded_
    std::vector<std::uint64_t> blocks_;  // ends
    std::vector<std::uint8_t> buffer_;
    std::uint64_t rows_ = 0;
    std::uint64_t edges_ = 0;
};

}  // namespace tideline::check::ltl
