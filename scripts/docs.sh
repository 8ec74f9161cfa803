#!/usr/bin/env bash
# Builds the documentation of every library into .build/docs, and fails on a warning or a public symbol without a
# comment.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh jq

modules=(
    PushCore PushAdapter PushClient PushWebhooks PushRoutes PushMemory PushLoopback PushRouterSettings PushOutboxObservability
    PushStoreConformance PushServices PushDevice PushStyles PushCrypto PushCurl PushHTTP2 PushObservability PushSimulation PushSimulationTesting PushSimulationServer
    PushConformance PushAdvisor PushPhone PushInspector PushOutboxPage PushRouter PushRouterSQLite PushOutbox PushOutboxSQLite PushOutboxPostgres
    PushBridge HuaweiDialect
)
# The vendors of the package.
vendors=$(sed -n '/^let vendors = \[/,/\]$/p' Package.swift | grep -o '"[^"]*"' | tr -d '"') ||
    { echo "docs: Package.swift has no vendors" >&2; exit 1; }
for vendor in $vendors; do
    modules+=("Push$vendor" "${vendor}Simulator" "${vendor}Conformance")
done

# dump-symbol-graph also dumps the tests, and fails if they are not built.
scripts/swift.sh build --build-tests
graphs=$(scripts/swift.sh package dump-symbol-graph --minimum-access-level public --skip-synthesized-members 2>/dev/null |
    sed -n 's/^Files written to //p')
[ -d "$graphs" ] || { echo "docs: no symbol graphs were written" >&2; exit 1; }

missing=0
for module in "${modules[@]}"; do
    # Symbols from this module's sources without a comment.
    bare=$(jq --raw-output '.symbols[] | select(.docComment == null and .location != null) | .pathComponents | join(".")' \
        "$graphs/$module.symbols.json")
    if [ -n "$bare" ]; then
        printf '%s\n' "$bare" | sed "s/^/docs: no comment: $module./" >&2
        missing=1
    fi
done
[ $missing -eq 0 ] || exit 1

rm -rf .build/docs
for module in "${modules[@]}"; do
    folder=".build/docs/graphs/$module"
    mkdir -p "$folder"
    cp "$graphs/$module.symbols.json" "$folder/"
    cp "$graphs/$module@"*.symbols.json "$folder/" 2>/dev/null || true
    catalog=$(find Sources Adapters -type d -name "$module.docc")
    docc convert ${catalog:+"$catalog"} --additional-symbol-graph-dir "$folder" \
        --fallback-display-name "$module" --fallback-bundle-identifier "pushbridge.$module" \
        --warnings-as-errors --output-path ".build/docs/$module.doccarchive"
done
# One archive for all, which opens with the list of modules.
archives=()
for module in "${modules[@]}"; do archives+=(".build/docs/$module.doccarchive"); done
docc merge "${archives[@]}" --synthesized-landing-page-name PushBridge --output-path .build/docs/PushBridge-all.doccarchive
rm -rf "${archives[@]}" .build/docs/graphs
mv .build/docs/PushBridge-all.doccarchive .build/docs/PushBridge.doccarchive
echo "docs: .build/docs/PushBridge.doccarchive with ${#modules[@]} modules"
