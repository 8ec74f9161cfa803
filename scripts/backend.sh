#!/usr/bin/env bash
# Runs the server of the example Backend, with wrong settings and then as its article says: scripts/backend.sh PUSHCTL SERVE
set -euo pipefail
cd "$(dirname "$0")/.."
pushctl=$1
serve=$2
article=Sources/PushBridge/PushBridge.docc/ABackendInTenMinutes.md

fail() { echo "backend: $1" >&2; exit 1; }

# Missing settings, a vendor that does not exist, and a port that is no number: one line, and the status for settings.
account="VENDOR=jpush JPUSH_APP_KEY=$(printf 'a%.0s' {1..24}) JPUSH_MASTER_SECRET=$(printf 'b%.0s' {1..24})"
for wrong in VENDOR= VENDOR=moon "$account HTTP_PORT=eighty"; do
    status=0
    # shellcheck disable=SC2086
    said=$(env $wrong timeout 20 "$serve" 2>&1) || status=$?
    [ "$status" -eq 78 ] && [ "$(wc -l <<<"$said")" -eq 1 ] ||
        fail "with wrong settings the server ends with $status and says: $said"
done

# The commands of the article that begins so.
block() {
    awk -v start="$1" '/^```sh$/ { getline; inside = index($0, start) == 1 } /^```$/ { inside = 0 } inside' "$article" | grep . ||
        fail "the article has no command $1"
}
# The programs are built already.
swift() {
    case "$2" in
        pushctl) shift 2; exec "$pushctl" "$@" ;;
        Serve) exec "$serve" ;;
        *) fail "the article has an unknown command: swift $*" ;;
    esac
}
# Without the bar of progress.
curl() { command curl --silent --show-error "$@"; }

folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -r "$folder"' EXIT
eval "$(block "swift run pushctl simulate") >$folder/simulator &"
for ((wait = 0; wait < 300; wait++)); do grep --quiet caFile "$folder/simulator" && break; sleep 0.1; done
origin=$(sed -n 's/.*"origin": *"\([^"]*\)".*/\1/p' "$folder/simulator")
file=$(sed -n 's/.*"caFile": *"\([^"]*\)".*/\1/p' "$folder/simulator")
[ -n "$origin" ] && [ -n "$file" ] || fail "the simulator did not start"

settings=$(block "export VENDOR" | sed "s|https://localhost:\.\.\.|$origin|; s|CA_FILE=\.\.\.|CA_FILE=$file|")
for ((try = 0; try < 5; try++)); do
    # Another program may have the port, or take it before the server, which ends then.
    export HTTP_PORT=$((20000 + RANDOM % 12000))
    ! curl --output /dev/null "127.0.0.1:$HTTP_PORT/" 2>/dev/null || continue
    eval "{ $settings
    } >$folder/server 2>&1 &"
    server=$!
    for ((wait = 0; wait < 300; wait++)); do
        kill -0 "$server" 2>/dev/null || break
        curl --output /dev/null "127.0.0.1:$HTTP_PORT/" 2>/dev/null && break 2
        sleep 0.1
    done
done
kill -0 "$server" || fail "the server did not start: $(cat "$folder/server")"

# The fields of the last answer, in one order: the server writes them in any.
fields() { sed 's/.*{\(.*\)}/\1/' <<<"$1" | tr ',' '\n' | sort; }
calls=$(block "curl -X PUT" | sed "s/localhost:8080/127.0.0.1:$HTTP_PORT/")
said=$(eval "$calls")
[ "$(fields "$said")" = "$(fields "$(sed -n 's/^# //p' <<<"$calls")")" ] || fail "the server says: $said"
