#!/usr/bin/env bash
# Runs edge and host under load with clients that vanish, and checks every message.
set -u
goblin_root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
export GOBLIN_ROOT=$goblin_root
# shellcheck source-path=SCRIPTDIR source=../bin/lib/launch.sh
source "$goblin_root/bin/lib/launch.sh"
# A heap of one size that is touched at once: what resident memory grows by afterwards is a leak.
export GOBLIN_JAVA_OPTS="-Xms384m -Xmx384m -XX:+AlwaysPreTouch ${GOBLIN_JAVA_OPTS:-}"
# The edge's loop spins on CPU 0 with real-time priority then: the load would starve there.
[[ " $* " != *" --pinned "* ]] || taskset -cp 1 $$ > /dev/null
goblin_launch bench SoakMain 'goblin.net' "$@"
