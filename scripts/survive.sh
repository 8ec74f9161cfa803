#!/usr/bin/env bash
# Calls all vendors through hostile servers on this machine, alone, behind a router and from an outbox whose
# workers are killed, and looks for broken promises, for one minute or --seconds N. --seed N draws the same faults, in
# the order in which threads request them; --turn NAME runs one kind of rounds only; --help lists the rest. Prints a
# table, and fails on a violation. Built with optimization, because it measures how late a call ends.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh >&2
scripts/swift.sh build --configuration release --product survive >&2
exec "$(scripts/swift.sh build --configuration release --show-bin-path)/survive" "$@"
