# shellcheck shell=bash
# Finds a JDK, for ./goblin and the executables beside this folder.

GOBLIN_JAVA_RELEASE=25

# Prints the feature release of the Java at home $1, from its release file or else by asking it.
java_release() {
    local line version=
    if [[ -r $1/release ]]; then
        while IFS= read -r line; do
            [[ $line == JAVA_VERSION=* ]] && version=${line#JAVA_VERSION=} && version=${version//\"/}
        done < "$1/release"
    fi
    [[ -n $version ]] || version=$("$1/bin/java" -version 2>&1 | sed -n '1s/.*"\(.*\)".*/\1/p')
    version=${version%%[.+-]*}
    [[ $version =~ ^[0-9]+$ ]] && echo "$version"
}

# Succeeds when home $1 holds a Java of at least the release needed, with the program $2 in it.
java_fits() {
    local release
    [[ -x $1/bin/java && -x $1/bin/$2 ]] || return 1
    release=$(java_release "$1") && ((release >= GOBLIN_JAVA_RELEASE))
}

# Sets GOBLIN_HOME_OF_JAVA to a home that has the program $1 (java to run, javac to build); exits with advice if none.
find_java() {
    local program=$1 home path
    if [[ -n ${GOBLIN_JAVA_HOME:-} ]]; then
        if java_fits "$GOBLIN_JAVA_HOME" "$program"; then
            export GOBLIN_HOME_OF_JAVA=$GOBLIN_JAVA_HOME
            return
        fi
        echo "goblin: GOBLIN_JAVA_HOME=$GOBLIN_JAVA_HOME is no JDK $GOBLIN_JAVA_RELEASE or later" >&2
        exit 1
    fi
    path=$(command -v "$program") && path=$(readlink -f "$path") && path=${path%/bin/"$program"}
    for home in "${JAVA_HOME:-}" /usr/lib/jvm/*"-$GOBLIN_JAVA_RELEASE-"* /usr/lib/jvm/*"-$GOBLIN_JAVA_RELEASE" \
        /usr/lib/jvm/* "$path"; do
        if [[ -n $home ]] && java_fits "$home" "$program"; then
            export GOBLIN_HOME_OF_JAVA=$home
            return
        fi
    done
    cat >&2 << EOF
goblin: no JDK $GOBLIN_JAVA_RELEASE found in GOBLIN_JAVA_HOME, JAVA_HOME, /usr/lib/jvm or on PATH.
goblin: install one (Debian or Ubuntu: 'apt-get install openjdk-$GOBLIN_JAVA_RELEASE-jdk-headless', or
goblin: 'temurin-$GOBLIN_JAVA_RELEASE-jdk' from Adoptium's repository), or unpack one and set GOBLIN_JAVA_HOME to it.
EOF
    exit 1
}
