package dev.takt.safety.weave;

import static dev.takt.safety.weave.Program.call;
import static dev.takt.safety.weave.Program.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PoolTest {
  private static final String MAKER =
      """
      package app;
      import dev.takt.reflex.*;
      public class Maker extends ReflexTask {
        static Object last;
        public void execute() {
          Pair pair = null;
          for (int i = 0; i < 10; i++) pair = new Pair(i, i % 2 == 0 ? new Pair(i, null) : pair);
          last = pair;
        }
      }
      """;

  @Test
  void shouldUseSameObjectsInNextRelease() {
    Program program =
        Program.of(MAKER, "package app; record Pair(int number, Object other) {}").verified();
    Object maker = program.make("app.Maker");
    Object memory = program.memory();
    call(memory, "begin");
    call(maker, "execute");
    Object first = get(program.type("app.Maker"), "last");
    call(memory, "commit");
    call(memory, "begin");
    call(maker, "execute");
    call(memory, "commit");

    assertThat(get(program.type("app.Maker"), "last")).isSameAs(first);
    assertThat(first.toString())
        .isEqualTo("Pair[number=9, other=Pair[number=8, other=Pair[number=8, other=null]]]");
  }

  @Test
  void shouldPoolWhatIsMadeWhereHandlerFinishesThoughCodeBelowThrows() {
    Program program =
        Program.of(
                """
                package app;
                public class Picky extends dev.takt.reflex.ReflexTask {
                  boolean handled;
                  public void execute() {
                    Pair pair;
                    try {
                      pair = new Pair(1, null);
                      check(pair);
                    } catch (IllegalArgumentException e) {
                      handled = true;
                      return;
                    }
                    throw new IllegalStateException("accepted " + pair.number());
                  }
                  private static void check(Pair pair) {
                    if (pair.number() > 0) throw new IllegalArgumentException();
                  }
                }
                """,
                "package app; record Pair(int number, Object other) {}")
            .verified();
    Object picky = program.make("app.Picky");
    Object memory = program.memory();
    call(memory, "begin");
    call(picky, "execute");

    assertThat(get(picky, "handled")).isEqualTo(true);
    assertThat((Map<?, ?>) get(memory, "used")).hasSize(1);
  }
}
