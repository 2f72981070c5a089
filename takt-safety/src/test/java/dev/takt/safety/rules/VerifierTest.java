package dev.takt.safety.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.Finding;
import dev.takt.safety.Programs;
import dev.takt.safety.Rule;
import dev.takt.safety.Severity;
import dev.takt.safety.SourceLocation;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.flow.Op;
import dev.takt.safety.reach.Closure;
import dev.takt.safety.reach.RapidTypeAnalysis;
import dev.takt.safety.weave.Weaver;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifierTest {
  @TempDir Path folder;

  private static Verifier.Result verify(String... sources) throws IOException {
    try (Programs programs = Programs.compile(sources);
        ClassWorld world = programs.world()) {
      return Verifier.verify(world);
    }
  }

  private static String task(String name, String body) {
    return """
    package app;
    import dev.takt.reflex.*;
    import dev.takt.space.*;
    import java.util.*;
    import java.util.concurrent.atomic.*;
    public class %s extends ReflexTask {
    %s
    }
    """
        .formatted(name, body);
  }

  @Test
  void shouldReportOneFindingForAPlaceThatSeveralTasksReach() throws IOException {
    String helper =
        """
        package app;
        class Helper { static void nap() throws InterruptedException { Thread.%s(1); } }
        """
            .formatted("sleep");
    String body =
        "public void execute() { try { Helper.nap(); } catch (InterruptedException e) {} }";
    Verifier.Result result = verify(helper, task("A", body), task("B", body), task("C", body));
    assertThat(result.findings()).hasSize(1);
    Finding finding = result.findings().getFirst();
    assertThat(finding.rule()).isEqualTo(Rule.R5);
    assertThat(finding.task()).isEqualTo("app.A");
    assertThat(finding.message()).contains("Thread.sleep").contains("2 more tasks");
    assertThat(finding.place().className()).isEqualTo("app.Helper");
    assertThat(finding.path())
        .extracting(SourceLocation::className)
        .containsExactly("app.A", "app.Helper");
    assertThat(result.closures())
        .extracting(Closure::task)
        .containsExactly("app/A", "app/B", "app/C");
    assertThat(result.isClean()).isFalse();
  }

  @Test
  void shouldReportWhatTheJdkDoesAtTheUsersCallWithThePathToTheOffender() throws IOException {
    Verifier.Result result =
        verify(
            task(
                "Counting",
                """
                private int x;
                public void execute() {
                  x = new java.util.Observable().countObservers();
                }
                """));
    assertThat(result.findings()).hasSize(1);
    Finding finding = result.findings().getFirst();
    assertThat(finding.rule()).isEqualTo(Rule.R5);
    assertThat(finding.place().toString()).contains("Counting.java:9");
    assertThat(finding.message()).contains("java.util.Observable.countObservers() is synchronized");
    assertThat(finding.path().getFirst().member()).isEqualTo("execute()");
    assertThat(finding.path().getLast().className()).isEqualTo("java.util.Observable");
  }

  @Test
  void shouldGoOnAfterAClassThatCannotBeRead() throws IOException {
    try (Programs programs =
        Programs.compile(
            task("Good", "public void execute() { }"),
            task("Bad", "private Object o; public void execute() { }"),
            "package app;\nclass Broken { int x; }")) {
      Path broken = programs.classes().resolve("app/Broken.class");
      byte[] bytes = Files.readAllBytes(broken);
      Files.write(broken, java.util.Arrays.copyOf(bytes, 40));
      try (ClassWorld world = programs.world()) {
        Verifier.Result result = Verifier.verify(world);
        assertThat(result.findings())
            .extracting(Finding::rule)
            .containsExactlyInAnyOrder(Rule.R1, Rule.R8);
        assertThat(result.findings())
            .filteredOn(finding -> finding.rule() == Rule.R1)
            .singleElement()
            .extracting(Finding::message)
            .asString()
            .contains("app/Broken")
            .contains("compile it again");
        assertThat(result.closures()).hasSize(2);
      }
    }
  }

  @Test
  void shouldRefuseATaskThatWritesAStaticNumber() throws IOException {
    Verifier.Result result =
        verify(task("Legacy", "static int shared; public void execute() { shared = 1; }"));
    assertThat(result.findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.rule()).isEqualTo(Rule.R15))
        .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.ERROR));
    assertThat(result.isClean()).isFalse();
  }

  @Test
  void shouldCheckStableClassesOfAWorldWithoutTasks() throws IOException {
    Verifier.Result result =
        verify("package app;\npublic class Node implements dev.takt.space.Stable { Object o; }");
    assertThat(result.findings()).extracting(Finding::rule).containsExactly(Rule.R8);
    assertThat(result.closures()).isEmpty();
  }

  @Test
  void shouldRefuseAStableClassOfALibraryThatIsNotWoven() throws IOException {
    Path library = Files.createDirectory(folder.resolve("library"));
    Programs.compile(
        List.of("package lib;\npublic class Node implements dev.takt.space.Stable { int v; }"),
        library,
        Programs.libraries(),
        List.of());
    Path application = Files.createDirectory(folder.resolve("application"));
    List<Path> path = new java.util.ArrayList<>(Programs.libraries());
    path.add(library);
    Programs.compile(
        List.of(task("User", "private lib.Node n; public void execute() { n = new lib.Node(); }")),
        application,
        path,
        List.of());
    try (ClassWorld world = ClassWorld.open(List.of(application), path)) {
      assertThat(Verifier.verify(world).findings())
          .singleElement()
          .satisfies(finding -> assertThat(finding.rule()).isEqualTo(Rule.R29))
          .satisfies(finding -> assertThat(finding.message()).contains("lib.Node"));
    }
  }

  @Test
  void shouldRefuseATaskThatReachesTooMuch() throws IOException {
    StringBuilder many =
        new StringBuilder("package app;\nclass Many { static int m0() { return 0; }");
    for (int i = 1; i <= RapidTypeAnalysis.MAX_METHODS + 10; i++) {
      many.append(" static int m").append(i).append("() { return m").append(i - 1).append("(); }");
    }
    many.append('}');
    Verifier.Result result =
        verify(
            many.toString(),
            task(
                "Big",
                "private int x; public void execute() { x = Many.m"
                    + (RapidTypeAnalysis.MAX_METHODS + 10)
                    + "(); }"));
    assertThat(result.findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.rule()).isEqualTo(Rule.R1))
        .satisfies(
            finding ->
                assertThat(finding.message())
                    .contains("more than " + RapidTypeAnalysis.MAX_METHODS));
  }

  @Test
  void shouldCheckTheEffectsOfAnAbortPathButNotItsText() throws IOException {
    Verifier.Result result =
        verify(
            task(
                "Strict",
                """
                private int x;
                static int failures;
                public void execute() {
                  if (x > 3) {
                    failures = 1;
                    throw new IllegalStateException(String.format("%d is too much", x));
                  }
                }
                """));
    assertThat(result.findings()).extracting(Finding::rule).containsExactly(Rule.R15);
  }

  @Test
  void shouldFollowTheTextOfTheUsersObjectsInAnException() throws IOException {
    Verifier.Result result =
        verify(
            task(
                "Talkative",
                """
                private int x;
                static class Part {
                  public String toString() { Thread.onSpinWait(); synchronized (this) { return "p"; } }
                }
                public void execute() {
                  Part part = new Part();
                  if (x > 3) { throw new IllegalStateException("bad " + part); }
                }
                """));
    assertThat(result.findings()).extracting(Finding::rule).containsExactly(Rule.R5);
  }

  private static final String NOISY =
      "package app;\n"
          + "record Noisy(long bytes) { public long bytes() { System.gc(); return bytes; } }";

  @Test
  void shouldFollowTheAccessorsOfARecordThatAnEventGets() throws IOException {
    String add = "event.add(\"size\", size);";
    String make = "Noisy size = new Noisy(1); Event event = new Event(); ";
    assertThat(verify(NOISY, task("Early", "public void execute() { " + make + add + " }")))
        .satisfies(VerifierTest::refusesTheAccessor);
    assertThat(
            verify(
                NOISY,
                task(
                    "Late",
                    "public void execute() { Event event = new Event(); Object size = null;"
                        + " for (int i = 0; i < 2; i++) { "
                        + add
                        + " size = new Noisy(1); } }")))
        .satisfies(VerifierTest::refusesTheAccessor);
    assertThat(verify(NOISY, task("Never", "public void execute() { " + make + " }")).isClean())
        .as("nobody takes the record apart")
        .isTrue();
  }

  private static void refusesTheAccessor(Verifier.Result result) {
    assertThat(result.findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.rule()).isEqualTo(Rule.R28))
        .satisfies(finding -> assertThat(finding.place().className()).isEqualTo("app.Noisy"));
  }

  @Test
  void shouldRefuseAnApplicationClassInAPackageOfTakt() throws IOException {
    String evil = task("Evil", "public void execute() { System.gc(); }");
    for (String name : List.of("reflex", "reflex.woven", "space", "realtime")) {
      assertThat(verify(evil.replace("package app", "package dev.takt." + name)).findings())
          .anySatisfy(
              finding -> {
                assertThat(finding.rule()).isEqualTo(Rule.R1);
                assertThat(finding.isError()).isTrue();
                assertThat(finding.message())
                    .contains("dev.takt." + name + ".Evil", "another package");
              });
    }
    String ours = "public void execute() { }";
    for (String name : List.of("samples", "bench.steps", "stress")) {
      String source = task("Fine", ours).replace("package app", "package dev.takt." + name);
      assertThat(verify(source).findings()).isEmpty();
    }
  }

  @Test
  void shouldNotExemptFieldsForTheirNamesAlone() throws IOException {
    assertThat(verify(task("A", "private Object $takt$o; public void execute() { }")).findings())
        .extracting(Finding::rule)
        .containsExactly(Rule.R8);
    assertThat(
            verify(task("B", "static Object $takt$o; public void execute() { $takt$o = this; }"))
                .findings())
        .extracting(Finding::rule)
        .containsExactly(Rule.R15);
    String keeper = "package app;\nclass Keeper { int[] val$kept; int[] this$kept; }";
    for (String name : List.of("val$kept", "this$kept")) {
      String body = "private final int[] a = new int[4]; public void execute() { new Keeper().";
      assertThat(verify(keeper, task("C", body + name + " = a; }")).findings())
          .extracting(Finding::rule)
          .containsExactly(Rule.R11);
    }
  }

  @Test
  void shouldRefuseTooManyParametersInsteadOfSkippingTheMethod() throws IOException {
    String parameters =
        IntStream.rangeClosed(1, 31).mapToObj(i -> "int p" + i).collect(Collectors.joining(", "));
    assertThat(
            verify(
                    task(
                        "Wide",
                        "public void execute() { } private void wide(" + parameters + ") { }"))
                .findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.rule()).isEqualTo(Rule.R1))
        .satisfies(finding -> assertThat(finding.message()).contains("app.Wide.wide", "30"));
  }

  @Test
  void shouldRefuseAForgedMarkOfTheWeaver() throws IOException {
    String mark =
        """
        package dev.takt.reflex.woven;
        import java.lang.annotation.*;
        @Retention(RetentionPolicy.RUNTIME)
        public @interface Woven {}
        """;
    String body = "private int x; public void execute() { x = 1; }";
    String forged =
        task("Forged", body).replace("public class", "@dev.takt.reflex.woven.Woven public class");
    assertThat(verify(mark, forged).findings())
        .filteredOn(finding -> finding.rule() == Rule.R1)
        .anySatisfy(
            finding -> assertThat(finding.message()).contains("app.Forged", "marked as woven"));
  }

  /** What is made on an abort path needs no pool, whichever of the two looks. */
  @Test
  void shouldAgreeWithTheWeaverThatAMethodThatAlwaysThrowsEndsARelease() throws IOException {
    String body =
        "private int x; static class Note { int y; } static void fail(Note note) { throw new"
            + " IllegalStateException(); } public void execute() { if (x > 0) { Note note = new"
            + " Note(); note.y = x; fail(note); } x = new Note().y; }";
    try (Programs programs = Programs.compile(task("Real", body));
        ClassWorld world = programs.world()) {
      Verifier.Result result = Verifier.verify(world);
      assertThat(result.findings()).isEmpty();
      MethodInfo execute = world.info("app/Real").methods.get("execute()V");
      assertThat(execute.code().ops())
          .filteredOn(op -> op instanceof Op.New)
          .extracting(Op::abort)
          .containsExactly(true, false);

      byte[] woven = Weaver.weave(world, result.closures(), true, false, _ -> {}).get("app/Real");

      List<String> made = new ArrayList<>();
      for (MethodModel method : ClassFile.of().parse(woven).methods()) {
        if (method.methodName().equalsString("execute")) {
          for (CodeElement element : method.code().orElseThrow()) {
            if (element instanceof NewObjectInstruction) {
              made.add("heap");
            } else if (element instanceof InvokeInstruction call
                && call.name().equalsString("$takt$new")) {
              made.add("pool");
            }
          }
        }
      }
      assertThat(made).containsExactly("heap", "pool");
    }
  }

  @Test
  void shouldSeeInWhatTheWeaverMadeWhatItWasBefore() throws IOException {
    String body =
        "private int x; private Part p; static class Part implements Stable { int y; Part() { y ="
            + " 1; } } public void execute() { x++; p = new Part(); p.y += x; Runnable r = () -> x"
            + " = 2; r.run(); }";
    try (Programs programs = Programs.compile(task("Real", body))) {
      Map<String, byte[]> woven;
      try (ClassWorld world = programs.world()) {
        Verifier.Result result = Verifier.verify(world);
        assertThat(result.findings()).isEmpty();
        woven = Weaver.weave(world, result.closures(), true, false, _ -> {});
      }
      assertThat(woven).containsKey("app/Real");
      for (Map.Entry<String, byte[]> each : woven.entrySet()) {
        Files.write(programs.classes().resolve(each.getKey() + ".class"), each.getValue());
      }
      try (ClassWorld world = programs.world()) {
        Verifier.Result result = Verifier.verify(world);
        assertThat(result.findings()).isEmpty();
        assertThat(Weaver.weave(world, result.closures(), true, false, _ -> {}).keySet())
            .isEqualTo(woven.keySet());
      }
    }
  }

  @Test
  void shouldNameTheStaticFieldWhenATaskCountsInACounterOfTheJdk() throws IOException {
    assertThat(
            verify(
                    task(
                        "Sharing",
                        "static final AtomicLong COUNT = new AtomicLong();"
                            + " public void execute() { COUNT.incrementAndGet(); }"))
                .findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.rule()).isEqualTo(Rule.R15))
        .satisfies(
            finding ->
                assertThat(finding.message())
                    .contains("AtomicLong", "app.Sharing.COUNT", "incrementAndGet"));
  }

  @Test
  void shouldBeHoleThatASubclassInTheJdkIsNotLookedAt() throws IOException {
    assertThat(
            verify(
                    task(
                        "Lucky",
                        "@dev.takt.reflex.NotUndone private final Random random;"
                            + " Lucky(Random random) { this.random = random; }"
                            + " public void execute() { random.nextInt(); }"))
                .findings())
        .as("a SecureRandom may come in")
        .isEmpty();
  }

  @Test
  void shouldBeHoleThatOneOfTwoCallsWithTheSameOffenderIsReported() throws IOException {
    assertThat(
            verify(
                    task(
                        "Twice",
                        """
                        private int x;
                        public void execute() {
                          x = new java.util.Observable().countObservers();
                          x += new java.util.Observable().countObservers();
                        }
                        """))
                .findings())
        .hasSize(1);
  }
}
