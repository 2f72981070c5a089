package dev.takt.safety.weave;

import static dev.takt.safety.weave.Program.call;
import static dev.takt.safety.weave.Program.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Stop sites of code that no task reaches. */
class PlainCodeTest {
  private static final String[] SOURCES = {
    """
    package app;
    @dev.takt.realtime.stop.Stoppable
    public class Plugin implements Runnable {
      long sum;
      Strategy strategy;
      public void run() { while (sum >= 0) sum++; }
      int deep(int n) { sum++; return n == 0 ? 1 : deep(n - 1) + deep(n - 1); }
      void lambda() { Runnable each = () -> sum++; while (true) each.run(); }
      void swallow() { while (true) { try { run(); } catch (Throwable t) { sum = -7; } } }
      void clean() { try { while (sum >= 0) sum++; } finally { sum = 42; } }
      long finallies;
      void again() {
        try {
          if (finallies >= 0) { again(); }
        } finally {
          if (finallies++ < 1_000) { again(); }
        }
      }
      static final class Nested { void spin() { for (;;) {} } }
    }
    """,
    """
    package app;
    public interface Strategy { void act(); }
    """,
    """
    package app;
    public class Chosen implements Strategy { public void act() { new Helper().help(); } }
    """,
    """
    package app;
    public class Helper { void help() { for (;;) {} } }
    """,
    """
    package app;
    public class Stranger { void spin() { for (;;) {} } }
    """
  };

  private final Program program =
      Program.of(Compiled.compile(List.of(SOURCES), StandIn.CLASSES), List.of(), false).verified();

  private void stopAll() throws ReflectiveOperationException {
    Class<?> stops = program.type("dev.takt.realtime.stop.StopSwitch");
    for (String name : new String[] {"app.Plugin", "app.Plugin$Nested", "app.Helper"}) {
      if (((java.util.Map<?, ?>) get(stops, "SITES")).containsKey(program.type(name))) {
        call(stops, "flip", program.type(name));
      }
    }
    stops.getField("stopping").set(null, true);
  }

  @Test
  void shouldWeaveTheClassThatAsksAndWhatItNamesAndWhatImplementsThat() {
    assertThat(program.woven.keySet())
        .containsExactly("app/Chosen", "app/Helper", "app/Plugin", "app/Plugin$Nested");
    assertThat(program.type("app.Plugin").getAnnotations()).as("no mark of a task").isEmpty();
    assertThat(program.findings).isEmpty();
  }

  @Test
  void shouldEndLoopsRecursionsAndLambdasAndPassHandlersAndRunFinally() throws Exception {
    Object plugin = program.make("app.Plugin");
    assertThat(call(plugin, "deep", 3)).as("as long as nobody stops it").isEqualTo(8);
    assertThat(get(plugin, "sum")).isEqualTo(15L);
    stopAll();

    for (String name : new String[] {"run", "lambda", "swallow", "clean"}) {
      assertThatThrownBy(() -> call(plugin, name)).as(name).hasMessage("run aborted");
      assertThat(get(plugin, "sum")).isEqualTo(name.equals("clean") ? 42L : 15L);
    }
    assertThatThrownBy(() -> call(plugin, "deep", 60)).hasMessage("run aborted");
  }

  /** Its entry is no part of its try: what it ends did not begin, and has nothing to clean up. */
  @Test
  void shouldEndARecursionBeforeItsFinally() throws Exception {
    Object plugin = program.make("app.Plugin");
    call(plugin, "deep", 1); // links a site
    stopAll();
    assertThatThrownBy(() -> call(plugin, "again")).hasMessage("run aborted");
    assertThat(get(plugin, "finallies")).isEqualTo(0L);
  }

  /** A class that is a task's, too, has the sites of tasks where the task comes by. */
  @Test
  void shouldGiveTheRestOfATasksClassPlainSites() throws Exception {
    var plain =
        Compiled.compile(
            List.of(
                """
                package app;
                @dev.takt.realtime.stop.Stoppable
                public class Both extends dev.takt.reflex.ReflexTask {
                  int n;
                  public void execute() { for (int i = 0; i < 3; i++) n++; }
                  static void aside() { for (;;) {} }
                }
                """),
            StandIn.CLASSES);
    var all = Program.closures(plain);
    var live = new java.util.HashMap<>(all.getFirst().methods());
    live.keySet().removeIf(each -> each.name().equals("aside"));
    var closure =
        new dev.takt.safety.reach.Closure(
            "app/Both",
            live,
            java.util.Set.of(),
            live.keySet(),
            java.util.Set.of(),
            java.util.Set.of(),
            plain.keySet(),
            java.util.Set.of(),
            java.util.Set.of(),
            false);
    Program both = Program.of(plain, List.of(closure), false).verified();
    call(both.make("app.Both"), "execute"); // links a site
    Class<?> stops = both.type("dev.takt.realtime.stop.StopSwitch");
    call(stops, "flip", both.type("app.Both"));
    stops.getField("stopping").set(null, true);

    assertThatThrownBy(() -> call(both.type("app.Both"), "aside")).hasMessage("run aborted");
  }
}
