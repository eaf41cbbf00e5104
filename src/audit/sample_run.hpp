// For tests: a finished run as an engine would leave it, found by reference/ and written with src/ledger, and ways to
// falsify it.
#pragma once

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <xxhash.h>
#include <nlohmann/json.hpp>

#include "ledger/ledger.hpp"
#include "ledger/sample_ledger.hpp"
#include "reference/explorer.hpp"
#include "reference/machines.hpp"
#include "support/file.hpp"

namespace tideline::audit::sample {

struct Field {
    std::string name;
    std::uint64_t word = 0;
    std::uint64_t shift = 0;
    std::uint64_t width = 0;
    std::int64_t low = 0;
};

// Each slot in as many bits as its values need, plus some.
class SamplePacking {
public:
    SamplePacking(const std::vector<std::string>& names, const std::vector<reference::State>& states,
                  std::uint64_t more_bits) {
        std::uint64_t word = 0;
        std::uint64_t used = 0;
        for (std::size_t slot = 0; slot < names.size(); ++slot) {
            std::int64_t low = states[0][slot];
            std::int64_t high = low;
            for (const reference::State& state : states) {
                low = std::min(low, state[slot]);
                high = std::max(high, state[slot]);
            }
            const std::uint64_t width =
                static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(high - low))) + more_bits;
            if (used + width > 64) {
                ++word;
                used = 0;
            }
            fields_.push_back({names[slot], word, used, width, low});
            used += width;
        }
        words_ = word + 1;
        bytes_ = static_cast<std::uint32_t>(8 * word + (used + 7) / 8);
    }

    [[nodiscard]] std::uint32_t bytes() const { return bytes_; }
    [[nodiscard]] nlohmann::json description() const {
        nlohmann::json slots;
        for (const sample::Field& f : fields_) {
            slots["name"].push_back(f.name);
            slots["word"].push_back(f.word);
            slots["shift"].push_back(f.shift);
            slots["width"].push_back(f.width);
            slots["low"].push_back(f.low);
        }
        return {{"words", words_}, {"slots", slots}};
    }
    void pack(const reference::State& state, ledger::Bytes& bytes) const {
        std::vector<std::uint64_t> words(words_);
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            const std::uint64_t value = static_cast<std::uint64_t>(state[i] - fields_[i].low);
            if (fields_[i].width < 64 && value >> fields_[i].width != 0)
                throw std::runtime_error("does not fit: " + fields_[i].name);
            if (fields_[i].width > 0) words[fields_[i].word] |= value << fields_[i].shift;
        }
        const auto* begin = reinterpret_cast<const std::uint8_t*>(words.data());
        bytes.insert(bytes.end(), begin, begin + bytes_);
    }

private:
    std::vector<sample::Field> fields_;
    std::uint64_t words_ = 0;
    std::uint32_t bytes_ = 0;
};

// All of it may be changed before it is written.
struct SampleRun {
    nlohmann::json description;
    nlohmann::json engine;
    std::vector<std::string> names;
    std::vector<reference::State> states;
    std::vector<std::uint64_t> parents;
    bool has_parents = true;
    // Written where there are any.
    std::vector<ledger::Bytes> labels;                                        // of each state, of the same size
    std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> edges;  // of each state: target, transition
    std::vector<std::vector<std::uint64_t>> marks;                            // of each edge
    bool has_marks = false;                                                   // they are written
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;               // of ids: temporary, final

    SampleRun(const std::string& path, input::LoadOptions options = {}) {
        const support::Result<std::string> text = support::read_text_file(path);
        if (!text) throw std::runtime_error(path);
        const support::Result<input::LoadedModel> loaded = input::load_model(path, options);
        if (!loaded) throw std::runtime_error(support::to_text(loaded.diagnostics().front()));
        const std::unique_ptr<reference::Machine> machine = reference::make_machine(*loaded, options);
        const reference::Graph graph = reference::explore(*machine);
        names = machine->names();
        states = graph.states;
        found_ = graph.edges;
        has_marks = machine->acceptance_sets() > 0;
        parents.resize(states.size());
        for (std::size_t i = 0; i < graph.initial; ++i) parents[i] = i;
        for (std::size_t i = graph.edges.size(); i-- > 0;)
            if (graph.edges[i].to >= graph.initial) parents[graph.edges[i].to] = graph.edges[i].from;
        description = {{"plan",
                        {{"model",
                          {{"path", std::filesystem::absolute(path).string()},
                           {"language", std::filesystem::path(path).extension().string().substr(1)},
                           {"hash", fmt::format("{:016x}", XXH3_64bits(text->data(), text->size()))},
                           {"wrap", options.wrap}}},
                         {"explores_process", options.with_property},
                         {"engine", "bfs"}}},
                       {"goals", nlohmann::json::array()}};
        engine = {{"complete", true},
                  {"statistics",
                   {{"states", states.size()},
                    {"transitions", graph.transitions},
                    {"deadlocks", graph.deadlocks.size()},
                    {"faults", graph.faults.size()},
                    {"expanded", states.size()}}}};
    }

    void add_property(const std::string& kind, const std::string& formula) {
        description["goals"].push_back({{"kind", kind}, {"formula", formula}});
    }

    // Edges as a search could have recorded them: every third target has a temporary id.
    void add_edges() {
        std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> transitions;
        edges.resize(states.size());
        marks.resize(states.size());
        for (const reference::Edge& edge : found_) {
            const reference::Participant& first = edge.participants.front();
            const std::uint64_t transition =
                transitions.emplace(std::pair(first.process, first.line), transitions.size()).first->second;
            const bool is_temporary = (edge.from + edge.to) % 3 == 0;
            edges[edge.from].emplace_back(is_temporary ? (2 * edge.to + 1) | ledger::kTemporaryId : edge.to,
                                          transition);
            marks[edge.from].push_back(edge.marks);
            if (is_temporary) pairs.emplace_back(2 * edge.to + 1, edge.to);
        }
    }

    // A state that nobody was discovered from goes; the numbers behind it move up.
    void remove(std::uint64_t number) {
        states.erase(states.begin() + static_cast<std::ptrdiff_t>(number));
        parents.erase(parents.begin() + static_cast<std::ptrdiff_t>(number));
        for (std::uint64_t& parent : parents) parent -= parent > number ? 1 : 0;
    }

    // In several frames and commits, with a second packing for the second half, and with waiting states of which the
    // first batch was dropped.
    void write(const std::string& directory) {
        const sample::SamplePacking first(names, states, 0);
        const sample::SamplePacking second(names, states, 2);
        ledger::LedgerHeader header;
        if (!description.contains("packing")) description["packing"] = first.description();
        header.description = description.dump();
        header.state_bytes = first.bytes();
        header.label_bytes = labels.empty() ? 0 : static_cast<std::uint32_t>(labels[0].size());
        header.parents = has_parents;
        header.edges = header.numbers = !edges.empty();
        header.marks = header.edges && has_marks;
        header.waiting = header.waiting_numbers = true;
        const std::unique_ptr<ledger::LedgerWriter> ledger =
            ledger::LedgerWriter::create(directory, header, ledger::sample::small_settings());

        std::uint64_t dropped = 0;
        for (std::size_t half = 0; half < 2; ++half) {
            const sample::SamplePacking& packing = half == 0 ? first : second;
            if (half == 1) ledger->change_packing(packing.bytes(), packing.description().dump());
            const std::size_t begin = half == 0 ? 0 : states.size() / 2;
            const std::size_t end = half == 0 ? states.size() / 2 : states.size();
            const std::uint64_t batch = append_waiting(*ledger, packing, begin, end);
            if (half == 0) dropped = batch;
            append_states(*ledger, packing, begin, end);
            ledger->commit("not yet");
        }
        if (!edges.empty())
            for (const auto& [temporary, number] : pairs) ledger->append_numbers({&temporary, 1}, {&number, 1});
        ledger->drop_waiting(dropped);
        ledger->commit(engine.is_string() ? engine.get<std::string>() : engine.dump());
        ledger->wait();
    }

private:
    void append_states(ledger::LedgerWriter& ledger, const sample::SamplePacking& packing, std::size_t begin,
                       std::size_t end) const {
        for (std::size_t i = begin; i < end; ++i) {
            ledger::Bytes bytes;
            packing.pack(states[i], bytes);
            const std::uint32_t transition = static_cast<std::uint32_t>(i * 77);
            ledger::AppendedStates appended{1, bytes, {}, {}, {}};
            if (!labels.empty()) appended.labels = labels[i];
            if (has_parents) {
                appended.parents = {&parents[i], 1};
                appended.transitions = {&transition, 1};
            }
            ledger.append_states(i / 10, 0, appended);
            if (edges.empty() || i >= edges.size()) continue;
            const auto degree = static_cast<std::uint32_t>(edges[i].size());
            std::vector<std::uint64_t> targets;
            std::vector<std::uint64_t> transitions;
            for (const auto& [target, by] : edges[i]) {
                targets.push_back(target);
                transitions.push_back(by);
            }
            ledger.append_edges(
                {&degree, 1}, targets, transitions,
                has_marks ? std::span<const std::uint64_t>(marks[i]) : std::span<const std::uint64_t>());
        }
    }

    std::uint64_t append_waiting(ledger::LedgerWriter& ledger, const sample::SamplePacking& packing, std::size_t begin,
                                 std::size_t end) const {
        ledger::Bytes bytes;
        std::vector<std::uint64_t> numbers;
        for (std::size_t i = begin; i < end; ++i) {
            packing.pack(states[i], bytes);
            numbers.push_back(i);
        }
        const std::vector<std::uint32_t> transitions(numbers.size(), 5);
        return ledger.append_waiting(3, 0, {numbers.size(), bytes, numbers, transitions, numbers});
    }

    std::vector<reference::Edge> found_;
};

}  // namespace tideline::audit::sample
