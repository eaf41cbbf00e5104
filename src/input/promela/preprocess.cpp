#include "input/promela/preprocess.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>

extern "C" {
#include <mcpp_lib.h>
}

#include "support/file.hpp"

namespace tideline::input::promela {
namespace {

// A text as a file that mcpp can open; it wants a name, and follows links.
class TemporaryFile {
public:
    explicit TemporaryFile(std::string_view text) : path_(P_tmpdir "/tideline-XXXXXX") {
        const int descriptor = ::mkstemp(path_.data());
        if (descriptor < 0) return;
        exists_ = true;
        std::size_t written = 0;
        while (written < text.size()) {
            const ssize_t n = ::write(descriptor, text.data() + written, text.size() - written);
            if (n <= 0) break;
            written += static_cast<std::size_t>(n);
        }
        ::close(descriptor);
        complete_ = written == text.size();
    }
    ~TemporaryFile() {
        if (exists_) ::unlink(path_.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    [[nodiscard]] bool complete() const { return complete_; }
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
    bool exists_ = false;
    bool complete_ = false;
};

struct Output {
    int status = 0;
    std::string text;
    std::string messages;
};

// Where mcpp writes. Its own buffers cannot be used twice in a process.
Output* writing = nullptr;  // guarded by the lock of run_mcpp

std::string* destination(OUTDEST where) {
    if (writing == nullptr) return nullptr;
    return where == OUT ? &writing->text : where == ERR ? &writing->messages : nullptr;
}

extern "C" int put_character(int c, OUTDEST where) {
    if (std::string* to = destination(where)) *to += static_cast<char>(c);
    return c;
}

extern "C" int put_text(const char* text, OUTDEST where) {
    if (std::string* to = destination(where)) *to += text;
    return 0;
}

extern "C" int put_formatted(OUTDEST where, const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    std::va_list again;
    va_copy(again, arguments);
    const int length = std::vsnprintf(nullptr, 0, format, arguments);
    va_end(arguments);
    if (std::string* to = destination(where); to != nullptr && length > 0) {
        std::string text(static_cast<std::size_t>(length) + 1, '\0');
        std::vsnprintf(text.data(), text.size(), format, again);
        text.pop_back();
        *to += text;
    }
    va_end(again);
    return length;
}

// mcpp keeps its state in global variables: one run at a time.
Output run_mcpp(const std::string& path, const PreprocessOptions& options) {
    static std::mutex alone;
    const std::lock_guard lock(alone);
    // mcpp reads the sixth character of the encoding's name whether it has one or not: of "utf8", what happened to be
    // on the stack, and one time in six it knew no such encoding and crashed.
    std::vector<std::string> arguments{"mcpp", "-K", "-N", "-W0", "-j", "-e", "utf-8", "-I-"};
    for (const std::string& directory : options.include_dirs) arguments.push_back("-I" + directory);
    for (const std::string& definition : options.definitions) arguments.push_back("-D" + definition);
    arguments.push_back(path);
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    Output output;
    writing = &output;
    mcpp_set_out_func(put_character, put_text, put_formatted);
    output.status = mcpp_lib_main(static_cast<int>(arguments.size()), pointers.data());
    mcpp_reset_def_out_func();
    writing = nullptr;
    return output;
}

constexpr std::array<std::string_view, 20> kLongPunctuation{"->", "::", "==", "!=",  "<=",  ">=", "<<",
                                                            ">>", "&&", "||", "++",  "--",  "!!", "??",
                                                            "..", "[]", "<>", "/\\", "\\/", "<->"};

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool in_name(char c) { return starts_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Reads mcpp's output: tokens, #line directives and the marks of macros.
class Reader {
public:
    Reader(Preprocessed& result, const support::SourceText& source) : result_(result) {
        result_.files.push_back(source);
        result_.include_spans.emplace_back();
    }

    std::optional<support::Diagnostic> read(const support::Budget& budget) {
        support::BudgetPoll poll(budget, 1024);
        const std::string& text = result_.text;
        bool at_line_start = true;
        while (at_ < text.size()) {
            if (poll.is_exhausted())
                return support::diagnostic_of_stop(result_.files[0].path(), poll.reason(), "the model was read");
            const char c = text[at_];
            if (c == '\n') {
                ++at_;
                ++line_;
                column_ = 1;
                at_line_start = true;
                continue;
            }
            if (at_line_start && c == '#') {
                line_directive();
                continue;
            }
            if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
                advance(1);
                continue;
            }
            if (c == '/' && at_ + 1 < text.size() && text[at_ + 1] == '*') {
                mark();
                continue;
            }
            at_line_start = false;
            if (auto wrong = token()) return wrong;
        }
        Token end;
        end.place = {file_, {0, 0}};
        const support::SourceText& main = result_.files[0];
        const auto size = static_cast<std::uint32_t>(main.text().size());
        end.place = {0, {size, size}};
        result_.tokens.push_back(std::move(end));
        return std::nullopt;
    }

private:
    void advance(std::size_t n) {
        at_ += n;
        if (macros_.empty()) column_ += static_cast<std::uint32_t>(n);
    }

    std::uint32_t offset(std::uint32_t file, std::uint32_t line, std::uint32_t column) const {
        const support::SourceText& source = result_.files[file];
        if (line == 0) return 0;
        const std::string_view text = source.line(line);
        if (text.data() == nullptr || text.data() < source.text().data())
            return static_cast<std::uint32_t>(source.text().size());
        const auto begin = static_cast<std::size_t>(text.data() - source.text().data());
        return static_cast<std::uint32_t>(begin + std::min<std::size_t>(text.size(), column > 0 ? column - 1 : 0));
    }

    // #line 12 "file"
    void line_directive() {
        const std::string& text = result_.text;
        const std::size_t end = std::min(text.find('\n', at_), text.size());
        const std::string_view directive = std::string_view(text).substr(at_, end - at_);
        at_ = end;
        column_ = 1;
        if (at_ < text.size()) ++at_;
        if (directive.substr(0, 5) != "#line") {
            ++line_;
            return;
        }
        std::size_t i = 5;
        while (i < directive.size() && directive[i] == ' ') ++i;
        std::uint32_t number = 0;
        while (i < directive.size() && std::isdigit(static_cast<unsigned char>(directive[i])) != 0)
            number = number * 10 + static_cast<std::uint32_t>(directive[i++] - '0');
        const std::uint32_t before = line_;
        line_ = number;
        const std::size_t quote = directive.find('"', i);
        if (quote == std::string_view::npos) return;
        std::string name;
        for (std::size_t k = quote + 1; k < directive.size() && directive[k] != '"'; ++k) {
            if (directive[k] == '\\' && k + 1 < directive.size()) ++k;
            name += directive[k];
        }
        enter_file(name, before);
    }

    void enter_file(const std::string& name, std::uint32_t from_line) {
        if (main_path_.empty()) main_path_ = name;  // the first is the model itself
        if (name == main_path_) {
            file_ = 0;
            return;
        }
        const auto found = file_numbers_.find(name);
        if (found != file_numbers_.end()) {
            file_ = found->second;
            return;
        }
        support::Result<std::string> text = support::read_text_file(name, {});
        const support::SourceSpan directive =
            file_ == 0 ? support::SourceSpan{offset(0, from_line, 1), offset(0, from_line, 10'000)}
                       : result_.include_spans[file_];
        file_ = static_cast<std::uint32_t>(result_.files.size());
        file_numbers_[name] = file_;
        result_.files.emplace_back(name, text ? *text : std::string());
        result_.include_spans.push_back(directive);
    }

    static bool number(std::string_view& rest, std::uint32_t& value) {
        if (rest.empty() || std::isdigit(static_cast<unsigned char>(rest[0])) == 0) return false;
        value = 0;
        while (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0])) != 0) {
            value = value * 10 + static_cast<std::uint32_t>(rest[0] - '0');
            rest.remove_prefix(1);
        }
        return true;
    }

    // " 7:8-7:18": where a macro is used or defined.
    static bool range(std::string_view rest, std::uint32_t (&r)[4]) {
        while (!rest.empty() && rest[0] == ' ') rest.remove_prefix(1);
        for (int i = 0; i < 4; ++i) {
            if (!number(rest, r[i])) return false;
            if (i < 3) {
                if (rest.empty() || rest[0] != (i == 1 ? '-' : ':')) return false;
                rest.remove_prefix(1);
            }
        }
        return true;
    }

    // A comment of mcpp: /*<NAME 7:8-7:18*/ begins a macro's text, /*>*/ ends it, /*mNAME 1:9-1:12*/ is a definition.
    void mark() {
        const std::string& text = result_.text;
        std::size_t end = text.find("*/", at_ + 2);
        if (end == std::string::npos) end = text.size() - 2;
        const std::string_view body = std::string_view(text).substr(at_ + 2, end - at_ - 2);
        at_ = end + 2;
        if (body.empty()) return;
        const std::size_t space = body.find(' ');
        const std::string name(body.substr(1, space == std::string_view::npos ? body.npos : space - 1));
        std::uint32_t r[4] = {0, 0, 0, 0};
        const bool placed = space != std::string_view::npos && range(body.substr(space), r);
        if (body[0] == '<') {
            Open open;
            if (macros_.empty()) {
                if (placed) {
                    open.end_line = r[2];
                    open.end_column = r[3];
                    result_.macros.push_back({name, {file_, {offset(file_, r[0], r[1]), offset(file_, r[2], r[3])}}});
                } else {
                    open.end_line = line_;
                    open.end_column = column_;
                    result_.macros.push_back({name, here(1)});
                }
            }
            macros_.push_back(open);
        } else if (body[0] == '>') {
            if (macros_.empty()) return;
            const Open open = macros_.back();
            macros_.pop_back();
            if (macros_.empty()) column_ = open.end_column;
        } else if (body[0] == 'm' && placed) {
            result_.definitions.push_back({name, {file_, {offset(file_, r[0], r[1]), offset(file_, r[2], r[3])}}});
        }
    }

    Place here(std::size_t length) const {
        if (!macros_.empty()) return result_.macros.back().use;
        const std::uint32_t begin = offset(file_, line_, column_);
        return {file_, {begin, static_cast<std::uint32_t>(begin + length)}};
    }

    support::Diagnostic wrong_at(Place place, std::string message, std::string hint = {}) const {
        return support::diagnostic_at(result_.files[place.file], place.span, std::move(message), std::move(hint));
    }

    std::optional<support::Diagnostic> token() {
        const std::string& text = result_.text;
        const std::size_t begin = at_;
        const char c = text[begin];
        Token token;
        std::size_t end = begin + 1;
        if (starts_name(c)) {
            while (end < text.size() && in_name(text[end])) ++end;
            token.kind = TokenKind::name;
        } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            while (end < text.size() && in_name(text[end])) ++end;
            token.kind = TokenKind::number;
        } else if (c == '"' || c == '\'') {
            while (end < text.size() && text[end] != c && text[end] != '\n') {
                if (text[end] == '\\' && end + 1 < text.size()) ++end;
                ++end;
            }
            if (end >= text.size() || text[end] != c)
                return wrong_at(here(1), c == '"' ? "this string is not closed" : "this character is not closed");
            ++end;
            token.kind = c == '"' ? TokenKind::text : TokenKind::character;
        } else {
            token.kind = TokenKind::punctuation;
            if (static_cast<unsigned char>(c) >= 0x80 || std::iscntrl(static_cast<unsigned char>(c)) != 0 ||
                std::strchr("$`", c) != nullptr)
                return wrong_at(here(1), "unexpected character " + support::in_quotes(std::string_view(&c, 1)));
            for (const std::string_view longer : kLongPunctuation)
                if (longer.size() > end - begin && text.compare(begin, longer.size(), longer) == 0)
                    end = begin + longer.size();
        }
        token.text = text.substr(begin, end - begin);
        if (token.kind == TokenKind::text || token.kind == TokenKind::character)
            token.text = token.text.substr(1, token.text.size() - 2);
        token.place = here(end - begin);
        if (!macros_.empty()) token.macro = static_cast<std::int32_t>(result_.macros.size()) - 1;
        advance(end - begin);
        result_.tokens.push_back(std::move(token));
        return std::nullopt;
    }

    struct Open {
        std::uint32_t end_line = 0;
        std::uint32_t end_column = 0;
    };

    Preprocessed& result_;
    std::string main_path_;
    std::map<std::string, std::uint32_t> file_numbers_;
    std::vector<Open> macros_;
    std::size_t at_ = 0;
    std::uint32_t file_ = 0;
    std::uint32_t line_ = 1;
    std::uint32_t column_ = 1;
};

// The first message of mcpp: "FILE:LINE: error: TEXT".
support::Diagnostic diagnostic_of(const Output& output, const support::SourceText& source, const std::string& path) {
    std::size_t begin = 0;
    while (begin < output.messages.size()) {
        const std::size_t end = std::min(output.messages.find('\n', begin), output.messages.size());
        const std::string line = output.messages.substr(begin, end - begin);
        begin = end + 1;
        for (const std::string_view severity : {": error: ", ": fatal error: "}) {
            const std::size_t found = line.find(severity);
            if (found == std::string::npos) continue;
            const std::size_t colon = line.rfind(':', found - 1);
            std::string message = line.substr(found + severity.size());
            while (!message.empty() && (message.back() == '\r' || message.back() == ' ')) message.pop_back();
            if (!message.empty()) message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
            std::uint32_t number = 0;
            if (colon != std::string::npos)
                for (std::size_t i = colon + 1; i < found && std::isdigit(static_cast<unsigned char>(line[i])) != 0;
                     ++i)
                    number = number * 10 + static_cast<std::uint32_t>(line[i] - '0');
            const std::string file = colon == std::string::npos ? path : line.substr(0, colon);
            support::SourceText text = source;
            if (file != path) {
                support::Result<std::string> included = support::read_text_file(file, {});
                text = support::SourceText(file, included ? *included : std::string());
            }
            if (number == 0) return support::diagnostic_about(text.path(), "the preprocessor says: " + message);
            const std::string_view there = text.line(number);
            std::uint32_t from = 0;
            if (there.data() != nullptr && there.data() >= text.text().data())
                from = static_cast<std::uint32_t>(there.data() - text.text().data());
            std::uint32_t to = from + static_cast<std::uint32_t>(there.size());
            while (from < to && (text.text()[from] == ' ' || text.text()[from] == '\t')) ++from;
            return support::diagnostic_at(text, {from, std::max(to, from)}, "the preprocessor says: " + message);
        }
    }
    return support::diagnostic_about(source.path(), "the preprocessor failed");
}

}  // namespace

support::Result<Preprocessed> preprocess(const support::SourceText& source, const PreprocessOptions& options,
                                         const support::Budget& budget) {
    if (source.text().find('\0') != std::string_view::npos)
        return support::diagnostic_about(source.path(), "the file is not a text: it has bytes that are 0");
    const TemporaryFile file(source.text());
    if (!file.complete())
        return support::diagnostic_about(source.path(), "the model could not be handed to the preprocessor");
    PreprocessOptions all = options;
    const std::size_t slash = source.path().rfind('/');
    all.include_dirs.insert(all.include_dirs.begin(),
                            slash == std::string::npos ? std::string(".") : source.path().substr(0, slash + 1));
    Output output = run_mcpp(file.path(), all);
    // Its status is not enough: some errors are only in the message.
    if (output.status != 0 || output.messages.find(": error: ") != std::string::npos ||
        output.messages.find(": fatal error: ") != std::string::npos)
        return diagnostic_of(output, source, file.path());
    Preprocessed result;
    result.text = std::move(output.text);
    Reader reader(result, source);
    if (auto wrong = reader.read(budget)) return *wrong;
    return result;
}

}  // namespace tideline::input::promela
