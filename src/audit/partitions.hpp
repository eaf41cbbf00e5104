// Records partitioned in one temporary file. A partition gathers records in memory until a block is full; full blocks
// go to the end of the file, and of each partition the numbers of its blocks are remembered. Thousands of partitions
// need one open file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "audit/error.hpp"
#include "audit/file.hpp"

namespace tideline::audit {

template <class Record>
class Partitions {
    static_assert(std::is_trivially_copyable_v<Record>);

public:
    Partitions(const std::string& directory, std::size_t count, std::size_t block_records)
        : file_(File::temporary(directory)), block_records_(block_records), partitions_(count) {}

    void add(std::size_t partition, const Record& record) {
        Partition& p = partitions_[partition];
        if (p.pending.empty()) p.pending.reserve(block_records_);
        p.pending.push_back(record);
        ++p.size;
        if (p.pending.size() == block_records_) flush(p);
    }
    // Nothing may be added afterwards: the last block of a partition may not be full. The memory of the buffers is
    // freed.
    void finish() {
        for (Partition& p : partitions_) {
            if (!p.pending.empty()) flush(p);
            p.pending = {};
        }
    }

    [[nodiscard]] std::size_t count() const { return partitions_.size(); }
    [[nodiscard]] std::uint64_t size(std::size_t partition) const { return partitions_[partition].size; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

    // In the order of adding, a block at a time: visit(std::span<const Record>).
    template <class Visit>
    void visit(std::size_t partition, Visit visit) const {
        const Partition& p = partitions_[partition];
        std::vector<Record> block;
        std::uint64_t left = p.size;
        for (const std::uint64_t number : p.blocks) {
            block.resize(left < block_records_ ? left : block_records_);
            left -= block.size();
            const std::size_t size = block.size() * sizeof(Record);
            if (file_.read(block.data(), size, number * block_records_ * sizeof(Record)) != size)
                throw AuditError(AuditFault::io,
                                 file_.path() + ": the temporary file is shorter than what was written to it");
            visit(std::span<const Record>(block));
        }
    }

private:
    struct Partition {
        std::vector<Record> pending;
        std::vector<std::uint64_t> blocks;
        std::uint64_t size = 0;
    };

    void flush(Partition& p) {
        file_.write(p.pending.data(), p.pending.size() * sizeof(Record), blocks_ * block_records_ * sizeof(Record));
        bytes_ += p.pending.size() * sizeof(Record);
        p.blocks.push_back(blocks_++);
        p.pending.clear();
    }

    File file_;
    std::size_t block_records_;
    std::vector<Partition> partitions_;
    std::uint64_t blocks_ = 0;
    std::uint64_t bytes_ = 0;
};

}  // namespace tideline::audit
