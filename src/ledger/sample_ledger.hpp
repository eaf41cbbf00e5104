// For tests: a ledger that is written at random, beside it what it should contain, and directories that vanish with the
// test.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <unistd.h>

#include "ledger/ledger.hpp"

namespace tideline::ledger::sample {

class TemporaryDirectory {
public:
    TemporaryDirectory() {
        std::string path = (std::filesystem::temp_directory_path() / "tideline-ledger-XXXXXX").string();
        if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary directory");
        path_ = path;
    }
    TemporaryDirectory(const sample::TemporaryDirectory&) = delete;
    sample::TemporaryDirectory& operator=(const sample::TemporaryDirectory&) = delete;
    ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
    [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

// Tests kill processes, not machines: they need not wait for the disk.
class UnsyncedFiles : public Files {
public:
    int sync(int /*file*/) override { return 0; }
    int sync_directory(int /*file*/) override { return 0; }
};

struct State {
    std::size_t packing = 0;
    Bytes bytes;
    Parent parent;
    Bytes labels;
    std::uint64_t number = 0;  // of a waiting one
    friend bool operator==(const sample::State&, const sample::State&) = default;
};

struct Batch {
    support::UInt128 key = 0;
    std::uint32_t pass = 0;
    std::vector<sample::State> states;
    friend bool operator==(const sample::Batch&, const sample::Batch&) = default;
};

// What a ledger should contain.
struct Mirror {
    std::vector<sample::State> states;
    std::vector<Extent> extents;
    std::vector<std::uint64_t> initial;
    std::vector<std::vector<std::array<std::uint64_t, 3>>> edges;  // targets, transitions, marks
    std::vector<std::pair<std::uint64_t, std::uint64_t>> numbers;
    std::map<std::uint64_t, sample::Batch> waiting;
    std::vector<std::pair<std::uint32_t, std::string>> packings;
    std::string engine;
    std::uint64_t next_batch = 0;
    friend bool operator==(const sample::Mirror&, const sample::Mirror&) = default;
};

inline LedgerHeader full_header() {
    LedgerHeader header;
    header.description = R"({"model": {"path": "a.dve", "hash": "12"}, "options": []})";
    header.state_bytes = 7;
    header.label_bytes = 3;
    header.parents = header.edges = header.numbers = header.waiting = header.waiting_numbers = header.marks = true;
    return header;
}

// Everything that the ledger has, through every way of reading it.
inline sample::Mirror contents_of(LedgerContents& ledger) {
    sample::Mirror mirror;
    for (const Packing& packing : ledger.packings())
        mirror.packings.emplace_back(packing.state_bytes, packing.description);
    mirror.engine = ledger.engine();
    mirror.initial = ledger.initial_states();
    for (std::uint64_t i = 0; i < ledger.extent_count(); ++i) {
        mirror.extents.push_back(ledger.extent(i));
        ledger.read_extent(ledger.extent(i), [&](const Records& records) {
            for (std::size_t k = 0; k < records.count; ++k) {
                const auto bytes = records.bytes.subspan(k * records.record_bytes, records.record_bytes);
                mirror.states.push_back({records.packing, Bytes(bytes.begin(), bytes.end()), {}, {}, 0});
            }
        });
    }
    if (ledger.header().parents)
        ledger.read(Stream::parents, 0, ledger.states(), [&](const Records& records) {
            for (std::size_t k = 0; k < records.count; ++k)
                mirror.states.at(records.first + k).parent = {records.numbers[k], records.tags[k]};
        });
    if (ledger.header().label_bytes != 0)
        ledger.read(Stream::labels, 0, ledger.states(), [&](const Records& records) {
            for (std::size_t k = 0; k < records.count; ++k) {
                const auto bytes = records.bytes.subspan(k * records.record_bytes, records.record_bytes);
                mirror.states.at(records.first + k).labels.assign(bytes.begin(), bytes.end());
            }
        });
    if (ledger.header().edges)
        ledger.read(Stream::edges, 0, ledger.records(Stream::edges), [&](const Records& records) {
            std::size_t next = 0;
            for (const std::uint32_t degree : records.tags) {
                mirror.edges.emplace_back();
                for (const std::size_t end = next + degree; next < end; ++next)
                    mirror.edges.back().push_back(
                        {records.numbers[next], records.others[next], records.marks.empty() ? 0 : records.marks[next]});
            }
        });
    if (ledger.header().numbers)
        ledger.read(Stream::numbers, 0, ledger.records(Stream::numbers), [&](const Records& records) {
            for (std::size_t k = 0; k < records.count; ++k)
                mirror.numbers.emplace_back(records.numbers[k], records.others[k]);
        });
    for (const auto& [id, batch] : ledger.waiting()) {
        sample::Batch& copy = mirror.waiting[id];
        copy = {batch.key, batch.pass, {}};
        ledger.read_waiting(batch, [&](const Records& records) {
            for (std::size_t k = 0; k < records.count; ++k) {
                const auto bytes = records.bytes.subspan(k * records.record_bytes, records.record_bytes);
                copy.states.push_back({records.packing,
                                       Bytes(bytes.begin(), bytes.end()),
                                       {records.numbers[k], records.tags[k]},
                                       {},
                                       records.others.empty() ? 0 : records.others[k]});
            }
        });
    }
    return mirror;
}

// Writes to a ledger and to a mirror.
class Scribe {
public:
    Scribe(std::uint64_t seed,
           sample::Mirror mirror = {{}, {}, {}, {}, {}, {}, {{sample::full_header().state_bytes, ""}}, {}, 0})
        : random_(seed), mirror_(std::move(mirror)), committed_{mirror_} {}

    // Called around each call of the ledger, for tests that let it fail.
    std::function<void()> before = [] {};
    std::function<void()> after = [] {};

    [[nodiscard]] const sample::Mirror& mirror() const { return mirror_; }
    // As of each commit; the n-th commit has engine data "n".
    [[nodiscard]] const std::vector<sample::Mirror>& committed() const { return committed_; }

    void append_states(LedgerWriter& ledger, std::size_t most) {
        const std::uint64_t count = random_() % (most + 1);
        const support::UInt128 key = random_key();
        const auto pass = static_cast<std::uint32_t>(random_() % 3);
        Bytes states;
        Bytes labels;
        std::vector<std::uint64_t> parents;
        std::vector<std::uint32_t> transitions;
        const std::uint64_t first = mirror_.states.size();
        for (std::uint64_t i = 0; i < count; ++i) {
            sample::State state = random_state(first + i);
            for (std::size_t k = 0; k < ledger.header().label_bytes; ++k)
                state.labels.push_back(static_cast<std::uint8_t>(random_() & 1U));
            states.insert(states.end(), state.bytes.begin(), state.bytes.end());
            labels.insert(labels.end(), state.labels.begin(), state.labels.end());
            if (random_() % 8 == 0) state.parent.number = first + i;
            if (state.parent.number == first + i) mirror_.initial.push_back(first + i);
            parents.push_back(state.parent.number);
            transitions.push_back(state.parent.transition);
            mirror_.states.push_back(std::move(state));
        }
        before();
        const std::uint64_t number = ledger.append_states(key, pass, {count, states, parents, transitions, labels});
        after();
        if (number != first) throw std::runtime_error("wrong number");
        if (count == 0) return;
        if (!mirror_.extents.empty() && mirror_.extents.back().key == key && mirror_.extents.back().pass == pass)
            mirror_.extents.back().count += count;
        else mirror_.extents.push_back({key, pass, first, count});
    }

    void append_edges(LedgerWriter& ledger, std::size_t most) {
        std::vector<std::uint32_t> degrees;
        std::vector<std::uint64_t> targets;
        std::vector<std::uint64_t> transitions;
        std::vector<std::uint64_t> marks;
        for (std::uint64_t i = random_() % (most + 1); i > 0; --i) {
            mirror_.edges.emplace_back();
            degrees.push_back(static_cast<std::uint32_t>(random_() % 5));
            for (std::uint32_t k = 0; k < degrees.back(); ++k) {
                targets.push_back(random_number(mirror_.edges.size()) | (random_() % 2 == 0 ? kTemporaryId : 0));
                transitions.push_back(random_transition(k));
                const std::uint64_t mark = random_() % 4 == 0 ? random_() : random_() % 3;
                if (ledger.header().marks) marks.push_back(mark);
                mirror_.edges.back().push_back({targets.back(), transitions.back(), ledger.header().marks ? mark : 0});
            }
        }
        before();
        ledger.append_edges(degrees, targets, transitions, marks);
        after();
    }

    void append_numbers(LedgerWriter& ledger, std::size_t most) {
        std::vector<std::uint64_t> temporary;
        std::vector<std::uint64_t> final_numbers;
        for (std::uint64_t i = random_() % (most + 1); i > 0; --i) {
            mirror_.numbers.emplace_back(random_number(1000), random_number(2000));
            temporary.push_back(mirror_.numbers.back().first);
            final_numbers.push_back(mirror_.numbers.back().second);
        }
        before();
        ledger.append_numbers(temporary, final_numbers);
        after();
    }

    void append_waiting(LedgerWriter& ledger, std::size_t most) {
        sample::Batch batch{random_key(), static_cast<std::uint32_t>(random_() % 3), {}};
        Bytes states;
        std::vector<std::uint64_t> parents;
        std::vector<std::uint64_t> numbers;
        std::vector<std::uint32_t> transitions;
        const std::uint64_t count = random_() % (most + 1);
        for (std::uint64_t i = 0; i < count; ++i) {
            sample::State state = random_state(mirror_.states.size());
            state.number = random_number(5000);
            states.insert(states.end(), state.bytes.begin(), state.bytes.end());
            parents.push_back(state.parent.number);
            transitions.push_back(state.parent.transition);
            numbers.push_back(state.number);
            batch.states.push_back(std::move(state));
        }
        before();
        const std::uint64_t id =
            ledger.append_waiting(batch.key, batch.pass, {count, states, parents, transitions, numbers});
        after();
        if (id != mirror_.next_batch++) throw std::runtime_error("wrong batch");
        mirror_.waiting.emplace(id, std::move(batch));
    }

    void drop_waiting(LedgerWriter& ledger) {
        if (mirror_.waiting.empty()) return;
        const auto place =
            std::next(mirror_.waiting.begin(), static_cast<std::ptrdiff_t>(random_() % mirror_.waiting.size()));
        before();
        ledger.drop_waiting(place->first);
        after();
        mirror_.waiting.erase(place);
    }

    void change_packing(LedgerWriter& ledger) {
        const auto bytes = static_cast<std::uint32_t>(random_() % 40);
        const std::string description = "packing " + std::to_string(random_() % 100);
        before();
        ledger.change_packing(bytes, description);
        after();
        mirror_.packings.emplace_back(bytes, description);
    }

    void commit(LedgerWriter& ledger) {
        mirror_.engine = std::to_string(committed_.size());
        committed_.push_back(mirror_);
        before();
        ledger.commit(mirror_.engine);
        after();
    }

    // `steps` of the above.
    void write(LedgerWriter& ledger, std::size_t steps, std::size_t most = 60) {
        for (std::size_t i = 0; i < steps; ++i) {
            switch (random_() % 12) {
                case 0:
                case 1:
                case 2:
                case 3: append_states(ledger, most); break;
                case 4: append_edges(ledger, most); break;
                case 5: append_numbers(ledger, most); break;
                case 6:
                case 7: append_waiting(ledger, most); break;
                case 8:
                case 9: drop_waiting(ledger); break;
                case 10: commit(ledger); break;
                default:
                    if (random_() % 4 == 0) change_packing(ledger);
                    break;
            }
        }
    }

private:
    support::UInt128 random_key() {
        const support::UInt128 key = random_() % 6;
        return random_() % 4 == 0 ? key << 100U | random_() % 3 : key;
    }
    std::uint64_t random_transition(std::uint64_t near) {
        return random_() % 8 == 0 ? random_() >> (random_() % 64) : near + random_() % 7;
    }
    std::uint64_t random_number(std::uint64_t near) { return random_transition(near) % kNumberEnd; }
    // Like the one before it but for a byte, mostly.
    sample::State random_state(std::uint64_t number) {
        sample::State state;
        state.packing = mirror_.packings.size() - 1;
        last_.resize(mirror_.packings.back().first);
        if (random_() % 16 == 0)
            for (std::uint8_t& byte : last_) byte = static_cast<std::uint8_t>(random_());
        else if (!last_.empty()) last_[random_() % last_.size()] = static_cast<std::uint8_t>(random_());
        state.bytes = last_;
        state.parent = {random_number(number / 2),
                        static_cast<std::uint32_t>(random_() % 16 == 0 ? random_() : random_() % 20)};
        return state;
    }

    std::mt19937_64 random_;
    sample::Mirror mirror_;
    std::vector<sample::Mirror> committed_;
    Bytes last_;
};

// `next_batch` is not something that a ledger reports.
inline bool same(sample::Mirror contents, const sample::Mirror& expected) {
    contents.next_batch = expected.next_batch;
    return contents == expected;
}

// Small frames, so that a small ledger has many.
inline LedgerSettings small_settings(std::shared_ptr<Files> files = std::make_shared<sample::UnsyncedFiles>()) {
    LedgerSettings settings;
    settings.frame_bytes = 500;
    settings.queue_bytes = 3000;
    settings.files = std::move(files);
    return settings;
}

}  // namespace tideline::ledger::sample
