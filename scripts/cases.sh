#!/usr/bin/env bash
# Lists the cases of the vendors' SDK guides (Tests/Contract/cases.json), each with the file of the test that names it,
# then the calls of the guides (Tests/Contract/calls.json), each with its file and the file of a test that uses it.
# Fails if a case or a call has no test and is not overruled with a reason, or has both, or if a file lacks its call.
set -euo pipefail
cd "$(dirname "$0")/.."

# Only names in quotes count: those of tests and their samples.
named=$(grep -roE --include='*.swift' '"[^"]*\bG-[0-9]+[^"]*"' Tests Adapters/*/Tests)
status=0

fail() {
    echo "$1" >&2
    status=1
}

# The text of a field in a line; empty if the line does not have it.
field() {
    local form="\"$2\": \"([^\"]*)\""
    if [[ $1 =~ $form ]]; then echo "${BASH_REMATCH[1]}"; fi
}

while IFS= read -r line; do
    id=$(field "$line" id)
    [ -n "$id" ] || continue
    file=$(grep -wF "$id" <<<"$named" | head -n 1 | cut -d: -f1 || true)
    reason=$(field "$line" reason)
    if [[ $line == *'"open":'* ]]; then
        fail "$id is open; a test must name it, or a reason overrule it"
    elif [ -n "$file" ] && [ -n "$reason" ]; then
        fail "$id is named in $file, and is overruled: $reason"
    elif [ -z "$file$reason" ]; then
        fail "$id is named by no test, and no reason overrules it"
    else
        echo "$id  ${file:-overruled: $reason}"
    fi
done <Tests/Contract/cases.json

# Comments do not count: neither where a call is declared nor where it is used.
code='^([^/]|/[^/])*'
tests=$(find Tests/PushStylesTests Tests/PushDeviceTests Tests/PushPhoneTests Tests/LoopbackTests \
    Tests/PushBridgeTests Adapters/*/Tests -name '*.swift' | sort -r)

# The first test file that uses a call: its name with a parenthesis or a closure, and each of its labels in the file.
user() {
    local use="\\b$1\\b" files=$tests label labels=
    if [[ $2 == *'('* ]]; then
        use="\\b$1(\\(| \\{)"
        labels=${2#*(}
        labels=${labels%)}
    fi
    for label in "$use" $(tr ':' ' ' <<<"$labels"); do
        [ "$label" != _ ] || continue
        [ "$label" = "$use" ] || label="\\b$label( [a-z][A-Za-z]*)?:"
        files=$(grep -lE "$code$label" $files || true)
        [ -n "$files" ] || return 0
    done
    head -n 1 <<<"$files"
}

while IFS= read -r line; do
    id=$(field "$line" id)
    [ -n "$id" ] || continue
    here=$(field "$line" here)
    in=$(field "$line" in)
    reason=$(field "$line" reason)
    if [ -n "$reason" ]; then
        [ -z "$here" ] || fail "$id is here, as $here, and is overruled: $reason"
        echo "$id  overruled: $reason"
        continue
    fi
    # The name without its labels and without its type.
    name=${here%%(*}
    name=${name##*.}
    declared="$code\\b(func|var|let|class|struct|enum|protocol|typealias) $name\\b"
    if [ -z "$name" ] || [ -z "$in" ]; then
        fail "$id has no name here, and no reason overrules it"
    elif [ ! -f "$in" ] || ! grep -qE "$declared" "$in"; then
        fail "$id: $in does not declare $name"
    else
        test=$(user "$name" "$here")
        if [ -n "$test" ]; then echo "$id  $here: $in, $test"; else fail "$id: no test uses $here"; fi
    fi
done <Tests/Contract/calls.json
exit $status
