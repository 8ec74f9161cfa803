#!/usr/bin/env bash
# Finds changes of the public API since a git tag that break callers: scripts/api-changes.sh TAG [PRODUCT...]
# Compares the libraries that it is given, or all; lists them first. Builds this version and that of the tag. Fails if it finds a
# change that breaks, or cannot compare.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    echo "api-changes: $1" >&2
    echo "usage: scripts/api-changes.sh TAG [PRODUCT...]" >&2
    exit 64
}

tag=${1:-}
case "$tag" in
    "") usage "name the git tag to compare with" ;;
    -*) usage "there is no option $tag" ;;
esac
shift
if ! git rev-parse --quiet --verify "refs/tags/$tag^{commit}" >/dev/null; then
    known=$(git tag --list | paste --serial --delimiters=' ')
    usage "there is no tag $tag; there are: ${known:-none}"
fi

scripts/setup.sh jq
mapfile -t libraries < <(swift package dump-package | jq --raw-output '.products[] | select(.type.library) | .name')
[ ${#libraries[@]} -gt 0 ] || { echo "api-changes: Package.swift has no libraries" >&2; exit 1; }

products=()
for product in "$@"; do
    case " ${libraries[*]} " in
        *" $product "*) products+=("$product") ;;
        *) usage "$product cannot be compared; these can: ${libraries[*]}" ;;
    esac
done
[ ${#products[@]} -gt 0 ] || products=("${libraries[@]}")

echo "api-changes: comparing with $tag:"
printf '  %s\n' "${products[@]}"
scripts/swift.sh package diagnose-api-breaking-changes "$tag" --products "${products[@]}"
