# shellcheck shell=bash
# Starts one of the programs. An executable sets `goblin_root`, sources this file and calls goblin_launch.

# shellcheck source-path=SCRIPTDIR source=java.sh
source "${goblin_root:?}/bin/lib/java.sh"

# Prints the CPUs of list $1 (such as 0-3,6), one a line.
cpus_of() {
    local part first last
    for part in ${1//,/ }; do
        first=${part%-*} last=${part#*-}
        [[ $first =~ ^[0-9]+$ && $last =~ ^[0-9]+$ ]] || return 1
        seq "$first" "$last"
    done
}

# Prints the CPUs this process may use without those of list $1, as a list; fails when none is left or $1 is no list.
cpus_without() {
    local allowed unwanted left
    unwanted=$(cpus_of "$1") || return 1
    allowed=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status) || return 1
    left=$(cpus_of "$allowed" | grep -vxF -f <(echo "$unwanted")) || return 1
    echo "${left//$'\n'/,}"
}

# Further options of the JVM, set by an executable that needs them.
goblin_jvm=()

# goblin_launch ROOM CLASS NATIVE-MODULES [ARGUMENT...]: becomes the JVM, so that signals reach it.
goblin_launch() {
    local room=$1 class=$2 native=$3
    shift 3
    local lib=$goblin_root/$room/target/lib
    # The program's own jar is packed last: where it is, all it needs is too.
    if ! compgen -G "$lib/goblin-$room-*.jar" > /dev/null; then
        echo "goblin: not built yet, building (some tens of seconds)" >&2
        "$goblin_root/goblin" build >&2 || exit 1
    fi
    find_java java

    local -a jvm=(
        -XX:+UseSerialGC -XX:+UseCountedLoopSafepoints -XX:LoopStripMiningIter=1000
        -XX:-UsePerfData '-Xlog:aot*=off,cds*=off,class+path=off'
        # Without it whether a downcall allocates depends on the order in which C2 compiles.
        "-XX:CompileCommandFile=$goblin_root/bin/lib/downcalls.compile"
        "${goblin_jvm[@]}"
    )
    [[ -z $native ]] || jvm+=("--enable-native-access=$native")
    if compgen -G "$lib/agrona-*.jar" > /dev/null; then
        jvm+=(--add-opens java.base/jdk.internal.misc=org.agrona)
    fi

    # Loaded classes of an earlier run, a third of the start's time; the JVM goes on without one that does not fit.
    local cache=$goblin_root/$room/target/$room.aot
    if [[ -n ${GOBLIN_TRAIN:-} ]]; then
        jvm+=("-XX:AOTCacheOutput=$GOBLIN_TRAIN")
    elif [[ -e $cache ]]; then
        jvm+=("-XX:AOTCache=$cache" -XX:+VerifySharedSpaces)
    fi

    # A loop pins itself to its CPU; the JVM's own threads inherit this mask and stay off it.
    local -a prefix=()
    local argument previous='' others
    for argument in "$@"; do
        [[ $argument == --cpu=* ]] && previous=--cpu argument=${argument#--cpu=}
        if [[ $previous == --cpu ]] && command -v taskset > /dev/null && others=$(cpus_without "$argument"); then
            prefix=(taskset -c "$others")
            jvm+=(-XX:CICompilerCount=2 -XX:-UseDynamicNumberOfCompilerThreads)
        fi
        previous=$argument
    done

    # shellcheck disable=SC2086 # options are words
    exec "${prefix[@]}" "$GOBLIN_HOME_OF_JAVA/bin/java" "${jvm[@]}" ${GOBLIN_JAVA_OPTS:-} \
        -p "$lib" -m "goblin.$room/goblin.$room.$class" "$@"
}
