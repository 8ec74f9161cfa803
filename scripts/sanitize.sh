#!/usr/bin/env bash
# Runs all tests under a sanitizer: scripts/sanitize.sh thread|address
set -euo pipefail
cd "$(dirname "$0")/.."

kind=${1:-}
case "$kind" in
    thread | address) ;;
    *) echo "usage: scripts/sanitize.sh thread|address" >&2; exit 64 ;;
esac

scripts/setup.sh chromium chromium-driver firefox-esr nginx-light nghttp2-server postgresql curl
# As in test.sh, so that not all tests begin at once.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8
# A suppression names a function, which for decoded JSON may stand deeper than the usual thirty frames.
export ASAN_OPTIONS="malloc_context_size=90${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
export LSAN_OPTIONS="suppressions=$PWD/scripts/lsan-suppressions.txt${LSAN_OPTIONS:+:$LSAN_OPTIONS}"
export TSAN_OPTIONS="suppressions=$PWD/scripts/tsan-suppressions.txt${TSAN_OPTIONS:+:$TSAN_OPTIONS}"
# In a separate folder, so that the ordinary build stays as it is, and built once for all tests.
options=(--disable-xctest --sanitize="$kind" --scratch-path ".build/sanitize-$kind")
scripts/swift.sh build --build-tests "${options[@]}"
run_tests() { scripts/swift.sh test --skip-build "${options[@]}" "$@"; }
# One after the other: a sanitizer makes the programs so slow that all tests at once would miss their deadlines.
run_tests --skip LoopbackTests --skip InspectorTests --skip ConformanceTests --skip PushctlTests
run_tests --filter ConformanceTests
run_tests --filter PushctlTests
# One at a time, because they measure real time.
run_tests --no-parallel --filter "LoopbackTests|InspectorTests"
