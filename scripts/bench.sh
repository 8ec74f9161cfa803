#!/usr/bin/env bash
# Measures this library against other programs, on this machine and its loopback interface only; about ten minutes.
# Prints the tables as Markdown; progress goes to standard error. Arguments go to the program: --help lists them.
set -euo pipefail
cd "$(dirname "$0")/.."

{
    scripts/setup.sh nginx-light python3-venv
    swift build --package-path Benchmarks --configuration release
    # Whoever installs pushctl builds it so.
    swift build --configuration release --product pushctl
    python=Benchmarks/.build/python
    if ! "$python/bin/python" -c "import jpush" 2>/dev/null; then
        python3 -m venv "$python"
        "$python/bin/pip" install --quiet "jpush==3.4.1"
    fi
} >&2

bin=$(swift build --package-path Benchmarks --configuration release --show-bin-path)
timeout 900 "$bin/bench" --python "$python/bin/python" "$@"
