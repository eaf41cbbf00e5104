#include "reference/machines.hpp"

#include <gtest/gtest.h>

#include <set>

#include "input/language.hpp"

namespace tideline::reference {
namespace {

TEST(Machines, HasOneForEveryInputLanguage) {
    std::multiset<std::string_view> languages;
    std::multiset<std::string_view> executed;
    for (const input::Language& language : input::languages()) languages.insert(language.name);
    for (const MachineRow& row : machines()) executed.insert(row.language);
    EXPECT_EQ(languages, executed);
    EXPECT_EQ(std::set<std::string_view>(languages.begin(), languages.end()).size(), languages.size());
}

TEST(Machines, NameTheirValuesAsTheModelDoes) {
    const std::pair<const char*, const char*> texts[] = {
        {"m.dve", "byte x[2]; channel {byte, int} c[1]; process P { int y; state s; init s; } system async;"},
        {"m.aut", "des (0, 1, 2)\n(0, a, 1)\n"},
        {"m.pml",
         "typedef T { byte f; bit g[2] } T t; T s[2]; chan c = [2] of { byte, bit }; chan a[2] = [1] of { mtype };"
         "active proctype P() { byte x[2]; chan d = c; atomic { x[0] = 1; c!1,1 } } proctype Q(chan q) { q?_,_ }"
         "init { run Q(c) }"},
        {"m.json", R"({"states": 2, "initial": 0, "edges": [[0, 1]]})"},
    };
    for (const auto& [path, text] : texts) {
        const support::Result<input::LoadedModel> loaded = input::load_model_text(path, text, {});
        ASSERT_TRUE(loaded) << path;
        std::multiset<std::string> names;
        for (const model::Model::SlotOwner owner : loaded->model->slot_owners())
            names.insert(loaded->model->slot_name(owner));
        const std::vector<std::string> others = make_machine(*loaded, {})->names();
        EXPECT_EQ(names, std::multiset<std::string>(others.begin(), others.end())) << path;
    }
}

}  // namespace
}  // namespace tideline::reference
