package dev.takt.stress.bypass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.Schedule;
import dev.takt.safety.Finding;
import dev.takt.safety.Rule;
import dev.takt.safety.load.FindingText;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each way past the verifier is refused by one and the same rule in the check and when the program
 * is to run, and both name the class.
 *
 * <p>What class files show is refused by the loader that takes in a program as it was compiled: the
 * runtime knows no rules and would say only that the task is not woven. What comes about after the
 * weaving is refused when the task is registered.
 */
class SameRuleTest {
  @TempDir private Path folder;

  /** What a program does to get its way, in a folder that is empty. */
  @FunctionalInterface
  private interface Program {
    Application make(Path folder) throws IOException;
  }

  /**
   * A way past the verifier.
   *
   * @param path the folders that the program runs with, in the order of its class path; empty for a
   *     program that was not woven before
   * @param held the class of the object that the task is given; empty if none
   */
  private record Way(
      String name, Rule rule, String culprit, Program program, List<String> path, String held) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String HELPER =
      """
      package lib;
      public final class Helper {
        public static int twice(int n) { for (int i = 0; i < 1; i++) { n += n; } return n; }
        public static int other(int n) { while (n < 9) { n++; } return n; }
      }
      """;

  private static final String PRICE =
      """
      package lib;
      public class Price {
        private final int cents;
        public Price() { cents = 3; }
        public int cents() { return cents; }
      }
      """;

  private static final String CHANGED = PRICE.replace("return cents", "return cents + 1");

  private static final String LATE =
      """
      package late;
      public class Odd extends lib.Price {
        @Override public synchronized int cents() { return 1; }
      }
      """;

  private static final String HARMLESS_LATE =
      "package late; public class Odd extends lib.Price { public int cents() { return 2; } }";

  private static final String HANDY =
      """
      package dev.takt.realtime.tools;
      public final class Handy { public static synchronized int next(int n) { return n + 1; } }
      """;

  private static final String FORGED_TASK =
      """
      package app;
      import dev.takt.reflex.woven.*;
      @Woven(abi = Woven.ABI, verified = true)
      public final class Task extends dev.takt.reflex.ReflexTask implements Undoable {
        private int at;
        public void execute() { at++; }
        public void $takt$save(TaskMemory memory) {}
        public long $takt$stamp() { return 0; }
        public int $takt$number() { return 0; }
        public void $takt$number(int number) {}
        public void $takt$restore(TaskMemory memory) {}
        public void $takt$apply(int field, long bits, Object reference) {}
      }
      """;

  private static final String FORGED_HELPER =
      """
      package lib;
      import dev.takt.reflex.woven.*;
      @Woven(abi = Woven.ABI, verified = true)
      public final class Helper {
        public static int twice(int n) { TaskMemory.current().commit(); return n; }
      }
      """;

  private static String task(String fields, String body) {
    return """
    package app;
    public final class Task extends dev.takt.reflex.ReflexTask {
      private int at;
      %s
      @Override public void execute() { %s }
    }
    """
        .formatted(fields, body);
  }

  private static final String USES_HELPER = task("", "at = lib.Helper.twice(at);");

  private static final String USES_PRICE =
      task(
          "private final lib.Price price; public Task(lib.Price price) { this.price = price; }",
          "at = price.cents();");

  private static Way compiled(String name, Rule rule, String culprit, Program program) {
    return new Way(name, rule, culprit, program, List.of(), "");
  }

  private static Way woven(String name, String culprit, List<String> path, Program program) {
    return new Way(name, Rule.R1, culprit, program, path, "");
  }

  private static Way given(String name, String culprit, List<String> path, Program program) {
    return new Way(name, Rule.R1, culprit, program, path, culprit);
  }

  static Stream<Way> ways() {
    return Stream.of(
        compiled(
            "takt's own API that blocks",
            Rule.R5,
            "app.Task",
            in -> app(in, task("", "dev.takt.realtime.NanoClock.system().parkNanos(1);"))),
        compiled(
            "a clock that anybody can implement, in a final field",
            Rule.R8,
            "app.Task",
            in ->
                app(
                    in,
                    task(
                        "private final dev.takt.realtime.NanoClock clock;"
                            + " public Task(dev.takt.realtime.NanoClock clock) {"
                            + " this.clock = clock; }",
                        "at = (int) clock.nanoTime();"))),
        compiled(
            "a class of others in a package of takt, in a library",
            Rule.R1,
            "dev.takt.realtime.tools.Handy",
            in -> handy(in, "library")),
        compiled(
            "a class of others in a package of takt, in the application",
            Rule.R1,
            "dev.takt.realtime.tools.Handy",
            in -> handy(in, "app")),
        compiled(
            "a counter in an enum constant",
            Rule.R15,
            "app.Task",
            in -> app(in, task("enum Tally { ONE; int n; }", "Tally.ONE.n++; at = Tally.ONE.n;"))),
        compiled(
            "a helper with a forged mark",
            Rule.R1,
            "lib.Helper",
            in -> app(in, "library", FORGED_HELPER, "lib.Helper", USES_HELPER)),
        woven("a task with a forged mark", "app.Task", List.of("app"), in -> app(in, FORGED_TASK)),
        woven(
            "a helper that was woven for another program",
            "lib.Helper",
            List.of("app"),
            SameRuleTest::foreign),
        woven(
            "a class that was exchanged after the weaving",
            "lib.Price",
            List.of("app", "library"),
            SameRuleTest::exchanged),
        given(
            "an object of a class that came after the weaving, and breaks rules",
            "late.Odd",
            List.of("app", "late"),
            in -> late(in, LATE)),
        given(
            "an object of a class that came after the weaving",
            "late.Odd",
            List.of("app", "late"),
            in -> late(in, HARMLESS_LATE)));
  }

  private static Application app(Path in, String task) throws IOException {
    return new Application(in).with("app", "app.Task", task);
  }

  private static Application app(Path in, String where, String helper, String name, String task)
      throws IOException {
    return new Application(in).with(where, name, helper).with("app", "app.Task", task);
  }

  private static Application handy(Path in, String where) throws IOException {
    return app(
        in,
        where,
        HANDY,
        "dev.takt.realtime.tools.Handy",
        task("", "at = dev.takt.realtime.tools.Handy.next(at);"));
  }

  private static Application foreign(Path in) throws IOException {
    Application other =
        app(
            in.resolve("second"),
            "app",
            HELPER,
            "lib.Helper",
            USES_HELPER.replace("Helper.twice", "Helper.other"));
    other.weave();
    Application application = app(in, "app", HELPER, "lib.Helper", USES_HELPER);
    application.weave();
    Files.copy(
        other.folder("app").resolve("lib/Helper.class"),
        application.folder("app").resolve("lib/Helper.class"),
        StandardCopyOption.REPLACE_EXISTING);
    return application;
  }

  private static Application exchanged(Path in) throws IOException {
    Application application = app(in, "library", PRICE, "lib.Price", USES_PRICE);
    application.weave();
    return application.with("library", "lib.Price", CHANGED);
  }

  private static Application late(Path in, String odd) throws IOException {
    Application application = app(in, "app", PRICE, "lib.Price", USES_PRICE);
    application.weave();
    return application.with("late", "late.Odd", odd);
  }

  /** Loads the program by what it comes with and registers its task. */
  private static void run(Application application, Way way) throws Exception {
    try (var loader =
        way.path.isEmpty()
            ? application.loader()
            : application.plainLoader(way.path.toArray(String[]::new))) {
      Class<?> type = loader.loadClass("app.Task");
      var constructor = type.getConstructors()[0];
      Object[] given = new Object[constructor.getParameterCount()];
      for (int i = 0; i < given.length; i++) {
        String held = way.held.isEmpty() ? "lib.Price" : way.held;
        given[i] = loader.loadClass(held).getConstructor().newInstance();
      }
      ReflexTask task = (ReflexTask) constructor.newInstance(given);
      try (ReflexRuntime runtime = ReflexRuntime.create(EventSpace.create())) {
        runtime.active("task", task, Schedule.periodic(1_000_000));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldRefuseByTheSameRuleInTheCheckAndAtRunTime(Way way) throws Exception {
    Application application = way.program.make(folder);

    List<Finding> findings = application.findings();

    assertThat(findings)
        .as(FindingText.of(findings))
        .anySatisfy(
            finding -> {
              assertThat(finding.rule()).isEqualTo(way.rule);
              assertThat(finding.isError()).isTrue();
              assertThat(FindingText.of(finding)).contains(way.culprit);
            });
    assertThatThrownBy(() -> run(application, way))
        .hasMessageContaining(way.rule.toString())
        .hasMessageContaining(way.culprit);
  }
}
