#include "tests/toys/language/boxes.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace tideline::toys {
namespace {

constexpr std::int64_t kLargest = 1'000'000;

struct Word {
    std::string_view text;
    support::SourceSpan span;
};

// The words of a line, up to a comment; `offset` is where the line begins.
std::vector<Word> words_of(std::string_view line, std::size_t offset) {
    line = line.substr(0, line.find('#'));
    std::vector<Word> words;
    for (std::size_t at = line.find_first_not_of(" \t\r"); at != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
        words.push_back({line.substr(at, end - at),
                         {static_cast<std::uint32_t>(offset + at), static_cast<std::uint32_t>(offset + end)}});
        at = line.find_first_not_of(" \t\r", end);
    }
    return words;
}

class Parser {
public:
    explicit Parser(const support::SourceText& source) : source_(source) {}

    support::Result<Boxes> run() {
        const std::string_view text = source_.text();
        for (std::size_t begin = 0; begin <= text.size() && !error_;) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            if (const std::vector<Word> words = words_of(text.substr(begin, end - begin), begin); !words.empty())
                statement(words);
            begin = end + 1;
        }
        if (!error_ && boxes_.boxes.empty())
            error_ = support::diagnostic_about(source_.path(), "there is no box", "expected: box NAME CAPACITY BALLS");
        if (error_) return *std::move(error_);
        return std::move(boxes_);
    }

private:
    void statement(const std::vector<Word>& words) {
        if (words[0].text == "box") return box(words);
        if (words[0].text == "move") return move(words);
        fail(words[0], "unknown statement " + support::in_quotes(words[0].text), "expected 'box' or 'move'");
    }

    void box(const std::vector<Word>& words) {
        if (!has(words, 4, "box NAME CAPACITY BALLS")) return;
        if (find(words[1].text)) return fail(words[1], "there is a box of this name already");
        const std::optional<std::int64_t> capacity = number(words[2]);
        const std::optional<std::int64_t> balls = number(words[3]);
        if (!capacity || !balls) return;
        if (*balls > *capacity) return fail(words[3], "the box has no room for so many balls");
        boxes_.boxes.push_back({std::string(words[1].text), *capacity, *balls});
    }

    void move(const std::vector<Word>& words) {
        if (!has(words, 3, "move FROM TO")) return;
        const std::optional<std::size_t> from = known(words[1]);
        const std::optional<std::size_t> to = known(words[2]);
        if (!from || !to) return;
        if (*from == *to) return fail(words[2], "a ball moves to another box");
        boxes_.moves.push_back({*from, *to, {words.front().span.begin, words.back().span.end}});
    }

    bool has(const std::vector<Word>& words, std::size_t count, const std::string& form) {
        if (words.size() != count)
            fail(words.back(), "this statement is not complete or too long", "expected: " + form);
        return words.size() == count;
    }

    std::optional<std::int64_t> number(const Word& word) {
        std::int64_t value = 0;
        const char* end = word.text.data() + word.text.size();
        const auto [rest, problem] = std::from_chars(word.text.data(), end, value);
        if (problem == std::errc{} && rest == end && value >= 0 && value <= kLargest) return value;
        fail(word, support::in_quotes(word.text) + " is no number of balls", "expected 0 to 1000000");
        return std::nullopt;
    }

    std::optional<std::size_t> find(std::string_view name) const {
        for (std::size_t i = 0; i < boxes_.boxes.size(); ++i)
            if (boxes_.boxes[i].name == name) return i;
        return std::nullopt;
    }

    std::optional<std::size_t> known(const Word& word) {
        const std::optional<std::size_t> box = find(word.text);
        if (box) return box;
        std::vector<std::string> names;
        for (const Box& each : boxes_.boxes) names.push_back(each.name);
        fail(word, "no such box: " + support::in_quotes(word.text), support::suggestion(word.text, names));
        return std::nullopt;
    }

    void fail(const Word& word, std::string message, std::string hint = {}) {
        if (!error_) error_ = support::diagnostic_at(source_, word.span, std::move(message), std::move(hint));
    }

    support::SourceText source_;
    Boxes boxes_;
    std::optional<support::Diagnostic> error_;
};

}  // namespace

support::Result<Boxes> parse_boxes(const support::SourceText& source) { return Parser(source).run(); }

support::Result<input::Translation> load_boxes(const support::SourceText& source, const input::LoadOptions& /*options*/,
                                               const support::Budget& budget) {
    support::Result<Boxes> parsed = parse_boxes(source);
    if (!parsed) return std::move(parsed).diagnostics();
    if (const support::StopReason reason = budget.exhausted(parsed->moves.size() * sizeof(model::Transition));
        reason != support::StopReason::none)
        return support::diagnostic_of_stop(source.path(), reason, "the model was translated");
    model::Model model;
    model.format = kBoxesName;
    model.source = source;
    // Steps belong to a process, which has one location: traces then name the line of a move.
    model::Variable location;
    location.name = "mover";
    location.kind = model::Variable::Kind::location;
    location.owner = 0;
    location.value_names = {"here"};
    model::Process process;
    process.name = "mover";
    process.location = model.add_variable(std::move(location), {0});
    process.outgoing.resize(1);
    model.processes.push_back(std::move(process));
    std::vector<model::VariableId> counts;
    for (const Box& box : parsed->boxes) {
        model::Variable count;
        count.name = box.name;
        count.range = {0, box.capacity};
        counts.push_back(model.add_variable(std::move(count), {box.balls}));
    }
    using model::Expression;
    for (const Move& move : parsed->moves) {
        const Expression from = model.read(counts[move.from]);
        const Expression to = model.read(counts[move.to]);
        const Expression one = Expression::constant(1);
        model::Transition transition;
        transition.participants.push_back({0, 0, 0, move.span});
        transition.guards.push_back(Expression::binary(model::Op::greater, from, Expression::constant(0)));
        transition.guards.push_back(
            Expression::binary(model::Op::less, to, Expression::constant(parsed->boxes[move.to].capacity)));
        model::Assign effect;
        effect.targets = {{counts[move.from], std::nullopt}, {counts[move.to], std::nullopt}};
        effect.values = {Expression::binary(model::Op::subtract, from, one),
                         Expression::binary(model::Op::add, to, one)};
        transition.effects.emplace_back(std::move(effect));
        model.add_transition(std::move(transition));
    }
    return support::Result<input::Translation>({std::move(model), {}});
}

}  // namespace tideline::toys
