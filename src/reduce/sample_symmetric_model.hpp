// Random DVE models with symmetry, for tests: copies of a process (and sometimes of a second one), arrays indexed by
// them, variables that hold who they are, one process that is alone.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace tideline::reduce::samples {

struct SymmetricModel {
    std::string text;
    std::vector<std::vector<std::string>> copies;  // names of processes that are copies of each other
    std::vector<std::string> atoms;                // conditions that the exchange of copies does not change
    std::string broken_atom;                       // one that it does
};

class SymmetricModelWriter {
public:
    explicit SymmetricModelWriter(std::uint64_t seed) : random_(seed) {}

    SymmetricModel write() {
        n_ = 2 + below(3);
        has_names_ = below(3) != 0;
        has_channel_ = below(4) == 0;
        const bool has_second = n_ < 4 && below(4) == 0;
        second_ = has_second ? 2 : 0;
        locations_ = 2 + below(2);
        std::string text = "byte a[" + number(n_) + "];\nbyte b[" + number(n_) + "];\nbyte shared;\n";
        if (has_names_)
            text +=
                "byte turn = " + number(n_) + ";\nbyte friend[" + number(n_) + "] = " + list(n_, number(n_)) + ";\n";
        if (has_channel_) text += has_names_ && below(2) == 0 ? typed_channel() : "channel c;\n";
        choose_steps();
        for (std::size_t i = 0; i < n_; ++i) text += process("P_" + number(i), i, steps_);
        for (std::size_t i = 0; i < second_; ++i) text += second_process(i);
        if (below(3) == 0) text += lone_process();
        SymmetricModel made;
        made.text = text + "system async;\n";
        made.copies.push_back(names("P_", n_));
        if (second_ > 0) made.copies.push_back(names("Q_", second_));
        made.atoms = {each("(P_{i}.s1)", " or "), "(" + each("P_{i}.s1", " + ") + ") < 2", "shared == 1",
                      "(" + each("a[{i}]", " + ") + ") > 1",
                      "not (" + each("(P_{i}.s0 and a[{i}] == 1)", " and ") + ")"};
        if (has_names_) made.atoms.push_back("turn == " + number(n_));
        made.broken_atom = "P_0.s1";
        return made;
    }

private:
    struct Step {
        std::size_t from = 0;
        std::size_t to = 0;
        std::string guard;  // with {me}, {others}
        std::string sync;
        std::string effect;
    };

    std::size_t below(std::size_t n) { return random_() % n; }
    static std::string number(std::size_t n) { return std::to_string(n); }
    static std::string list(std::size_t n, const std::string& value) {
        std::string text = "{";
        for (std::size_t i = 0; i < n; ++i) text += (i == 0 ? "" : ", ") + value;
        return text + "}";
    }
    static std::vector<std::string> names(const std::string& prefix, std::size_t n) {
        std::vector<std::string> result;
        for (std::size_t i = 0; i < n; ++i) result.push_back(prefix + number(i));
        return result;
    }
    static std::string replaced(std::string text, const std::string& what, const std::string& by) {
        for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
            text.replace(at, what.size(), by);
        return text;
    }
    [[nodiscard]] std::string each(const std::string& form, const std::string& glue, std::size_t but = ~0ULL) const {
        std::string text;
        for (std::size_t i = 0; i < n_; ++i)
            if (i != but) text += (text.empty() ? "" : glue) + replaced(form, "{i}", number(i));
        return text;
    }
    std::string typed_channel() {
        is_typed_ = true;
        return "channel {byte} c[0];\n";
    }

    std::string guard() {
        std::vector<std::string> choices{"a[{me}] == " + number(below(3)),
                                         "b[{me}] != " + number(below(2)),
                                         "shared < 2",
                                         "{all:a[{i}] == 0}",
                                         "{some:b[{i}] == 1}",
                                         "{sum:a[{i}]} < 2"};
        if (has_names_) {
            choices.push_back("turn == {me}");
            choices.push_back("turn == " + number(n_));
            choices.push_back("friend[{me}] != " + number(n_) + " and a[friend[{me}]] != 2");
            choices.push_back("{all:friend[{i}] != {me}}");
        }
        return choices[below(choices.size())];
    }
    std::string effect() {
        std::vector<std::string> choices{"a[{me}] = " + number(below(3)), "b[{me}] = 1 - b[{me}] % 2",
                                         "shared = (shared + 1) % 3", "x = (x + 1) % 2", "b[{me}] = x"};
        if (has_names_) {
            choices.push_back("turn = {me}");
            choices.push_back("turn = " + number(n_));
            choices.push_back("friend[{me}] = turn");
            choices.push_back("turn = friend[{me}]");
            choices.push_back("friend[{me}] = {me}");
        }
        if (below(12) == 0) return "b[{me}] = 2 / a[{me}]";
        return choices[below(choices.size())];
    }
    void choose_steps() {
        const std::size_t count = 3 + below(3);
        for (std::size_t i = 0; i < count; ++i) {
            Step step{below(locations_), below(locations_), guard(), "", effect()};
            if (below(2) == 0) step.guard += " and " + guard();
            if (below(2) == 0) step.effect += ", " + effect();
            if (i == 0) step.from = 0;
            if (has_channel_ && i >= 1 && i <= 2)
                step.sync = i == 1 ? (is_typed_ ? "sync c!{me};" : "sync c!;")
                                   : (is_typed_ ? "sync c?friend[{me}];" : "sync c?;");
            steps_.push_back(step);
        }
    }
    [[nodiscard]] std::string filled(std::string text, std::size_t me) const {
        for (const auto& [mark, glue] : {std::pair{"{all:", " and "}, {"{some:", " or "}, {"{sum:", " + "}}) {
            for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
                std::size_t end = at + 1;
                for (std::size_t depth = 1; depth > 0; ++end) {
                    if (text[end] == '{') ++depth;
                    if (text[end] == '}') --depth;
                }
                const std::size_t begin = at + std::string(mark).size();
                const std::string form = text.substr(begin, end - 1 - begin);
                text = text.substr(0, at) + "(" + each(form, glue, std::string(mark) == "{sum:" ? ~0ULL : me) + ")" +
                       text.substr(end);
            }
        }
        return replaced(std::move(text), "{me}", number(me));
    }
    std::string process(const std::string& name, std::size_t me, const std::vector<Step>& steps) const {
        std::string text = "process " + name + " {\n  byte x;\n  state ";
        for (std::size_t l = 0; l < locations_; ++l) text += (l == 0 ? "s" : ", s") + number(l);
        text += ";\n  init s0;\n  trans\n";
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step& step = steps[i];
            text += "    s" + number(step.from) + " -> s" + number(step.to) + " { guard " + filled(step.guard, me) +
                    "; " + filled(step.sync, me) + " effect " + filled(step.effect, me) + "; }" +
                    (i + 1 < steps.size() ? ",\n" : ";\n");
        }
        return text + "}\n";
    }
    std::string second_process(std::size_t me) const {
        return "process Q_" + number(me) +
               " {\n  state q0, q1;\n  init q0;\n  trans\n    q0 -> q1 { guard shared == 1; effect shared = 0; },\n"
               "    q1 -> q0 { guard " +
               each("a[{i}] != 1", " or ") + "; };\n}\n";
    }
    std::string lone_process() {
        std::string effect = each("a[{i}] = " + number(below(2)), ", ");
        if (has_names_ && below(2) == 0) effect += ", turn = " + number(n_);
        return "process Lone {\n  state l0, l1;\n  init l0;\n  trans\n    l0 -> l1 { guard " +
               each("b[{i}] == 1", " and ") + "; effect " + effect +
               "; },\n    l1 -> l0 { guard shared == 2; effect shared = 0; };\n}\n";
    }

    std::mt19937_64 random_;
    std::size_t n_ = 2;
    std::size_t second_ = 0;
    std::size_t locations_ = 2;
    bool has_names_ = false;
    bool has_channel_ = false;
    bool is_typed_ = false;
    std::vector<Step> steps_;
};

inline SymmetricModel random_symmetric_model(std::uint64_t seed) { return SymmetricModelWriter(seed).write(); }

}  // namespace tideline::reduce::samples
