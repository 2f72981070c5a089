# Finds a JDK, Maven and what tests start, and gets them where the user wants that. A part of the script takt, which reads it.

min_jdk=25

# ---- JDK -------------------------------------------------------------------------------------------------------------

# jdk_major HOME: prints the major version of the JDK there; prints nothing if it is not a JDK (a JRE cannot build).
jdk_major() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] || return 0
  major_version=
  [ -r "$1/release" ] && major_version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
  [ -n "$major_version" ] || major_version=$("$1/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1)
  printf '%s' "$major_version"
}

# use_jdk HOME: succeeds, and sets java_home, if a JDK that is new enough is there.
use_jdk() {
  [ -n "$1" ] || return 1
  major=$(jdk_major "$1")
  [ -n "$major" ] && [ "$major" -ge "$min_jdk" ] || return 1
  java_home=$1
}

# Looks through the folders where systems and version managers put JDKs; the oldest that is new enough wins, because
# that is the version everything was tested with.
search_jdk() {
  best=
  best_major=
  if [ -n "${TAKT_JVM_DIRS+set}" ]; then
    dirs=$TAKT_JVM_DIRS
  else
    dirs=/usr/lib/jvm:/usr/lib64/jvm:/usr/java:/usr/local:/usr/local/lib/jvm:/opt:/opt/java:/opt/jdk
    dirs=$dirs:/Library/Java/JavaVirtualMachines:/opt/homebrew/opt:/usr/local/opt
    dirs=$dirs:${HOME:-/nonexistent}/.sdkman/candidates/java:${HOME:-/nonexistent}/.jdks
    dirs=$dirs:${HOME:-/nonexistent}/Library/Java/JavaVirtualMachines
  fi
  old_ifs=$IFS
  IFS=:
  for dir in $dirs; do
    for home in "$dir"/* "$dir"/*/Contents/Home "$dir"/*/libexec/openjdk.jdk/Contents/Home; do
      if use_jdk "$home" && { [ -z "$best" ] || [ "$major" -lt "$best_major" ]; }; then
        best=$home
        best_major=$major
      fi
    done
  done
  IFS=$old_ifs
  use_jdk "$best"
}

find_jdk() {
  if [ -n "${TAKT_JAVA_HOME:-}" ]; then
    use_jdk "$TAKT_JAVA_HOME" && return
    fail 1 "TAKT_JAVA_HOME=$TAKT_JAVA_HOME holds no JDK $min_jdk or later" \
      "set it to the folder of one (the folder that has bin/javac), or unset it"
  fi
  use_jdk "${JAVA_HOME:-}" && return
  if command -v java >/dev/null 2>&1; then
    path_home=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p' || true)
    use_jdk "$path_home" && return
  fi
  search_jdk
}

need_jdk() {
  if ! find_jdk && ! install_any "JDK $min_jdk" search_jdk openjdk-25-jdk-headless temurin-25-jdk \
    java-25-openjdk-devel openjdk25-jdk openjdk25 jdk25-openjdk jdk-openjdk java-latest-openjdk-devel openjdk@25 openjdk; then
    fail 1 "Takt needs JDK $min_jdk or later and found none (looked at TAKT_JAVA_HOME, JAVA_HOME, PATH and the system's JDK folders)" \
      "get one of these, then run the same command again; with TAKT_INSTALL=yes, ./takt tries it itself:" \
      "  Debian, Ubuntu:  apt-get install openjdk-25-jdk-headless (or temurin-25-jdk from Adoptium's packages)" \
      "  Fedora, RHEL:    dnf install java-25-openjdk-devel" \
      "  Alpine:          apk add openjdk25-jdk" \
      "  macOS:           brew install openjdk@25" \
      "  any system:      unpack a JDK 25 archive (adoptium.net) and set TAKT_JAVA_HOME to its folder"
  fi
  JAVA_HOME=$java_home
  PATH=$java_home/bin:$PATH
  export JAVA_HOME PATH
}

# Of Takt from the sources, of the JDK from its own note: nothing is built or started for it.
show_version() {
  [ $# = 0 ] || fail 2 "version takes no arguments, not: $*"
  sed -n '/<artifactId>takt-parent</,/<version>/s/.*<version>\(.*\)<.*/Takt \1/p' "$root/pom.xml" | head -n 1
  if find_jdk; then
    printf '%s, %s\n' "$(sed -n 's/^JAVA_RUNTIME_VERSION="\(.*\)"/JDK \1/p; s/^JAVA_VERSION="\(.*\)"/JDK \1/p' "$java_home/release" | head -n 1)" "$java_home"
  else
    echo "no JDK $min_jdk or later"
  fi
}

# ---- Maven and package managers --------------------------------------------------------------------------------------

have_maven() { command -v mvn >/dev/null 2>&1; }

need_maven() {
  if ! have_maven && ! install_any Maven have_maven maven; then
    fail 1 "Takt is built with Maven 3.8 or later and there is no mvn on the PATH" \
      "install it (for example: apt-get install maven, dnf install maven, brew install maven)," \
      "or unpack an archive from maven.apache.org and put its bin folder on the PATH; then run the same command again;" \
      "with TAKT_INSTALL=yes, ./takt tries to install it itself"
  fi
}

# as_root COMMAND...: as root, or with sudo if it does not ask for a password.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    sudo -n "$@"
  else
    return 1
  fi
}

# install_packages MANAGER PACKAGE: one attempt with one package manager.
install_packages() {
  case $1:$2 in
    apt-get:redis-server) unpack_redis ;;
    apt-get:*) as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$2" ;;
    dnf:* | yum:*) as_root "$1" install -y "$2" ;;
    zypper:*) as_root zypper --non-interactive install "$2" ;;
    apk:*) as_root apk add "$2" ;;
    pacman:*) as_root pacman -S --noconfirm --needed "$2" ;;
    brew:*) brew install "$2" ;;
  esac
}

# may_install WHAT MANAGER: nothing is installed on a user's machine that the user has not agreed to.
may_install() {
  case ${TAKT_INSTALL:-ask} in
    yes) say "no $1 found; trying to install it with $2 (log: $dist/packages.log)" && return ;;
    no) return 1 ;;
  esac
  [ -t 0 ] && [ -t 2 ] || return 1
  printf 'takt: no %s found; install it with %s? [y/N] ' "$1" "$2" >&2
  read -r answer
  case $answer in y | Y | yes) ;; *) return 1 ;; esac
}

# install_any WHAT CHECK PACKAGES...: tries packages with each package manager until the function CHECK succeeds.
install_any() {
  what=$1
  check=$2
  shift 2
  for manager in apt-get dnf yum zypper apk pacman brew; do
    command -v "$manager" >/dev/null 2>&1 || continue
    may_install "$what" "$manager" || return 1
    mkdir -p "$dist"
    if [ "$manager" = apt-get ]; then as_root apt-get update >>"$dist/packages.log" 2>&1 || true; fi
    for package; do
      install_packages "$manager" "$package" >>"$dist/packages.log" 2>&1 </dev/null || continue
      if "$check"; then
        say "installed $package"
        return 0
      fi
    done
  done
  return 1
}

# ---- What tests start ------------------------------------------------------------------------------------------------

have_redis() {
  PATH=$PATH:$dist/redis
  command -v redis-server >/dev/null 2>&1
}

have_python() { command -v python3 >/dev/null 2>&1; }

need_python() { have_python || install_any python3 have_python python3 python; }

need_redis() { have_redis || install_any redis-server have_redis redis-server redis; }

# Debian's package starts a service where it is installed; so it is unpacked only, with what it needs and the machine lacks.
unpack_redis() {
  redis=$dist/redis
  rm -rf "$redis"
  mkdir -p "$redis/packages"
  names=$(apt-get -s --no-install-recommends install redis-server | sed -n 's/^Inst \([^ ]*\).*/\1/p')
  # shellcheck disable=SC2086 # names is a list
  [ -n "$names" ] && (CDPATH='' cd -- "$redis/packages" && apt-get download $names) || return 1
  for each in "$redis"/packages/*.deb; do dpkg-deb -x "$each" "$redis" || return 1; done
  rm -r "$redis/packages"
  cat >"$redis/redis-server" <<'END'
#!/bin/sh
here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd)
LD_LIBRARY_PATH=$(find "$here/usr/lib" -name '*.so*' | sed 's|/[^/]*$||' | sort -u | tr '\n' ':')
export LD_LIBRARY_PATH
exec "$here/usr/bin/redis-server" "$@"
END
  chmod +x "$redis/redis-server"
}
