#!/usr/bin/env bash
# Writes to NVMe/TCP targets with receive segments and windows of several sizes, in alternating rounds, and prints the
# medians as a Markdown table. Needs two cores that nothing else uses; a load that fails ends it.
#
# Settings, by environment: SEGMENTS, WINDOWS, IO_SIZE, MEDIUM, DEPTH, ROUNDS, SECONDS_EACH, TARGET_CPU, LOAD_CPU,
# TARGET_OPTIONS (more options of the targets).
set -u
goblin_root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
segments=${SEGMENTS:-1448 4096 8192 16384 65536}
windows=${WINDOWS:-32768 65536 131072 262144 524288}
io_size=${IO_SIZE:-128K}
medium=${MEDIUM:-null:1G}
depth=${DEPTH:-32}
rounds=${ROUNDS:-5}
seconds=${SECONDS_EACH:-1}
nqn=nqn.2026-01.org.goblin:sweep
work=$(mktemp -d) || exit 1
declare -A pids=() ports=()

finish() {
    local key
    for key in "${!pids[@]}"; do kill "${pids[$key]}" 2> /dev/null; done
    wait
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM

# Prints a port on which nobody listens.
free_port() {
    local port
    while port=$((20000 + RANDOM % 20000)); do
        (: < "/dev/tcp/127.0.0.1/$port") 2> /dev/null || break
    done
    echo "$port"
}

start() {
    local segment=$1 window=$2 key=$1-$2 port tries
    port=$(free_port)
    # shellcheck disable=SC2086 # options are words
    "$goblin_root/bin/goblin-nvmf" --listen 127.0.0.1 "$port" --subsystem "$nqn" --allow-any-host \
        --namespace "$medium" --cpu "${TARGET_CPU:-0}" --receive-segment-size "$segment" --receive-window "$window" \
        ${TARGET_OPTIONS:-} > "$work/$key.log" 2>&1 &
    pids[$key]=$!
    ports[$key]=$port
    for ((tries = 0; tries < 300; tries++)); do
        (: < "/dev/tcp/127.0.0.1/$port") 2> /dev/null && return
        kill -0 "${pids[$key]}" 2> /dev/null || break
        sleep 0.1
    done
    echo "the target with segments of $segment and a window of $window does not start:" >&2
    cat "$work/$key.log" >&2
    exit 1
}

# Prints MiB/s.
load() {
    local mib
    "$goblin_root/bin/goblin-nvmf-perf" --target 127.0.0.1 "${ports[$1]}" --nqn "$nqn" --io-size "$io_size" \
        --read-mix 0 --queue-depth "$depth" --cpu "${LOAD_CPU:-1}" --warmup 0.5 --seconds "$2" --csv \
        > "$work/load.csv" 2> "$work/load.log" || fail_load "$1"
    mib=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if (tolower($i) ~ /mib/) c = i } NR == 2 { print $c }' \
        "$work/load.csv")
    [[ -n $mib ]] || fail_load "$1"
    echo "$mib"
}

# Medians of fewer rounds than the headline says would mislead.
fail_load() {
    echo "the load on the target with segment-window $1 failed:" >&2
    cat "$work/load.log" "$work/load.csv" "$work/$1.log" >&2
    exit 1
}

median() { sort -n | awk '{ v[NR] = $1 } END { printf "%.0f", NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

keys=()
for segment in $segments; do
    for window in $windows; do
        ((window < segment)) && continue
        start "$segment" "$window"
        keys+=("$segment-$window")
    done
done
# The first round compiles the targets' code.
for key in "${keys[@]}"; do load "$key" "$seconds" > /dev/null || exit 1; done
for ((round = 0; round < rounds; round++)); do
    for key in "${keys[@]}"; do load "$key" "$seconds" >> "$work/$key.mib" || exit 1; done
    echo "round $((round + 1)) of $rounds" >&2
done

echo "MiB/s of $io_size writes to $medium at depth $depth, medians of $rounds alternating rounds of $seconds s:"
echo
header='| segment \ window |' rule='|---|'
for window in $windows; do header+=" $window |" rule+='---|'; done
printf '%s\n%s\n' "$header" "$rule"
for segment in $segments; do
    row="| $segment |"
    for window in $windows; do
        row+=" $([[ -e $work/$segment-$window.mib ]] && median < "$work/$segment-$window.mib") |"
    done
    echo "$row"
done
