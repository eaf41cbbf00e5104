#!/usr/bin/env bash
# Installs the Debian packages of packages.txt, or of the list that is given, that are missing. Says beforehand what and how much;
# does nothing, and calls no package manager, where all of them are there.
set -euo pipefail

cd "$(dirname "$0")/.."
list=${1:-packages.txt}

mapfile -t wanted < <(sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$list")

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "This is not a Debian system: nothing is installed. What Tideline needs, by Debian's names:"
    echo "    ${wanted[*]}"
    exit 0
fi

is_installed() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=()
for package in "${wanted[@]}"; do
    is_installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "Missing Debian packages (from $list): ${missing[*]}"

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Installing them needs root, and there is no sudo here. Run this as root, then try again:" >&2
        echo "    apt-get update && apt-get install --no-install-recommends -y ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

# Prints how many packages come with the missing ones and their size; fails where the package lists do not know them.
announce() {
    local plan
    plan=$(LC_ALL=C apt-get install --no-install-recommends --print-uris -y "${missing[@]}" 2>/dev/null </dev/null) || return 1
    awk '
        /^'\''/ { count++; bytes += $3 }
        /^After this operation/ { disk = $4 " " $5 }
        END {
            printf "With what they depend on: %d packages, %.1f MB to download", count, bytes / 1e6
            if (disk != "") printf ", %s on disk", disk
            print "."
        }' <<<"$plan"
}

refresh() {
    echo "Reading the package lists ..."
    "${as_root[@]}" apt-get update -q </dev/null
}

install() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --no-install-recommends -y -q "${missing[@]}" </dev/null
}

if ! announce; then
    refresh
    announce || echo "Their size could not be found out beforehand."
fi
echo "Installing ..."
if ! install; then
    # Lists that are out of date name files that are no longer there.
    refresh
    install
fi
echo "All packages are installed."
