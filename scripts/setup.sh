#!/usr/bin/env bash
# Installs what building needs on Debian 12 besides a Swift toolchain, and the packages given as arguments.
# Quick when nothing is missing.
set -euo pipefail

if ! command -v swift >/dev/null; then
    echo "setup: there is no swift on the PATH; install a Swift 6.2 or later toolchain first" >&2
    exit 1
fi

packages=(libcurl4-openssl-dev libnghttp2-dev libssl-dev libsqlite3-dev libpq-dev pkg-config "$@")
missing=()
for package in "${packages[@]}"; do
    status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
    exit 0
fi

run=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "setup: run as root or install sudo, to install: ${missing[*]}" >&2; exit 1; }
    run=(sudo)
fi
echo "setup: installing ${missing[*]}"
# Tests start a server of their own, so the package must not start one.
case " ${missing[*]} " in
*" postgresql "*)
    "${run[@]}" mkdir -p /etc/postgresql-common
    echo "create_main_cluster = false" | "${run[@]}" tee -a /etc/postgresql-common/createcluster.conf >/dev/null
    ;;
esac
"${run[@]}" apt-get update -qq
"${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
echo "setup: done"
