#include "ledger/edge_reader.hpp"

#include <algorithm>
#include <cassert>

namespace tideline::ledger {
namespace {

constexpr std::uint64_t kBlock = 4096;  // numbers of the file that are read at a time

}  // namespace

EdgeReader::EdgeReader(LedgerContents& ledger, const EdgeReaderSettings& settings)
    : ledger_(ledger), poll_(settings.poll) {
    if (!ledger.header().edges) throw LedgerError(LedgerFault::missing, "edges", "this ledger has none");
    if (ledger.records(Stream::edges) != ledger.states())
        throw LedgerError(LedgerFault::damaged, "edges", "there are not as many records as states");
    if (ledger.header().numbers) measure_numbers();
    is_in_memory_ = temporary_end_ * sizeof(std::uint64_t) <= settings.memory;
    if (is_in_memory_) {
        final_numbers_.resize(temporary_end_);
        fill(0, final_numbers_);
        return;
    }
    if (settings.take_disk) settings.take_disk(temporary_end_ * sizeof(std::uint64_t));
    file_ = LedgerFile::temporary(files_, settings.temporary_directory);
    std::vector<std::uint64_t> window(std::max(kBlock, settings.memory / sizeof(std::uint64_t)));
    for (std::uint64_t begin = 0; begin < temporary_end_; begin += window.size()) {
        window.resize(std::min<std::uint64_t>(window.size(), temporary_end_ - begin));
        fill(begin, window);
        file_.write(window.data(), window.size() * sizeof(std::uint64_t), begin * sizeof(std::uint64_t));
    }
}

void EdgeReader::measure_numbers() {
    ledger_.read(Stream::numbers, 0, ledger_.records(Stream::numbers), [&](const Records& records) {
        if (poll_) poll_();
        for (const std::uint64_t temporary : records.numbers) temporary_end_ = std::max(temporary_end_, temporary + 1);
        for (const std::uint64_t number : records.others)
            if (number >= ledger_.states())
                throw LedgerError(LedgerFault::damaged, "numbers", "a number belongs to a state that is not there");
    });
}

// The final numbers of the temporary ids from `begin` on.
void EdgeReader::fill(std::uint64_t begin, std::vector<std::uint64_t>& window) {
    std::fill(window.begin(), window.end(), kWaiting);
    if (window.empty()) return;
    ledger_.read(Stream::numbers, 0, ledger_.records(Stream::numbers), [&](const Records& records) {
        if (poll_) poll_();
        for (std::uint64_t i = 0; i < records.count; ++i)
            if (const std::uint64_t index = records.numbers[i] - begin; index < window.size())
                window[index] = records.others[i];
    });
}

void EdgeReader::read(std::uint64_t first, std::uint64_t count, const Visit& visit) {
    while (count > 0) {
        const Edges part = read_part(first, count);
        visit(part);
        first += part.degrees.size();
        count -= part.degrees.size();
    }
}

Edges EdgeReader::read_part(std::uint64_t first, std::uint64_t count) {
    const Records records = ledger_.read_part(Stream::edges, first, count);
    targets_.assign(records.numbers.begin(), records.numbers.end());
    resolve();
    return {records.first, records.tags, targets_, records.others, records.marks};
}

void EdgeReader::resolve() {
    open_.clear();
    for (std::size_t i = 0; i < targets_.size(); ++i) {
        if ((targets_[i] & kTemporaryId) == 0) continue;
        const std::uint64_t temporary = targets_[i] & ~kTemporaryId;
        if (temporary >= temporary_end_) targets_[i] = kWaiting;
        else if (is_in_memory_) targets_[i] = final_numbers_[temporary];
        else open_.push_back({temporary, static_cast<std::uint32_t>(i)});
    }
    std::sort(open_.begin(), open_.end(), [](const Open& a, const Open& b) { return a.temporary < b.temporary; });
    std::uint64_t block = ~std::uint64_t{0};
    for (const Open& open : open_) {
        if (open.temporary / kBlock != block) {
            block = open.temporary / kBlock;
            final_numbers_.resize(std::min(kBlock, temporary_end_ - block * kBlock));
            const std::size_t bytes = final_numbers_.size() * sizeof(std::uint64_t);
            if (file_.read(final_numbers_.data(), bytes, block * kBlock * sizeof(std::uint64_t)) != bytes)
                throw LedgerError(LedgerFault::io, file_.path(),
                                  "the temporary file is shorter than what was written to it");
        }
        targets_[open.index] = final_numbers_[open.temporary % kBlock];
    }
}

void EdgeReader::read_backwards(const std::function<void(support::UInt128 key, const Edges& edges)>& visit) {
    std::vector<std::pair<support::UInt128, std::uint64_t>> order;  // key, index of the extent
    for (std::uint64_t i = 0; i < ledger_.extent_count(); ++i) order.emplace_back(ledger_.extent(i).key, i);
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (const auto& [key, index] : order) {
        const Extent extent = ledger_.extent(index);
        read(extent.first, extent.count, [&, k = key](const Edges& edges) { visit(k, edges); });
    }
}

}  // namespace tideline::ledger
