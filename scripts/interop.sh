#!/usr/bin/env bash
# Runs a vendor's own library against our simulator of the vendor. Fetches the library into a temporary folder.
# Needs Python 3.10 or later with venv. Stands apart from test.sh, because the library is not ours to keep working.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --product pushctl >&2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check "firebase-admin==7.7.0"
"$folder/bin/pip" list --format freeze --disable-pip-version-check | grep '^firebase'
"$folder/bin/python" -W ignore::DeprecationWarning Tests/Interop/fcm.py "$(swift build --show-bin-path)/pushctl"
