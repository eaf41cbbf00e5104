// Random DVE expressions over the names of a model that is being generated.
#pragma once

#include <string>
#include <vector>

#include "tests/differential/random_numbers.hpp"

namespace tideline::differential {

struct RandomVariable {
    std::string name;
    bool integer = false;
    bool constant = false;
    int length = 0;  // 0: a scalar
    int bound = 2;   // values meant to be stored are below it
};

struct RandomProcess {
    std::string name;
    std::vector<RandomVariable> variables;
    std::vector<std::string> locations;
    bool property = false;
};

struct RandomNames {
    std::vector<RandomVariable> variables;
    std::vector<RandomProcess> processes;
};

class RandomExpressions {
public:
    // `from`: the process that the expressions belong to, or null. `dangerous`: some may fault. `parentheses`: around
    // every operation; otherwise they are sometimes left out where precedence then decides.
    RandomExpressions(RandomNumbers& numbers, const RandomNames& names, const RandomProcess* from, bool dangerous,
                      bool parentheses);

    [[nodiscard]] std::string condition(int depth);
    [[nodiscard]] std::string number(int depth);
    // A value that keeps the variable small (mostly, where faults are wanted).
    [[nodiscard]] std::string value_for(const RandomVariable& variable, const std::string& target);
    // A variable of the process or a global one, with an index where it is an array; `variable` says which.
    [[nodiscard]] std::string target(const RandomVariable*& variable);
    [[nodiscard]] bool has_target() const { return !own_.empty(); }

private:
    [[nodiscard]] std::string leaf();
    [[nodiscard]] std::string foreign_leaf();
    [[nodiscard]] std::string read(const RandomVariable& variable, const std::string& prefix);
    [[nodiscard]] std::string index(const RandomVariable& array, int depth);
    [[nodiscard]] std::string dangerous_number();
    [[nodiscard]] std::string guarded_index();
    [[nodiscard]] std::string joined(const std::string& left, const std::string& op, const std::string& right);

    RandomNumbers& numbers_;
    const RandomNames& names_;
    bool dangerous_;
    bool parentheses_;
    const RandomProcess* from_;
    std::vector<const RandomVariable*> visible_;  // to read
    std::vector<const RandomVariable*> own_;      // to write
};

}  // namespace tideline::differential
