#!/usr/bin/env bash
# Writes the generated tables of the pages anew: what stands between "<!-- pushctl ARGUMENTS -->" and "<!-- end pushctl -->".
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --product pushctl >&2
bin=$(swift build --show-bin-path)
for page in README.md docs/*.md Adapters/*/README.md; do
    awk -v program="$bin/pushctl" '
        /^<!-- end pushctl -->$/ { skipping = 0 }
        !skipping { print }
        /^<!-- pushctl .* -->$/ {
            arguments = $0
            sub(/^<!-- pushctl /, "", arguments)
            sub(/ -->$/, "", arguments)
            command = program " " arguments
            while ((command | getline line) > 0) print line
            close(command)
            skipping = 1
        }' "$page" >"$page.new"
    mv "$page.new" "$page"
done
