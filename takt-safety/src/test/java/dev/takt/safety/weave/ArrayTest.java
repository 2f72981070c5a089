package dev.takt.safety.weave;

import static dev.takt.safety.weave.Program.call;
import static dev.takt.safety.weave.Program.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ArrayTest {
  private static final String WINDOW =
      """
      package app;
      import dev.takt.reflex.*;
      public class Window extends ReflexTask {
        private double[] values = new double[4];
        private final long[] counts = new long[2];
        private int[] spare = {1, 2};
        private int[] other = {3, 4};
        int at; double sum;
        public void execute() {
          values[at++ % 4] = at;
          counts[0]++;
          sum = sum();
        }
        double sum() { double s = 0; for (double v : values) s += v; return s; }
        void grow() {
          double[] bigger = new double[values.length * 2];
          System.arraycopy(values, 0, bigger, 0, values.length);
          values = bigger;
          values[7] = 7;
        }
        void swap() {
          spare[0] = 10;
          int[] t = spare; spare = other; other = t;
          spare[1] = 40;
        }
        static String show(Object o) {
          Window w = (Window) o;
          return java.util.Arrays.toString(w.values) + java.util.Arrays.toString(w.counts)
              + java.util.Arrays.toString(w.spare) + java.util.Arrays.toString(w.other);
        }
      }
      """;

  @Test
  void shouldPutArraysBackWhenReleaseIsUndone() {
    Program program = Program.of(WINDOW).verified();
    Object window = program.make("app.Window");
    Object memory = program.memory();
    call(memory, "begin");
    call(window, "execute");
    call(memory, "commit");
    String before = show(program, window);
    assertThat(before).isEqualTo("[1.0, 0.0, 0.0, 0.0][1, 0][1, 2][3, 4]");

    for (String change : List.of("execute", "grow", "swap")) {
      call(memory, "begin");
      call(window, change);
      assertThat(show(program, window)).as(change).isNotEqualTo(before);
      call(memory, "rollback");
      assertThat(show(program, window)).as(change).isEqualTo(before);
    }
  }

  @Test
  void shouldPutArraysBackAfterTheyWereSwappedTwiceInOneRelease() {
    Program program = Program.of(WINDOW).verified();
    Object window = program.make("app.Window");
    Object memory = program.memory();
    String before = show(program, window);
    call(memory, "begin");
    call(window, "swap");
    call(window, "swap");
    call(window, "execute");
    call(window, "grow");
    call(window, "execute");
    call(memory, "rollback");

    assertThat(show(program, window)).isEqualTo(before);
  }

  private static String show(Program program, Object window) {
    return (String) call(program.type("app.Window"), "show", window);
  }

  @Test
  void shouldTakeArraysOfKnownLengthFromPools() {
    Program program =
        Program.of(
                """
                package app;
                import dev.takt.reflex.*;
                public class Maker extends ReflexTask {
                  int n = 3;
                  int total;
                  private int[] kept = new int[2];
                  public void execute() {
                    int[] four = new int[4];
                    String[] names = {"a", "b"};
                    long[][] matrix = new long[2][3];
                    byte[] open = new byte[n];
                    kept = new int[5];
                    total = four.length + names.length + matrix[1].length + open.length + bounded(n);
                  }
                  @MaxLength(8) int bounded(int n) {
                    char[] some = new char[n];
                    boolean[][] flags = new boolean[2][n];
                    return some.length + flags[1].length;
                  }
                }
                """)
            .verified();
    Object maker = program.make("app.Maker");
    Object memory = program.memory();
    call(memory, "begin");
    call(maker, "execute");

    assertThat(get(maker, "total")).isEqualTo(4 + 2 + 3 + 3 + 3 + 3);
    assertThat(get(memory, "arrays")).isEqualTo(9);
    assertThat(get(memory, "stableArrays")).isEqualTo(1);
    assertThat(program.mark("app.Maker", "arrays"))
        .isEqualTo(List.of("C:8", "I:=4", "J:=3", "Ljava/lang/String;:=2", "Z:8", "[J:=2", "[Z:8"));
  }
}
