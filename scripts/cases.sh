#!/usr/bin/env bash
# Lists the cases of the vendors' SDK guides (Tests/Contract/cases.json), each with the file of the test that names it.
# Fails if no test names a case that is neither open nor overruled, or if a test names one that is.
set -euo pipefail
cd "$(dirname "$0")/.."

# Only names in quotes count: those of tests and their samples.
named=$(grep -roE --include='*.swift' '"[^"]*\bG-[0-9]+[^"]*"' Tests Adapters/*/Tests)
status=0
while IFS= read -r line; do
    id=$(sed -n 's/.*"id": "\(G-[0-9]*\)".*/\1/p' <<<"$line")
    [ -n "$id" ] || continue
    file=$(grep -wF "$id" <<<"$named" | head -n 1 | cut -d: -f1 || true)
    reason=$(sed -n 's/.*"\(open\|reason\)": "\([^"]*\)".*/\1: \2/p' <<<"$line")
    if [ -n "$file" ] && [ -n "$reason" ]; then
        echo "$id is named in $file, and is $reason" >&2
        status=1
    elif [ -z "$file$reason" ]; then
        echo "$id is named by no test, and nothing says why" >&2
        status=1
    else
        echo "$id  ${file:-$reason}"
    fi
done <Tests/Contract/cases.json
exit $status
