# shellcheck shell=bash
# Training runs of the build: what the programs load, and how they run under a short load, is recorded in target/ROOM.aot.
# build.sh sources this file. Whatever fails here costs only a cache.

# Seconds of load, and those after which a program that hangs is killed (writing the cache takes some of them).
TRAINING_SECONDS=3
TRAINING_LIMIT=90

# Starts the program $2 of room $1 with its arguments, recording; its process is left in `trained`, its log in `trained_log`.
start_training() {
    local room=$1 program=$2
    shift 2
    trained_log=$scratch/$room.log
    GOBLIN_JAVA_OPTS='' GOBLIN_TRAIN=$scratch/$room.aot timeout --foreground -k 30 "$TRAINING_LIMIT" \
        "${goblin_root:?}/bin/$program" "$@" > "$trained_log" 2>&1 < /dev/null 9>&- &
    trained=$!
}

# Prints the port of the program whose log is $1 and whose process is $2, once it is ready.
port_when_ready() {
    local port
    while kill -0 "$2" 2> /dev/null; do
        port=$(sed -n 's/.*ready[^0-9]*[0-9.]*:\([0-9]\{1,\}\).*/\1/p' "$1" | head -n 1)
        if [[ -n $port ]]; then
            echo "$port"
            return
        fi
        sleep 0.1
    done
    return 1
}

# Takes the cache of room $1 over; a running program keeps the file it has open.
keep_cache() { [[ -s $scratch/$1.aot ]] && mv -f "$scratch/$1.aot" "$goblin_root/$1/target/$1.aot"; }

# Ends process $1 and waits until its cache is written.
end_training() {
    kill -TERM "$1" 2> /dev/null
    wait "$1" 2> /dev/null
}

# Records host and edge under load, on free ports of loopback.
train_pair() (
    scratch=$(mktemp -d "$goblin_root/target/train.XXXXXX") || exit 1
    host='' edge=''
    trap '[[ -z $edge ]] || end_training "$edge"; [[ -z $host ]] || end_training "$host"; rm -rf "$scratch"' EXIT
    trap 'exit 1' INT TERM
    rm -f "$goblin_root/host/target/host.aot" "$goblin_root/edge/target/edge.aot"
    start_training host goblin-core --bind 127.0.0.1 --port 0 --enable-sbe --idle backoff
    host=$trained
    host_port=$(port_when_ready "$trained_log" "$host") || exit 1
    start_training edge goblin-core-bluefield --listen 127.0.0.1 0 --upstream 127.0.0.1 "$host_port" --idle backoff
    edge=$trained
    edge_port=$(port_when_ready "$trained_log" "$edge") || exit 1
    timeout --foreground -k 5 30 "$goblin_root/bench/train.sh" "$edge_port" "$host_port" "$TRAINING_SECONDS" 9>&- || exit 1
    # The edge first: it flushes to a host that still answers.
    end_training "$edge"
    edge=''
    end_training "$host"
    host=''
    keep_cache edge
    keep_cache host
)

# Records what the program $2 of room $1 loads to tell its version.
train_version() (
    scratch=$(mktemp -d "$goblin_root/target/train.XXXXXX") || exit 1
    trap 'rm -rf "$scratch"' EXIT
    rm -f "$goblin_root/$1/target/$1.aot"
    start_training "$1" "$2" --version
    wait "$trained"
    keep_cache "$1"
)
