#!/usr/bin/env bash
# Builds the command line and shows a backend at work against a simulator on this machine. Arguments go to the demo.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh >&2
echo "demo: building (a few minutes the first time)" >&2
scripts/swift.sh build --product pushctl >&2
exec "$(scripts/swift.sh build --show-bin-path)/pushctl" demo "$@"
