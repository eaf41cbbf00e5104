#include "tests/differential/random_promela.hpp"

#include <algorithm>
#include <vector>

#include "tests/differential/random_numbers.hpp"

namespace tideline::differential {
namespace {

struct Channel {
    std::string name;
    int capacity = 0;
    std::vector<std::string> fields;  // types
};

// Where a statement stands.
struct Around {
    int depth = 1;
    bool in_d_step = false;
    bool in_loop = false;
    bool in_claim = false;
    [[nodiscard]] Around deeper() const {
        Around result = *this;
        ++result.depth;
        return result;
    }
};

class Writer {
public:
    explicit Writer(std::uint64_t seed) : dice_(seed * 7919 + 13) {}

    std::string run(const RandomPromelaOptions& options) {
        options_ = options;
        with_structure_ = dice_.chance(30);
        with_atomic_ = dice_.chance(60);
        with_unless_ = dice_.chance(25);
        with_timeout_ = dice_.chance(25);
        with_labels_ = dice_.chance(50);
        with_loops_ = dice_.chance(40);
        talks_ = dice_.chance(50);
        out_ += "mtype = { ma, mb, mc }\n";
        if (dice_.chance(15)) {
            out_ += "mtype:colour = { red, blue }\nmtype:colour m0 = blue;\n";
            variables_.emplace_back("m0");
        }
        if (with_structure_)
            out_ += "typedef T { byte f; bit g[2] }\ntypedef V { T t; unsigned u : 2 }\nT s;\nT ss[2];\nV v;\n";
        globals();
        channels();
        if (dice_.chance(30)) {
            out_ += "inline step(to, by) { to = (to + by) % 3 }\n";
            inline_ = true;
            if (dice_.chance(50)) {
                out_ +=
                    "inline twice(it) { byte before = it; if :: it < 2 -> step(it, 1); step(it, before) :: else -> skip; skip; it = 0 fi }\n";
                nested_inline_ = true;
            }
        }
        const bool dynamic = dice_.chance(50);
        const int types = dice_.between(1, 2);
        for (int i = 0; i < types; ++i) proctype(i, dynamic);
        if (dynamic) init(types);
        return out_;
    }

private:
    void globals() {
        const int count = dice_.between(1, 3);
        for (int i = 0; i < count; ++i) {
            static const std::vector<std::string> kTypes{"byte", "bit",      "bool",  "short",
                                                         "int",  "unsigned", "mtype", "pid"};
            const std::string name = "g" + std::to_string(i);
            const std::string& type = dice_.one_of(kTypes);
            out_ += type + " " + name + (type == "unsigned" ? " : 3" : "") + (dice_.chance(30) ? " = 1;\n" : ";\n");
            variables_.push_back(name);
        }
        if (dice_.chance(40)) {
            out_ += dice_.chance(50)   ? "byte a[3];\n"
                    : dice_.chance(50) ? "byte a[3] = 1;\n"
                                       : "short a[3] = { 2, 1 };\n";
            array_ = true;
        }
    }

    void channels() {
        const int count = dice_.between(1, 3);
        for (int i = 0; i < count; ++i) {
            Channel c{"c" + std::to_string(i), dice_.chance(40) ? 0 : dice_.between(1, 2), {}};
            static const std::vector<std::string> kTypes{"byte", "mtype", "bit", "short", "byte", "bool"};
            const int fields = dice_.between(1, 2);
            for (int f = 0; f < fields; ++f) c.fields.push_back(dice_.one_of(kTypes));
            std::string types;
            for (const std::string& type : c.fields) types += (types.empty() ? "" : ", ") + type;
            out_ += "chan " + c.name + " = [" + std::to_string(c.capacity) + "] of { " + types + " };\n";
            channels_.push_back(c);
        }
        if (dice_.chance(20)) {
            const int capacity = dice_.between(0, 1);
            out_ += "chan d[2] = [" + std::to_string(capacity) + "] of { byte };\n";
            channels_.push_back({"d[0]", capacity, {"byte"}});
            channels_.push_back({"d[1]", capacity, {"byte"}});
            if (dice_.chance(50)) channels_.push_back({"d[g0 & 1]", capacity, {"byte"}});
        }
        if (with_structure_ && dice_.chance(30)) {
            const int capacity = dice_.between(0, 2);
            out_ += "chan st = [" + std::to_string(capacity) + "] of { T };\n";
            of_structures_ = true;
        }
        if (dice_.chance(15)) {
            out_ += "chan cc = [1] of { chan };\n";
            of_channels_ = true;
        }
    }

    void proctype(int number, bool dynamic) {
        const std::string name = "P" + std::to_string(number);
        const bool parameter = dynamic && dice_.chance(60);
        const bool channel_parameter = dynamic && dice_.chance(20);
        const std::vector<std::string> globals = variables_;
        const std::vector<Channel> channels = channels_;
        if (!dynamic) out_ += dice_.chance(30) ? "active [2] " : "active ";
        std::string parameters = parameter ? "byte p" : "";
        if (channel_parameter) parameters += std::string(parameter ? "; " : "") + "chan pc";
        out_ += "proctype " + name + "(" + parameters + ")";
        if (dice_.chance(8)) out_ += " provided (" + dice_.one_of(variables_) + " < 2)";
        out_ += " {\n";
        if (dynamic) parameters_.push_back({parameter, channel_parameter});
        if (parameter) variables_.emplace_back("p");
        if (channel_parameter) {
            Channel c = channels_.front();
            c.name = "pc";
            channels_.push_back(c);
        }
        if (dice_.chance(60)) {
            out_ += "  byte x" + std::string(dice_.chance(30) ? " = 2" : "") + ";\n";
            variables_.emplace_back("x");
        }
        if (dice_.chance(10)) {
            out_ += "  short y[2] = 1;\n";
            variables_.emplace_back("y[0]");
            variables_.emplace_back("y[1]");
        }
        if (dice_.chance(20)) {
            out_ += "  chan q = " + channels_.front().name + ";\n";
            Channel c = channels_.front();
            c.name = "q";
            channels_.push_back(c);
        }
        if (dice_.chance(10)) {
            out_ += "  chan l = [1] of { byte, bit };\n";
            channels_.push_back({"l", 1, {"byte", "bit"}});
        }
        if (of_channels_ && dice_.chance(60)) {
            out_ += "  chan r;\n";
            reads_channels_ = true;
        }
        body(dice_.between(2, 4));
        out_ += "}\n";
        variables_ = globals;
        channels_ = channels;
        reads_channels_ = false;
    }

    // Labels are chosen first, so that jumps go forwards too; what was not placed stands at the end.
    void body(int length) {
        labels_.clear();
        placed_ = 0;
        if (with_labels_)
            for (int i = dice_.between(0, 3); i > 0; --i) {
                static const std::vector<std::string> kPrefixes{"L", "L", "end", "progress", "accept"};
                labels_.push_back(dice_.one_of(kPrefixes) + std::to_string(i));
            }
        if (dice_.chance(25)) out_ += "end0:\n";
        sequence({}, length, true);
        for (; placed_ < labels_.size(); ++placed_) out_ += "  ;" + labels_[placed_] + ": skip\n";
        labels_.clear();
    }

    void init(int types) {
        out_ += "init {\n";
        if (dice_.chance(20)) out_ += "  pid child;\n";
        const bool keeps = out_.ends_with("child;\n");
        const bool together = dice_.chance(60);
        if (together) out_ += "  atomic {\n";
        const int runs = dice_.between(1, 2);
        for (int i = 0; i < runs; ++i) {
            const auto type = dice_.below(static_cast<std::size_t>(types));
            std::string arguments = parameters_[type].first ? std::to_string(dice_.below(3)) : "";
            if (parameters_[type].second) arguments += (arguments.empty() ? "" : ", ") + channels_.front().name;
            out_ +=
                std::string(keeps ? "  child = " : "  ") + "run P" + std::to_string(type) + "(" + arguments + ");\n";
        }
        if (together) out_ += "  };\n";
        if (dice_.chance(30)) out_ += "  (_nr_pr == 1);\n";
        body(1);
        out_ += "}\n";
    }

    std::string variable() {
        if (array_ && dice_.chance(20)) return "a[" + std::to_string(dice_.below(3)) + "]";
        if (array_ && dice_.chance(5)) return "a[" + dice_.one_of(variables_) + " % 3]";
        if (with_structure_ && dice_.chance(20)) {
            static const std::vector<std::string> kParts{"s.f", "ss[1].g[0]", "ss[0].g[1]", "v.u", "v.t.f", "v.t.g[1]"};
            return dice_.one_of(kParts);
        }
        return dice_.one_of(variables_);
    }

    std::string expression(int depth = 2) {
        switch (dice_.below(depth > 0 ? 12 : 3)) {
            case 0: return std::to_string(dice_.below(4));
            case 1:
            case 2: return variable();
            case 3: return "(" + expression(depth - 1) + " + " + expression(depth - 1) + ")";
            case 4: return "(" + expression(depth - 1) + " * " + expression(depth - 1) + " - 1)";
            case 5: return "(" + expression(depth - 1) + " & " + expression(depth - 1) + ")";
            case 6: return "(" + variable() + " > 0 -> " + expression(depth - 1) + " : " + expression(depth - 1) + ")";
            case 7: return "(" + expression(depth - 1) + " % 3)";
            case 8: return "(" + variable() + " << 1 | " + expression(depth - 1) + ")";
            case 9: return "(" + expression(depth - 1) + " ^ " + variable() + " >> 1)";
            case 10: return "(" + variable() + " / 2 - ~" + variable() + ")";
            default: return "_pid";
        }
    }

    std::string condition(int depth = 2) {
        static const std::vector<std::string> kSigns{"==", "!=", "<", "<=", ">", ">="};
        switch (dice_.below(depth > 0 ? 9 : 2)) {
            case 0:
            case 1:
            case 2: return variable() + " " + dice_.one_of(kSigns) + " " + std::to_string(dice_.below(3));
            case 3: return "(" + condition(depth - 1) + " && " + condition(depth - 1) + ")";
            case 4: return "(" + condition(depth - 1) + " || " + condition(depth - 1) + ")";
            case 5: return "!(" + condition(depth - 1) + ")";
            case 6:
            case 7: {
                const Channel& c = dice_.one_of(channels_);
                if (c.capacity == 0 || depth < 2) return "(" + variable() + " == 1)";
                if (dice_.chance(25)) return "(" + c.name + (dice_.chance(50) ? "?[" : "??[") + patterns(c) + "])";
                static const std::vector<std::string> kTests{"empty", "nempty", "full", "nfull"};
                return dice_.chance(50) ? "(len(" + c.name + ") > 0)" : dice_.one_of(kTests) + "(" + c.name + ")";
            }
            default: return "(" + expression(depth - 1) + ")";
        }
    }

    std::string message(const Channel& c) {
        std::string result;
        for (const std::string& type : c.fields) {
            if (!result.empty()) result += ",";
            if (type == "mtype" && dice_.chance(50)) result += dice_.chance(50) ? "ma" : "mb";
            else result += dice_.chance(50) ? std::to_string(dice_.below(4)) : variable();
        }
        return result;
    }
    // What is evaluated is no variable that the same message sets: SPIN restores such a message wrongly when it
    // backtracks.
    std::string patterns(const Channel& c) {
        std::vector<std::string> set;
        std::vector<std::string> evaluated;
        const auto is_in = [](const std::vector<std::string>& list, const std::string& name) {
            return std::find(list.begin(), list.end(), name) != list.end();
        };
        std::string result;
        for (std::size_t i = 0; i < c.fields.size(); ++i) {
            std::string one = std::to_string(dice_.below(3));
            const std::string name = dice_.one_of(variables_);
            switch (dice_.below(4)) {
                case 0: break;
                case 1:
                    if (is_in(set, name)) break;
                    evaluated.push_back(name);
                    one = "eval(" + name + ")";
                    break;
                case 2: one = "_"; break;
                default:
                    one = evaluated.empty() ? variable() : is_in(evaluated, name) ? "_" : name;
                    set.push_back(one);
                    break;
            }
            result += (i > 0 ? "," : "") + one;
        }
        return result;
    }

    void assignment(const std::string& indent) {
        const std::string target = variable();
        if (dice_.chance(6)) {
            static const std::vector<std::string> kLarge{"-1", "257", "65537", "-32769", "(1 << 31)"};
            out_ += indent + target + " = " + dice_.one_of(kLarge);
        } else if (dice_.chance(4)) {
            out_ += indent + target + (dice_.chance(50) ? " = 1 - " + target : " = !" + target);
        } else {
            out_ += indent + target + " = (" + expression() + ") % " + std::to_string(dice_.between(2, 4));
        }
    }

    void send(const std::string& indent) {
        if (of_structures_ && dice_.chance(20)) {
            out_ += indent + "st!" + (dice_.chance(50) ? "s" : "ss[1]");
            return;
        }
        if (of_channels_ && dice_.chance(15)) {
            out_ += indent + "cc!" + channels_.front().name;
            return;
        }
        const Channel& c = dice_.one_of(channels_);
        out_ += indent + c.name + (c.capacity > 0 && dice_.chance(20) ? "!!" : "!") + message(c);
    }
    void receive(const std::string& indent) {
        if (of_structures_ && dice_.chance(20)) {
            out_ += indent + "st?" + (dice_.chance(50) ? "ss[0]" : "v.t");
            return;
        }
        if (reads_channels_ && dice_.chance(30)) {
            const Channel& c = channels_.front();
            out_ += indent + "cc?r";
            if (dice_.chance(60))
                out_ += ";\n" + indent + "r" + (dice_.chance(50) ? "!" + message(c) : "?" + patterns(c));
            return;
        }
        const Channel& c = dice_.one_of(channels_);
        const bool keep = c.capacity > 0 && dice_.chance(15);
        out_ += indent + c.name + (c.capacity > 0 && dice_.chance(20) ? "??" : "?") + (keep ? "<" : "") + patterns(c) +
                (keep ? ">" : "");
    }

    // A statement without a separator behind it. Deterministic ones only inside d_step. `first`: it begins a sequence,
    // where no label may stand.
    void statement(const Around& around, bool first, bool top) {
        const std::string indent(static_cast<std::size_t>(2 * around.depth), ' ');
        const bool deep = around.depth > 3;
        bool special = false;
        if ((!first || top) && !around.in_d_step && placed_ < labels_.size() && dice_.chance(25)) {
            special = !labels_[placed_].starts_with('L');
            out_ += indent + labels_[placed_++] + ":\n";
            if (special && dice_.chance(25) && jump(around, indent)) return;
        } else if (!around.in_d_step && !labels_.empty() && dice_.chance(10) && jump(around, indent)) {
            return;
        }
        const bool plain = around.in_d_step;
        switch (dice_.below(deep ? 6 : 13)) {
            case 0:
            case 1:
                if (plain || !talks_ || dice_.chance(50)) return assignment(indent);
                return dice_.chance(50) ? send(indent) : receive(indent);
            case 2:
                if (plain) assignment(indent);
                else out_ += indent + "(" + condition() + ")";
                return;
            case 3: plain ? assignment(indent) : send(indent); return;
            case 4: plain ? assignment(indent) : receive(indent); return;
            case 5: idle(indent, plain); return;
            case 6:
            case 7: choice(around, false); return;
            case 8: plain ? assignment(indent) : choice(around, true); return;
            case 9:
            case 10:
                if (!with_atomic_ || plain) return assignment(indent);
                return indivisible(around, indent);
            case 11:
                if (!with_loops_) return assignment(indent);
                return counted(around, indent);
            default:
                if (!with_unless_ || plain) return assignment(indent);
                return escape(around, indent);
        }
    }

    // To a label, or out of a loop.
    bool jump(const Around& around, const std::string& indent) {
        if (around.in_loop && dice_.chance(40)) {
            out_ += indent + "break";
            return true;
        }
        if (labels_.empty()) return false;
        out_ += indent + "goto " + dice_.one_of(labels_);
        return true;
    }

    void idle(const std::string& indent, bool in_d_step) {
        if (dice_.chance(20)) out_ += indent + "assert(" + condition() + ")";
        else if (nested_inline_ && !in_d_step && dice_.chance(25))
            out_ += indent + "twice(" + dice_.one_of(variables_) + ")";
        else if (inline_ && !in_d_step && dice_.chance(40))
            out_ += indent + "step(" + dice_.one_of(variables_) + ", 1)";
        else out_ += indent + (dice_.chance(30) ? "printf(\"x\\n\")" : "skip");
    }

    void indivisible(const Around& around, const std::string& indent) {
        Around inside = around.deeper();
        if (dice_.chance(60)) {
            out_ += indent + "atomic {\n";
        } else {
            out_ += indent + "d_step {\n";
            inside.in_d_step = true;
        }
        sequence(inside, dice_.between(1, 3), false);
        out_ += indent + "}";
    }

    // for and select, and blocks of statements.
    void counted(const Around& around, const std::string& indent) {
        const std::string counter = dice_.one_of(variables_);
        Around inside = around.deeper();
        switch (dice_.below(4)) {
            case 0:
                out_ += indent + "select(" + counter + " : 0 .. " + std::to_string(dice_.between(1, 2)) + ")";
                if (around.in_d_step)
                    out_.replace(out_.rfind(indent + "select"), std::string::npos, indent + counter + " = 1");
                return;
            case 1:
                if (around.in_d_step) return assignment(indent);
                out_ += indent + "select(" + counter + " : " + dice_.one_of(variables_) + " .. 2)";
                return;
            case 2:
                if (counter.find('[') != std::string::npos || around.in_d_step) return assignment(indent);
                out_ += indent + "for (" + counter + " : 0 .. " + std::to_string(dice_.between(0, 2)) + ") {\n";
                inside.in_loop = false;
                sequence(inside, 1, false);
                out_ += indent + "}";
                return;
            default:
                out_ += indent + "{\n";
                sequence(inside, dice_.between(1, 2), false);
                out_ += indent + "}";
                return;
        }
    }

    void escape(const Around& around, const std::string& indent) {
        const Around inside = around.deeper();
        out_ += indent + (dice_.chance(20) ? "atomic {\n" : "{\n");
        sequence(inside, dice_.between(1, 2), false);
        out_ += indent + "} unless {\n";
        if (dice_.chance(75)) {
            out_ += indent + "  (" + condition(1) + ");\n";
        } else {
            const Channel& c = dice_.one_of(channels_);
            out_ += indent + "  " + c.name + "?" + patterns(c) + ";\n";
        }
        sequence(inside, 1, false);
        out_ += indent + "}";
    }

    void choice(const Around& around, bool loop) {
        const std::string indent(static_cast<std::size_t>(2 * around.depth), ' ');
        Around inside = around.deeper();
        inside.in_loop |= loop;
        out_ += indent + (loop ? "do\n" : "if\n");
        const int options = dice_.between(1, 2);
        const bool otherwise = loop || around.in_d_step || dice_.chance(40);
        for (int i = 0; i < options; ++i) {
            out_ += indent + ":: ";
            if (dice_.chance(60) || otherwise) {
                // Sometimes the option begins with another statement than a condition.
                if (!around.in_d_step && dice_.chance(12)) {
                    out_ += "\n";
                    if (dice_.chance(50)) send(indent);
                    else receive(indent);
                    out_ += ";\n";
                } else {
                    out_ += condition() + " ->\n";
                }
                sequence(inside, dice_.between(1, 2), false, false);
            } else {
                if (with_timeout_ && dice_.chance(20)) out_ += "timeout ->";
                out_ += "\n";
                sequence(inside, dice_.between(1, 2), false);
            }
            if (loop && dice_.chance(25)) {
                out_.insert(out_.size() - 1, ";");
                out_ += indent + "  break\n";
            }
        }
        if (otherwise) {
            out_ += indent + ":: else -> ";
            out_ += loop ? "break\n" : dice_.chance(70) ? "skip\n" : "skip; skip; printf(\"e\"); skip; skip\n";
        }
        out_ += indent + (loop ? "od" : "fi");
    }

    void sequence(const Around& around, int length, bool top, bool at_start = true) {
        for (int i = 0; i < length; ++i) {
            statement(around, at_start && i == 0, top && i > 0);
            out_ += i + 1 < length ? ";\n" : "\n";
        }
    }

    RandomNumbers dice_;
    RandomPromelaOptions options_;
    std::string out_;
    std::vector<std::string> variables_;
    std::vector<Channel> channels_;
    std::vector<std::pair<bool, bool>> parameters_;  // by proctype: a byte, a chan
    std::vector<std::string> labels_;
    std::size_t placed_ = 0;
    bool with_structure_ = false;
    bool with_atomic_ = false;
    bool with_unless_ = false;
    bool with_timeout_ = false;
    bool with_labels_ = false;
    bool with_loops_ = false;
    bool talks_ = false;
    bool of_structures_ = false;
    bool of_channels_ = false;
    bool reads_channels_ = false;
    bool array_ = false;
    bool inline_ = false;
    bool nested_inline_ = false;
};

}  // namespace

std::string random_promela(std::uint64_t seed, const RandomPromelaOptions& options) {
    return Writer(seed).run(options);
}

}  // namespace tideline::differential
