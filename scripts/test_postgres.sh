#!/usr/bin/env bash
# Runs the store's tests on a PostgreSQL of their own: started here, gone afterwards.
# Usage: scripts/test_postgres.sh PYTHON [pytest arguments]
# With SOOEE_TEST_POSTGRES_URL set, that database is used instead.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$1
shift
tests=(tests/scoring/test_store.py "$@")

if [ -n "${SOOEE_TEST_POSTGRES_URL:-}" ]; then
    exec "$python" -m pytest "${tests[@]}"
fi

bin=$(dirname "$(command -v initdb || ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -V | tail -n 1 || true)")
if [ ! -x "$bin/initdb" ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >/dev/null
        bin=$(dirname "$(ls /usr/lib/postgresql/*/bin/initdb | sort -V | tail -n 1)")
    else
        echo "PostgreSQL is missing: run 'sudo apt-get install postgresql', then this again," >&2
        echo "or set SOOEE_TEST_POSTGRES_URL=postgresql://user@host/database" >&2
        exit 1
    fi
fi

# The server refuses to run as root; Debian's packages bring a user for it.
as=()
if [ "$(id -u)" = 0 ]; then
    as=(runuser -u postgres --)
fi
folder=$(mktemp -d -t sooee-postgres.XXXXXX)
chmod 755 "$folder"
[ "$(id -u)" = 0 ] && chown postgres "$folder"
cleanup() {
    "${as[@]}" "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
    rm -rf "$folder"
}
trap cleanup EXIT

cd "$folder"
"${as[@]}" "$bin/initdb" -D "$folder/data" -U sooee --auth=trust -E UTF8 >/dev/null
"${as[@]}" "$bin/pg_ctl" -D "$folder/data" -l "$folder/log" -w \
    -o "-c listen_addresses= -c unix_socket_directories=$folder" start >/dev/null
cd - >/dev/null
SOOEE_TEST_POSTGRES_URL="postgresql://sooee@/postgres?host=$folder" "$python" -m pytest "${tests[@]}"
