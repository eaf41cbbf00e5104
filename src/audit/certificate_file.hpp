// A reader of the file `certificate` of a ledger, written from docs/ledger-format.md alone. In memory is the list of
// frames (32 bytes for some 65,000 states of a column); numbers are read for a range of states at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "audit/file.hpp"
#include "audit/json.hpp"

namespace tideline::audit {

class CertificateFile {
public:
    // Nothing where the ledger has none. Objects where the file is damaged, or of another ledger than that with this
    // id. `states`: as many as the ledger has.
    [[nodiscard]] static std::optional<CertificateFile> open(const std::string& directory, std::uint64_t ledger,
                                                             std::uint64_t states);

    // What it says of itself.
    [[nodiscard]] const Json& description() const { return description_; }
    // The column of this kind, of a formula; nothing: there is none.
    [[nodiscard]] std::optional<std::uint32_t> column(const std::string& what, const std::string& formula) const;

    // The numbers of the states from `first` on, as many as `values` has.
    void read(std::uint32_t column, std::uint64_t first, std::vector<std::uint64_t>& values);

private:
    struct Frame {
        std::uint64_t offset = 0;
        std::uint64_t first = 0;
        std::uint32_t count = 0;
        std::uint32_t raw_bytes = 0;
        std::uint32_t stored_bytes = 0;
    };

    explicit CertificateFile(File file) : file_(std::move(file)) {}
    void read_description(std::uint64_t size);
    void read_frames(std::uint64_t end, std::uint64_t states);
    const std::vector<std::uint64_t>& decoded(std::uint32_t column, std::size_t frame);

    File file_;
    Json description_;
    std::map<std::pair<std::string, std::string>, std::uint32_t> names_;
    std::vector<std::vector<Frame>> frames_;  // by column, in the order of their first states
    std::uint64_t end_of_frames_ = 0;
    // The frame that was read last.
    std::uint64_t decoded_offset_ = 0;
    std::vector<std::uint64_t> decoded_;
    std::vector<std::uint8_t> stored_;
    std::vector<std::uint8_t> raw_;
};

}  // namespace tideline::audit
