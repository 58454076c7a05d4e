# shellcheck shell=bash
# Builds and tests the project. ./goblin sets `goblin_root` and sources this file.

# shellcheck source-path=SCRIPTDIR source=java.sh
source "${goblin_root:?}/bin/lib/java.sh"
# shellcheck source-path=SCRIPTDIR source=train.sh
source "$goblin_root/bin/lib/train.sh"

say() { echo "goblin: $*" >&2; }

# Installs the Debian packages $2... when command $1 is missing and that is possible; fails when it stays missing.
need_command() {
    local command=$1
    shift
    command -v "$command" > /dev/null && return
    if ! command -v apt-get > /dev/null || ((EUID != 0)); then
        say "$command is missing; on Debian or Ubuntu, as root: apt-get install $*"
        return 1
    fi
    say "$command is missing: installing $*"
    {
        apt-get update -q
        DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -q -y --no-install-recommends "$@"
    } > "$goblin_root/target/apt.log" 2>&1 || { say "apt-get failed:" && tail -n 5 "$goblin_root/target/apt.log" >&2; }
    command -v "$command" > /dev/null
}

# Runs Maven quietly on JDK 25 with the arguments given.
maven() {
    find_java javac
    need_command mvn maven || exit 1
    # Maven's own use of Unsafe is not the reader's concern, and its last escape sequence would stick to our last line.
    (cd "$goblin_root" && JAVA_HOME=$GOBLIN_HOME_OF_JAVA \
        MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED ${MAVEN_OPTS:-}" \
        mvn --batch-mode --no-transfer-progress -Dstyle.color=never "$@" 2>&1) |
        sed -u $'s/\e\\[[0-9;]*m//g'
}

# Succeeds when some source changed (or vanished: its folder changed) since the last build.
build_is_stale() {
    local stamp=$goblin_root/target/built
    [[ -e $stamp ]] || return 0
    [[ -n $(find "$goblin_root"/pom.xml "$goblin_root"/.mvn "$goblin_root"/*/pom.xml "$goblin_root"/*/src \
        -path '*/src/test' -prune -o -newer "$stamp" -print -quit 2> /dev/null) ]]
}

# Removes what the programs run from: no jar of an older version stays, and a running program keeps its open files.
drop_libs() { rm -rf "$goblin_root"/*/target/lib; }

# Builds what changed since the last build, without tests.
build() {
    mkdir -p "$goblin_root/target"
    (
        # Two programs started at once in a fresh clone build once.
        flock 9
        build_is_stale || exit 0
        touch "$goblin_root/target/building"
        drop_libs
        maven --quiet -T1C -Dmaven.test.skip=true package || exit 1
        train_version nvmf goblin-nvmf &
        train_pair 2> "$goblin_root/target/train.log" || say "no training run, see target/train.log; everything works without"
        wait
        mv "$goblin_root/target/building" "$goblin_root/target/built"
    ) 9> "$goblin_root/target/build.lock"
}

# Prints "PASSED FAILED SKIPPED" added up over the Surefire reports.
count_tests() {
    find "$goblin_root" -path '*/target/surefire-reports/TEST-*.xml' -exec grep -h -m 1 -A 4 '<testsuite ' {} + | awk '
        function value(name) { return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3) + 0 : 0 }
        /<testsuite / {
            tests += value("tests"); bad += value("errors") + value("failures"); skipped += value("skipped")
        }
        END { print tests - bad - skipped, bad + 0, skipped + 0 }'
}

# Builds everything, runs every test, prints Surefire's lines and one summary.
run_tests() {
    local status=0 passed failed skipped
    mkdir -p "$goblin_root/target"
    need_command redis-cli redis-tools || say "tests that need redis-cli cannot run"
    need_command redis-server redis-server || say "comparisons with redis-server cannot run"
    need_command ss iproute2 || say "tests that need ss cannot run"
    need_command nc netcat-openbsd || say "tests that need nc cannot run"
    find "$goblin_root" -path '*/target/surefire-reports' -prune -exec rm -rf {} +
    drop_libs
    maven --fail-at-end -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
        -Dorg.slf4j.simpleLogger.log.org.apache.maven.plugin.surefire=info \
        -Dorg.slf4j.simpleLogger.log.org.apache.maven.surefire=info \
        verify "$@" || status=1
    read -r passed failed skipped < <(count_tests)
    if ((passed + failed == 0)); then
        say "no test ran"
        status=1
    fi
    ((failed == 0)) || status=1
    ((status == 0)) || say "the build or a test failed, see above"
    echo "$passed passed, $failed failed, $skipped skipped"
    return $status
}
