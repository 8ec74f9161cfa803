#!/usr/bin/env bash
# Runs clients that are not ours against our simulators: the vendor's own library against that of FCM; aioapns, and curl with
# a token made by hand, against that of APNs. Fetches the libraries into a temporary folder. Needs Python 3.10 or later with
# venv, curl and openssl. Stands apart from test.sh, because the libraries are not ours to keep working.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t flags < scripts/flags

swift build "${flags[@]}" --product pushctl >&2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check "firebase-admin==7.7.0" "aioapns==4.0"
"$folder/bin/pip" list --format freeze --disable-pip-version-check | grep -E '^(firebase|aioapns)'
pushctl="$(swift build "${flags[@]}" --show-bin-path)/pushctl"
"$folder/bin/python" -W ignore::DeprecationWarning Tests/Interop/fcm.py "$pushctl"
"$folder/bin/python" Tests/Interop/apns.py "$pushctl"
