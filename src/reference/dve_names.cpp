#include "reference/dve_names.hpp"

#include <algorithm>
#include <utility>

namespace tideline::reference {

namespace {

constexpr std::int64_t kMaxLength = 1'000'000;  // no checked program comes near it

// Constants only: other names in a constant expression count as 0.
class ConstantValues final : public NameValues {
public:
    ConstantValues(const DveNames& names, const ProcessNames* from) : names_(names), from_(from) {}

    [[nodiscard]] Answer value_of(const input::dve::Expr& leaf) const override {
        const std::optional<Meaning> meaning = names_.meaning(leaf, from_);
        if (!meaning || meaning->kind != Meaning::Kind::place || !meaning->place->constant) return {};
        const Place& place = *meaning->place;
        Answer index;
        if (leaf.kind == input::dve::Expr::Kind::element) index = evaluate(*leaf.operands[0], *this);
        if (index.fault != model::FaultKind::none) return index;
        if (index.value < 0 || static_cast<std::size_t>(index.value) >= place.length)
            return {model::FaultKind::index, 0};
        return {model::FaultKind::none, place.values[static_cast<std::size_t>(index.value)]};
    }

private:
    const DveNames& names_;
    const ProcessNames* from_;
};

}  // namespace

DveNames::DveNames(const input::dve::Program& program, const std::vector<const input::dve::Process*>& processes) {
    for (const input::dve::VariableDeclaration& declaration : program.variables) add_variable(declaration, nullptr);
    for (const input::dve::ChannelDeclaration& declaration : program.channels) add_channel(declaration);
    processes_.resize(processes.size());
    for (std::size_t i = 0; i < processes.size(); ++i) add_process(*processes[i], processes_[i]);
}

std::size_t DveNames::add_slot(std::string name, std::int64_t value) {
    names_.push_back(std::move(name));
    initial_.push_back(value);
    return initial_.size() - 1;
}

std::int64_t DveNames::constant_value(const input::dve::Expr& expression, const ProcessNames* from) const {
    return evaluate(expression, ConstantValues(*this, from)).value;
}

void DveNames::add_variable(const input::dve::VariableDeclaration& declaration, ProcessNames* process) {
    Place place;
    place.constant = declaration.constant;
    place.array = declaration.length != nullptr;
    place.type = declaration.type;
    if (place.array) {
        const std::int64_t length = constant_value(*declaration.length, process);
        place.length = static_cast<std::size_t>(std::clamp<std::int64_t>(length, 0, kMaxLength));
    }
    place.values.resize(place.length, 0);
    for (std::size_t i = 0; i < std::min(place.length, declaration.initial.size()); ++i) {
        place.values[i] = constant_value(*declaration.initial[i], process);
    }
    if (!place.constant) {
        place.first = initial_.size();
        const std::string name = (process != nullptr ? process->name + "." : "") + declaration.name.text;
        for (std::size_t i = 0; i < place.length; ++i) {
            add_slot(place.array ? name + "[" + std::to_string(i) + "]" : name, place.values[i]);
        }
    }
    std::map<std::string, Place>& variables = process != nullptr ? process->variables : variables_;
    variables[declaration.name.text] = std::move(place);
}

void DveNames::add_channel(const input::dve::ChannelDeclaration& declaration) {
    ChannelPlace channel;
    channel.name = declaration.name.text;
    channel.typed = declaration.typed;
    channel.fields = declaration.fields;
    if (declaration.capacity != nullptr) {
        const std::int64_t capacity = constant_value(*declaration.capacity, nullptr);
        channel.capacity = static_cast<std::size_t>(std::clamp<std::int64_t>(capacity, 0, kMaxLength));
    }
    if (channel.capacity > 0) {
        channel.length = add_slot(channel.name + ".length", 0);
        channel.first = initial_.size();
        for (std::size_t message = 0; message < channel.capacity; ++message) {
            const std::string name = channel.name + "[" + std::to_string(message) + "]";
            for (std::size_t field = 0; field < channel.fields.size(); ++field) {
                add_slot(channel.fields.size() > 1 ? name + "." + std::to_string(field) : name, 0);
            }
        }
    }
    channels_[channel.name] = std::move(channel);
}

void DveNames::add_process(const input::dve::Process& process, ProcessNames& names) {
    names.name = process.name.text;
    for (std::size_t i = 0; i < process.locations.size(); ++i) names.locations.emplace(process.locations[i].text, i);
    const auto initial = names.locations.find(process.initial.text);
    const std::size_t location = initial == names.locations.end() ? 0 : initial->second;
    names.location = add_slot(names.name, static_cast<std::int64_t>(location));
    for (const input::dve::VariableDeclaration& declaration : process.variables) add_variable(declaration, &names);
}

OutsideNames DveNames::outside() const {
    OutsideNames result;
    const auto add_constants = [&](const std::map<std::string, Place>& places, const std::string& prefix) {
        for (const auto& [name, place] : places) {
            if (!place.constant) continue;
            if (place.array) result.constant_arrays[prefix + name] = place.values;
            else result.constants[prefix + name] = place.values[0];
        }
    };
    add_constants(variables_, "");
    for (const ProcessNames& process : processes_) {
        add_constants(process.variables, process.name + ".");
        for (const auto& [name, value] : process.locations)
            result.locations[process.name + "." + name] = {process.location, static_cast<std::int64_t>(value)};
        result.numbers_of_locations.insert(process.name);
    }
    return result;
}

const ChannelPlace* DveNames::channel(const std::string& name) const {
    const auto found = channels_.find(name);
    return found == channels_.end() ? nullptr : &found->second;
}

std::optional<Meaning> DveNames::meaning(const input::dve::Expr& leaf, const ProcessNames* from) const {
    Meaning meaning;
    const ProcessNames* process = from;
    if (!leaf.process.text.empty()) {
        const auto found = std::find_if(processes_.begin(), processes_.end(),
                                        [&](const ProcessNames& p) { return p.name == leaf.process.text; });
        if (found == processes_.end()) return std::nullopt;
        process = &*found;
    }
    if (leaf.kind == input::dve::Expr::Kind::location) {
        const auto location = process == nullptr ? std::map<std::string, std::size_t>::const_iterator()
                                                 : process->locations.find(leaf.name.text);
        if (process == nullptr || location == process->locations.end()) return std::nullopt;
        meaning.kind = Meaning::Kind::location;
        meaning.slot = process->location;
        meaning.location = static_cast<std::int64_t>(location->second);
        return meaning;
    }
    if (process != nullptr) {
        const auto found = process->variables.find(leaf.name.text);
        if (found != process->variables.end()) meaning.place = &found->second;
    }
    if (meaning.place == nullptr && leaf.process.text.empty()) {
        const auto found = variables_.find(leaf.name.text);
        if (found != variables_.end()) meaning.place = &found->second;
    }
    // An array without an index is its first element; an index needs an array.
    if (meaning.place == nullptr || (leaf.kind == input::dve::Expr::Kind::element && !meaning.place->array))
        return std::nullopt;
    return meaning;
}

const input::dve::Expr* resolve(const input::dve::Expr& expression, const DveNames& names, const ProcessNames* from,
                                Meanings& meanings) {
    const input::dve::Expr* unknown = nullptr;
    const bool leaf = expression.kind == input::dve::Expr::Kind::variable ||
                      expression.kind == input::dve::Expr::Kind::element ||
                      expression.kind == input::dve::Expr::Kind::location;
    if (leaf) {
        if (const std::optional<Meaning> meaning = names.meaning(expression, from)) {
            meanings.emplace(&expression, *meaning);
        } else {
            unknown = &expression;
        }
    }
    for (const input::dve::ExprPtr& operand : expression.operands) {
        const input::dve::Expr* inner = resolve(*operand, names, from, meanings);
        if (unknown == nullptr) unknown = inner;
    }
    return unknown;
}

Answer StateValues::value_of(const input::dve::Expr& leaf) const {
    const auto found = meanings_.find(&leaf);
    if (found == meanings_.end()) return {};
    const Meaning& meaning = found->second;
    if (meaning.kind == Meaning::Kind::location) {
        return {model::FaultKind::none, state_[meaning.slot] == meaning.location ? 1 : 0};
    }
    const Place& place = *meaning.place;
    Answer index;
    if (leaf.kind == input::dve::Expr::Kind::element) index = evaluate(*leaf.operands[0], *this);
    if (index.fault != model::FaultKind::none) return index;
    if (index.value < 0 || static_cast<std::size_t>(index.value) >= place.length) return {model::FaultKind::index, 0};
    const std::size_t offset = static_cast<std::size_t>(index.value);
    return {model::FaultKind::none, place.constant ? place.values[offset] : state_[place.first + offset]};
}

}  // namespace tideline::reference
