#include "check/ctl/certificate.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "logic/canonical.hpp"
#include "support/json_text.hpp"

namespace tideline::check::ctl {
namespace {

constexpr std::uint64_t kFrameStates = std::uint64_t{1} << 16U;

}  // namespace

Certificate::Certificate(const Program& program, DeadlockReading reading,
                         std::unique_ptr<ledger::CertificateWriter> writer)
    : program_(program), reading_(reading), writer_(std::move(writer)) {}

template <class Call>
void Certificate::attempt(const Call& call) {
    if (writer_ == nullptr) return;
    try {
        call();
    } catch (const ledger::LedgerError& error) {
        failure_ = error.what();
        writer_.reset();
    }
}

Certificate::Column Certificate::add(const std::string& what, std::optional<NodeId> node) {
    columns_.push_back(
        {what, node ? logic::canonical_text(*program_.formulas, program_.nodes[*node].formula) : std::string()});
    return static_cast<Column>(columns_.size() - 1);
}

void Certificate::write(Column column, std::uint64_t first, std::span<const std::uint64_t> values) {
    while (!values.empty()) {
        const std::span<const std::uint64_t> some = values.first(std::min<std::size_t>(values.size(), kFrameStates));
        const bool says_nothing = std::ranges::all_of(some, [](std::uint64_t value) { return value == 0; });
        if (!says_nothing) attempt([&] { writer_->add(column, first, some); });
        first += some.size();
        values = values.subspan(some.size());
    }
}

void Certificate::write(Column column, const Bits& bits) {
    for (std::uint64_t first = 0; first < bits.size(); first += kFrameStates) {
        values_.resize(std::min(kFrameStates, bits.size() - first));
        for (std::uint64_t i = 0; i < values_.size(); ++i) values_[i] = bits[first + i] ? 1 : 0;
        write(column, first, values_);
    }
}

void Certificate::finish(const std::vector<Answer>& answers) {
    nlohmann::json properties = nlohmann::json::array();
    for (const Answer& answer : answers)
        properties.push_back({{"name", answer.name}, {"formula", answer.formula}, {"answer", answer.answer}});
    nlohmann::json columns = nlohmann::json::array();
    for (const ColumnName& column : columns_) columns.push_back({{"what", column.what}, {"formula", column.formula}});
    const nlohmann::json description{
        {"deadlocks", std::string(to_string(reading_))}, {"properties", properties}, {"columns", columns}};
    attempt([&] {
        writer_->finish(support::to_json_text(description));
        bytes_ = writer_->bytes();
    });
    writer_.reset();
}

}  // namespace tideline::check::ctl
