#include "progress/measure.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <optional>

#include "model/interval.hpp"
#include "model/parse_expression.hpp"
#include "model/print.hpp"
#include "model/progress_text.hpp"
#include "progress/certificate.hpp"
#include "progress/effects.hpp"
#include "progress/linear_component.hpp"

namespace tideline::progress {
namespace {

constexpr unsigned kKeyBits = 128;
constexpr std::string_view kBlanks = " \t\n\r";

std::string trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return {};
    return std::string(text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1));
}

// Weights of the values of slots that are written as a sum of comparisons become tables: they are faster to read, and a
// measure that was found is the same, bit for bit, when its text is read again.
std::optional<LinearComponent> with_weights(const model::Model& model, const model::Expression& expression) try {
    const std::optional<Form> form = linear_form(model, expression, {});
    if (!form || form->rest != model::Range{0, 0}) return std::nullopt;
    LinearComponent result;
    const std::vector<model::Model::SlotOwner> owners = model.slot_owners();
    for (const auto& [atom, factor] : form->factors) {
        if (atom.kind == Atom::Kind::table) return std::nullopt;
        if (atom.kind == Atom::Kind::slot) {
            result.factors[atom.slot] = factor;
            continue;
        }
        const model::Range range = model.variables[owners[atom.slot].variable].range;
        if (!range.holds(atom.value) || range.span() >= kLargestWeightTable) return std::nullopt;
        std::vector<model::Value>& weights = result.weights[atom.slot];
        weights.resize(range.span() + 1, 0);
        weights[static_cast<std::size_t>(atom.value - range.low)] = factor;
    }
    if (result.weights.empty()) return std::nullopt;
    return result;
} catch (const NumberTooLarge&) {
    return std::nullopt;
}

void add_component(const model::Model& model, model::Expression expression, Measure& measure) {
    if (const std::optional<LinearComponent> linear = with_weights(model, expression)) {
        Component component =
            to_component(model, *linear, static_cast<model::TableId>(model.tables.size() + measure.tables.size()));
        measure.tables.insert(measure.tables.end(), component.tables.begin(), component.tables.end());
        expression = std::move(component.expression);
    }
    if (measure.tables.empty()) {
        measure.program.components.push_back(key_component(model, std::move(expression)));
        return;
    }
    model::Model names = model.without_transitions();
    names.tables.insert(names.tables.end(), measure.tables.begin(), measure.tables.end());
    measure.program.components.push_back(key_component(names, std::move(expression)));
}

struct Part {
    std::string text;
    model::Expression expression;
};

// A vector under the product order, as a linear order that extends it: by the sum of the parts, then by one part after
// the other. The last is determined by the sum and the others.
void add_vector(const model::Model& model, const std::vector<Part>& parts, Measure& measure) {
    if (parts.empty()) return;
    Part sum;
    for (const Part& part : parts) {
        const auto is_of_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; };
        const bool is_name = std::all_of(part.text.begin(), part.text.end(), is_of_name);
        sum.text +=
            (sum.text.empty() ? "" : " + ") + (is_name || parts.size() == 1 ? part.text : "(" + part.text + ")");
        sum.expression = sum.expression.empty()
                             ? part.expression
                             : model::Expression::binary(model::Op::add, std::move(sum.expression), part.expression);
    }
    measure.components.push_back(std::move(sum.text));
    add_component(model, std::move(sum.expression), measure);
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        measure.components.push_back(parts[i].text);
        add_component(model, parts[i].expression, measure);
    }
}

// One component, or the parts of a product: those that are known never to decrease come first, since passes nest inside
// them.
void add_parts(const model::Model& model, std::vector<Part> parts, Measure& measure) {
    std::vector<Part> monotonic;
    std::vector<Part> others;
    for (Part& part : parts)
        (parts.size() > 1 && never_decreases(model, part.expression) ? monotonic : others).push_back(std::move(part));
    add_vector(model, monotonic, measure);
    add_vector(model, others, measure);
}

unsigned bits(const successor::KeyProgram& program) {
    unsigned sum = 0;
    for (const successor::KeyComponent& part : program.components) sum += part.bits;
    return sum;
}

}  // namespace

std::string measure_text(const Measure& measure) {
    std::string text;
    for (const std::string& component : measure.components) text += (text.empty() ? "" : ", ") + component;
    return text;
}

model::Model with_tables(const model::Model& model, const Measure& measure) {
    model::Model extended = model;
    extended.tables.insert(extended.tables.end(), measure.tables.begin(), measure.tables.end());
    return extended;
}

successor::KeyComponent key_component(const model::Model& model, model::Expression expression) {
    const model::Range range = model::value_range(model, expression);
    const std::uint64_t span = static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low);
    return {std::move(expression), range.low, static_cast<unsigned>(std::bit_width(span))};
}

support::Result<Measure> parse_measure(const model::Model& model, const std::string& text) {
    const support::SourceText whole("--progress", text);
    Measure measure;
    support::Diagnostics warnings;
    const auto parse_part = [&](support::SourceSpan piece) -> support::Result<Part> {
        support::Result<model::Expression> expression =
            model::parse_expression(model, whole, piece, model::LocationNumbers::allowed);
        if (!expression) return std::move(expression).diagnostics();
        warnings.insert(warnings.end(), expression.diagnostics().begin(), expression.diagnostics().end());
        return Part{trimmed(whole.text(piece)), *std::move(expression)};
    };
    const support::Result<std::vector<model::ProgressText>> components =
        model::cut_progress_text(whole, {0, static_cast<std::uint32_t>(text.size())});
    if (!components) return components.diagnostics();
    for (const model::ProgressText& component : *components) {
        std::vector<Part> parts;
        for (const support::SourceSpan each : component.parts) {
            support::Result<Part> part = parse_part(each);
            if (!part) return std::move(part).diagnostics();
            parts.push_back(*std::move(part));
        }
        add_parts(model, std::move(parts), measure);
    }
    if (bits(measure.program) > kKeyBits)
        return support::diagnostic_at(whole, {0, static_cast<std::uint32_t>(text.size())},
                                      "the measure needs " + std::to_string(bits(measure.program)) +
                                          " bits, more than " + std::to_string(kKeyBits),
                                      "use fewer components, or ones of a smaller range");
    return support::Result<Measure>(std::move(measure), std::move(warnings));
}

support::Result<Measure> own_measure(const model::Model& model) {
    Measure measure;
    for (const std::vector<model::Expression>& component : model.progress) {
        std::vector<Part> parts;
        for (const model::Expression& expression : component)
            parts.push_back({model::to_text(model, expression), expression});
        add_parts(model, std::move(parts), measure);
    }
    if (bits(measure.program) > kKeyBits)
        return support::diagnostic_about(model.source.path(),
                                         "the model's own progress measure needs more than 128 bits");
    return measure;
}

}  // namespace tideline::progress
