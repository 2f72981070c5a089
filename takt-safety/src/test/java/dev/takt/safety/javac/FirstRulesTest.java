package dev.takt.safety.javac;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FirstRulesTest {
  @Test
  void shouldReportFieldWhenTypeIsNeitherStableNorImmutable() {
    Compilation compilation =
        Compilation.of(
            """
            import java.util.List;
            class Buyer extends dev.takt.reflex.ReflexTask {
              private List<String> open;
              private double max;
              private dev.takt.space.Handle handle;
              private final String name = "a";
              private String last;
              public void execute() {}
            }
            """);

    assertThat(compilation.findings())
        .as("%s", compilation.messages())
        .containsExactly("R8 Buyer.java:3", "R8 Buyer.java:7");
    assertThat(compilation.successful).isFalse();
    assertThat(compilation.messages().getFirst()).contains("open", "java.util.List");
  }

  @Test
  void shouldReportStaticsWhenTaskReachesThem() {
    Compilation compilation =
        Compilation.of(
            """
            class Reader extends dev.takt.reflex.ReflexTask {
              static final int[] TABLE = new int[4];
              static final Object LOCK = new Object();
              static String last;
              static long count;
              static volatile long published;
              public void execute() {
                step(TABLE[0]);
              }
              private static void step(int by) {
                System.out.checkError();
                Object o = LOCK;
                last = "x";
                count++;
                published = by;
              }
              static void legacy() {
                last = String.valueOf(LOCK);
              }
            }
            """);

    assertThat(compilation.findings())
        .as("%s", compilation.messages())
        .containsExactly(
            "R14 Reader.java:11",
            "R28 Reader.java:11",
            "R14 Reader.java:12",
            "R15 Reader.java:13",
            "R15 Reader.java:14",
            "R15 Reader.java:15");
    assertThat(compilation.messages().getFirst())
        .contains(
            "System.out",
            "reached: Reader.execute()(Reader.java:8) -> Reader.step(int)(Reader.java:11)");
  }

  @Test
  void shouldReportWhoGetsIntoTaskFromOutside() {
    Compilation compilation =
        Compilation.of(
            """
            class Counter extends dev.takt.reflex.ReflexTask {
              public int shown;
              int count;
              public void execute() { count = next(count); }
              private static int next(int i) { return i + 1; }
              public void raise() { count++; }
              int peek() { return count; }
              @dev.takt.reflex.Atomic public int read() { return count; }
            }
            """,
            """
            class Main {
              static int main(Counter counter) {
                return counter.peek() + counter.read() + counter.count;
              }
            }
            """);

    assertThat(compilation.findings())
        .as("%s", compilation.messages())
        .containsExactly(
            "R16 Counter.java:2", "R16 Counter.java:6", "R16 Main.java:3", "R16 Main.java:3");
  }
}
