# shellcheck shell=bash
# `./goblin fuzz`: searches for inputs that break what a stranger can reach. ./goblin sources this file.

# Each target, and the class that takes its inputs.
declare -A FUZZ_TARGETS=(
    [pdu-reader]=goblin.nvmf.tcp.PduReaderFuzz
    [fabrics]=goblin.nvmf.tcp.FabricsFuzz
    [admin]=goblin.nvmf.tcp.AdminFuzz
    [io]=goblin.nvmf.tcp.IoFuzz
)
FUZZ_SECONDS=60

fuzz_names() {
    local names
    names=$(printf '%s\n' "${!FUZZ_TARGETS[@]}" | sort | paste -sd ' ')
    echo "${names// /, }"
}

# Builds the tests' classes and copies the fuzzer beside them.
build_fuzz() {
    mkdir -p "${goblin_root:?}/target"
    maven --quiet -Pfuzz -DskipTests -pl nvmf -am package || exit 1
}

# Drops what the fuzzer says about each input it keeps.
fuzz_digest() { grep --line-buffered -vE '^(INFO|WARNING|OpenJDK|"|###)|^#[0-9]+[[:space:]]+(NEW|REDUCE|RELOAD)'; }

# fuzz_one TARGET SECONDS: what is worth keeping goes to the target's corpus, what breaks it to its findings.
fuzz_one() {
    local target=$1 seconds=$2 nvmf=$goblin_root/nvmf
    local work=$nvmf/target/fuzz/$target seeds=$nvmf/src/test/resources/fuzz/$target
    mkdir -p "$work/corpus" "$work/findings"
    say "fuzzing $target for $seconds s, all that is said is in ${work#"$goblin_root/"}/log"
    # A target that cannot even begin may leave the JVM waiting.
    timeout $((seconds + 120)) "$GOBLIN_HOME_OF_JAVA/bin/java" \
        -Xmx1g -XX:+UseSerialGC -XX:+EnableDynamicAgentLoading \
        --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
        "-XX:CompileCommandFile=$goblin_root/bin/lib/downcalls.compile" \
        -cp "$nvmf/target/test-classes:$nvmf/target/classes:$nvmf/target/fuzz/lib/*" \
        com.code_intelligence.jazzer.Jazzer \
        "--target_class=${FUZZ_TARGETS[$target]}" '--instrumentation_includes=goblin.**' \
        "--reproducer_path=$work/findings" "-artifact_prefix=$work/findings/" \
        "-max_total_time=$seconds" -rss_limit_mb=4096 -timeout=10 \
        "$work/corpus" "$seeds" 2>&1 | tee "$work/log" | fuzz_digest
    return "${PIPESTATUS[0]}"
}

# fuzz [TARGET ...] [--seconds N]: each target in turn; fails when one was broken.
fuzz() {
    local -a targets=()
    local seconds=$FUZZ_SECONDS status=0 target
    while (($# > 0)); do
        case $1 in
            --seconds)
                [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || usage_error "--seconds needs a number of seconds above 0"
                seconds=$2
                shift
                ;;
            *)
                [[ -n ${FUZZ_TARGETS[$1]:-} ]] || usage_error "fuzz target '$1' is unknown; allowed: $(fuzz_names)"
                targets+=("$1")
                ;;
        esac
        shift
    done
    ((${#targets[@]} > 0)) || mapfile -t targets < <(printf '%s\n' "${!FUZZ_TARGETS[@]}" | sort)
    build_fuzz
    find_java java
    for target in "${targets[@]}"; do
        if fuzz_one "$target" "$seconds"; then
            say "$target: no finding"
        else
            say "$target: broken; the input is in nvmf/target/fuzz/$target/findings"
            status=1
        fi
    done
    return $status
}
