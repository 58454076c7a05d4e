# shellcheck shell=bash
# `./goblin nvmf` and `./goblin rig`. ./goblin sources this file, after build.sh and up.sh.

NVMF_PORT=4420
NVMF_NQN=nqn.2026-01.io.goblin:demo

# Becomes a target with 1 GiB of memory on loopback; it prints the line that connects to it.
nvmf_demo() {
    local port
    port=$(free_port "$NVMF_PORT")
    [[ $port == "$NVMF_PORT" ]] || say "port $NVMF_PORT is taken: the target listens on $port instead"
    exec "${goblin_root:?}/bin/goblin-nvmf" --listen 127.0.0.1 "$port" --subsystem "$NVMF_NQN" --allow-any-host \
        --namespace mem:1G
}

# What every second target of the rig is served by; the others have the defaults.
RIG_URING='--sockets io_uring --file-io io_uring --loops 2'

# rig_run INITIATOR MEDIUM BLOCK QUEUES DIGESTS OPTION...: one target with those options and one Linux host against it; prints a row
# of the table.
rig_run() {
    local initiator=$1 medium=$2 block=$3 queues=$4 digests=$5 name log port target status=0 began steps
    local -a options=()
    shift 5
    name=$medium-$block-$queues-${digests//,/+}
    log=$rig_logs/$name
    port=$(free_port $((20000 + RANDOM % 10000)))
    [[ $medium == mem ]] && options=(--namespace mem:256M) || options=(--namespace "file:$log.img,size=256M")
    "$goblin_root/bin/goblin-nvmf" --listen 127.0.0.1 "$port" --subsystem "$NVMF_NQN" --allow-any-host \
        --block-size "$block" "${options[@]}" "$@" < /dev/null > "$log.target" 2>&1 &
    target=$!
    rig_target=$target
    until grep -q ' ready' "$log.target"; do
        kill -0 "$target" 2> /dev/null || break
        sleep 0.1
    done
    options=()
    [[ $digests == none ]] || options=(--digest "$digests")
    began=$SECONDS
    "$initiator" --port "$port" --nqn "$NVMF_NQN" --queues "$queues" --timeout 600 "${options[@]}" \
        < /dev/null > "$log.host" 2>&1 ||
        status=$?
    kill -TERM "$target" 2> /dev/null
    wait "$target" || status="$status, target $?"
    rig_target=''
    rm -f "$log.img"
    # A target that says that it does otherwise than it was told tries nothing.
    ! grep -q 'the kernel refuses' "$log.target" || status="$status, io_uring refused"
    steps=$(sed -n 's/^# \([0-9]* of [0-9]*\) steps passed.*/\1/p' "$log.host")
    printf '| %s | %s | %s | %s | %s | %s | %s s | %s |\n' "$medium" "$block" "$queues" "$digests" "${*:-defaults}" "${steps:-none}" \
        $((SECONDS - began)) "$([[ $status == 0 ]] && echo passed || echo "FAILED ($status), see $name.*")"
    [[ $status == 0 ]]
}

end_rig() {
    [[ -z $rig_target ]] || kill -TERM "$rig_target" 2> /dev/null
    exit 1
}

# Every combination of medium, block size, queues and digests, or those whose row matches pattern $1; prints a table. By turns, so
# that each two values are tried with both, the targets have the defaults and RIG_URING; options given after the pattern, which
# begin with --, are every target's instead.
rig() {
    local pattern='' failed=0 row=0 medium block queues digests
    local -a given options
    if (($# > 0)) && [[ $1 != --* ]]; then
        pattern=$1
        shift
    fi
    given=("$@")
    local initiator=${NVME_INITIATOR:-$goblin_root/../shared/rig/nvme-initiator}
    rig_logs=$goblin_root/target/rig rig_target=''
    if [[ ! -x $initiator ]]; then
        say "$initiator is missing; NVME_INITIATOR names the program that boots a Linux NVMe/TCP host"
        return 1
    fi
    mkdir -p "$rig_logs"
    "$initiator" --build-only || return 1
    trap end_rig INT TERM
    say "logs: $rig_logs"
    echo '| medium | block | queues | digests | options | steps | time | result |'
    echo '|---|---|---|---|---|---|---|---|'
    for medium in mem file; do
        for block in 512 4096; do
            for queues in 1 4; do
                for digests in none hdr,data; do
                    options=("${given[@]}")
                    if ((${#given[@]} == 0 && (row ^ row >> 1 ^ row >> 2 ^ row >> 3) & 1)); then
                        read -r -a options <<< "$RIG_URING"
                    fi
                    row=$((row + 1))
                    [[ "$medium $block $queues $digests ${options[*]}" == *$pattern* ]] || continue
                    rig_run "$initiator" "$medium" "$block" "$queues" "$digests" "${options[@]}" || failed=$((failed + 1))
                done
            done
        done
    done
    ((failed == 0)) || say "$failed of the combinations failed"
    ((failed == 0))
}
