#!/usr/bin/env bash
# Compares edge and host with redis-server, alternating in one run.
set -u
goblin_root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
export GOBLIN_ROOT=$goblin_root
# shellcheck source-path=SCRIPTDIR source=../bin/lib/launch.sh
source "$goblin_root/bin/lib/launch.sh"
goblin_launch bench CompareMain 'goblin.net' "$@"
