#include "audit/cycle_certificate.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "audit/error.hpp"
#include "audit/file.hpp"

namespace tideline::audit {
namespace {

constexpr std::string_view kMagic = "tideline cycles 1\n";

// Numbers of the file, one after the other.
class Numbers {
public:
    explicit Numbers(const std::string& path) : file_(path) {
        std::string magic(kMagic.size(), ' ');
        if (file_.read(magic.data(), magic.size(), 0) != magic.size() || magic != kMagic)
            throw Objection("cycles: this is no certificate that this version can read");
        offset_ = magic.size();
    }

    std::uint64_t next() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint8_t byte = next_byte();
            if (shift > 63 || (shift == 63 && byte > 1)) throw Objection("cycles: a number is too large");
            value |= std::uint64_t{byte & 127U} << shift;
            if (byte < 128) return value;
        }
    }
    std::uint64_t next_below(std::uint64_t bound, const char* what) {
        const std::uint64_t value = next();
        if (value >= bound) throw Objection(fmt::format("cycles: {} {} is none", what, value));
        return value;
    }
    [[nodiscard]] bool is_at_end() {
        fill();
        return place_ == size_;
    }

private:
    void fill() {
        if (place_ < size_) return;
        buffer_.resize(std::size_t{1} << 16U);
        size_ = file_.read(buffer_.data(), buffer_.size(), offset_);
        offset_ += size_;
        place_ = 0;
    }
    std::uint8_t next_byte() {
        fill();
        if (place_ == size_) throw Objection("cycles: the file ends too early");
        return buffer_[place_++];
    }

    File file_;
    std::uint64_t offset_ = 0;
    std::vector<std::uint8_t> buffer_;
    std::size_t place_ = 0;
    std::size_t size_ = 0;
};

enum class Reason : std::uint8_t { ascending, descending, mark, ranked };
constexpr std::uint64_t kReasons = 4;

// States of equal or comparable rank.
struct Class {
    std::uint64_t range = 0;
    Reason reason = Reason::ascending;
    unsigned mark = 0;
    std::vector<std::optional<unsigned>> claims{};  // by the ranks inside
};

class Certificate {
public:
    Certificate(const std::string& path, std::uint64_t states, const std::function<void()>& poll)
        : class_of_(states, kNone) {
        Numbers numbers(path);
        std::uint64_t covered = 0;
        for (std::uint64_t range = 0; numbers.next_below(2, "a range") != 0; ++range) {
            const std::uint64_t first = numbers.next();
            const std::uint64_t count = numbers.next();
            if (first != covered || count > states - first)
                throw Objection(
                    fmt::format("cycles: a range of {} states begins with {} and not with {}", count, first, covered));
            covered = first + count;
            std::uint64_t left = count;
            while (const std::uint64_t what = numbers.next()) {
                if (what != 2) throw Objection("cycles: neither states nor the end of a range");
                poll();
                left -= read_class(numbers, range, first, count, left);
            }
            if (left != 0) throw Objection(fmt::format("cycles: {} states of a range have no rank", left));
        }
        if (covered != states) throw Objection(fmt::format("cycles: {} of {} states have a rank", covered, states));
        if (!numbers.is_at_end()) throw Objection("cycles: something follows the end");
    }

    // Why an edge cannot be one of a graph without accepting cycles; null: it may.
    [[nodiscard]] const char* objection(std::uint64_t from, std::uint64_t to, std::uint64_t marks,
                                        std::uint64_t required) const {
        const Class& source = classes_[class_of_[from]];
        const Class& target = classes_[class_of_[to]];
        constexpr const char* kRises = "leads to a state of a larger rank";
        if (target.range != source.range) return target.range > source.range ? nullptr : kRises;
        if (class_of_[to] != class_of_[from]) return class_of_[to] < class_of_[from] ? nullptr : kRises;
        std::optional<unsigned> mark = source.mark;
        switch (source.reason) {
            case Reason::ascending: return to > from ? nullptr : kRises;
            case Reason::descending: return to < from ? nullptr : kRises;
            case Reason::mark: break;
            case Reason::ranked: {
                const std::uint32_t a = ranks_.at(from);
                const std::uint32_t b = ranks_.at(to);
                if (a != b) return b < a ? nullptr : kRises;
                mark = source.claims[a];
                if (!mark) return "lies inside a class that is said to have no edge inside";
                break;
            }
        }
        if (((required >> *mark) & 1U) == 0)
            return "lies inside a class that is said to lack a mark that is not required";
        if (((marks >> *mark) & 1U) != 0) return "carries the mark that its class is said to lack";
        return nullptr;
    }

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    // How many states it has.
    std::uint64_t read_class(Numbers& numbers, std::uint64_t range, std::uint64_t first, std::uint64_t count,
                             std::uint64_t most) {
        Class read;
        read.range = range;
        read.reason = static_cast<Reason>(numbers.next_below(kReasons, "the reason"));
        if (read.reason == Reason::mark) read.mark = static_cast<unsigned>(numbers.next_below(64, "the mark"));
        if (classes_.size() >= kNone) throw Objection("cycles: there are too many classes");
        const auto own = static_cast<std::uint32_t>(classes_.size());
        std::uint64_t number = 0;
        std::uint64_t states = 0;
        std::uint32_t largest = 0;
        while (const std::uint64_t code = numbers.next()) {
            const std::uint64_t zigzag = code - 1;
            number += (zigzag >> 1U) ^ (~(zigzag & 1U) + 1);
            if (number >= count) throw Objection(fmt::format("cycles: there is no state {} in its range", number));
            if (class_of_[first + number] != kNone || states == most)
                throw Objection(fmt::format("cycles: state {} has two ranks", first + number));
            class_of_[first + number] = own;
            ++states;
            if (read.reason != Reason::ranked) continue;
            const auto rank = static_cast<std::uint32_t>(numbers.next_below(kNone, "the rank"));
            ranks_.emplace(first + number, rank);
            largest = std::max(largest, rank);
        }
        if (read.reason == Reason::ranked) {
            const std::uint64_t claims = numbers.next_below(most + 1, "the number of ranks");
            if (states > 0 && largest >= claims) throw Objection("cycles: a rank has no reason");
            for (std::uint64_t i = 0; i < claims; ++i) {
                const std::uint64_t claim = numbers.next_below(65, "the mark");
                read.claims.push_back(claim == 0 ? std::nullopt : std::optional(static_cast<unsigned>(claim - 1)));
            }
        }
        classes_.push_back(std::move(read));
        return states;
    }

    std::vector<std::uint32_t> class_of_;
    std::vector<Class> classes_;
    std::unordered_map<std::uint64_t, std::uint32_t> ranks_;
};

}  // namespace

CycleCheck check_cycles(LedgerFile& ledger, const std::string& directory, std::uint64_t required, std::uint64_t states,
                        const std::function<void()>& poll) {
    CycleCheck result;
    const std::string path = directory + "/cycles";
    std::error_code ignored;
    result.has_certificate = std::filesystem::exists(path, ignored);
    if (!result.has_certificate) return result;
    const Certificate certificate(path, states, poll);
    Records records;
    std::vector<std::uint64_t> numbers;  // by temporary id
    for (std::size_t i = 0; i < ledger.frames(Stream::numbers).size(); ++i) {
        poll();
        ledger.read(Stream::numbers, i, records);
        for (const auto& [temporary, number] : records.numbers) {
            // Each id was given once, so that there are not more than edges; the audit has confirmed the list.
            constexpr std::uint64_t kScattered = 1024;  // threads take ids in turns
            if (temporary / kScattered > ledger.records(Stream::numbers) + kScattered)
                throw Objection(fmt::format("cycles: the temporary id {} is too large", temporary));
            if (temporary >= numbers.size()) numbers.resize(temporary + 1, ~std::uint64_t{0});
            numbers[temporary] = number;
        }
    }
    std::uint64_t source = 0;
    std::uint64_t wrong = 0;
    std::string first;
    for (std::size_t i = 0; i < ledger.frames(Stream::edges).size(); ++i) {
        poll();
        ledger.read(Stream::edges, i, records);
        std::size_t edge = 0;
        for (const std::uint32_t degree : records.degrees) {
            for (const std::size_t end = edge + degree; edge < end; ++edge) {
                std::uint64_t target = records.targets[edge];
                if ((target & kTemporaryId) != 0) {
                    const std::uint64_t id = target & ~kTemporaryId;
                    target = id < numbers.size() ? numbers[id] : ~std::uint64_t{0};
                }
                if (target >= states) throw Objection("cycles: an edge leads to a state that is not there");
                const char* const why =
                    certificate.objection(source, target, records.marks.empty() ? 0 : records.marks[edge], required);
                if (why == nullptr) continue;
                if (wrong++ == 0) first = fmt::format("the one from state {} to state {} {}", source, target, why);
            }
            ++source;
        }
    }
    if (wrong > 0)
        result.findings.push_back(
            fmt::format("{} edges contradict the reason why there is no accepting cycle: {}", wrong, first));
    return result;
}

}  // namespace tideline::audit
