#include "check/ltl/edge_spool.hpp"

#include <bit>
#include <cassert>

namespace tideline::check::ltl {
namespace {

// Marks that are kept, side by side.
std::uint64_t gathered(model::Marks marks, model::Marks kept) {
    std::uint64_t result = 0;
    for (unsigned place = 0; kept != 0; kept &= kept - 1, ++place)
        result |= ((marks >> static_cast<unsigned>(std::countr_zero(kept))) & 1U) << place;
    return result;
}
model::Marks spread(std::uint64_t bits, model::Marks kept) {
    model::Marks result = 0;
    for (; kept != 0; kept &= kept - 1, bits >>= 1U)
        if ((bits & 1U) != 0) result |= kept & (~kept + 1);
    return result;
}

std::uint64_t zigzag(std::uint64_t from, std::uint64_t to) {
    const auto difference = static_cast<std::int64_t>(to - from);
    return (static_cast<std::uint64_t>(difference) << 1U) ^ static_cast<std::uint64_t>(difference >> 63);
}

}  // namespace

void EdgeSpool::put(std::uint64_t value) {
    for (; value >= 128; value >>= 7U) encoded_.push_back(static_cast<std::uint8_t>(value | 128U));
    encoded_.push_back(static_cast<std::uint8_t>(value));
}

void EdgeSpool::begin_row(std::uint64_t source) {
    end_row();
    source_ = source;
    has_row_ = true;
}

void EdgeSpool::add(std::uint64_t target, model::Marks marks) {
    row_targets_.push_back(target);
    row_marks_.push_back(marks & settings_.marks);
}

void EdgeSpool::end_row() {
    if (!has_row_) return;
    has_row_ = false;
    put(source_ - last_source_);
    put(row_targets_.size());
    for (std::size_t i = 0; i < row_targets_.size(); ++i) {
        put(zigzag(source_, row_targets_[i]));
        if (settings_.marks != 0) put(gathered(row_marks_[i], settings_.marks));
    }
    last_source_ = source_;
    ++rows_;
    edges_ += row_targets_.size();
    row_targets_.clear();
    row_marks_.clear();
    if (encoded_.size() - open_begin_ >= settings_.block) end_block();
}

void EdgeSpool::end_block() {
    if (encoded_.size() == open_begin_) return;
    written_ += encoded_.size() - open_begin_;
    blocks_.push_back(written_);
    last_source_ = 0;
    if (!is_in_file_ && written_ > settings_.in_memory) {
        file_ = ledger::LedgerFile::temporary(*files_, settings_.directory);
        is_in_file_ = true;
    }
    if (is_in_file_) {
        on_disk_.take(encoded_.size());
        file_.write(encoded_.data(), encoded_.size(), written_ - encoded_.size());
        encoded_.clear();
    }
    open_begin_ = encoded_.size();
}

void EdgeSpool::finish() {
    end_row();
    end_block();
}

void EdgeSpool::read(std::size_t block, Block& into) {
    const std::uint64_t begin = block == 0 ? 0 : blocks_[block - 1];
    const std::size_t size = blocks_[block] - begin;
    const std::uint8_t* at = encoded_.data() + begin;
    if (is_in_file_) {
        buffer_.resize(size);
        if (file_.read(buffer_.data(), size, begin) != size)
            throw ledger::LedgerError(ledger::LedgerFault::io, file_.path(),
                                      "the temporary file is shorter than what was written to it");
        at = buffer_.data();
    }
    const std::uint8_t* const end = at + size;
    const auto get = [&] {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint8_t byte = *at++;
            value |= std::uint64_t{byte & 127U} << shift;
            if (byte < 128) return value;
        }
    };
    into.sources.clear();
    into.ends.clear();
    into.targets.clear();
    into.marks.clear();
    std::uint64_t source = 0;
    while (at != end) {
        source += get();
        into.sources.push_back(source);
        for (std::uint64_t left = get(); left > 0; --left) {
            const std::uint64_t code = get();
            into.targets.push_back(source + ((code >> 1U) ^ (~(code & 1U) + 1)));
            into.marks.push_back(settings_.marks == 0 ? 0 : spread(get(), settings_.marks));
        }
        into.ends.push_back(static_cast<std::uint32_t>(into.targets.size()));
    }
}

std::uint64_t EdgeSpool::memory_bytes() const {
    return encoded_.capacity() + buffer_.capacity() + blocks_.capacity() * sizeof(std::uint64_t);
}

}  // namespace tideline::check::ltl
