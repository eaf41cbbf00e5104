#!/usr/bin/env bash
# Shows what Tideline does: a protocol that is right, and one that is not, with the run that shows it.
set -euo pipefail

cd "$(dirname "$0")/.."
tideline=build/release/tideline

# Runs a check, having shown its command; fails unless its exit status is the expected one (0 holds, 1 violated).
run() {
    local expected=$1 status=0
    shift
    local word shown=$tideline
    for word in "$@"; do
        case $word in
            *[!A-Za-z0-9_./-]*) shown+=" '$word'" ;;
            *) shown+=" $word" ;;
        esac
    done
    printf '\n$ %s\n' "$shown"
    "$tideline" "$@" </dev/null || status=$?
    if [ "$status" -ne "$expected" ]; then
        echo "The exit status is $status, but $expected was expected." >&2
        exit 1
    fi
}

echo
echo "1. Five philosophers, five forks. Each takes the left fork, then the right one. Can they all get stuck?"
run 1 check examples/philosophers.dve --deadlock

echo
echo "2. Peterson's algorithm: two processes must never be in their critical sections together."
run 0 check examples/peterson.dve --invariant 'not (P0.critical and P1.critical)' --deadlock

cat <<'TEXT'

The first answer is "violated", with a run that leads to the deadlock; the second is "holds": every reachable state was looked at.

What to try next:
    build/release/tideline explore examples/lossy_channel.dve
    build/release/tideline check examples/lossy_channel.dve --invariant 'Receiver->wrong == 0'
    build/release/tideline check examples/traffic_light.json --invariant 'not (cars_go and walkers_go)'
TEXT
