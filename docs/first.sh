#!/bin/sh
# What a first result costs, of each revision in a fresh clone with nothing built and again when it is built:
#   sh docs/first.sh NAME=REVISION...
# from the root, with nothing else running. CPU seconds are user and system time of everything that is started; packages that are
# downloaded are there already. Only their ratios mean something on another machine.
set -e
root=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bench="cargo xtask bench --methods none,null-move --game chess --depth 5 --limit 1"
# CPU and wall seconds of a command.
seconds() { { /usr/bin/env bash -c 'TIMEFORMAT="%U %S %R"; time '"$1"' >log 2>&1' 2>&1 || { cat log >&2; exit 1; }; } | tail -n 1 | awk '{ print $1 + $2 "," $3 }'; }
echo "# sh docs/first.sh $*"
echo "what,cpu,wall"
for pair in "$@"; do
    name=${pair%%=*}
    git clone --quiet "$root" "$work/$name"
    cd "$work/$name"
    git checkout --quiet "${pair#*=}"
    cargo fetch --quiet --locked
    echo "$name-fresh,$(seconds "$bench --out runs/1")"
    echo "$name-again,$(seconds "$bench --out runs/2")"
    cd "$root"
done
