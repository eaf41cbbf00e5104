// The two readings of expressions, model/parse_expression with model/evaluate and the audit's own, must agree on what a
// run accepts.
#include "audit/expression.hpp"

#include <filesystem>
#include <map>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "audit/error.hpp"
#include "model/evaluate.hpp"
#include "model/parse_expression.hpp"
#include "reference/machines.hpp"

namespace tideline::audit {
namespace {

// Every kind of name that the manual speaks of, for a DVE model.
constexpr const char* kEveryName = R"(
const byte LIMIT = 3;
const int table[4] = {5, -7, 0, 2};
byte x = 1, a[3];
channel {byte, int} c[2];
channel {byte} d[3];
process P {
  const byte STEP = 2;
  const byte pick[2] = {1, 0};
  byte x, b[2], idle;
  state idle, work, rest;
  init idle;
  trans
    idle -> work { sync c!{x, -3}; effect x = (x + STEP) % 5, idle = idle ^ 1; },
    work -> rest { sync d!a[1]; effect b[0] = x; },
    rest -> idle { effect a[x % LIMIT] = a[x % LIMIT] ^ 1, b[1] = pick[a[0]]; };
}
process Q {
  int y = -1, z;
  state s, t;
  init s;
  trans
    s -> t { sync c?{y, z}; },
    t -> s { sync d?y; effect z = z * 2 % 11; };
}
system async;
)";

constexpr const char* kKripke =
    R"({"states": [{"name": "red", "labels": ["stop", "lit"], "progress": 3}, {"name": "green", "labels": ["lit"], "progress": 1}, {"name": "off", "progress": 0}],
 "initial": "red", "edges": [["red", "green"], ["green", "off"], ["off", "red"], ["red", "off"]]})";

class RandomText {
public:
    RandomText(const model::Model& model, std::uint64_t seed) : random_(seed) {
        for (const model::Variable& variable : model.variables) {
            const bool hidden = std::any_of(model.processes.begin(), model.processes.end(),
                                            [&](const model::Process& p) { return p.name == variable.name; });
            if (hidden) continue;
            if (variable.length) arrays_.push_back({variable.name, variable.element_suffix, *variable.length});
            else scalars_.push_back(variable.name);
        }
        for (const model::Process& process : model.processes)
            for (const std::string& location : model.variables[process.location].value_names)
                if (!(location[0] >= '0' && location[0] <= '9')) locations_.push_back(process.name + "." + location);
        for (const model::Table& table : model.tables) {
            if (table.name.find(' ') != std::string::npos)
                continue;  // how labels are kept, and no name that can be written
            if (table.array) arrays_.push_back({table.name, "", static_cast<std::uint32_t>(table.values.size())});
            else scalars_.push_back(table.name);
        }
        for (const model::NamedExpression& label : model.labels) scalars_.push_back(label.name);
    }

    // Parentheses only here and there, so that precedence matters.
    std::string expression(int depth) {
        static const std::vector<std::string> kBinary = {
            " imply ", " or ", "||", " and ", " && ", "|",   " ^ ", "&", "==", " != ", "<",     "<=",
            ">",       " >= ", "<<", " >> ",  "+",    " - ", "*",   "/", "%",  " or ", " and ", " imply "};
        static const std::vector<std::string> kUnary = {"- ", "~", "not ", "!"};
        if (depth == 0 || chance(10)) return leaf(depth);
        if (chance(15)) return pick(kUnary) + operand(depth - 1);
        std::string result = operand(depth - 1);
        for (int more = chance(25) ? 3 : 1; more > 0; --more) result += pick(kBinary) + operand(depth - 1);
        return result;
    }

private:
    struct Array {
        std::string name;
        std::string suffix;
        std::uint32_t length;
    };

    bool chance(unsigned percent) { return random_() % 100 < percent; }
    template <class Thing>
    const Thing& pick(const std::vector<Thing>& things) {
        return things[random_() % things.size()];
    }

    std::string operand(int depth) {
        std::string inner = expression(depth);
        return chance(30) ? "(" + inner + ")" : inner;
    }

    std::string leaf(int depth) {
        static const std::vector<std::string> kNumbers = {
            "0", "1", "2", "3", "5", "63", "64", "255", "9223372036854775807", "true", "false"};
        if (!arrays_.empty() && chance(30)) {
            const Array& array = pick(arrays_);
            const std::string index = depth > 0 && chance(50)
                                          ? expression(depth - 1)
                                          : std::to_string(random_() % (array.length + (chance(10) ? 2 : 0)));
            return with_arrow(array.name) + "[" + index + "]" + array.suffix;
        }
        if (!locations_.empty() && chance(25)) return pick(locations_);
        if (scalars_.empty() || chance(25)) return pick(kNumbers);
        return with_arrow(pick(scalars_));
    }
    // P->x is P.x, also where a location of that name hides the variable.
    std::string with_arrow(std::string name) {
        const std::size_t dot = name.find('.');
        // Behind the name of a channel, an arrow is an implication.
        const bool is_of_channel = dot != std::string::npos && name.substr(dot) == ".length";
        return dot == std::string::npos || is_of_channel || chance(50) ? name : name.replace(dot, 1, "->");
    }

    std::mt19937_64 random_;
    std::vector<std::string> scalars_;
    std::vector<std::string> locations_;
    std::vector<Array> arrays_;
};

// States of a system, by a few walks from the first.
std::vector<reference::State> some_states(const reference::Machine& machine, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<reference::State> states;
    for (int walk = 0; walk < 4; ++walk) {
        reference::State state = machine.initial_states().front();
        for (int step = 0; step < 25; ++step) {
            states.push_back(state);
            std::vector<reference::Step> steps = machine.steps(state);
            std::erase_if(steps, [](const reference::Step& s) { return s.fault != model::FaultKind::none; });
            if (steps.empty()) break;
            state = std::move(steps[random() % steps.size()].next);
        }
    }
    return states;
}

struct Comparison {
    std::size_t accepted = 0;
    std::size_t refused = 0;
    std::string last_refusal;
    std::size_t faults = 0;
    std::size_t truths = 0;
    std::size_t values = 0;
};

void compare(const input::LoadedModel& loaded, const input::LoadOptions& options, std::size_t count, std::uint64_t seed,
             Comparison& total) {
    const model::Model& model = *loaded.model;
    const std::unique_ptr<reference::Machine> machine = reference::make_machine(loaded, options);
    const std::vector<reference::State> states = some_states(*machine, seed);
    // The model's slots in the order of the machine's.
    std::map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < machine->names().size(); ++i) place[machine->names()[i]] = i;
    std::vector<std::size_t> order;
    for (const model::Model::SlotOwner owner : model.slot_owners()) order.push_back(place.at(model.slot_name(owner)));
    std::vector<std::vector<model::Value>> slots;
    for (const reference::State& state : states) {
        slots.emplace_back();
        for (const std::size_t i : order) slots.back().push_back(state[i]);
    }

    const Vocabulary vocabulary(*machine);
    RandomText random(model, seed);
    for (std::size_t i = 0; i < count; ++i) {
        const std::string text = random.expression(1 + static_cast<int>(i % 4));
        const support::Result<model::Expression> parsed = model::parse_expression(model, support::SourceText("", text));
        // A number that is no index of the array is a mistake in the text, and nothing to be compared.
        if (!parsed && parsed.diagnostics().front().message.find("is outside") != std::string::npos) continue;
        if (!parsed) {
            total.last_refusal = support::to_text(parsed.diagnostics().front());
            ++total.refused;
            continue;
        }
        ++total.accepted;
        try {
            const Formula formula(text, vocabulary);
            for (std::size_t s = 0; s < states.size(); ++s) {
                const model::Evaluation expected = model::evaluate(*parsed, model.tables, slots[s]);
                const reference::Answer answer = formula.evaluate(states[s]);
                const model::Value value = expected.fault == model::FaultKind::none ? expected.value : 0;
                ASSERT_TRUE(answer.fault == expected.fault &&
                            (answer.fault != model::FaultKind::none || answer.value == value))
                    << text << " in state " << s << ": " << value << " (fault " << static_cast<int>(expected.fault)
                    << ") and " << answer.value << " (fault " << static_cast<int>(answer.fault) << ")";
                ++total.values;
                total.faults += answer.fault != model::FaultKind::none ? 1 : 0;
                total.truths += answer.fault == model::FaultKind::none && answer.value != 0 ? 1 : 0;
            }
        } catch (const Objection& objection) {
            FAIL() << text << ": " << objection.what();
        }
    }
}

TEST(AuditExpression, AgreesWithTheRunsReadingOnModels) {
    Comparison total;
    std::uint64_t seed = 1;
    for (const char* folder : {"tests/models", "examples"}) {
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            if (entry.path().extension() != ".dve" && entry.path().extension() != ".aut" &&
                entry.path().extension() != ".json")
                continue;
            for (const bool with_property : {true, false}) {
                const input::LoadOptions options{false, with_property};
                const support::Result<input::LoadedModel> loaded = input::load_model(entry.path().string(), options);
                ASSERT_TRUE(loaded) << entry.path();
                compare(*loaded, options, 250, seed++, total);
                if (HasFatalFailure()) FAIL() << entry.path();
            }
        }
    }
    EXPECT_GT(total.accepted, 10'000U);
    EXPECT_GT(total.accepted, 50 * total.refused) << total.refused << " refused, such as " << total.last_refusal;
    EXPECT_GT(total.faults, total.values / 50);
    EXPECT_GT(total.truths, total.values / 5);
}

TEST(AuditExpression, AgreesWithTheRunsReadingOnEveryKindOfName) {
    for (const auto& [path, text] :
         {std::pair{"every.dve", kEveryName}, std::pair{"lights.json", kKripke},
          std::pair{"ring.aut", "des (0, 4, 3)\n(0, a, 1)\n(1, b, 2)\n(2, c, 0)\n(1, d, 1)\n"}}) {
        const support::Result<input::LoadedModel> loaded = input::load_model_text(path, text, {});
        ASSERT_TRUE(loaded) << support::to_text(loaded.diagnostics().front());
        Comparison total;
        compare(*loaded, {}, 4000, 99, total);
        if (HasFatalFailure()) FAIL() << path;
        EXPECT_GT(total.accepted, 50 * total.refused)
            << path << ": " << total.refused << " refused, such as " << total.last_refusal;
    }
}

struct Case {
    const char* text;
    std::int64_t value;
};

// The manual's page, line by line, without the help of the other reading.
TEST(AuditExpression, ReadsWhatTheManualSays) {
    const support::Result<input::LoadedModel> loaded = input::load_model_text("every.dve", kEveryName, {});
    ASSERT_TRUE(loaded);
    const std::unique_ptr<reference::Machine> machine = reference::make_machine(*loaded, {});
    const Vocabulary vocabulary(*machine);
    reference::State state = machine->initial_states().front();
    const auto set = [&](const std::string& name, std::int64_t value) {
        const auto found = std::find(machine->names().begin(), machine->names().end(), name);
        ASSERT_NE(found, machine->names().end()) << name;
        state[static_cast<std::size_t>(found - machine->names().begin())] = value;
    };
    set("P.idle", 7);
    set("P.b[1]", 4);
    set("a[2]", 9);
    set("c.length", 1);
    set("c[0].1", -3);
    set("d[1]", 6);
    set("Q", 1);
    for (const Case& each : std::vector<Case>{{"x", 1},
                                              {"a[2]", 9},
                                              {"a[x + 1]", 9},
                                              {"P.x", 0},
                                              {"P->x", 0},
                                              {"P.b[1]", 4},
                                              {"P.idle", 1},
                                              {"P->idle", 7},
                                              {"Q.s", 0},
                                              {"Q.t", 1},
                                              {"c.length", 1},
                                              {"c[0].1", -3},
                                              {"d[1]", 6},
                                              {"LIMIT", 3},
                                              {"table[1]", -7},
                                              {"P.STEP", 2},
                                              {"P.pick[1]", 0},
                                              {"true", 1},
                                              {"false", 0},
                                              {"42", 42},
                                              {"1 or 0 and 0", 1},
                                              {"1 | 2 & 0", 1},
                                              {"0 imply 0 imply 0", 0},
                                              {"1 == 2 != 1", 1},
                                              {"1 + 2 * 3", 7},
                                              {"8 - 4 - 2", 2},
                                              {"1 << 1 + 1", 4},
                                              {"6 & 3 == 3", 0},
                                              {"- - 3", 3},
                                              {"!0 && !!7", 1},
                                              {"not 1 == 1", 0},
                                              {"~0", -1},
                                              {"7 % -4", 3},
                                              {"5 || 1 / 0", 1},
                                              {"0 and 1 / 0", 0},
                                              {"3 and 4", 1},
                                              {"2 ^ 3 | 4", 5},
                                              {"1 < 2 == 1", 1},
                                              {"(1 or 0) and 0", 0}}) {
        const reference::Answer answer = Formula(each.text, vocabulary).evaluate(state);
        EXPECT_EQ(answer.fault, model::FaultKind::none) << each.text;
        EXPECT_EQ(answer.value, each.value) << each.text;
    }
    EXPECT_EQ(Formula("1 / P.x", vocabulary).evaluate(state).fault, model::FaultKind::division);
    EXPECT_EQ(Formula("a[3]", vocabulary).evaluate(state).fault, model::FaultKind::index);
    for (const char* text :
         {"", "P", "nobody", "x +", "(x", "x y", "a[0", "c[0]", "c[0].2", "P.", "1x", "99999999999999999999", "x = 1"})
        EXPECT_THROW(Formula(text, vocabulary), Objection) << text;
    const std::string deep(100'000, '(');
    EXPECT_THROW(Formula(deep, vocabulary), Objection);
    std::string lengthy = "x";
    for (int i = 0; i < 100'000; ++i) lengthy += " or x";
    EXPECT_EQ(Formula(lengthy, vocabulary).evaluate(state).value, 1);
}

}  // namespace
}  // namespace tideline::audit
