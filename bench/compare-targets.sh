#!/usr/bin/env bash
# Compares goblin-nvmf with another NVMe/TCP target that you have built and can start: both spin on the same core, one
# at a time (the other is stopped by a signal meanwhile), the load spins on another; rounds alternate. Needs root or the
# right to pin processes. Prints a Markdown table of medians and ratios; runs.csv has every run.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")

usage() {
    cat <<'END'
Usage: bench/compare-targets.sh --peer-command COMMAND --peer-nqn NQN [OPTION...]
  --peer-command COMMAND  starts the other target in the foreground; it is pinned to --target-cpu by this script
  --peer-setup COMMAND    configures it once it runs; must wait until that is possible
  --peer-nqn NQN          its subsystem, which any host may use; namespace 1 is overwritten
  --peer-port PORT        where it listens on 127.0.0.1 (default 4499)
  --peer-name NAME        for the table (default peer)
  --medium SPEC           our namespace (default mem:256M); the peer's should be of the same size and kind
  --options WORDS         more options for goblin-nvmf
  --port PORT             our port (default 4498)
  --target-cpu N          (default 0)
  --load-cpu N            (default 1)
  --rounds N              (default 3)
  --seconds N             of each run, after one more to warm up (default 3)
  --output FOLDER         (default target/compare-targets)
END
}

fail() {
    echo "compare-targets: $1" >&2
    exit 1
}

peer_command='' peer_setup='' peer_nqn='' peer_port=4499 peer_name=peer medium=mem:256M options='' port=4498
target_cpu=0 load_cpu=1 rounds=3 seconds=3 output=$root/target/compare-targets
while (($# > 0)); do
    case $1 in
        -h | --help) usage; exit 0 ;;
        --peer-command | --peer-setup | --peer-nqn | --peer-port | --peer-name | --medium | --options | --port | --target-cpu | \
            --load-cpu | --rounds | --seconds | --output)
            (($# > 1)) || fail "$1 needs a value"
            name=${1#--}
            printf -v "${name//-/_}" '%s' "$2"
            shift 2
            ;;
        *) usage >&2; fail "unknown option $1" ;;
    esac
done
[[ -n $peer_command && -n $peer_nqn ]] || { usage >&2; fail "--peer-command and --peer-nqn are needed"; }

read -ra more_options <<<"$options"
our_nqn=nqn.2026-01.io.goblin:compare
mkdir -p "$output"
runs=$output/runs.csv
echo 'size,depth,command,round,target,iops,p50_us,p99_us' >"$runs"

# A session of its own each, so that all its processes can be stopped and ended.
pids=()
# Invoked by the trap.
# shellcheck disable=SC2317
cleanup() {
    for pid in "${pids[@]}"; do
        kill -CONT -- "-$pid" 2>/dev/null || true
        kill -TERM -- "-$pid" 2>/dev/null || true
    done
    wait 2>/dev/null || true
}
trap cleanup EXIT

start() {
    setsid taskset -c "$target_cpu" bash -c "exec $2" >"$output/$1.log" 2>&1 &
    pids+=($!)
}

answers() {
    local left=300
    until (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; do
        ((left-- > 0)) || fail "nobody listens on port $1; see $output"
        sleep 0.1
    done
}

start peer "$peer_command"
if [[ -n $peer_setup ]]; then
    bash -c "$peer_setup" >"$output/peer-setup.log" 2>&1 || fail "--peer-setup failed; see $output/peer-setup.log"
fi
answers "$peer_port"
kill -STOP -- "-${pids[0]}"
# The launcher keeps the JVM's own threads off the loop's core where it can; the peer has one thread.
setsid "$root/bin/goblin-nvmf" --listen 127.0.0.1 "$port" --subsystem "$our_nqn" --allow-any-host --namespace "$medium" \
    --cpu "$target_cpu" --idle spin --max-queue-depth 256 "${more_options[@]}" >"$output/ours.log" 2>&1 &
pids+=($!)
answers "$port"
kill -STOP -- "-${pids[1]}"

# run SIDE SIZE DEPTH READS SECONDS -> the CSV line of the load
run() {
    local pid=${pids[1]} at=$port nqn=$our_nqn
    [[ $1 == peer ]] && pid=${pids[0]} at=$peer_port nqn=$peer_nqn
    kill -CONT -- "-$pid"
    "$root/bin/goblin-nvmf-perf" --csv --cpu "$load_cpu" --target 127.0.0.1 "$at" --nqn "$nqn" --io-size "$2" \
        --queue-depth "$3" --read-mix "$4" --warmup 1 --seconds "$5" 2>>"$output/load.log" | tail -1
    kill -STOP -- "-$pid"
}

median() { sort -g | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

# figure SIZE DEPTH COMMAND TARGET COLUMN
figure() { awk -F, -v s="$1" -v d="$2" -v c="$3" -v t="$4" -v n="$5" '$1==s && $2==d && $3==c && $5==t {print $n}' "$runs" | median; }

for side in ours peer; do
    # Every block written once, so that no page is met for the first time, and both sides compiled and warm.
    run "$side" 1M 32 0 3 >/dev/null
    run "$side" 4K 32 50 3 >/dev/null
done
rows=('4K 1 read' '4K 1 write' '4K 128 read' '4K 128 write' '128K 32 read' '128K 32 write' '1M 32 read' '1M 32 write')
for row in "${rows[@]}"; do
    read -r size depth command <<<"$row"
    for ((round = 1; round <= rounds; round++)); do
        order='ours peer'
        ((round % 2 == 0)) && order='peer ours'
        for side in $order; do
            line=$(run "$side" "$size" "$depth" "$([[ $command == read ]] && echo 100 || echo 0)" "$seconds")
            [[ $line == [0-9]*,* ]] || fail "a run against $side failed; see $output/load.log"
            IFS=, read -r _ _ iops _ p50 p99 _ <<<"$line"
            echo "$size,$depth,$command,$round,$side,$iops,$p50,$p99" >>"$runs"
            echo "$size depth $depth $command, round $round, $side: $iops IOPS, p50 $p50 µs" >&2
        done
    done
done

# The ratios to reach: of IOPS at least, of p50 at most; empty where there is none.
aims() {
    case "$*" in
        '4K 1 '*) echo ',1.15' ;;
        '4K 128 '*) echo '0.70,' ;;
        *' write') echo '1.00,' ;;
        *) echo '0.90,' ;;
    esac
}

echo "| size | depth | command | goblin-nvmf | $peer_name | ratio | aim | p50 µs | $peer_name p50 µs | ratio | aim |"
echo '|---|---|---|---|---|---|---|---|---|---|---|'
for row in "${rows[@]}"; do
    read -r size depth command <<<"$row"
    IFS=, read -r least most <<<"$(aims "$size" "$depth" "$command")"
    awk -v s="$size" -v d="$depth" -v c="$command" -v least="$least" -v most="$most" \
        -v a="$(figure "$size" "$depth" "$command" ours 6)" -v b="$(figure "$size" "$depth" "$command" peer 6)" \
        -v x="$(figure "$size" "$depth" "$command" ours 7)" -v y="$(figure "$size" "$depth" "$command" peer 7)" '
        function aim(sign, bound, missed) { return bound == "" ? "" : sign " " bound (missed ? " missed" : "") }
        BEGIN {
            printf "| %s | %s | %s | %.0f IOPS | %.0f IOPS | %.2f | %s | %.1f | %.1f | %.2f | %s |\n", s, d, c, a, b, a / b,
                aim("≥", least, a / b < least + 0), x, y, x / y, aim("≤", most, x / y > most + 0)
        }'
done
