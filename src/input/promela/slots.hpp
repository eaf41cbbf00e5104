// What a Promela program becomes in a Model besides its transitions: the slots of its variables and channels, and its
// processes.
//
// A process that is created at run time gets the number of running processes as its pid, and dies only when all younger
// ones are dead: the pids are a stack. So a process of the model stands for a pid together with a proctype. It has
// slots of its own; while it does not run its location is 0 and so are all its slots, as SPIN's state vector has no
// place for them then. Which pairs of pid and proctype there are is known only from the reachable states: those that
// are needed at the beginning are always there, further ones are given (LoadOptions::instances).
//
// A variable of a structure type is taken apart into its scalars; nested arrays become one array. A chan variable that
// is never assigned to is no slot but a constant.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "input/load.hpp"
#include "input/promela/control.hpp"
#include "input/promela/syntax.hpp"
#include "model/model.hpp"

namespace tideline::input::promela {

// A channel as a value; 0 is no channel.
using ChannelId = std::uint32_t;
using InstanceId = std::uint32_t;

// A variable of the program: a global one, or a local one of a proctype.
struct VariableKey {
    std::optional<std::uint32_t> process;
    std::uint32_t declaration = 0;
    friend auto operator<=>(const VariableKey&, const VariableKey&) = default;
};

// A scalar, or all scalars that the same path of fields leads to.
struct Leaf {
    const Declaration* declaration = nullptr;
    Type type;
    std::vector<std::optional<std::uint32_t>> lengths;  // of the variable and of each field: where that is an array
    std::uint32_t count = 1;
    std::optional<model::VariableId> variable;  // absent: channels that are never assigned to
    std::optional<model::TableId> table;        // these as an array
    ChannelId first_channel = 0;                // 0: it has none of its own
    [[nodiscard]] bool is_array() const {
        for (const std::optional<std::uint32_t>& length : lengths)
            if (length) return true;
        return false;
    }
};

// By the fields that lead to it.
using Leaves = std::map<std::vector<std::uint32_t>, Leaf>;

struct Channel {
    std::string name;
    VariableKey origin;
    std::int64_t capacity = 0;
    std::vector<Type> fields;
    model::VariableId length = 0;  // this and the contents: of buffered channels only
    std::vector<model::VariableId> contents;
    std::optional<InstanceId> owner;
    [[nodiscard]] bool buffered() const { return capacity > 0; }
};

struct Instance {
    std::uint32_t pid = 0;
    std::uint32_t type = 0;  // in Program::processes
    model::ProcessId process = 0;
    model::VariableId location = 0;
    std::vector<Leaves> locals;
    std::optional<model::VariableId> priority;  // where the program uses priorities
};

[[nodiscard]] model::Range range_of(const Type& type);

class Slots {
public:
    // Declares everything in the model. The program and the control flow must outlive it.
    Slots(const Program& program, const std::vector<Control>& controls,
          const std::vector<ProcessInstance>& further_instances, bool with_claim, model::Model& model);

    const Program& program;
    const std::vector<Control>& controls;  // by process of the program
    std::vector<Leaves> globals;
    std::vector<Channel> channels;  // ChannelId - 1
    std::vector<Instance> instances;
    std::size_t initial_instances = 0;    // number of the first ones, which exist at the beginning
    std::optional<InstanceId> claim;      // the never claim
    model::VariableId process_count = 0;  // _nr_pr
    std::optional<model::VariableId> last;
    std::optional<model::VariableId> holder;  // of an atomic sequence
    std::optional<std::uint32_t> trace;       // the trace or notrace declaration, in Program::processes
    model::VariableId event = 0;              // its location

    // The names of the values of a type: 1 + a place in Model::value_lists; 0: they are numbers.
    [[nodiscard]] std::uint32_t names_of(const Type& type) const;
    [[nodiscard]] const Instance* find(std::uint32_t pid, std::uint32_t type) const;
    [[nodiscard]] const Leaf& leaf(const Reference& reference, const Instance* self) const;
    // The location of the model that a location of the control flow is.
    [[nodiscard]] static model::Value location(std::uint32_t control) { return static_cast<model::Value>(control) + 1; }

private:
    void find_assigned();
    void mark_assigned(const Sequence& sequence, std::uint32_t process);
    void mark_assigned(const Reference& target, std::uint32_t process);
    Leaves declare(const Declaration& declaration, const std::string& prefix, VariableKey key,
                   std::optional<InstanceId> owner);
    void declare_leaves(const Declaration& declaration, const std::string& name, const std::string& after,
                        std::vector<std::uint32_t> path, std::vector<std::optional<std::uint32_t>> lengths,
                        VariableKey key, std::optional<InstanceId> owner, Leaves& out);
    void declare_channels(const ChannelType& type, const std::string& name, VariableKey key,
                          std::optional<InstanceId> owner, Leaf& leaf);
    void add_instance(std::uint32_t pid, std::uint32_t type);
    std::vector<std::string> location_names(const Process& process, const Control& control) const;

    model::Model& model_;
    void declare_trace();
    void list_message_types();
    void name_channels();

    std::map<std::string, std::uint32_t> message_lists_;  // by set, in Model::value_lists
    std::vector<VariableKey> assigned_;                   // chan variables that statements assign to; ascending
};

}  // namespace tideline::input::promela
