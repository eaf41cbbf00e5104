#include "explore/ledger_run.hpp"

#include <cstring>
#include <nlohmann/json.hpp>

#include "support/json_text.hpp"

namespace tideline::explore {
namespace {

using Json = nlohmann::ordered_json;

// The figures that a resumed search continues from.
constexpr std::pair<const char*, std::uint64_t Statistics::*> kFigures[] = {
    {"states", &Statistics::states},
    {"transitions", &Statistics::transitions},
    {"deadlocks", &Statistics::deadlocks},
    {"faults", &Statistics::faults},
    {"expanded", &Statistics::expanded},
    {"peak_states", &Statistics::peak_states},
    {"layers", &Statistics::layers},
    {"sweeps", &Statistics::sweeps},
    {"regress_edges", &Statistics::regress_edges},
    {"widest_layer", &Statistics::widest_layer},
    {"reread", &Statistics::reread},
    {"spilled", &Statistics::spilled},
    {"depth", &Statistics::depth},
};

[[noreturn]] void refuse(const std::string& what) {
    throw ledger::LedgerError(ledger::LedgerFault::damaged, "journal",
                              "what the search left there cannot be read (" + what + ")");
}

// Parses, or says that the ledger is damaged.
template <class Read>
auto read_json(const std::string& text, Read read) {
    try {
        return read(Json::parse(text));
    } catch (const nlohmann::json::exception& error) {
        refuse(error.what());
    }
}

// The header describes the first packing, the journal later ones.
std::string description_of(const ledger::LedgerWriter& writer, std::size_t packing) {
    if (packing > 0) return writer.packings()[packing].description;
    return read_json(writer.header().description,
                     [](const Json& header) { return support::to_json_text(header.at("packing")); });
}

}  // namespace

std::string to_text(const SavedSearch& saved) {
    Json json;
    json["walk"] = saved.walk;
    json["complete"] = saved.complete;
    json["pass"] = saved.pass;
    json["in_layer"] = saved.in_layer;
    for (const SweepCount& pass : saved.passes)
        json["passes"].push_back({{"peak_states", pass.peak_states}, {"expanded", pass.expanded}});
    for (const auto& [name, figure] : kFigures) json["statistics"][name] = saved.statistics.*figure;
    json["statistics"]["seconds"] = saved.statistics.seconds;
    json["told"] = Json::array();
    for (const ReportedEvent& events : saved.events)
        json["told"].push_back(
            {static_cast<int>(events.kind), events.number, events.what, static_cast<int>(events.fault), events.times});
    if (const std::optional<ChangedOver>& change = saved.statistics.changed_over) {
        json["changed_over"] = {{"states", change->states}, {"seconds", change->seconds}, {"reason", change->reason}};
        json["changed_over"]["early_states"] = saved.early_states;
    }
    if (saved.next_temporary_id != 0) json["provisional"] = saved.next_temporary_id;
    if (saved.key_records != 0) json["key_records"] = saved.key_records;
    return support::to_json_text(json);
}

SavedSearch parse_saved_search(const std::string& text) {
    return read_json(text, [](const Json& json) {
        SavedSearch saved;
        saved.walk = json.value("walk", "");
        saved.complete = json.at("complete");
        saved.pass = json.at("pass");
        saved.in_layer = json.at("in_layer");
        for (const Json& pass : json.at("passes"))
            saved.passes.push_back({pass.at("peak_states"), pass.at("expanded")});
        if (saved.passes.empty()) refuse("no pass");
        for (const auto& [name, figure] : kFigures) saved.statistics.*figure = json.at("statistics").at(name);
        saved.statistics.seconds = json.at("statistics").at("seconds");
        for (const Json& events : json.at("told"))
            saved.events.push_back({static_cast<ReportedEvent::Kind>(events.at(0).get<int>()), events.at(1),
                                    events.at(2), static_cast<model::FaultKind>(events.at(3).get<int>()),
                                    events.at(4)});
        saved.next_temporary_id = json.value("provisional", std::uint64_t{0});
        saved.key_records = json.value("key_records", std::uint64_t{0});
        if (json.contains("changed_over")) {
            const Json& change = json.at("changed_over");
            saved.statistics.changed_over = ChangedOver{change.at("states"), change.at("seconds"), change.at("reason")};
            saved.early_states = change.at("early_states").get<std::vector<std::vector<std::uint8_t>>>();
        }
        return saved;
    });
}

ledger::LedgerHeader ledger_header(const successor::System& system, Recorded recorded, std::string description) {
    ledger::LedgerHeader header;
    header.description = std::move(description);
    header.state_bytes = static_cast<std::uint32_t>(system.state_bytes());
    header.parents = header.waiting = true;
    if (recorded != Recorded::tree) header.label_bytes = static_cast<std::uint32_t>((system.label_count() + 7) / 8);
    header.edges = header.numbers = header.waiting_numbers = recorded == Recorded::edges;
    header.marks = header.edges && system.acceptance_sets() > 0;
    return header;
}

std::string packing_description(const successor::System& system) {
    Json json;
    json["words"] = system.state_words();
    json["bytes"] = system.state_bytes();
    Json& slots = json["slots"] = Json::object();
    for (const char* column : {"name", "word", "shift", "width", "low", "high"}) slots[column] = Json::array();
    const successor::Layout* layout = system.layout();
    for (model::SlotId slot = 0; layout != nullptr && slot < system.slot_names().size(); ++slot) {
        const successor::Layout::Field& field = layout->field(slot);
        slots["name"].push_back(system.slot_names()[slot]);
        slots["word"].push_back(field.word);
        slots["shift"].push_back(field.shift);
        slots["width"].push_back(field.width);
        slots["low"].push_back(field.low);
        slots["high"].push_back(layout->range(slot).high);
    }
    return support::to_json_text(json);
}

std::optional<successor::Layout> described_layout(const std::string& description) {
    return read_json(description, [](const Json& json) -> std::optional<successor::Layout> {
        std::vector<model::Range> ranges;
        const Json& slots = json.at("slots");
        const Json& low = slots.at("low");
        for (std::size_t slot = 0; slot < low.size(); ++slot) ranges.push_back({low[slot], slots.at("high").at(slot)});
        if (ranges.empty()) return std::nullopt;
        successor::Layout layout(ranges);
        for (model::SlotId slot = 0; slot < ranges.size(); ++slot) {
            const successor::Layout::Field& field = layout.field(slot);
            if (slots.at("word").at(slot) != field.word || slots.at("shift").at(slot) != field.shift ||
                slots.at("width").at(slot) != field.width)
                refuse("states are packed in a way that this version does not know");
        }
        return layout;
    });
}

LedgerPackings::LedgerPackings(ledger::LedgerWriter& writer, const successor::System& system) : writer_(&writer) {
    if (description_of(writer, writer.packings().size() - 1) == packing_description(system)) relate(system);
    else change(system);
}

void LedgerPackings::change(const successor::System& system) {
    writer_->change_packing(static_cast<std::uint32_t>(system.state_bytes()), packing_description(system));
    relate(system);
}

void LedgerPackings::relate(const successor::System& system) {
    forms_.clear();
    for (std::size_t i = 0; i < writer_->packings().size(); ++i) {
        const std::size_t bytes = writer_->packings()[i].state_bytes;
        Form form{(bytes + 7) / 8, bytes, std::nullopt};
        const std::string description = description_of(*writer_, i);
        if (system.layout() != nullptr && description != packing_description(system)) {
            const std::optional<successor::Layout> layout = described_layout(description);
            if (!layout) refuse("a packing has no slots");
            form.words = layout->words();
            form.change.emplace(*layout, *system.layout(), system.slot_names().size());
        } else {
            form.words = system.state_words();
        }
        forms_.push_back(std::move(form));
    }
}

void LedgerPackings::unpack(std::size_t packing, const std::uint8_t* bytes, successor::Word* state) const {
    const Form& form = forms_[packing];
    if (!form.change) {
        state[form.words - 1] = 0;
        std::memcpy(state, bytes, form.bytes);
        return;
    }
    old_.assign(form.words, 0);
    std::memcpy(old_.data(), bytes, form.bytes);
    form.change->apply(old_.data(), state);
}

}  // namespace tideline::explore
