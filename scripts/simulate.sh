#!/usr/bin/env bash
# Plays worlds by seed in virtual time, and looks for one in which a promise does not hold.
#   scripts/simulate.sh [--seeds N] [--from SEED] [--world NAME] [--minutes N]
#   scripts/simulate.sh --world NAME --seed SEED [--shrink]     plays one, and tells its story
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
scripts/swift.sh build --configuration release --product simulate
simulate="$(scripts/swift.sh build --configuration release --show-bin-path)/simulate"
# Otherwise each process has its own order of sets and dictionaries.
export SWIFT_DETERMINISTIC_HASHING=1
"$simulate" breaches >/dev/null
case " $* " in
    *" --seed "*) "$simulate" play "$@" ;;
    *) "$simulate" search "$@" ;;
esac
