#!/usr/bin/env bash
# Measures Pub/Sub of edge, redis-server and other servers side by side.
set -u
goblin_root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
export GOBLIN_ROOT=$goblin_root
# shellcheck source-path=SCRIPTDIR source=../bin/lib/launch.sh
source "$goblin_root/bin/lib/launch.sh"

# All threads of what measures stay off the CPU of the server: those of the JVM's compiler, too.
client_cpu=1
previous=
for argument in "$@"; do
    case $argument in
        --unpinned) client_cpu= ;;
        --client-cpu=*) client_cpu=${client_cpu:+${argument#*=}} ;;
        *) [[ $previous == --client-cpu ]] && client_cpu=${client_cpu:+$argument} ;;
    esac
    previous=$argument
done
# Where it fails the program says what is missing.
[[ -z $client_cpu ]] || taskset -pc "$client_cpu" $$ > /dev/null 2>&1 || true
goblin_launch bench PubSubBenchMain 'goblin.net' "$@"
