package dev.takt.safety.weave;

import static dev.takt.safety.weave.Program.call;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DebugTest {
  private static final String KEEPER =
      """
      package app;
      import dev.takt.reflex.*;
      import java.util.function.*;
      public class Keeper extends ReflexTask {
        static class Item { int n; long w; Item(int n) { this.n = n; } int n() { return n; } void set(long v) { w = v; } }
        static Item item; static int[] ints; static long[] longs; static IntUnaryOperator add;
        static String[] names;
        public void execute() {
          int k = 1;
          item = new Item(1); ints = new int[2]; longs = new long[2]; names = new String[1];
          add = x -> x + k;
          use();
        }
        void use() {
          readField(); writeField(); writeWide(); callMethod(); readElement(); writeElement();
          writeWideElement(); length(); callLambda(); writeName();
        }
        void readField() { if (item.n < 0) throw new AssertionError(); }
        void writeField() { item.n = 1; }
        void writeWide() { item.w = 1L; }
        void callMethod() { item.n(); item.set(4L); }
        void readElement() { if (ints[0] < 0) throw new AssertionError(); }
        void writeElement() { ints[1] = 1; }
        void writeWideElement() { longs[1] = 2; }
        void writeName() { names[0] = "x"; }
        void length() { if (ints.length != 2) throw new AssertionError(); }
        void callLambda() { if (add.applyAsInt(1) != 2) throw new AssertionError(); }
      }
      """;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "readField",
        "writeField",
        "writeWide",
        "callMethod",
        "readElement",
        "writeElement",
        "writeWideElement",
        "writeName",
        "length",
        "callLambda"
      })
  void shouldTrapUseOfTransientObjectInLaterRelease(String use) {
    Program program = Program.debug(KEEPER).verified();
    Object keeper = program.make("app.Keeper");
    Object memory = program.memory();
    call(memory, "begin");
    call(keeper, "execute");
    call(memory, "commit");
    call(memory, "begin");

    assertThatThrownBy(() -> call(keeper, use))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageMatching("stale .* made at app.Keeper.execute\\(Keeper.java:1[01]\\)");
  }
}
