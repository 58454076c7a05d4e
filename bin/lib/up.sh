# shellcheck shell=bash
# `./goblin up`: host and edge on loopback, checked with the README's smoke test. ./goblin sources this file.

HOST_PORT=6380
EDGE_PORT=6379
host_pid='' edge_pid='' scratch=''

port_is_open() { (exec 3<> "/dev/tcp/127.0.0.1/$1") 2> /dev/null; }

# Prints port $1 when nobody listens there, else a free one.
free_port() {
    local port=$1
    while port_is_open "$port"; do
        port=$((20000 + RANDOM % 10000))
    done
    echo "$port"
}

# Ends a program that up started: TERM, then waits for it.
end_program() {
    [[ -n $1 ]] || return 0
    kill -TERM "$1" 2> /dev/null
    wait "$1" 2> /dev/null
}

# The edge goes first: it flushes to a host that still answers.
end_all() {
    trap '' INT TERM
    end_program "$edge_pid"
    end_program "$host_pid"
    [[ -z $scratch ]] || rm -rf "$scratch"
}

stop_cleanly() {
    say "stopping"
    end_all
    exit 0
}

give_up() {
    say "$1"
    end_all
    exit 1
}

# start_program NAME COMMAND...: its own process group, so that Ctrl-C reaches this script alone, which ends both in order.
# Its lines appear with its name in front; its process id is left in `started`.
start_program() {
    local name=$1
    shift
    set -m
    "$@" > >(
        trap '' INT TERM
        exec sed -u "s/^/$name | /" >&2
    ) 2>&1 < /dev/null &
    started=$!
    set +m
}

# wait_until SECONDS WHAT COMMAND...: polls, and gives up with WHAT when a program died or time is over.
wait_until() {
    local deadline=$((SECONDS + $1)) what=$2 pid
    shift 2
    until "$@"; do
        for pid in $host_pid $edge_pid; do
            kill -0 "$pid" 2> /dev/null || give_up "$what: a program ended, its last lines are above"
        done
        ((SECONDS < deadline)) || give_up "$what: not within the time allowed"
        sleep 0.05
    done
}

# ask PORT WORD...: one command, its reply on standard output; over /dev/tcp where redis-cli is missing (simple replies only).
ask() {
    local port=$1 connection reply
    shift
    if command -v redis-cli > /dev/null; then
        redis-cli -h 127.0.0.1 -p "$port" "$@"
        return
    fi
    exec {connection}<> "/dev/tcp/127.0.0.1/$port" || return 1
    printf '%s\r\n' "$*" >&"$connection"
    IFS= read -r -t 5 reply <&"$connection"
    [[ $reply != \$* ]] || IFS= read -r -t 5 reply <&"$connection"
    exec {connection}>&-
    reply=${reply%$'\r'}
    echo "${reply#[:+]}"
}

answers_ping() { [[ $(ask "$1" PING 2> /dev/null) == PONG ]]; }

# Writes what a subscriber of `prices` at port $1 receives to file $2, until killed.
subscribe_into() {
    if command -v redis-cli > /dev/null; then
        exec redis-cli -h 127.0.0.1 -p "$1" subscribe prices > "$2" 2>&1
    fi
    exec 3<> "/dev/tcp/127.0.0.1/$1"
    printf 'SUBSCRIBE prices\r\n' >&3
    exec cat <&3 > "$2"
}

received() { grep -qE "^$1"$'\r?$' "$2"; }

# expect WHAT WANTED GOT
expect() {
    [[ $3 == "$2" ]] || give_up "smoke test: $1 answered '$3', expected '$2'"
    say "  $1: $3"
}

publish_at_host() {
    if command -v redis-cli > /dev/null; then
        redis-cli -s "$host_socket" publish prices "$1"
    else
        ask "$host_port" PUBLISH prices "$1"
    fi
}

smoke_test() {
    local seen=$scratch/seen subscriber message
    : > "$seen"
    say "smoke test"
    set -m
    subscribe_into "$edge_port" "$seen" &
    subscriber=$!
    set +m
    wait_until 10 "smoke test: subscribe" received subscribe "$seen"
    expect "publish prices edge, at the edge" 1 "$(ask "$edge_port" PUBLISH prices edge)"
    expect "publish prices host, at the host" 1 "$(publish_at_host host)"
    wait_until 10 "smoke test: delivery of the edge's publication" received edge "$seen"
    wait_until 10 "smoke test: delivery of the host's publication" received host "$seen"
    for message in edge host; do
        expect "times the subscriber received '$message'" 1 "$(grep -cE "^$message"$'\r?$' "$seen")"
    done
    kill "$subscriber" 2> /dev/null
    wait "$subscriber" 2> /dev/null
    expect "SET goblin:smoke, through the edge" OK "$(ask "$edge_port" SET goblin:smoke hello)"
    expect "GET goblin:smoke, through the edge" hello "$(ask "$edge_port" GET goblin:smoke)"
    expect "DEL goblin:smoke, through the edge" 1 "$(ask "$edge_port" DEL goblin:smoke)"
}

up() {
    local started
    scratch=$(mktemp -d) || exit 1
    trap stop_cleanly INT TERM
    host_port=$(free_port "$HOST_PORT")
    edge_port=$(free_port "$EDGE_PORT")
    [[ $host_port == "$HOST_PORT" ]] || say "port $HOST_PORT is taken: the host listens on $host_port instead"
    [[ $edge_port == "$EDGE_PORT" ]] || say "port $EDGE_PORT is taken: the edge listens on $edge_port instead"
    # A Unix socket's path holds at most 107 bytes.
    host_socket=${goblin_root:?}/target/host.sock
    if ((${#host_socket} > 100)) || [[ $host_port != "$HOST_PORT" ]]; then
        host_socket=$scratch/host.sock
    fi
    rm -f "$host_socket"

    start_program host "$goblin_root/bin/goblin-core" --bind 127.0.0.1 --port "$host_port" \
        --uds-listen "$host_socket" --enable-sbe
    host_pid=$started
    wait_until 30 "host on port $host_port" answers_ping "$host_port"
    start_program edge "$goblin_root/bin/goblin-core-bluefield" --listen 127.0.0.1 "$edge_port" \
        --upstream 127.0.0.1 "$host_port" --idle backoff
    edge_pid=$started
    wait_until 30 "edge on port $edge_port" answers_ping "$edge_port"
    smoke_test
    cat >&2 << EOF
goblin: host and edge are up and work. From another shell:
  redis-cli -p $edge_port subscribe prices
  redis-cli -p $edge_port publish prices edge
  redis-cli -s $host_socket publish prices host
  redis-cli -p $edge_port get some-key
goblin: Ctrl-C ends both
EOF
    wait -n "$host_pid" "$edge_pid" 2> /dev/null
    give_up "a program ended by itself, its last lines are above"
}
