#!/usr/bin/env bash
# Measures how warm an edge starts, with the recorded cache and without.
set -u
goblin_root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
export GOBLIN_ROOT=$goblin_root
# shellcheck source-path=SCRIPTDIR source=../bin/lib/launch.sh
source "$goblin_root/bin/lib/launch.sh"
goblin_launch bench StartMain 'goblin.net' "$@"
