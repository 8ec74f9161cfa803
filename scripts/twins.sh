#!/usr/bin/env bash
# Plants mistakes into a copy, one at a time, and counts the seeds until the simulation finds each: scripts/twins.sh [NAME...]
set -euo pipefail
cd "$(dirname "$0")/.."
build=(--configuration release --product simulate)

scripts/setup.sh
copy=$(mktemp -d)
trap 'git worktree remove --force "$copy/tree" || true; rm -rf "$copy"' EXIT
git worktree add --detach "$copy/tree" HEAD
export SWIFT_DETERMINISTIC_HASHING=1
names=("$@")
if [ ${#names[@]} -eq 0 ]; then for twin in Tests/Simulate/Twins/*.diff; do names+=("$(basename "$twin" .diff)"); done; fi

missed=()
for name in "${names[@]}"; do
    twin="$PWD/Tests/Simulate/Twins/$name.diff"
    world=$(sed -n 's/^world: //p' "$twin")
    git -C "$copy/tree" apply "$twin"
    # The search takes longer than the build, and is about ten times as fast in release.
    (cd "$copy/tree" && scripts/swift.sh build "${build[@]}") > "$copy/log" 2>&1 || { cat "$copy/log"; exit 1; }
    program=$(cd "$copy/tree" && scripts/swift.sh build "${build[@]}" --show-bin-path)/simulate
    printf '%s: ' "$name"
    timeout 900 "$program" hunt --world "$world" || missed+=("$name")
    git -C "$copy/tree" apply --reverse "$twin"
done
if [ ${#missed[@]} -gt 0 ]; then
    printf 'not found: %s\n' "${missed[*]}" >&2
    exit 1
fi
