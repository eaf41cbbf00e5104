"""Runs the program: one process, its signals, its limits, and what it left behind."""

import errno
import os
import resource
import select
import signal
import tempfile
import time

PATIENCE = 20.0  # seconds, for a run without a limit of its own


class Finished:
    __slots__ = ("status", "signal", "wall", "cpu", "rss", "hung", "is_deaf", "out", "err")


def environment(library, rules, scratch):
    result = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", "TMPDIR": scratch}
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
        if name in os.environ:
            result[name] = os.environ[name]
    if rules:
        result["LD_PRELOAD"] = library
        result["TIDELINE_FAIL"] = rules
        result["ASAN_OPTIONS"] = result.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
    return result


def execute(argv, env, out, err, signals=(), streams="", patience=PATIENCE):
    """Runs argv in the current folder. `signals` are (seconds, number); `streams` says which of 0, 1, 2 are closed ("01") or full ("f")."""
    write = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    actions = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0), (os.POSIX_SPAWN_OPEN, 1, out, write, 0o644), (os.POSIX_SPAWN_OPEN, 2, err, write, 0o644)]
    if "f" in streams:
        actions[1] = (os.POSIX_SPAWN_OPEN, 1, "/dev/full", os.O_WRONLY, 0)
    actions += [(os.POSIX_SPAWN_CLOSE, int(n)) for n in streams if n in "012"]
    begin = time.monotonic()
    pid = os.posix_spawn(argv[0], argv, env, file_actions=actions, setsigdef=[signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ])
    watch = os.pidfd_open(pid)
    result = Finished()
    result.hung = result.is_deaf = False
    try:
        poll = select.poll()
        poll.register(watch, select.POLLIN)
        ended = False
        for moment, number in signals:
            left = begin + moment - time.monotonic()
            if poll.poll(max(0.0, left * 1000)):
                ended = True
                break
            os.kill(pid, number)
        while not ended:
            left = begin + patience + processor_delay(pid) - time.monotonic()
            if left <= 0:
                break
            ended = bool(poll.poll(max(1.0, left * 1000)))
        if not ended:
            result.hung = True
            os.kill(pid, signal.SIGTERM)
            if not poll.poll(2000):
                result.is_deaf = True
                os.kill(pid, signal.SIGKILL)
        _, status, usage = os.wait4(pid, 0)
    finally:
        os.close(watch)
    result.wall = time.monotonic() - begin
    result.cpu = usage.ru_utime + usage.ru_stime
    result.rss = usage.ru_maxrss * 1024
    result.status = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
    result.signal = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
    result.out = read(out)
    result.err = read(err)
    return result


def processor_delay(pid):
    """Seconds that a thread of the process was ready and waited for a processor: on a busy machine most of its time. Who hangs is not ready."""
    delays = [0.0]
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/schedstat", encoding="ascii") as file:
                delays.append(int(file.read().split()[1]) / 1e9)
    except (OSError, IndexError, ValueError):  # it has ended, or the kernel does not say
        pass
    return max(delays)


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8", "surrogateescape")
    except OSError as error:
        if error.errno == errno.ENOENT:
            return ""
        raise


def own_rss():
    """What a child inherits as its largest resident set before it begins."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def folders(prefix):
    """Two new folders: one for the runs, in memory where there is room, and the name of one on a disk."""
    on_disk = tempfile.mkdtemp(prefix=prefix)
    memory = "/dev/shm"
    try:
        about = os.statvfs(memory)
        if about.f_bavail * about.f_frsize > 1 << 29:
            return tempfile.mkdtemp(prefix=prefix, dir=memory), on_disk
    except OSError:
        pass
    return os.path.join(on_disk, "runs"), on_disk
