#include "check/ltl/ledger_cycles.hpp"

#include <algorithm>

#include "ledger/edge_reader.hpp"

namespace tideline::check::ltl {
namespace {

constexpr std::uint64_t kLeast = std::uint64_t{64} << 10U;  // bytes, where few states give less

struct Stopped {
    support::StopReason reason;
};

}  // namespace

bool LedgerCycles::is_readable() const { return writer_.records(ledger::Stream::edges) == writer_.states(); }

void LedgerCycles::look() {
    look_at(writer_.states(), false);
    if (stopped_ == support::StopReason::disk) stopped_ = support::StopReason::none;
}

void LedgerCycles::finish(std::uint64_t end) {
    look_at(end, true);
    if (!found_ && stopped_ == support::StopReason::none) first_ = end;
}

void LedgerCycles::look_at(std::uint64_t end, bool is_last) {
    const std::uint64_t count = end - first_;
    if (count == 0) return;
    ledger::EdgeReaderSettings reading;
    reading.memory = std::max(kLeast, end / 4);
    reading.temporary_directory = writer_.directory();
    reading.poll = [this] {
        if (const support::StopReason reason = budget_.exhausted(); reason != support::StopReason::none)
            throw Stopped{reason};
    };
    const auto fill = [&](EdgeSpool& spool) {
        DiskShare of_reader(&disk_);
        reading.take_disk = [&](std::uint64_t bytes) { of_reader.take(bytes); };
        ledger::EdgeReader reader(writer_, reading);
        std::uint64_t bytes = 0;
        reader.read(first_, count, [&](const ledger::Edges& edges) {
            reading.poll();
            std::size_t next = 0;
            for (std::size_t row = 0; row < edges.degrees.size(); ++row) {
                bool has_row = false;
                for (const std::size_t row_end = next + edges.degrees[row]; next < row_end; ++next) {
                    const std::uint64_t target = edges.targets[next];
                    if (target - first_ >= count) continue;  // open, or in a later block
                    if (!has_row) spool.begin_row(edges.first - first_ + row);
                    has_row = true;
                    spool.add(target - first_, edges.marks.empty() ? 0 : edges.marks[next]);
                }
            }
            bytes = std::max(bytes, reader.bytes() + spool.memory_bytes());
        });
        figures_.bytes = std::max(figures_.bytes, bytes);
    };
    StreamedCycles::Settings settings;
    settings.required = required_;
    settings.directory = writer_.directory();
    settings.component_bytes = std::max(kLeast, count / 2);
    settings.disk = &disk_;
    settings.strong = strong_;
    if (is_last) settings.log = log_;
    StreamedCycles cycles(settings, budget_);
    try {
        if (settings.log != nullptr) log_->begin_range(first_, count);
        if (const std::optional<std::uint64_t> found = cycles.find(count, fill)) found_ = first_ + *found;
        stopped_ = cycles.stopped();
        if (settings.log != nullptr) log_->end_range();
    } catch (const Stopped& stop) {
        stopped_ = stop.reason;
    } catch (const DiskIsShort&) {
        stopped_ = support::StopReason::disk;
    }
    figures_.nodes = std::max(figures_.nodes, cycles.peak_states());
    figures_.edges = std::max(figures_.edges, cycles.peak_edges());
    figures_.bytes = std::max(figures_.bytes, cycles.peak_bytes());
    figures_.disk_bytes = std::max(figures_.disk_bytes, cycles.peak_disk_bytes());
    figures_.passes += cycles.passes();
}

}  // namespace tideline::check::ltl
