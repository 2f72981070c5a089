# Builds what runs: $dist/FINGERPRINT, a folder with jars for one state of the sources, which never changes again. So nothing
# that Maven or an editor does in target changes what runs, and a build leaves running programs alone. A part of the script
# takt, which reads it.

# What goes into dist, in the order in which Maven builds it.
modules="takt-space takt-realtime takt-rtsj takt-cpu takt-safety takt-maven-plugin takt-reflex takt-persist takt-session takt-client takt-host takt-netty takt-cli takt-samples takt-bench"

# One at a time in one checkout: lock WHAT. It ends with this process, or with unlock.
lock() {
  # "true" and not ":", whose failed redirection ends some shells without a word.
  mkdir -p "$dist" 2>/dev/null && true 2>/dev/null >"$dist/$1.lock" ||
    fail 1 "cannot write $dist, where Takt is built" \
      "set TAKT_DIST to a folder that can be written, for example: TAKT_DIST=\$HOME/.cache/takt $0 $command"
  if command -v flock >/dev/null 2>&1; then
    exec 9>"$dist/$1.lock"
    flock -n 9 || { say "another takt is at work here; waiting for it" && flock 9; }
    return 0
  fi
  lock_folder=$dist/$1.lock.d
  waited=
  until mkdir "$lock_folder" 2>/dev/null; do
    owner=$(cat "$lock_folder/pid" 2>/dev/null || true)
    if [ -n "$owner" ] && ! is_alive "$owner"; then rm -rf "$lock_folder" && continue; fi
    [ -n "$waited" ] || say "another takt is at work here; waiting for it"
    waited=yes
    sleep 1
  done
  echo $$ >"$lock_folder/pid"
  trap 'rm -rf "$lock_folder"' EXIT
}

unlock() {
  exec 9>&-
  [ -z "${lock_folder:-}" ] || rm -rf "$lock_folder"
}

is_alive() { kill -0 "$1" 2>/dev/null || [ -d "/proc/$1" ]; }

# The content of everything that a build of $modules reads, in the folder that it stands in.
fingerprint() {
  set -- pom.xml .mvn takt-*/pom.xml takt-*/.core
  for module in $modules; do set -- "$@" "$module/src/main"; done
  find "$@" -type f 2>/dev/null | LC_ALL=C sort | tr '\n' '\0' | xargs -0 cksum | cksum | tr ' ' '-'
}

# copy_sources FOLDER
copy_sources() {
  rm -rf "$dist"/work.* # of builds that were cut off
  mkdir -p "$1"
  cp -R "$root/pom.xml" "$root/.mvn" "$1"
  for each in "$root"/takt-*/pom.xml; do
    folder=${each%/pom.xml}
    module=${folder##*/}
    mkdir -p "$1/$module/src"
    cp "$each" "$1/$module"
    [ ! -e "$folder/.core" ] || cp "$folder/.core" "$1/$module"
    [ ! -d "$folder/src/main" ] || cp -R "$folder/src/main" "$1/$module/src"
  done
}

# use_image: succeeds if these sources are built, and says that this process (later: its JVM) uses what was built.
use_image() {
  image=$dist/$(cd "$root" && fingerprint)
  [ -r "$image/jars" ] || return 1
  { mkdir -p "$image/users" && true >"$image/users/$$"; } 2>/dev/null || true
  [ -r "$image/jars" ]
}

# Removes what was built from other sources, but for the last three and all that a living process uses.
remove_old() {
  for old in $(cd "$dist" && ls -td [0-9]*-* | tail -n +4); do
    used=
    for user in "$dist/$old"/users/*; do ! is_alive "${user##*/}" || used=yes; done
    [ -n "$used" ] || rm -rf "${dist:?}/$old"
  done
}

build() {
  lock build
  ! use_image || { unlock && return; }
  need_maven
  work=$dist/work.$$
  copy_sources "$work"
  image=$dist/$(cd "$work" && fingerprint)
  (CDPATH='' cd -- "$work" && maven_build "$dist/build.log") || fail 1 \
    "the build failed; all of its output is in $dist/build.log" "(the first build needs the network for its libraries; later ones do not)"
  mkdir "$work/image"
  for module in $modules; do
    for jar in "$work/$module"/target/*.jar "$work/$module"/target/lib/*.jar; do
      [ ! -r "$jar" ] || [ "$module" = takt-maven-plugin ] || cp "$jar" "$work/image"
    done
  done
  (cd "$work/image" && printf '%s\n' *.jar | LC_ALL=C sort >jars)
  rm -rf "$image"
  mv "$work/image" "$image"
  rm -rf "$work"
  remove_old
  unlock
  use_image || build # somebody has edited meanwhile
}
