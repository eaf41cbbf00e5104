#include "run/translator.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>

extern char** environ;

namespace tideline::run {
namespace {

constexpr std::size_t kMostOutput = std::size_t{64} << 20U;
constexpr int kPollMilliseconds = 50;

std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

std::string shell_command(const std::string& command, const std::string& letters, const std::string& spin) {
    std::string result;
    bool given = false;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const char next = command[i] == '%' && i + 1 < command.size() ? command[i + 1] : '\0';
        if (next == 'f' || next == 's') {
            result += quoted(next == 'f' ? letters : spin);
            given = true;
            ++i;
        } else {
            result += command[i];
        }
    }
    return given ? result : result + ' ' + quoted(spin);
}

[[noreturn]] void fail(const std::string& command, const std::string& message, const std::string& hint = {},
                       bool stopped = false) {
    throw TranslatorFailure{
        support::diagnostic_about("--ltl-translator", support::in_quotes(command) + ' ' + message, hint), stopped};
}

// A pipe's end that is closed with it.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }
    [[nodiscard]] int number() const { return number_; }
    void close() {
        if (number_ >= 0) ::close(number_);
        number_ = -1;
    }

private:
    int number_;
};

struct Pipe {
    Pipe() : Pipe(made()) {}
    Descriptor read_end;
    Descriptor write_end;

private:
    explicit Pipe(std::array<int, 2> ends) : read_end(ends[0]), write_end(ends[1]) {}
    static std::array<int, 2> made() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::bad_alloc();
        return ends;
    }
};

class SpawnActions {
public:
    SpawnActions() { ::posix_spawn_file_actions_init(&actions_); }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }
    void connect(int from, int to) { ::posix_spawn_file_actions_adddup2(&actions_, from, to); }
    void open(int to, const char* path) { ::posix_spawn_file_actions_addopen(&actions_, to, path, O_RDONLY, 0); }
    [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
};

// In a process group of its own, so that everything it starts can be ended with it.
pid_t started(const std::string& text, const Pipe& out, const Pipe& errors) {
    SpawnActions actions;
    actions.open(STDIN_FILENO, "/dev/null");
    actions.connect(out.write_end.number(), STDOUT_FILENO);
    actions.connect(errors.write_end.number(), STDERR_FILENO);
    posix_spawnattr_t attributes{};
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    const char* arguments[] = {"sh", "-c", text.c_str(), nullptr};
    pid_t child = 0;
    const int error =
        ::posix_spawn(&child, "/bin/sh", actions.get(), &attributes, const_cast<char**>(arguments), environ);
    ::posix_spawnattr_destroy(&attributes);
    return error == 0 ? child : 0;
}

// Reads both pipes to their ends. False: the budget is exhausted, or there is too much.
bool read_all(Pipe& out, Pipe& errors, std::string& output, std::string& complaint, const support::Budget& budget) {
    std::array<char, 65536> buffer{};
    while (out.read_end.number() >= 0 || errors.read_end.number() >= 0) {
        if (budget.is_exhausted()) return false;
        std::array<pollfd, 2> ends{pollfd{out.read_end.number(), POLLIN, 0},
                                   pollfd{errors.read_end.number(), POLLIN, 0}};
        if (::poll(ends.data(), ends.size(), kPollMilliseconds) <= 0) continue;
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (ends[i].revents == 0) continue;
            const ssize_t count = ::read(ends[i].fd, buffer.data(), buffer.size());
            if (count <= 0) (i == 0 ? out : errors).read_end.close();
            if (count > 0) (i == 0 ? output : complaint).append(buffer.data(), static_cast<std::size_t>(count));
            if (output.size() > kMostOutput || complaint.size() > kMostOutput) return false;
        }
    }
    return true;
}

// It may close its output and continue. False: the budget is exhausted.
bool waited_for(pid_t child, int& status, const support::Budget& budget) {
    for (;;) {
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR)) return true;
        if (budget.is_exhausted()) return false;
        ::poll(nullptr, 0, kPollMilliseconds / 10);
    }
}

std::string first_line(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string::npos) return {};
    return text.substr(begin, std::min<std::size_t>(text.find_first_of("\r\n", begin) - begin, 200));
}

}  // namespace

std::string run_translator(const std::string& command, const std::string& letters, const std::string& spin,
                           const support::Budget& budget) {
    Pipe out;
    Pipe errors;
    const pid_t child = started(shell_command(command, letters, spin), out, errors);
    if (child == 0) fail(command, "cannot be started");
    out.write_end.close();
    errors.write_end.close();
    std::string output;
    std::string complaint;
    bool ended = read_all(out, errors, output, complaint, budget);
    int status = 0;
    ended = ended && waited_for(child, status, budget);
    if (!ended) {
        ::kill(-child, SIGKILL);
        while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
    }
    if (!ended && output.size() <= kMostOutput && complaint.size() <= kMostOutput)
        fail(command, "was ended: it took too long, or was interrupted", "--time says how long it may take", true);
    if (!ended) fail(command, "writes too much");
    const std::string hint =
        first_line(complaint).empty() ? "" : "it says: " + support::in_quotes(first_line(complaint));
    if (WIFSIGNALED(status))
        fail(command, std::string("was ended by a signal: ") + ::strsignal(WTERMSIG(status)), hint);
    if (WEXITSTATUS(status) != 0) fail(command, "ended with status " + std::to_string(WEXITSTATUS(status)), hint);
    if (first_line(output).empty())
        fail(command, "wrote nothing",
             hint.empty() ? "expected an automaton, in HOA or as a never claim, on standard output" : hint);
    return output;
}

}  // namespace tideline::run
