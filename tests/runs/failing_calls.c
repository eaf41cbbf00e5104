/* Makes system calls of a program fail, shorten or raise signals at a chosen call. It is loaded with LD_PRELOAD.
 *
 * TIDELINE_FAIL holds rules, separated by ';':
 *
 *   CALL:N=ACTION          the N-th call (from 1)
 *   CALL:N+=ACTION         this one and all later calls
 *   ...@TEXT               only calls on files whose path contains TEXT are counted
 *   as=BYTES fsize=BYTES   limits of the process (RLIMIT_AS, RLIMIT_FSIZE)
 *   clock=K                the monotonic clock runs K times as fast, so that what happens every few seconds happens in
 * a short run
 *
 * CALL: write pwrite pread open fsync fdatasync rename ftruncate fallocate mmap mremap thread clock
 * ACTION: ENOSPC EFBIG EIO EINTR ENOMEM EAGAIN EDQUOT EACCES, short (write and pwrite: half of the bytes), SIGINT
 * SIGTERM SIGKILL
 *
 * Calls are counted by one counter per rule, over all threads. Only calls through the dynamic linker are seen: what the
 * C library does for itself (malloc, printf) is not touched.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum Call {
    WRITE,
    PWRITE,
    PREAD,
    OPEN,
    FSYNC,
    FDATASYNC,
    RENAME,
    FTRUNCATE,
    FALLOCATE,
    MMAP,
    MREMAP,
    THREAD,
    CLOCK,
    CALLS
};
static const char* const call_names[CALLS] = {"write",     "pwrite", "pread",     "open",      "fsync",
                                              "fdatasync", "rename", "ftruncate", "fallocate", "mmap",
                                              "mremap",    "thread", "clock"};

struct Rule {
    enum Call call;
    long first;
    int lasting;
    int error;  /* an errno */
    int raised; /* a signal */
    int is_short;
    char path[64];
    atomic_long count;
};

enum { MOST_RULES = 8 };
static struct Rule rules[MOST_RULES];
static int rule_count;
static int is_watched[CALLS];
static long clock_factor = 1;
static struct timespec clock_start;

static int error_number(const char* name) {
    static const struct {
        const char* name;
        int number;
    } errors[] = {{"ENOSPC", ENOSPC}, {"EFBIG", EFBIG},   {"EIO", EIO},       {"EINTR", EINTR},
                  {"ENOMEM", ENOMEM}, {"EAGAIN", EAGAIN}, {"EDQUOT", EDQUOT}, {"EACCES", EACCES}};
    for (unsigned i = 0; i < sizeof errors / sizeof *errors; ++i)
        if (strcmp(name, errors[i].name) == 0) return errors[i].number;
    return 0;
}

static int signal_number(const char* name) {
    return strcmp(name, "SIGINT") == 0    ? SIGINT
           : strcmp(name, "SIGTERM") == 0 ? SIGTERM
           : strcmp(name, "SIGKILL") == 0 ? SIGKILL
                                          : 0;
}

static void give_up(const char* text) {
    dprintf(2, "failing_calls: cannot read rule '%s'\n", text);
    _exit(99);
}

static void limit(int resource, const char* text) {
    const rlim_t size = strtoull(text, NULL, 10);
    const struct rlimit value = {size, size};
    setrlimit(resource, &value);
}

static void read_rule(char* text) {
    if (strncmp(text, "as=", 3) == 0) return limit(RLIMIT_AS, text + 3);
    if (strncmp(text, "fsize=", 6) == 0) return limit(RLIMIT_FSIZE, text + 6);
    if (strncmp(text, "clock=", 6) == 0) {
        clock_factor = strtol(text + 6, NULL, 10);
        return;
    }
    char* const colon = strchr(text, ':');
    char* const equals = strchr(text, '=');
    if (colon == NULL || equals == NULL || rule_count == MOST_RULES) give_up(text);
    struct Rule* const rule = &rules[rule_count];
    char* const at = strchr(equals, '@');
    if (at != NULL) {
        snprintf(rule->path, sizeof rule->path, "%s", at + 1);
        *at = '\0';
    }
    *colon = '\0';
    for (rule->call = 0; rule->call < CALLS && strcmp(text, call_names[rule->call]) != 0; ++rule->call) {
    }
    if (rule->call == CALLS) give_up(text);
    char* end;
    rule->first = strtol(colon + 1, &end, 10);
    rule->lasting = *end == '+';
    rule->is_short = strcmp(equals + 1, "short") == 0;
    rule->error = error_number(equals + 1);
    rule->raised = signal_number(equals + 1);
    if (!rule->is_short && rule->error == 0 && rule->raised == 0) give_up(text);
    is_watched[rule->call] = 1;
    ++rule_count;
}

static void now(clockid_t clock, struct timespec* time) { syscall(SYS_clock_gettime, clock, time); }

__attribute__((constructor)) static void read_rules(void) {
    const char* const given = getenv("TIDELINE_FAIL");
    if (given == NULL) return;
    now(CLOCK_MONOTONIC, &clock_start);
    char* const copy = strdup(given);
    char* rest = NULL;
    for (char* text = strtok_r(copy, ";", &rest); text != NULL; text = strtok_r(NULL, ";", &rest)) read_rule(text);
    free(copy);
}

static int is_about(const struct Rule* rule, int file, const char* path) {
    if (rule->path[0] == '\0') return 1;
    char name[64];
    char target[4096];
    if (path == NULL) {
        snprintf(name, sizeof name, "/proc/self/fd/%d", file);
        const ssize_t length = readlink(name, target, sizeof target - 1);
        if (length < 0) return 0;
        target[length] = '\0';
        path = target;
    }
    return strstr(path, rule->path) != NULL;
}

/* The rule that applies to this call, or NULL. Signals are raised here. */
static const struct Rule* rule_for(enum Call call, int file, const char* path) {
    if (!is_watched[call]) return NULL;
    const int saved = errno;
    const struct Rule* hit = NULL;
    for (int i = 0; i < rule_count; ++i) {
        struct Rule* const rule = &rules[i];
        if (rule->call != call || !is_about(rule, file, path)) continue;
        const long number = atomic_fetch_add(&rule->count, 1) + 1;
        if (number != rule->first && !(rule->lasting && number > rule->first)) continue;
        if (rule->raised != 0) {
            kill(getpid(), rule->raised);
            continue;
        }
        hit = rule;
    }
    errno = saved;
    return hit;
}

static int fails(enum Call call, int file, const char* path) {
    const struct Rule* const rule = rule_for(call, file, path);
    if (rule == NULL || rule->error == 0) return 0;
    errno = rule->error;
    return 1;
}

#define REAL(name)                 \
    static __typeof__(&name) real; \
    if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t write(int file, const void* data, size_t size) {
    const struct Rule* const rule = rule_for(WRITE, file, NULL);
    if (rule != NULL && rule->error != 0) {
        errno = rule->error;
        return -1;
    }
    return syscall(SYS_write, file, data, rule != NULL && size > 1 ? size / 2 : size);
}

ssize_t writev(int file, const struct iovec* parts, int count) {
    if (fails(WRITE, file, NULL)) return -1;
    return syscall(SYS_writev, file, parts, count);
}

ssize_t pwrite(int file, const void* data, size_t size, off_t offset) {
    const struct Rule* const rule = rule_for(PWRITE, file, NULL);
    if (rule != NULL && rule->error != 0) {
        errno = rule->error;
        return -1;
    }
    return syscall(SYS_pwrite64, file, data, rule != NULL && size > 1 ? size / 2 : size, offset);
}
ssize_t pwrite64(int file, const void* data, size_t size, off_t offset) { return pwrite(file, data, size, offset); }

ssize_t pread(int file, void* data, size_t size, off_t offset) {
    const struct Rule* const rule = rule_for(PREAD, file, NULL);
    if (rule != NULL && rule->error != 0) {
        errno = rule->error;
        return -1;
    }
    return syscall(SYS_pread64, file, data, rule != NULL && size > 1 ? size / 2 : size, offset);
}
ssize_t pread64(int file, void* data, size_t size, off_t offset) { return pread(file, data, size, offset); }

int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (fails(OPEN, -1, path)) return -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open(path, flags, mode);
}

int fsync(int file) { return fails(FSYNC, file, NULL) ? -1 : (int)syscall(SYS_fsync, file); }
int fdatasync(int file) { return fails(FDATASYNC, file, NULL) ? -1 : (int)syscall(SYS_fdatasync, file); }
int ftruncate(int file, off_t size) {
    return fails(FTRUNCATE, file, NULL) ? -1 : (int)syscall(SYS_ftruncate, file, size);
}
int ftruncate64(int file, off_t size) { return ftruncate(file, size); }

int rename(const char* from, const char* to) {
    if (fails(RENAME, -1, to)) return -1;
    REAL(rename);
    return real(from, to);
}

int fallocate(int file, int mode, off_t offset, off_t size) {
    return fails(FALLOCATE, file, NULL) ? -1 : (int)syscall(SYS_fallocate, file, mode, offset, size);
}
int fallocate64(int file, int mode, off_t offset, off_t size) { return fallocate(file, mode, offset, size); }

void* mmap(void* place, size_t size, int protection, int flags, int file, off_t offset) {
    if (fails(MMAP, file, NULL)) return MAP_FAILED;
    return (void*)syscall(SYS_mmap, place, size, protection, flags, file, offset);
}
void* mmap64(void* place, size_t size, int protection, int flags, int file, off_t offset) {
    return mmap(place, size, protection, flags, file, offset);
}

void* mremap(void* place, size_t size, size_t new_size, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    void* const target = (flags & MREMAP_FIXED) != 0 ? va_arg(rest, void*) : NULL;
    va_end(rest);
    if (fails(MREMAP, -1, "")) return MAP_FAILED;
    return (void*)syscall(SYS_mremap, place, size, new_size, flags, target);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*), void* argument) {
    const struct Rule* const rule = rule_for(THREAD, -1, "");
    if (rule != NULL && rule->error != 0) return rule->error;
    REAL(pthread_create);
    return real(thread, attributes, function, argument);
}

int clock_gettime(clockid_t clock, struct timespec* time) {
    rule_for(CLOCK, -1, "");
    REAL(clock_gettime);
    const int status = real(clock, time);
    if (status == 0 && clock_factor > 1 && clock == CLOCK_MONOTONIC) {
        const long passed = (time->tv_sec - clock_start.tv_sec) * 1000000000L + time->tv_nsec - clock_start.tv_nsec;
        const long shown = clock_start.tv_nsec + passed * clock_factor;
        time->tv_sec = clock_start.tv_sec + shown / 1000000000L;
        time->tv_nsec = shown % 1000000000L;
    }
    return status;
}

/* Deadlines of waits are points of the faster clock: they are brought back to the real one. */
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* deadline) {
    REAL(pthread_cond_clockwait);
    if (clock_factor <= 1 || clock != CLOCK_MONOTONIC) return real(condition, mutex, clock, deadline);
    const long shown = (deadline->tv_sec - clock_start.tv_sec) * 1000000000L + deadline->tv_nsec - clock_start.tv_nsec;
    const long passed = clock_start.tv_nsec + shown / clock_factor;
    const struct timespec real_deadline = {clock_start.tv_sec + passed / 1000000000L, passed % 1000000000L};
    return real(condition, mutex, clock, &real_deadline);
}
