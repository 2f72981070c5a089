package dev.takt.safety.weave;

import static dev.takt.safety.weave.Program.call;
import static dev.takt.safety.weave.Program.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LambdaTest {
  private static final String CALCULATOR =
      """
      package app;
      import dev.takt.reflex.*;
      import java.util.function.*;
      public class Calculator extends ReflexTask {
        static Object last; static StringBuilder out = new StringBuilder();
        int base = 100;
        interface Both { long apply(int a, Double b); }
        static int twice(int x) { return 2 * x; }
        private int secret(int x) { return base + x; }
        record Point(int x, long y) {}
        public void execute() {
          int n = base / 10; long big = 5L; double d = 0.5; String s = "s";
          IntSupplier plain = () -> n;
          LongSupplier wide = () -> n + big;
          DoubleUnaryOperator scale = x -> x * d + base;
          Function<Integer, Object> boxed = x -> x + n;
          Supplier<String> bound = s::trim;
          ToIntFunction<Integer> own = this::secret;
          Both both = (a, b) -> a + b.longValue() + big;
          BiFunction<Integer, Long, Point> make = Point::new;
          Function<Long, Point> half = y -> new Point(n, y);
          Runnable run = () -> out.append(n).append(s).append(d).append(big);
          IntFunction<int[]> array = int[]::new;
          Comparable<String> compare = s::compareTo;
          ObjIntConsumer<String> unbound = String::charAt;
          run.run();
          unbound.accept("x", 0);
          last = plain;
          out.append(" ").append(plain.getAsInt() + wide.getAsLong()).append(" ")
              .append(scale.applyAsDouble(2)).append(" ").append(boxed.apply(1)).append(" ")
              .append(bound.get()).append(" ").append(own.applyAsInt(1)).append(" ")
              .append(both.apply(1, 2.5)).append(" ").append(make.apply(1, 2L)).append(" ")
              .append(half.apply(3L)).append(" ").append(array.apply(2).length).append(" ")
              .append(compare.compareTo("s"));
        }
      }
      """;

  @Test
  void shouldDoWhatLambdasOfTheJvmDo() {
    Program program = Program.of(CALCULATOR).verified();
    Object calculator = program.make("app.Calculator");
    call(program.memory(), "begin");
    call(calculator, "execute");

    assertThat(get(program.type("app.Calculator"), "out").toString())
        .isEqualTo("10s0.55 25 101.0 11 s 101 8 Point[x=1, y=2] Point[x=10, y=3] 2 0");
  }

  @Test
  void shouldUseSameLambdaObjectInNextRelease() {
    Program program = Program.of(CALCULATOR).verified();
    Object calculator = program.make("app.Calculator");
    Object memory = program.memory();
    call(memory, "begin");
    call(calculator, "execute");
    Object first = get(program.type("app.Calculator"), "last");
    call(memory, "commit");
    call(memory, "begin");
    call(calculator, "execute");

    assertThat(get(program.type("app.Calculator"), "last")).isSameAs(first);
    assertThat(first.getClass().getName()).startsWith("app.Calculator$TaktLambda$");
    assertThat(program.mark("app.Calculator", "transients").toString())
        .contains(first.getClass().getName());
  }

  @Test
  void shouldCallBridgesAndMarkers() {
    Program program =
        Program.of(
                """
                package app;
                import dev.takt.reflex.*;
                import java.util.function.*;
                public class Sorter extends ReflexTask {
                  interface Named {}
                  interface Text<T> { Object of(T x); }
                  interface Special extends Text<String> { String of(String x); }
                  static String seen;
                  public void execute() {
                    String end = "!" + 1;
                    Special special = (Special & Named) x -> x + end;
                    Text<String> general = special;
                    seen = special.of("a") + general.of("b") + (special instanceof Named);
                  }
                }
                """)
            .verified();
    call(program.make("app.Sorter"), "execute");
    assertThat(get(program.type("app.Sorter"), "seen")).isEqualTo("a!1b!1true");
  }

  @Test
  void shouldRefuseSerializableLambda() {
    assertThatThrownBy(
            () ->
                Program.of(
                    """
                    package app;
                    import dev.takt.reflex.*;
                    public class Bad extends ReflexTask {
                      int n;
                      public void execute() {
                        int m = n;
                        Runnable r = (Runnable & java.io.Serializable) () -> System.gc();
                        Runnable s = (Runnable & java.io.Serializable) () -> Math.abs(m);
                      }
                    }
                    """))
        .isInstanceOf(WeavingException.class)
        .hasMessageContaining("app.Bad: a lambda of a task is serializable (Runnable)");
  }
}
