#!/usr/bin/env bash
# Everything that must hold before a change lands: lint, builds, all tests, the demo among them, and the examples.
set -euo pipefail
cd "$(dirname "$0")/.."

# Chromium is for the tests of the inspector and of the outbox's page, Firefox for those of Web Push, the web servers for those
# of the HTTP/2 transport, PostgreSQL for those of its outbox.
scripts/setup.sh chromium chromium-driver firefox-esr nginx-light nghttp2-server postgresql curl

step() { printf '\n== %s (after %d s)\n' "$1" "$SECONDS"; }

step "lint"
swift format lint --strict --parallel --recursive Package.swift Sources Adapters Tests Examples Benchmarks/Package.swift Benchmarks/Sources

step "cases of the SDK guides, and planted mistakes"
scripts/cases.sh
for twin in Tests/Simulate/Twins/*.diff; do git apply --check "$twin"; done

step "build"
scripts/swift.sh build --build-tests --explicit-target-dependency-import-check error

bin=$(scripts/swift.sh build --show-bin-path)
# Runs commands, one in an argument, at the same time. Prints what the first says, then what the others said, and at the end
# once more what failed.
together() {
    local folder number jobs=() ends=() failed=0
    folder=$(mktemp -d)
    for ((number = 2; number <= $#; number++)); do
        eval "${!number}" >"$folder/$number" 2>&1 &
        jobs+=($!)
    done
    (eval "$1") 2>&1 | tee "$folder/1" && ends+=(0) || ends+=($?)
    for job in "${jobs[@]}"; do wait "$job" && ends+=(0) || ends+=($?); done
    for ((number = 2; number <= $#; number++)); do cat "$folder/$number"; done
    for ((number = 1; number <= $#; number++)); do
        [ "${ends[number - 1]}" -ne 0 ] || continue
        failed=1
        printf '\n== ended with %d: %s\n' "${ends[number - 1]}" "${!number}"
        grep --after-context 3 '✘' "$folder/$number" | tail -n 60 || true
        tail -n 5 "$folder/$number"
    done
    rm -r "$folder"
    return "$failed"
}
# All tests would begin at once, and each would take as long as all of them together.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8
# The tests as a program, because two `swift test` at once want the same database of the build.
run_tests() { "$bin/PushBridgePackageTests.xctest" --testing-library swift-testing "$@"; }
step "tests, unit and in process, and every adapter with every check"
# The checks over sockets, and the crash points, run one after the other. In the first process, each would stand in a long line.
together "run_tests --skip LoopbackTests --skip InspectorTests --skip ConformanceTests --skip CrashTests" \
    "run_tests --filter AdapterTests/loopback --filter CrashTests" \
    "run_tests --filter ConformanceTests --skip AdapterTests/loopback"
# Not `nice`, because threads of Dispatch raise it again.
idle=()
if chrt --idle 0 true 2>/dev/null; then idle=(chrt --idle 0); fi
# Forty of each world, and 160 more of each without an outbox, because one of an outbox takes as long as thirty of those.
seeds() {
    local world
    "${idle[@]}" "$bin/simulate" breaches || return
    "${idle[@]}" timeout 1200 "$bin/simulate" search --seeds 40 || return
    for world in client quota device router; do
        "${idle[@]}" timeout 1200 "$bin/simulate" search --world "$world" --seeds 160 --from 41 || return
    done
}
# Separately, because they measure real time. Those of PostgreSQL and of browsers have processes of their own. The seeds, whose time is
# virtual, get what these leave of the processors.
step "tests over loopback, and a thousand seeds"
together "run_tests --no-parallel --filter LoopbackTests --skip PushOutboxTests --skip InspectorTests" \
    "run_tests --no-parallel --filter 'PushOutboxTests.*LoopbackTests'" \
    "run_tests --no-parallel --filter InspectorTests" seeds

for example in Examples/[0-9]*/; do
    name=$(basename "$example")
    [ -f "$example/Package.swift" ] && continue
    step "example $name"
    timeout 600 "$bin/$name"
done

step "a minute under attack"
timeout 1200 "$bin/survive" --seconds 60 --slack 2000

# The builds below remove these programs, so they get copies. Courier is an adapter with access tokens, written now.
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
cp "$bin/pushctl" "$bin/kills" "$made/"
(cd "$made" && ./pushctl new-adapter Courier --access-tokens --pushbridge "$OLDPWD")

# They share the folder of the build, which saves compiling the web server again. The package that has a web server comes
# first: SwiftPM removes from the folder what a package does not need.
packages() {
    local package example
    for package in Examples/11-Backend/Package.swift Examples/07-YourOwnAdapter/Package.swift "$made/Courier/Package.swift"; do
        example=$(dirname "$package")
        step "$(basename "$example"), a package of its own"
        # With a cached manifest, the second package would run what was built for the first.
        scripts/swift.sh test --disable-xctest --package-path "$example" --scratch-path .build \
            --disable-build-manifest-caching || return
        [ ! -x "$bin/Serve" ] || scripts/backend.sh "$made/pushctl" "$bin/Serve" || return
    done
}
step "packages of their own, and outboxes whose workers are killed, in a file and on PostgreSQL"
# The killed workers mostly wait, so they run beside a build.
together packages 'timeout 1200 "$made/kills" --kills 10 --engine file' \
    'timeout 1200 "$made/kills" --kills 10 --engine postgresql'

step "what a backend fetches"
backend=$(mktemp -d)
trap 'rm -rf "$made" "$backend"' EXIT
mkdir -p "$backend/Sources/Shop"
echo 'import PushBridge' >"$backend/Sources/Shop/main.swift"
# The dependency as README has it, but for where the package is.
cat >"$backend/Package.swift" <<EOF
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Shop",
    dependencies: [.package(name: "PushBridge", path: "$PWD", traits: [])],
    targets: [
        .executableTarget(
            name: "Shop",
            dependencies: [
                .product(name: "PushBridge", package: "PushBridge"), .product(name: "PushJPush", package: "PushBridge"),
            ])
    ]
)
EOF
swift package --package-path "$backend" resolve
if grep --ignore-case --extended-regexp '"identity" : ".*(grdb|hummingbird|nio|argument-parser)' "$backend/Package.resolved"; then
    echo "test: a backend without traits fetches the packages above" >&2
    exit 1
fi

step "all green"
