# shellcheck shell=bash
# `./goblin bench jmh`: microbenchmarks of the NVMe/TCP target. ./goblin sources this file.

# Builds the tests' classes with src/jmh among them and copies JMH beside them.
build_jmh() {
    mkdir -p "${goblin_root:?}/target"
    maven --quiet -Pjmh -DskipTests -pl nvmf -am package || exit 1
}

# jmh [ARGUMENT ...]: becomes JMH, which takes a pattern of names and its own options; -h lists them.
jmh() {
    local nvmf=$goblin_root/nvmf
    build_jmh
    find_java java
    exec "$GOBLIN_HOME_OF_JAVA/bin/java" -XX:+UseSerialGC -XX:-UsePerfData \
        --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
        "-XX:CompileCommandFile=$goblin_root/bin/lib/downcalls.compile" \
        -cp "$nvmf/target/test-classes:$nvmf/target/classes:$nvmf/target/jmh/lib/*" \
        org.openjdk.jmh.Main "$@"
}
