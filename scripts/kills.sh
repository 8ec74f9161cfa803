#!/usr/bin/env bash
# Kills workers of an outbox at random moments while they send, at each kind of vendor and on each engine, and counts what every
# phone got: 100 kills for each, or --kills N. --seed N takes the same moments; --help lists the rest. Fails on a violation.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh postgresql >&2
scripts/swift.sh build --product kills >&2
exec "$(scripts/swift.sh build --show-bin-path)/kills" "$@"
