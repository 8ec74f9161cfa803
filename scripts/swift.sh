#!/usr/bin/env bash
# Runs a command of SwiftPM with the same options as all scripts: scripts/swift.sh build|run|test|package ...
set -euo pipefail

# lld, which comes with Swift, links in half the time of the default linker.
# Without the variable, SwiftPM names the traits to the compiler in another order each time, and builds everything again.
exec env SWIFT_DETERMINISTIC_HASHING=1 swift "$1" -Xswiftc -use-ld=lld "${@:2}"
