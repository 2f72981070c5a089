package dev.takt.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.mutation.MutationRun.Outcome;
import dev.takt.mutation.MutationRun.Result;
import dev.takt.mutation.sample.Grades;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests of the tests: faults are put into the core modules' logic, and their tests have to notice.
 * By itself: {@code main} with patterns of class names, which reports all of their faults.
 */
class MutationTest {
  /** Of these every fault is tried, and none may survive unless the table says why. */
  private static final Pattern STRICT =
      Pattern.compile(
          String.join(
              "|",
              "dev\\.takt\\.realtime\\.(PeriodicReleases|Periodic|Sporadic|Aperiodic|TimeChecks)",
              "dev\\.takt\\.realtime\\.(ArrivalQueue|Continuous|SingleWriterCounters)",
              "dev\\.takt\\.realtime\\.ReadyQueue(\\$Counter)?",
              "dev\\.takt\\.reflex\\.Schedule",
              "dev\\.takt\\.reflex\\.woven\\.(UndoLog|TaskMemory|Epochs|MemoryFigures)",
              "dev\\.takt\\.reflex\\.woven\\.(Pool|ArrayPool|StablePool|StableMemory)",
              "dev\\.takt\\.reflex\\.woven\\.Transient(Area|Plan)",
              "dev\\.takt\\.rtsj\\.timer\\.Timer(Queue|Engine|Service|Clock|Settings)?",
              "dev\\.takt\\.rtsj\\.monitor\\.(CeilingStack|MonitorStats|Priorities(\\$1)?)",
              "dev\\.takt\\.rtsj\\.monitor\\.(DeadlockDetector|WaitQueue|WaitNode)",
              "dev\\.takt\\.rtsj\\.monitor\\.(Ceiling|Inheritance)Monitor",
              "dev\\.takt\\.rtsj\\.monitor\\.(MonitorThread|MonitorCondition)",
              "dev\\.takt\\.rtsj\\.monitor\\.(FutexWord|QueueWord)",
              "dev\\.takt\\.space\\.(EventSlots(\\$LocalFreeList)?|DeferredRemovals|EventPool)"));

  /** Tests that start other JVMs or count allocated bytes say nothing about faults. */
  private static final Pattern USELESS =
      Pattern.compile(
          ".*(Allocation|Garbage|Unprivileged|Scale|NamedModule|EndOfMain|NoMore|NoDesc).*");

  /** Of which tests alone to run, by a pattern of class names, when one is waiting for them. */
  private static final Pattern TESTS =
      Pattern.compile(System.getProperty("takt.mutation.tests", ".*"));

  /** What is tried when not all is. */
  private static final Pattern FEW = Pattern.compile("dev\\.takt\\.realtime\\.PeriodicReleases");

  private static final Pattern FEW_TESTS = Pattern.compile(".*\\.PeriodicReleasesTest.*");

  private static final int SAMPLE = 40;

  @Test
  void shouldTellWhatWeakTestsDoNotNotice() throws Exception {
    List<String> places =
        trySample("WeakGradesTest").stream()
            .filter(each -> each.outcome() == Outcome.SURVIVED)
            .map(each -> each.mutation().place())
            .toList();
    assertThat(places)
        .containsExactly(
            "note(int): 50 becomes 51 #1",
            "note(int): < becomes <= #1",
            "note(int): 1 becomes 0 #1",
            "note(int): add is not called #1",
            "add(int): add becomes sub #1");
  }

  @Test
  void shouldFindNothingThatStrongTestsDoNotNotice() throws Exception {
    List<Result> results = trySample("StrongGradesTest");
    assertThat(results).hasSizeGreaterThan(12);
    assertThat(results)
        .allMatch(each -> each.outcome() == Outcome.KILLED || each.outcome() == Outcome.HUNG);
  }

  @Test
  void shouldTellWhatNoTestReachesAndWhatHangs() throws Exception {
    assertThat(trySample("WeakGradesTest"))
        .filteredOn(each -> each.mutation().place().startsWith("halves"))
        .isNotEmpty()
        .allMatch(each -> each.outcome() == Outcome.UNREACHED);
    assertThat(trySample("StrongGradesTest"))
        .filteredOn(each -> each.mutation().place().equals("halves(int): div becomes mul #1"))
        .extracting(Result::outcome)
        .containsExactly(Outcome.HUNG);
  }

  @Test
  void shouldTryWhatATestReachesByItsFields() throws Exception {
    assertThat(trySample("FieldGradesTest"))
        .filteredOn(each -> each.mutation().place().startsWith("halves"))
        .isNotEmpty()
        .noneMatch(each -> each.outcome() == Outcome.UNREACHED);
  }

  @Test
  void shouldNameNothingInTheTableThatIsNotThere() throws IOException {
    List<String> keys = new ArrayList<>();
    for (String module : Modules.CORE) {
      Mutator mutator =
          new Mutator(new IsolatedClasses(Modules.folders(module), (name, bytes) -> bytes));
      for (String name : Modules.names(Modules.classes(module))) {
        Path file = Modules.classes(module).resolve(name.replace('.', '/') + ".class");
        mutator.list(Files.readAllBytes(file)).forEach(each -> keys.add(each.key()));
      }
    }
    assertThat(keys).doesNotHaveDuplicates().containsAll(new MutationReport().equivalent());
  }

  @Test
  void shouldNoticeEveryFaultInWhatIsStrict() throws Exception {
    MutationReport report = new MutationReport();
    for (String module : Modules.CORE) {
      if (Seeds.isFull()) {
        tryModule(module, STRICT, TESTS, SAMPLE, report);
      } else {
        tryModule(module, FEW, FEW_TESTS, 0, report);
      }
    }
    print(report);
    assertThat(report.survivors())
        .filteredOn(each -> STRICT.matcher(each.mutation().className()).matches())
        .as("survivors where none may be")
        .isEmpty();
    assertThat(report.noticedAfterAll()).as("equivalent ones that are not").isEmpty();
    assertThat(report.hasTried(FEW)).as("faults in " + FEW).isTrue();
    for (String each : Seeds.isFull() ? STRICT.pattern().split("\\|(?=dev)") : new String[0]) {
      assertThat(report.hasTried(Pattern.compile(each))).as("faults in " + each).isTrue();
    }
  }

  private static List<Result> trySample(String test) throws Exception {
    Path folder = Modules.origin(MutationTest.class);
    String samples = Grades.class.getPackageName() + ".";
    return new MutationRun(folder, List.of(folder))
        .run(List.of(Grades.class.getName()), List.of(samples + test), each -> true, 0);
  }

  private static void tryModule(
      String module, Pattern wanted, Pattern tests, int sample, MutationReport report)
      throws Exception {
    List<String> names =
        Modules.names(Modules.classes(module)).stream()
            .filter(each -> sample > 0 || wanted.matcher(each).matches())
            .toList();
    if (names.isEmpty()) {
      return;
    }
    MutationRun run = new MutationRun(Modules.classes(module), Modules.folders(module));
    report.add(
        run.run(names, tests(module, tests), each -> wanted.matcher(each).matches(), sample));
  }

  private static List<String> tests(String module, Pattern wanted) {
    // The space's reference model needs the space, so its tests are in another module.
    return Stream.of(module, "takt-testkit")
        .flatMap(each -> Modules.names(Modules.tests(each)).stream())
        .filter(each -> each.endsWith("Test") && !USELESS.matcher(each).matches())
        .filter(each -> wanted.matcher(each).matches())
        .toList();
  }

  /** Tries every fault of the classes whose names match one of the patterns. */
  public static void main(String[] patterns) throws Exception {
    MutationReport report = new MutationReport();
    for (String module : Modules.CORE) {
      tryModule(module, Pattern.compile(String.join("|", patterns)), TESTS, 0, report);
    }
    print(report);
  }

  private static void print(MutationReport report) {
    report.survivors().forEach(each -> System.out.println(each.outcome() + " " + each.mutation()));
    report.noticedAfterAll().forEach(each -> System.out.println("not equivalent: " + each));
    System.out.print(report.scores());
  }
}
