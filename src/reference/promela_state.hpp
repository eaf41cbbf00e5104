// Where the variables, channels and processes of a Promela program are in a state of its Machine.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "input/promela/control.hpp"
#include "input/promela/syntax.hpp"
#include "reference/promela_machine.hpp"

namespace tideline::reference {

namespace promela = input::promela;

// Scalars of one path of fields.
struct PromelaCells {
    promela::Type type;
    const promela::Declaration* declaration = nullptr;
    std::vector<std::optional<std::uint32_t>> lengths;
    std::uint32_t count = 1;
    std::optional<std::size_t> first;  // where it is in the state; absent: channels that never change
    std::int64_t channel = 0;          // the first of its own channels; 0: none
};
using PromelaVariable = std::map<std::vector<std::uint32_t>, PromelaCells>;

struct PromelaChannel {
    std::int64_t capacity = 0;
    std::vector<promela::Type> fields;
    std::size_t length = 0;             // in the state
    std::vector<std::size_t> contents;  // by field: the first of `capacity` values
    std::optional<std::size_t> owner;   // instance
};

struct PromelaInstance {
    std::uint32_t pid = 0;
    std::uint32_t type = 0;
    std::string name;
    std::size_t location = 0;  // in the state
    std::size_t end = 0;       // behind its last value
    std::vector<PromelaVariable> locals;
    std::optional<std::size_t> priority;  // in the state
};

class PromelaState {
public:
    PromelaState(const promela::Program& program, const PromelaMachineOptions& options);

    const promela::Program& program;
    std::vector<promela::Control> controls;
    std::vector<std::string> names;
    std::vector<PromelaVariable> globals;
    std::vector<PromelaChannel> channels;  // from number 1 on
    std::vector<PromelaInstance> instances;
    std::size_t initial_instances = 0;
    std::optional<std::size_t> claim;  // instance
    std::size_t process_count = 0;     // in the state
    std::optional<std::size_t> last;
    std::optional<std::uint32_t> trace;  // the trace or notrace declaration, in Program::processes
    std::size_t event = 0;               // its location, in the state
    bool has_holder = false;             // a last value, which is always 0

private:
    std::size_t add(const std::string& name);
    void find_changed(const promela::Sequence& sequence, std::uint32_t process);
    void declare(const promela::Declaration& declaration, const std::string& name, const std::string& after,
                 std::vector<std::uint32_t> path, std::vector<std::optional<std::uint32_t>> lengths,
                 std::pair<std::int64_t, std::uint32_t> key, std::optional<std::size_t> owner, PromelaVariable& out);
    void add_instance(std::uint32_t pid, std::uint32_t type);

    std::map<std::pair<std::int64_t, std::uint32_t>, bool> changed_;  // chan variables that are assigned to
};

}  // namespace tideline::reference
