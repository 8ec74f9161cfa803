#!/usr/bin/env bash
# Runs a command of SwiftPM for this package, with all traits, from its folder, or for another package with --package-path:
# scripts/swift.sh build|run|test|package ...
set -euo pipefail

# lld, which comes with Swift, links in half the time of the default linker.
options=(-Xswiftc -use-ld=lld)
case " $* " in
    *" --package-path "*) ;;
    *) options+=(--traits "Tools,SQLite,PostgreSQL,ServiceLifecycle") ;;
esac
# Without the variable, SwiftPM names the traits to the compiler in another order each time, and builds everything again.
exec env SWIFT_DETERMINISTIC_HASHING=1 swift "$1" "${options[@]}" "${@:2}"
