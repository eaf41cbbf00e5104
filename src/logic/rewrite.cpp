#include "logic/rewrite.hpp"

#include <unordered_map>

#include "logic/normal_form.hpp"
#include "logic/rules.hpp"

namespace tideline::logic {
namespace {

constexpr std::size_t kMostSteps = 100'000;    // laws applied or tried
constexpr std::size_t kMostWords = 8'000'000;  // of new operand lists
constexpr std::size_t kMostLawsAtOnce = 200;   // in a row for one formula

// Bottom up; what a law makes of a formula is rewritten again. Results are cached, so that shared subformulas are
// rewritten once.
class Rewriter {
public:
    explicit Rewriter(Formulas& formulas) : formulas_(formulas), rules_(formulas), words_before_(formulas.words()) {}

    Formula run(Formula root) {
        struct Frame {
            Formula original;
            Formula current;
            std::size_t laws = 0;
        };
        std::vector<Frame> stack{{root, root}};
        while (!stack.empty()) {
            Frame& frame = stack.back();
            const auto known = done_.find(frame.current.number());
            if (known != done_.end()) {
                done_.insert_or_assign(frame.original.number(), known->second);
                stack.pop_back();
                continue;
            }
            bool waiting = false;
            if (!is_leaf(frame.current)) {
                const Formula current = frame.current;  // pushing may move the frame
                for (const Formula operand : formulas_.operands(current)) {
                    if (done_.contains(operand.number())) continue;
                    stack.push_back({operand, operand});
                    waiting = true;
                }
            }
            if (waiting) continue;
            const Formula rebuilt = is_leaf(frame.current) ? frame.current : rebuild(frame.current);
            const Formula next =
                rebuilt != frame.current || is_leaf(rebuilt) || exhausted() ? rebuilt : rules_.apply(rebuilt);
            ++steps_;
            if (next == frame.current || ++frame.laws > kMostLawsAtOnce) {
                done_.insert_or_assign(next.number(), next);
                done_.insert_or_assign(frame.current.number(), next);
                done_.insert_or_assign(frame.original.number(), next);
                stack.pop_back();
            } else {
                frame.current = next;
            }
        }
        return done_.at(root.number());
    }

private:
    // CTL subformulas are left unchanged; so are other state formulas of CTL* once their path formulas have been
    // rewritten.
    [[nodiscard]] bool is_leaf(Formula f) const {
        return formulas_.operands(f).empty() || (formulas_.has(f, Trait::quantified) && formulas_.has(f, Trait::ctl));
    }

    [[nodiscard]] bool exhausted() const {
        return steps_ > kMostSteps || formulas_.words() - words_before_ > kMostWords;
    }

    Formula rebuild(Formula f) {
        std::vector<Formula> operands;
        for (const Formula operand : formulas_.operands(f)) operands.push_back(done_.at(operand.number()));
        return formulas_.make(formulas_.connective(f), operands);
    }

    Formulas& formulas_;
    RewriteRules rules_;
    std::size_t words_before_;
    std::size_t steps_ = 0;
    std::unordered_map<std::uint32_t, Formula> done_;
};

}  // namespace

Formula simplified(Formulas& formulas, Formula f) {
    const Formula normal = negation_normal_form(formulas, f);
    return Rewriter(formulas).run(normal);
}

}  // namespace tideline::logic
