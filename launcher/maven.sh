# Runs Maven and shows how far it is. A part of the script takt, which reads it.

# maven FILTER LOG ARGUMENT...: all output goes to LOG, and through FILTER to the user. Ends with Maven's verdict.
maven() {
  filter=$1
  log=$2
  shift 2
  { mvn -B "$@" </dev/null 2>&1 && echo 0 >"$log.rc" || echo 1 >"$log.rc"; } | tee "$log" | "$filter"
  [ "$(cat "$log.rc")" = 0 ]
}

since() { printf '%s' $(($(date +%s) - began)); }

# show_build: which module, what was loaded, how long it takes. (A loop, because awk and sed hold lines back.)
show_build() {
  module=
  loaded=0
  width=0
  while IFS= read -r line; do
    case $line in
      '[INFO] Building takt-'* | '[INFO] Building Takt '*) module=${line#*Building } && module=${module%% *} ;;
      '[INFO] Downloaded from'*) loaded=$((loaded + 1)) ;;
      *) continue ;;
    esac
    text="building ${module:-}"
    [ "$loaded" = 0 ] || text="$text, $loaded files loaded"
    if [ -t 2 ]; then
      printf '\rtakt: %-60s' "$text, $(since) s" >&2
      width=66
    elif [ "${line#*Building }" != "$line" ]; then
      say "$text, $(since) s"
    fi
  done
  [ "$width" = 0 ] || printf '\r%66s\r' '' >&2
}

# hurry: a build without tests is over before what the JVM's second compiler does has paid; that takes half of all its work.
hurry() {
  MAVEN_OPTS="-XX:TieredStopAtLevel=1${MAVEN_OPTS:+ $MAVEN_OPTS}"
  export MAVEN_OPTS
}

# maven_build LOG: jars of all modules that dist holds. Error Prone and tests are the business of "./takt test".
maven_build() {
  [ -d "$dist/../takt-space/target" ] || [ -s "$1" ] || say "the first build loads libraries: a minute or two"
  began=$(date +%s)
  hurry
  if maven show_build "$1" '-P!errorprone' -pl takt-samples,takt-bench -am process-classes jar:jar; then
    say "built in $(since) s"
  else
    show_errors "$1"
    return 1
  fi
}

# show_errors LOG: with the places of the user's sources, not of their copy, in which this stands.
show_errors() { sed -n "s|$PWD|$root|g; /^\[ERROR\]/p" "$1" | head -n 30 >&2; }

# show_tests: what a person wants to see while waiting.
show_tests() {
  while IFS= read -r line; do
    case $line in
      '[INFO] Building takt-'*)
        module=${line#*Building }
        printf -- '-- %s\n' "${module%% *}"
        ;;
      '[INFO] Running '*) printf '   running %s\n' "${line#*Running }" ;;
      *'Tests run:'*' in '*) printf '   %s\n' "${line#*] }" ;;
      # The compiler plugin's frame of stars: a library without a module name, which only those who publish must know.
      '[WARNING] **'* | '[WARNING] * '*) ;;
      '[ERROR]'* | '[WARNING]'* | 'takt:'* | '[INFO] BUILD'* | '[INFO] Total time'*) printf '%s\n' "$line" ;;
    esac
  done
}

# tests_of MODULE: the names of its test classes, with commas.
tests_of() {
  (cd "$root/$1/src/test/java" && find . -name '*Test.java') | sed 's|^\./||; s|\.java$||; s|/|.|g' | tr '\n' ','
}

# module_of TEST: the modules that have a test class of that name; TEST may have a package, a method, and stars.
module_of() {
  file=$(printf '%s' "${1%%#*}" | tr . /)
  (cd "$root" && find takt-*/src/test/java -path "*/$file.java") | sed 's|/.*||' | sort -u | tr '\n' ' '
}

# seed_of TEXT: the text, if it is a whole number.
seed_of() {
  case ${1#-} in
    '' | *[!0-9]* | ???????????????????*) fail 2 "--seed takes the whole number that a failed test has printed, not: $1" ;;
  esac
  echo "$1"
}

# choose_tests WORD...: sets goals to what Maven is to do, and asked to what was asked for.
choose_tests() {
  full=
  seed=
  modules=
  tests=
  for word; do
    if [ "$seed" = next ]; then word=--seed=$word && seed=; fi
    case $word in
      --full) full=-Dtakt.full=true ;;
      --seed) seed=next ;;
      --seed=*) seed=-Dtakt.seed=$(seed_of "${word#--seed=}") || exit ;;
      '') fail 2 "the name of a module or test is empty; without one, all checks run" ;;
      takt-*)
        [ -d "$root/$word/src/test/java" ] || fail 2 "there is no module $word with tests"
        modules=$modules${modules:+,}$word
        ;;
      -*) fail 2 "test knows the options --full and --seed only, not: $word (./takt test --help tells more)" ;;
      *) tests=$tests${tests:+,}$word ;;
    esac
  done
  [ "$seed" != next ] || seed_of ''
  full="$full${seed:+ $seed}"
  asked=$(printf '%s' "$modules${modules:+${tests:+,}}$tests" | sed 's/,/, /g')
  if [ -z "$modules$tests" ]; then
    goals="-Pci $full verify"
    return
  fi
  places=$modules
  set -f # a test's name may have stars
  for test in $(printf '%s' "$tests" | tr , ' '); do
    place=$(place_of "$test" "$modules") || exit
    case ,$places, in *,"$place",*) ;; *) places=$places${places:+,}$place ;; esac
  done
  if [ -z "$tests" ]; then
    for module in $(printf '%s' "$modules" | tr , ' '); do tests=$tests$(tests_of "$module"); done
  fi
  set +f
  goals="$full -pl $places -am test -Dsurefire.failIfNoSpecifiedTests=false -Dtest=$tests"
}

# place_of TEST MODULES: the module that has it; of those that are given, if some are.
place_of() {
  found=$(set +f && module_of "$1")
  for each in $found; do
    case ,${2:-$each}, in *,"$each",*) echo "$each" && return ;; esac
  done
  fail 2 "there is no test $1${2:+ in $2}${found:+ (but in $found)}"
}

# leave_out WHAT TEST TAG: a user without it, who may have no right to install it, can run all other checks.
# Who has agreed to what is missing is told by the test that it could not be had.
leave_out() {
  [ "${TAKT_INSTALL:-ask}" != yes ] || return 0
  say "no $1 found, so $2 does not run; install it, or let TAKT_INSTALL=yes do it"
  excluded=${excluded:+$excluded,}$3
}

run_tests() {
  choose_tests "$@"
  need_jdk
  need_maven
  case $goals in
    *verify)
      excluded=
      need_redis || leave_out redis-server RedisClientTest redis
      need_python || leave_out python3 PythonClientTest python
      goals="$goals${excluded:+ -Dtakt.excludedTests=$excluded}"
      ;;
    *RedisClientTest*) need_redis || : ;; # it says itself what is missing
    *PythonClientTest*) need_python || : ;;
  esac
  lock tree
  CDPATH='' cd -- "$root"
  log=$dist/test.log
  began=$(date +%s)
  first_time=
  [ -d takt-space/target ] || first_time=" The first time loads libraries: a minute or two."
  echo "Running ${asked:-all checks}; the whole output goes to $log.$first_time"
  # shellcheck disable=SC2086 # goals is a list
  if maven show_tests "$log" -ntp $goals; then status=0; else status=1; fi
  seconds=$(since)
  # Surefire closes each module with one line "Tests run: a, Failures: b, Errors: c, Skipped: d" without a class name.
  sed -n 's/^\[[A-Z]*\] *Tests run: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\), Skipped: \([0-9]*\)$/\1 \2 \3 \4/p' "$log" |
    awk '{ run += $1; bad += $2 + $3; skipped += $4 }
      END { printf "%d passed, %d failed, %d skipped\n", run - bad - skipped, bad, skipped; exit run == 0 }' || {
    [ "$status" != 0 ] || say "no test ran"
    status=1
  }
  if [ "$status" = 0 ]; then
    echo "All checks passed in $((seconds / 60)) min $((seconds % 60)) s."
  else
    say "checks failed after $((seconds / 60)) min $((seconds % 60)) s; the whole output is in $log"
  fi
  exit "$status"
}

# install_modules PROPERTY...: from a copy of the sources, as everything that is kept.
install_modules() {
  for word; do
    case $word in -D?*) ;; *) fail 2 "install knows properties such as -Dmaven.repo.local=DIR only, not: $word (./takt install --help tells more)" ;; esac
  done
  need_jdk
  need_maven
  lock build
  work=$dist/work.$$
  copy_sources "$work"
  began=$(date +%s)
  CDPATH='' cd -- "$work"
  hurry
  if maven show_build "$dist/install.log" -Prelease '-P!errorprone' -Dmaven.test.skip=true -pl takt-bom,takt-cli,takt-persist,takt-session,takt-client,takt-host,takt-netty,takt-testkit,takt-maven-plugin -am "$@" install; then
    cd "$root"
    rm -rf "$work"
    say "installed in $(since) s; ./takt new DIR makes a project that uses it"
  else
    show_errors "$dist/install.log"
    fail 1 "nothing is installed; all of the output is in $dist/install.log"
  fi
}

show_nothing() { cat >/dev/null; }

format_sources() {
  at_most 0 "$@"
  need_jdk
  need_maven
  lock tree
  CDPATH='' cd -- "$root"
  say "formatting"
  maven show_nothing "$dist/format.log" -ntp -pl '!takt-bom' spotless:apply && return
  grep '^\[ERROR\]' "$dist/format.log" | head -n 20 >&2
  fail 1 "the sources could not be formatted; the whole output is in $dist/format.log"
}
