#!/usr/bin/env bash
# Regenerates what pages copy from elsewhere: the output of pushctl between "<!-- pushctl ARGUMENTS -->" and "<!-- end pushctl -->",
# and source files between "<!-- file PATH -->" and "<!-- end file -->".
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/swift.sh build --product pushctl >&2
bin=$(scripts/swift.sh build --show-bin-path)
for page in README.md docs/*.md Adapters/*/README.md Adapters/*/*/README.md Sources/*/*.docc/*.md; do
    awk -v program="$bin/pushctl" '
        function copy(command) {
            while ((command | getline line) > 0) print line
            close(command)
            skipping = 1
        }
        /^<!-- end (pushctl|file) -->$/ { skipping = 0 }
        !skipping { print }
        /^<!-- pushctl .* -->$/ {
            sub(/^<!-- pushctl /, "")
            sub(/ -->$/, "")
            copy("COLUMNS=5000 " program " " $0)
        }
        /^<!-- file .* -->$/ {
            sub(/^<!-- file /, "")
            sub(/ -->$/, "")
            print "\n```swift"
            copy("cat " $0)
            print "```\n"
        }' "$page" >"$page.new"
    # Only pages that change are written, so that nothing is built again for them.
    if cmp -s "$page" "$page.new"; then rm "$page.new"; else mv "$page.new" "$page"; fi
done
