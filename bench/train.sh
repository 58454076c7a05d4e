#!/usr/bin/env bash
# The load of the build's training run, see bin/lib/train.sh.
set -u
goblin_root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
# shellcheck source-path=SCRIPTDIR source=../bin/lib/launch.sh
source "$goblin_root/bin/lib/launch.sh"
goblin_launch bench TrainingMain 'goblin.net' "$@"
