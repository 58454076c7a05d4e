#!/usr/bin/env bash
# Measures the memory of subscribers at the edge and at redis-server.
set -u
goblin_root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
export GOBLIN_ROOT=$goblin_root
# shellcheck source-path=SCRIPTDIR source=../bin/lib/launch.sh
source "$goblin_root/bin/lib/launch.sh"
goblin_launch bench MemoryMain 'goblin.net' "$@"
