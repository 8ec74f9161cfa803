#!/usr/bin/env bash
# Builds the command line and shows a backend at work against a simulator on this machine. Arguments go to the demo.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t flags < scripts/flags

scripts/setup.sh >&2
echo "demo: building (a few minutes the first time)" >&2
swift build "${flags[@]}" --product pushctl >&2
exec "$(swift build "${flags[@]}" --show-bin-path)/pushctl" demo "$@"
