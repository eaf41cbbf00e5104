#include "tests/differential/random_promela.hpp"

#include <vector>

#include "tests/differential/random_numbers.hpp"

namespace tideline::differential {
namespace {

struct Channel {
    std::string name;
    int capacity = 0;
    int fields = 1;
};

class Writer {
public:
    explicit Writer(std::uint64_t seed) : dice_(seed * 7919 + 13) {}

    std::string run() {
        with_structure_ = dice_.chance(30);
        with_atomic_ = dice_.chance(60);
        with_unless_ = dice_.chance(20);
        with_timeout_ = dice_.chance(25);
        out_ += "mtype = { ma, mb, mc }\n";
        if (with_structure_) out_ += "typedef T { byte f; bit g[2] }\nT s;\nT ss[2];\n";
        const int globals = dice_.between(1, 3);
        for (int i = 0; i < globals; ++i) {
            static const std::vector<std::string> kTypes{"byte", "bit", "bool", "short", "int"};
            const std::string name = "g" + std::to_string(i);
            out_ += dice_.one_of(kTypes) + " " + name + (dice_.chance(30) ? " = 1;\n" : ";\n");
            variables_.push_back(name);
        }
        if (dice_.chance(40)) {
            out_ += "byte a[3];\n";
            array_ = true;
        }
        const int channels = dice_.between(1, 3);
        for (int i = 0; i < channels; ++i) {
            Channel c{"c" + std::to_string(i), dice_.chance(40) ? 0 : dice_.between(1, 2), dice_.between(1, 2)};
            out_ += "chan " + c.name + " = [" + std::to_string(c.capacity) + "] of { " +
                    (dice_.chance(30) ? "mtype" : "byte") + (c.fields == 2 ? ", bit" : "") + " };\n";
            channels_.push_back(c);
        }
        if (dice_.chance(30)) {
            out_ += "inline step(v, w) { v = (v + w) % 3 }\n";
            inline_ = true;
        }
        const bool dynamic = dice_.chance(50);
        const int types = dice_.between(1, 2);
        for (int i = 0; i < types; ++i) proctype(i, dynamic);
        if (dynamic) init(types);
        return out_;
    }

private:
    void proctype(int number, bool dynamic) {
        const std::string name = "P" + std::to_string(number);
        parameter_ = dynamic && dice_.chance(60);
        const std::vector<std::string> globals = variables_;
        if (!dynamic) {
            out_ += dice_.chance(30) ? "active [2] " : "active ";
        }
        out_ += "proctype " + name + "(" + (parameter_ ? "byte p" : "") + ")";
        if (dice_.chance(8)) out_ += " provided (" + dice_.one_of(variables_) + " < 2)";
        out_ += " {\n";
        if (dynamic) has_parameter_.push_back(parameter_);
        if (parameter_) variables_.push_back("p");
        if (dice_.chance(60)) {
            out_ += "  byte x" + std::string(dice_.chance(30) ? " = 2" : "") + ";\n";
            variables_.push_back("x");
        }
        if (dice_.chance(20)) {
            out_ += "  chan q = c0;\n";
            local_channel_ = true;
        }
        label_ = 0;
        if (dice_.chance(25)) out_ += "end0:\n";
        sequence(1, dice_.between(2, 4), false);
        out_ += "}\n";
        variables_ = globals;
        local_channel_ = false;
    }

    void init(int types) {
        out_ += "init {\n";
        const bool together = dice_.chance(60);
        if (together) out_ += "  atomic {\n";
        const int runs = dice_.between(1, 2);
        for (int i = 0; i < runs; ++i) {
            const auto type = dice_.below(static_cast<std::size_t>(types));
            out_ += "  run P" + std::to_string(type) + "(" +
                    (has_parameter_[type] ? std::to_string(dice_.below(3)) : "") + ");\n";
        }
        if (together) out_ += "  };\n";
        if (dice_.chance(30)) out_ += "  (_nr_pr == 1);\n";
        parameter_ = false;
        sequence(1, 1, false);
        out_ += "}\n";
    }

    std::string variable() {
        if (array_ && dice_.chance(20)) return "a[" + std::to_string(dice_.below(3)) + "]";
        if (array_ && dice_.chance(5)) return "a[" + dice_.one_of(variables_) + " % 3]";
        if (with_structure_ && dice_.chance(20))
            return dice_.chance(50) ? "s.f" : "ss[1].g[" + std::to_string(dice_.below(2)) + "]";
        return dice_.one_of(variables_);
    }

    std::string expression(int depth = 2) {
        switch (dice_.below(depth > 0 ? 9 : 3)) {
            case 0: return std::to_string(dice_.below(4));
            case 1:
            case 2: return variable();
            case 3: return "(" + expression(depth - 1) + " + " + expression(depth - 1) + ")";
            case 4: return "(" + expression(depth - 1) + " * " + expression(depth - 1) + " - 1)";
            case 5: return "(" + expression(depth - 1) + " & " + expression(depth - 1) + ")";
            case 6: return "(" + variable() + " > 0 -> " + expression(depth - 1) + " : " + expression(depth - 1) + ")";
            case 7: return "(" + expression(depth - 1) + " % 3)";
            default: return "_pid";
        }
    }

    std::string condition(int depth = 2) {
        static const std::vector<std::string> kSigns{"==", "!=", "<", "<=", ">", ">="};
        switch (dice_.below(depth > 0 ? 8 : 2)) {
            case 0:
            case 1:
            case 2: return variable() + " " + dice_.one_of(kSigns) + " " + std::to_string(dice_.below(3));
            case 3: return "(" + condition(depth - 1) + " && " + condition(depth - 1) + ")";
            case 4: return "(" + condition(depth - 1) + " || " + condition(depth - 1) + ")";
            case 5: return "!(" + condition(depth - 1) + ")";
            case 6: {
                const Channel& c = dice_.one_of(channels_);
                if (c.capacity == 0 || depth < 2) return "(" + variable() + " == 1)";
                static const std::vector<std::string> kTests{"empty", "nempty", "full", "nfull"};
                return dice_.chance(50) ? "(len(" + c.name + ") > 0)" : dice_.one_of(kTests) + "(" + c.name + ")";
            }
            default: return "(" + expression(depth - 1) + ")";
        }
    }

    std::string message(const Channel& c) {
        std::string result = dice_.chance(50) ? std::to_string(dice_.below(4)) : dice_.chance(30) ? "ma" : variable();
        if (c.fields == 2) result += "," + std::string(dice_.chance(50) ? "1" : variable());
        return result;
    }
    std::string patterns(const Channel& c) {
        const auto one = [&]() -> std::string {
            switch (dice_.below(4)) {
                case 0: return std::to_string(dice_.below(3));
                case 1: return "eval(" + variable() + ")";
                case 2: return "_";
                default: return variable();
            }
        };
        return one() + (c.fields == 2 ? "," + one() : "");
    }

    void assignment(const std::string& indent) {
        const std::string target = variable();
        out_ += indent + target + " = (" + expression() + ") % " + std::to_string(dice_.between(2, 4));
    }

    // A statement without a separator behind it. Deterministic ones only inside d_step.
    void statement(int depth, bool in_d_step) {
        const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
        const bool deep = depth > 3;
        switch (dice_.below(deep ? 6 : 12)) {
            case 0:
            case 1: assignment(indent); return;
            case 2:
                if (in_d_step) assignment(indent);
                else out_ += indent + "(" + condition() + ")";
                return;
            case 3: {
                const Channel& c = dice_.one_of(channels_);
                if (in_d_step) return assignment(indent);
                const bool through = local_channel_ && c.name == "c0" && dice_.chance(50);
                out_ +=
                    indent + (through ? "q" : c.name) + (c.capacity > 0 && dice_.chance(20) ? "!!" : "!") + message(c);
                return;
            }
            case 4: {
                const Channel& c = dice_.one_of(channels_);
                if (in_d_step) return assignment(indent);
                const bool keep = c.capacity > 0 && dice_.chance(15);
                out_ += indent + c.name + (c.capacity > 0 && dice_.chance(20) ? "??" : "?") + (keep ? "<" : "") +
                        patterns(c) + (keep ? ">" : "");
                return;
            }
            case 5:
                if (dice_.chance(20)) out_ += indent + "assert(" + condition() + ")";
                else if (inline_ && !in_d_step && dice_.chance(40))
                    out_ += indent + "step(" + dice_.one_of(variables_) + ", 1)";
                else out_ += indent + (dice_.chance(30) ? "printf(\"x\\n\")" : "skip");
                return;
            case 6:
            case 7: choice(depth, false, in_d_step); return;
            case 8:
                if (in_d_step) return assignment(indent);
                choice(depth, true, false);
                return;
            case 9:
            case 10:
                if (!with_atomic_ || in_d_step) return assignment(indent);
                if (dice_.chance(60)) {
                    out_ += indent + "atomic {\n";
                    sequence(depth + 1, dice_.between(1, 3), false);
                } else {
                    out_ += indent + "d_step {\n";
                    sequence(depth + 1, dice_.between(1, 3), true);
                }
                out_ += indent + "}";
                return;
            default:
                if (!with_unless_ || in_d_step) return assignment(indent);
                out_ += indent + "{\n";
                sequence(depth + 1, dice_.between(1, 2), false);
                out_ += indent + "} unless { (" + condition(1) + ");\n";
                sequence(depth + 1, 1, false);
                out_ += indent + "}";
                return;
        }
    }

    void choice(int depth, bool loop, bool in_d_step) {
        const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
        out_ += indent + (loop ? "do\n" : "if\n");
        const int options = dice_.between(1, 2);
        const bool otherwise = loop || in_d_step || dice_.chance(40);
        for (int i = 0; i < options; ++i) {
            out_ += indent + ":: ";
            if (dice_.chance(60) || otherwise) out_ += condition() + " ->\n";
            else if (with_timeout_ && dice_.chance(20)) out_ += "timeout ->\n";
            else out_ += "\n";
            sequence(depth + 1, dice_.between(1, 2), in_d_step);
            if (loop && dice_.chance(25)) {
                out_.insert(out_.size() - 1, ";");
                out_ += indent + "  break\n";
            }
        }
        if (otherwise) {
            out_ += indent + ":: else -> ";
            out_ += loop ? "break\n" : "skip\n";
        }
        out_ += indent + (loop ? "od" : "fi");
    }

    void sequence(int depth, int length, bool in_d_step) {
        for (int i = 0; i < length; ++i) {
            statement(depth, in_d_step);
            out_ += i + 1 < length ? ";\n" : "\n";
        }
    }

    RandomNumbers dice_;
    std::string out_;
    std::vector<std::string> variables_;
    std::vector<Channel> channels_;
    std::vector<bool> has_parameter_;
    bool with_structure_ = false;
    bool with_atomic_ = false;
    bool with_unless_ = false;
    bool with_timeout_ = false;
    bool array_ = false;
    bool inline_ = false;
    bool parameter_ = false;
    bool local_channel_ = false;
    int label_ = 0;
};

}  // namespace

std::string random_promela(std::uint64_t seed) { return Writer(seed).run(); }

}  // namespace tideline::differential
