// The reading half of ledger.hpp.
#include <fcntl.h>

#include <algorithm>
#include <cassert>

#include "ledger/ledger.hpp"

namespace tideline::ledger {

LedgerContents::LedgerContents(std::shared_ptr<Files> files, std::string directory, LedgerLock lock,
                               LedgerHeader header)
    : files_(std::move(files)), directory_(std::move(directory)), lock_(std::move(lock)), header_(std::move(header)) {
    most_kept_.fill(kKept);
}

LedgerContents::~LedgerContents() = default;

void LedgerContents::open_files(int flags) {
    journal_ = LedgerFile(*files_, path_of("journal"), flags);
    latest_ = LedgerFile(*files_, path_of("latest"), flags);
    for (std::size_t stream = 0; stream < kStreams; ++stream)
        if (header_.has(static_cast<Stream>(stream)))
            streams_[stream] = LedgerFile(*files_, path_of(kStreamNames[stream]), flags);
}

void LedgerContents::load() {
    LoadedJournal loaded = load_journal(journal_, latest_, header_);
    manifest_ = std::move(loaded.manifest);
    engine_ = std::move(loaded.engine);
    end_ = loaded.end;
    for (std::size_t i = 0; i < kStreams; ++i) {
        const auto stream = static_cast<Stream>(i);
        const std::uint64_t committed = manifest_.bytes(stream);
        if (!header_.has(stream)) {
            if (committed != 0)
                throw LedgerError(LedgerFault::damaged, journal_.path(), 0,
                                  "it speaks of a stream that the header does not have");
            continue;
        }
        const std::uint64_t size = streams_[i].size();
        if (size < committed)
            throw LedgerError(LedgerFault::damaged, streams_[i].path(), size,
                              "the file ends here, but has had " + std::to_string(committed) + " bytes");
        if ((stream == Stream::parents || stream == Stream::labels) && manifest_.records(stream) != manifest_.states())
            throw LedgerError(LedgerFault::damaged, journal_.path(), end_.offset,
                              "the streams have different numbers of states");
    }
}

Columns LedgerContents::load_frame(Stream stream, std::size_t frame) {
    const FrameEntry& entry = manifest_.frames(stream)[frame];
    const LedgerFile& source = file(stream);
    const auto damaged = [&](const char* what) {
        return LedgerError(LedgerFault::damaged, source.path(), entry.offset, what);
    };
    FrameHeader header;
    buffer_.resize(sizeof header + entry.stored_bytes);
    if (source.read(buffer_.data(), buffer_.size(), entry.offset) != buffer_.size())
        throw damaged("the file ends within this frame");
    std::memcpy(&header, buffer_.data(), sizeof header);
    const std::span<const std::uint8_t> payload = std::span(buffer_).subspan(sizeof header);
    if (header.checksum != entry.checksum || header.checksum != frame_checksum(header, payload, entry.offset))
        throw damaged("the frame does not fit its checksum");
    // The checksums are those of the journal; if the rest differs, the two were not written together.
    if (header.magic != kFrameMagic || header.stream != stream || header.codec != entry.codec ||
        header.packing != entry.packing || header.count != entry.count || header.raw_bytes != entry.raw_bytes ||
        header.stored_bytes != entry.stored_bytes || header.first != entry.first || header.sequence != frame ||
        header.ledger != header_.id)
        throw damaged("the frame is not the one that the journal speaks of");
    std::optional<Columns> columns = codec_.decode(payload, header.codec, header.raw_bytes, header.count,
                                                   header_.shape(stream, manifest_.packings()[header.packing]));
    if (!columns) throw damaged("the frame cannot be decompressed");
    return *std::move(columns);
}

const Columns& LedgerContents::decoded(Stream stream, std::size_t frame) {
    const auto index = static_cast<std::size_t>(stream);
    std::vector<Decoded>& all = kept_[index];
    for (Decoded& kept : all) {
        if (kept.frame != frame) continue;
        kept.last_used = ++uses_;
        return kept.columns;
    }
    if (all.size() < most_kept_[index]) all.emplace_back();
    Decoded& target = *std::min_element(all.begin(), all.end(),
                                        [](const Decoded& a, const Decoded& b) { return a.last_used < b.last_used; });
    target.last_used = ++uses_;
    target.frame = SIZE_MAX;  // if the next line throws
    target.columns = load_frame(stream, frame);
    target.frame = frame;
    return target.columns;
}

// As many of these records as lie together.
Records LedgerContents::records_at(Stream stream, std::uint64_t first, std::uint64_t count) {
    Records result;
    std::uint64_t begin = 0;
    const Columns* columns = not_in_a_frame(stream, first, begin);
    if (columns != nullptr) {
        result.packing = manifest_.packings().size() - 1;
    } else {
        const std::size_t frame = manifest_.frame_of(stream, first);
        begin = manifest_.frames(stream)[frame].first;
        result.packing = manifest_.frames(stream)[frame].packing;
        columns = &decoded(stream, frame);
    }
    const Shape shape = header_.shape(stream, manifest_.packings()[result.packing]);
    const std::uint64_t skipped = first - begin;
    result.first = first;
    result.count = std::min(count, columns->count - skipped);
    result.record_bytes = shape.record_bytes;
    result.bytes = std::span(columns->bytes).subspan(skipped * shape.record_bytes, result.count * shape.record_bytes);
    if (shape.tags) result.tags = std::span(columns->tags).subspan(skipped, result.count);
    if (shape.lists) {
        const std::uint64_t last = skipped + result.count - 1;
        const std::uint64_t before = columns->starts[skipped];
        const std::uint64_t size = columns->starts[last] + columns->tags[last] - before;
        result.numbers = std::span(columns->numbers).subspan(before, size);
        result.others = std::span(columns->others).subspan(before, size);
        if (shape.marks) result.marks = std::span(columns->marks).subspan(before, size);
        return result;
    }
    if (shape.numbers) result.numbers = std::span(columns->numbers).subspan(skipped, result.count);
    if (shape.others) result.others = std::span(columns->others).subspan(skipped, result.count);
    return result;
}

void LedgerContents::read(Stream stream, std::uint64_t first, std::uint64_t count, const Visit& visit) {
    assert(count <= records(stream) && first <= records(stream) - count);
    while (count > 0) {
        const Records part = records_at(stream, first, count);
        visit(part);
        first += part.count;
        count -= part.count;
    }
}

Parent LedgerContents::parent(std::uint64_t number) {
    assert(number < records(Stream::parents));
    const Records record = records_at(Stream::parents, number, 1);
    return {record.numbers[0], record.tags[0]};
}

Records LedgerContents::state(std::uint64_t number) {
    assert(number < records(Stream::states));
    return records_at(Stream::states, number, 1);
}

void LedgerContents::verify() {
    const std::vector<bool> live = manifest_.live_waiting_frames();
    for (std::size_t stream = 0; stream < kStreams; ++stream)
        for (std::size_t frame = 0; frame < manifest_.frames(static_cast<Stream>(stream)).size(); ++frame)
            if (static_cast<Stream>(stream) != Stream::waiting || live[frame])
                (void)load_frame(static_cast<Stream>(stream), frame);
}

std::unique_ptr<LedgerReader> LedgerReader::open(const std::string& directory, std::shared_ptr<Files> files) {
    LedgerHeader header = read_header(*files, directory);
    std::unique_ptr<LedgerReader> reader(
        new LedgerReader(std::move(files), directory, LedgerLock(directory, false), std::move(header)));
    reader->open_files(O_RDONLY);
    reader->load();
    return reader;
}

}  // namespace tideline::ledger
