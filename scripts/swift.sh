#!/usr/bin/env bash
# Runs a command of SwiftPM with all traits, from the folder of the package: scripts/swift.sh build|run|test|package ...
set -euo pipefail

# Without the variable, SwiftPM names the traits to the compiler in another order each time, and builds everything again.
# lld, which comes with Swift, links in half the time of the default linker.
exec env SWIFT_DETERMINISTIC_HASHING=1 swift "$1" --traits Tools,SQLite,PostgreSQL,ServiceLifecycle -Xswiftc -use-ld=lld "${@:2}"
