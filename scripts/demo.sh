#!/usr/bin/env bash
# Shows what Tideline does: a protocol that is too large for the memory it is given, checked layer by layer; then a model that gets
# stuck, with the run that leads there.
set -euo pipefail

cd "$(dirname "$0")/.."
build=${1:-build/release}
program=$build/tideline
protocol=$build/examples/stop_and_wait

# run STATUS LINES COMMAND...: shows the command and the first lines of what it prints; fails unless it ends with that exit status
# (0 holds, 1 violated, 3 not decided).
run() {
    local expected=$1 lines=$2 status=0
    shift 2
    local word shown= output
    for word in "$@"; do
        case $word in
            *[!A-Za-z0-9_./-]*) shown+=" '$word'" ;;
            *) shown+=" $word" ;;
        esac
    done
    printf '$%s\n' "$shown"
    output=$("$@" </dev/null) || status=$?
    head -n "$lines" <<<"$output"
    echo
    if [ "$status" -ne "$expected" ]; then
        echo "The exit status is $status, but $expected was expected." >&2
        exit 1
    fi
}

echo
echo "1. Stop-and-wait, 20 packets over a network that holds 4 messages and loses some, with 64 MB of memory.
   Breadth-first, all states are kept:"
run 3 2 "$protocol" check --packets 20 --capacity 4 --memory 64M --invariant 'n <= k and k <= n + 1' --engine bfs

echo "   By progress (packet sent, packet expected), states that lie behind are dropped:"
run 0 20 "$protocol" check --packets 20 --capacity 4 --memory 64M --invariant 'n <= k and k <= n + 1' --engine sweep

echo "2. Five philosophers, five forks. Each takes the left fork, then the right one. Can they all get stuck?"
run 1 20 "$program" check examples/philosophers.dve --deadlock --trace actions

cat <<TEXT
What to try next:
    $program check examples/peterson.dve --invariant 'not (P0.critical and P1.critical)' --deadlock
    $program check examples/traffic_light.json --invariant 'not (cars_go and walkers_go)'
    $build/examples/two_phase_commit explore --engine sweep --workers 6
TEXT
