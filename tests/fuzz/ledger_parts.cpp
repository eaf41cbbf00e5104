#include "tests/fuzz/ledger_parts.hpp"

#include <zstd.h>

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "ledger/bytes.hpp"
#include "ledger/journal.hpp"
#include "support/json_text.hpp"

namespace tideline::fuzz {
namespace {

constexpr std::size_t kRecordHeader = 48;
constexpr std::size_t kSlot = 64;

std::string contents(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw std::runtime_error("no file " + path);
    return {std::istreambuf_iterator<char>(stream), {}};
}

template <class T>
T number_at(const std::string& text, std::size_t offset) {
    T result{};
    std::memcpy(&result, text.data() + offset, sizeof result);
    return result;
}

template <class T>
void put(std::string& text, T value) {
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::vector<LedgerParts::Part> frames_of(const std::string& text) {
    std::vector<LedgerParts::Part> result;
    for (std::size_t at = 0; at + sizeof(ledger::FrameHeader) <= text.size();) {
        LedgerParts::Part part;
        std::memcpy(&part.header, text.data() + at, sizeof part.header);
        at += sizeof part.header;
        part.payload.resize(part.header.raw_bytes);
        if (part.header.codec == ledger::Codec::zstd) {
            const std::size_t size =
                ZSTD_decompress(part.payload.data(), part.payload.size(), text.data() + at, part.header.stored_bytes);
            if (size != part.header.raw_bytes) throw std::runtime_error("a frame cannot be decompressed");
        } else {
            std::memcpy(part.payload.data(), text.data() + at, part.payload.size());
        }
        part.header.codec = ledger::Codec::stored;
        at += part.header.stored_bytes;
        result.push_back(std::move(part));
    }
    return result;
}

LedgerParts::Commit commit_of(std::span<const std::uint8_t> payload, std::array<std::size_t, ledger::kStreams>& next) {
    LedgerParts::Commit commit;
    ledger::ByteReader in(payload);
    const auto here = [&] { return payload.size() - in.rest(); };
    for (std::uint64_t left = in.digits(); left > 0; --left) {
        (void)in.digits();
        (void)in.text();
    }
    commit.packings.assign(payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(here()));
    for (std::uint64_t left = in.digits(); left > 0; --left) {
        const auto stream = in.fixed<std::uint8_t>();
        (void)in.fixed<std::uint8_t>();
        for (int i = 0; i < 4; ++i) (void)in.digits();
        (void)in.fixed<std::uint64_t>();
        commit.frames.emplace_back(stream, next.at(stream)++);
    }
    for (std::size_t i = 0; i < ledger::kStreams; ++i) (void)in.digits();
    const std::size_t begin = here();
    for (int i = 0; i < 2; ++i)
        for (std::uint64_t left = in.digits(); left > 0; --left)
            for (int k = 0; k < 4; ++k) (void)in.digits();
    // Batches that were dropped, then initial states.
    for (int i = 0; i < 2; ++i)
        for (std::uint64_t left = in.digits(); left > 0; --left) (void)in.digits();
    commit.rest.assign(payload.begin() + static_cast<std::ptrdiff_t>(begin),
                       payload.begin() + static_cast<std::ptrdiff_t>(here()));
    commit.engine = in.text();
    if (!in.good() || !in.at_end()) throw std::runtime_error("a record of the journal cannot be understood");
    return commit;
}

std::string hexadecimal(std::uint64_t value) {
    std::string result(16, '0');
    for (std::size_t i = 16; i-- > 0; value >>= 4U) result[i] = "0123456789abcdef"[value & 15U];
    return result;
}

std::uint64_t id_of(const std::string& header) {
    const nlohmann::json json = nlohmann::json::parse(header, nullptr, false);
    if (!json.is_object() || !json.contains("id") || !json["id"].is_string()) return 0;
    try {
        return std::stoull(json["id"].get<std::string>(), nullptr, 16);
    } catch (const std::exception&) {
        return 0;
    }
}

// Writes a frame to the end of its stream and an entry for it into a record of the journal.
void put_frame(std::uint64_t ledger, LedgerParts::Part part, std::string& stream, ledger::Bytes& record) {
    part.header.ledger = ledger;
    part.header.stored_bytes = static_cast<std::uint32_t>(part.payload.size());
    if (part.header.codec == ledger::Codec::stored) part.header.raw_bytes = part.header.stored_bytes;
    part.header.checksum = ledger::frame_checksum(part.header, part.payload, stream.size());
    put(stream, part.header);
    stream.append(part.payload.begin(), part.payload.end());
    record.push_back(static_cast<std::uint8_t>(part.header.stream));
    record.push_back(static_cast<std::uint8_t>(part.header.codec));
    ledger::append_varint(record, part.header.packing);
    ledger::append_varint(record, part.header.count);
    ledger::append_varint(record, part.header.raw_bytes);
    ledger::append_varint(record, part.header.stored_bytes);
    ledger::append_fixed(record, part.header.checksum);
}

}  // namespace

LedgerParts take_apart(const std::string& directory) {
    LedgerParts parts;
    parts.header = contents(directory + "/header.json");
    for (std::size_t stream = 0; stream < ledger::kStreams; ++stream)
        if (const std::string path = directory + "/" + std::string(ledger::kStreamNames[stream]);
            std::filesystem::exists(path))
            parts.frames[stream] = frames_of(contents(path));
    const std::string journal = contents(directory + "/journal");
    std::array<std::size_t, ledger::kStreams> next{};
    for (std::size_t at = 0; at + kRecordHeader <= journal.size();) {
        const auto size = number_at<std::uint64_t>(journal, at + 32);
        at += kRecordHeader;
        parts.commits.push_back(commit_of({reinterpret_cast<const std::uint8_t*>(journal.data()) + at, size}, next));
        at += size;
    }
    return parts;
}

LedgerFiles put_together(const LedgerParts& parts) {
    LedgerFiles files;
    files["header.json"] = with_checksum(parts.header);
    files["lock"] = "";
    const std::uint64_t id = id_of(parts.header);
    std::array<std::string, ledger::kStreams> streams;
    std::string journal;
    std::uint64_t before = id;
    std::vector<std::pair<std::size_t, std::uint64_t>> ends;  // of the journal after each commit, with the checksum
    for (const LedgerParts::Commit& commit : parts.commits) {
        ledger::Bytes payload = commit.packings;
        ledger::append_varint(payload, commit.frames.size());
        for (const auto& [stream, place] : commit.frames)
            put_frame(id, parts.frames[stream].at(place), streams[stream], payload);
        for (const std::string& stream : streams) ledger::append_varint(payload, stream.size());
        payload.insert(payload.end(), commit.rest.begin(), commit.rest.end());
        ledger::append_text(payload, commit.engine);
        std::string header = "TLJR";
        put(header, std::uint32_t{0});
        put(header, id);
        put(header, std::uint64_t{ends.size()});
        put(header, before);
        put(header, std::uint64_t{payload.size()});
        before = ledger::checksum_of(header.data(), header.size(),
                                     ledger::checksum_of(payload.data(), payload.size(), journal.size()));
        put(header, before);
        journal += header;
        journal.append(payload.begin(), payload.end());
        ends.emplace_back(journal.size(), before);
    }
    std::string latest(2 * kSlot, '\0');
    for (std::size_t commits = ends.size() < 2 ? 0 : ends.size() - 1; commits <= ends.size(); ++commits) {
        std::string slot = "TLLN";
        put(slot, std::uint32_t{0});
        put(slot, id);
        put(slot, std::uint64_t{commits});
        put(slot, std::uint64_t{commits == 0 ? 0 : ends[commits - 1].first});
        put(slot, commits == 0 ? id : ends[commits - 1].second);
        const std::size_t offset = commits % 2 * kSlot;
        put(slot, ledger::checksum_of(slot.data(), slot.size(), offset));
        latest.replace(offset, slot.size(), slot);
    }
    files["latest"] = std::move(latest);
    files["journal"] = std::move(journal);
    for (std::size_t stream = 0; stream < ledger::kStreams; ++stream)
        files[std::string(ledger::kStreamNames[stream])] = std::move(streams[stream]);
    return files;
}

std::string with_checksum(const std::string& header) {
    nlohmann::json json = nlohmann::json::parse(header, nullptr, false);
    if (!json.is_object()) return header;
    json.erase("checksum");
    const std::string text = support::to_json_text(json);
    json["checksum"] = hexadecimal(ledger::checksum_of(text.data(), text.size(), 0));
    return support::to_json_text(json, 2) + "\n";
}

}  // namespace tideline::fuzz
