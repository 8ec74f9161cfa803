#!/usr/bin/env bash
# Measures this library against other programs, on this machine and its loopback interface only; about thirty-five minutes.
# Prints the tables as Markdown; progress goes to standard error. Arguments go to the program: --help lists them.
set -euo pipefail
cd "$(dirname "$0")/.."

{
    scripts/setup.sh nginx-light nghttp2-client python3-venv postgresql
    scripts/swift.sh build --package-path Benchmarks --configuration release
    # Whoever installs pushctl builds it so.
    scripts/swift.sh build --configuration release --product pushctl
    scripts/swift.sh build --configuration release --product webpush-parts
    python=Benchmarks/.build/python
    if ! "$python/bin/python" -c "import jpush, pywebpush" 2>/dev/null; then
        python3 -m venv "$python"
        "$python/bin/pip" install --quiet "jpush==3.4.1" "pywebpush==2.5.0" "http-ece==1.2.1"
    fi
    # Go is large, so it is measured only where it is installed already.
    go=()
    if command -v go >/dev/null && [ -d /usr/share/gocode/src/golang.org/x/net/http2 ]; then
        GO111MODULE=off GOPATH=/usr/share/gocode GOFLAGS='' go build -o Benchmarks/.build/bench-go Benchmarks/go/main.go
        go=(--go Benchmarks/.build/bench-go)
    else
        echo "bench: skipping Go, net/http: golang-go or golang-golang-x-net-dev is not installed"
    fi
} >&2

bin=$(scripts/swift.sh build --package-path Benchmarks --configuration release --show-bin-path)
parts=$(scripts/swift.sh build --configuration release --show-bin-path)/webpush-parts
timeout 3600 "$bin/bench" --python "$python/bin/python" --webpush-parts "$parts" "${go[@]}" "$@"
