package dev.takt.safety.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.Programs;
import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.flow.Op;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which calls of a method lie on abort paths. */
class FlowTest {
  /** Returns the names of the marker methods that {@code test} calls on abort paths. */
  private static List<String> onAbortPaths(String method) throws IOException {
    try (Programs programs =
            Programs.compile(
                """
                package app;
                public class Code {
                  int x;
                  static void a() {}
                  static void b() {}
                  static void c() {}
                  static int fail(int x) { throw new IllegalStateException("failed"); }
                  %s
                }
                """
                    .formatted(method));
        ClassWorld world = programs.world()) {
      ClassInfo code = world.info("app/Code");
      MethodInfo test =
          code.methods.values().stream()
              .filter(m -> m.name.equals("test"))
              .findFirst()
              .orElseThrow();
      return test.code().ops().stream()
          .filter(op -> op instanceof Op.Call call && op.abort() && call.name().length() == 1)
          .map(op -> ((Op.Call) op).name())
          .distinct()
          .toList();
    }
  }

  @Test
  void shouldTakeCodeBeforeAThrowForAnAbortPath() throws IOException {
    assertThat(
            onAbortPaths(
                "void test() { a(); if (x > 0) { b(); throw new IllegalStateException(); } c(); }"))
        .containsExactly("b");
  }

  @Test
  void shouldTakeAllBranchesThatThrow() throws IOException {
    assertThat(
            onAbortPaths(
                "void test() { if (x > 0) { a(); if (x > 1) b(); else c();"
                    + " throw new IllegalStateException(); } }"))
        .containsExactly("a", "b", "c");
  }

  @Test
  void shouldNotTakeAThrowThatTheMethodCatches() throws IOException {
    assertThat(
            onAbortPaths(
                "void test() { try { a(); throw new IllegalStateException(); }"
                    + " catch (IllegalStateException e) { b(); } c(); }"))
        .isEmpty();
  }

  @Test
  void shouldTakeAThrowThatTheMethodCatchesOnlyToThrowAgain() throws IOException {
    assertThat(
            onAbortPaths(
                "void test() { if (x > 0) { try { a(); throw new IllegalStateException(); }"
                    + " catch (IllegalStateException e) { b(); throw new RuntimeException(e); } } }"))
        .containsExactly("a", "b");
  }

  @Test
  void shouldTakeTheCopyOfAFinallyThatPassesAnExceptionOn() throws IOException {
    assertThat(onAbortPaths("void test() { try { a(); } finally { b(); } }")).containsExactly("b");
    assertThat(
            onAbortPaths(
                "int test() { try { if (x > 0) throw new IllegalStateException(); a(); }"
                    + " finally { return 1; } }"))
        .isEmpty();
  }

  @Test
  void shouldTakeCodeBeforeAHelperThatAlwaysThrows() throws IOException {
    assertThat(onAbortPaths("int test() { if (x > 0) { a(); return fail(x); } b(); return 1; }"))
        .containsExactly("a");
  }

  @Test
  void shouldNotTakeAnEndlessLoop() throws IOException {
    assertThat(onAbortPaths("void test() { if (x > 0) { while (true) { a(); } } }")).isEmpty();
  }

  @Test
  void shouldTakeTheHandlerThatLeavesAMonitor() throws IOException {
    assertThat(
            onAbortPaths(
                "void test() { synchronized (this) { a(); if (x > 0) { b();"
                    + " throw new IllegalStateException(); } } }"))
        .containsExactly("b");
  }
}
