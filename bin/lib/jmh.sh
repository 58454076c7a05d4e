# shellcheck shell=bash
# `./goblin bench jmh`: microbenchmarks of the rooms that have a src/jmh. ./goblin sources this file.

# Builds the tests' classes with src/jmh among them and copies JMH beside them.
# build_jmh ROOM ...
build_jmh() {
    local rooms
    mkdir -p "${goblin_root:?}/target"
    rooms=$(IFS=,; echo "$*")
    # It packages some rooms and not others, and programs of different builds refuse each other.
    rm -f "$goblin_root/target/built"
    maven --quiet -Djmh -DskipTests -pl "$rooms" -am package || exit 1
}

# jmh [ARGUMENT ...]: becomes JMH, which takes a pattern of names and its own options; -h lists them.
jmh() {
    local directory room classes='' libraries=''
    local -a rooms=()
    for directory in "$goblin_root"/*/src/jmh; do
        room=${directory%/src/jmh}
        rooms+=("${room##*/}")
        classes+=$room/target/test-classes:$room/target/classes:
        libraries+="$room/target/jmh/lib/*:"
    done
    build_jmh "${rooms[@]}"
    find_java java
    exec "$GOBLIN_HOME_OF_JAVA/bin/java" -XX:+UseSerialGC -XX:-UsePerfData \
        --add-opens java.base/jdk.internal.misc=ALL-UNNAMED \
        --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
        "-XX:CompileCommandFile=$goblin_root/bin/lib/downcalls.compile" \
        -cp "$classes${libraries%:}" org.openjdk.jmh.Main "$@"
}
