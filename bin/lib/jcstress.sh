# shellcheck shell=bash
# `./goblin stress`: jcstress over what loops share. ./goblin sources this file.

# stress [OPTION ...]: becomes jcstress with its own options; -h lists them, -m quick is shorter.
stress() {
    mkdir -p "${goblin_root:?}/target/jcstress"
    local edge=$goblin_root/edge
    maven --quiet -Pjcstress -DskipTests -pl edge -am package || exit 1
    find_java java
    cd "$goblin_root/target/jcstress" || exit 1
    exec "$GOBLIN_HOME_OF_JAVA/bin/java" -XX:-UsePerfData \
        -cp "$edge/target/test-classes:$edge/target/classes:$edge/target/jcstress/lib/*" \
        org.openjdk.jcstress.Main \
        -jvmArgs "--add-opens java.base/jdk.internal.misc=ALL-UNNAMED --enable-native-access=ALL-UNNAMED" "$@"
}
