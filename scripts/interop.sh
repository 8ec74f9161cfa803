#!/usr/bin/env bash
# Runs clients that are not ours against our simulators: the vendor's own library against that of FCM; aioapns, and curl with
# a token made by hand, against that of APNs; pywebpush against that of Web Push. Also has our client send to a service of
# Python's, and each side of Web Push decrypt what the other encrypted. Fetches the libraries into a temporary folder. Needs
# Python 3.10 or later with venv, curl and openssl. Stands apart from test.sh, because the libraries are not ours to keep
# working.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/swift.sh build --product pushctl >&2
scripts/swift.sh build --product webpush-peer >&2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check "firebase-admin==7.7.0" "aioapns==4.0" \
    "pywebpush==2.5.0" "http-ece==1.2.1" "py-vapid==1.9.6"
"$folder/bin/pip" list --format freeze --disable-pip-version-check | grep -E '^(firebase|aioapns|pywebpush|http_ece|py-vapid)'
bin=$(scripts/swift.sh build --show-bin-path)
"$folder/bin/python" -W ignore::DeprecationWarning Tests/Interop/fcm.py "$bin/pushctl"
"$folder/bin/python" Tests/Interop/apns.py "$bin/pushctl"
"$folder/bin/python" Tests/Interop/webpush.py "$bin/webpush-peer"
