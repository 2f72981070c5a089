package dev.takt.stress.woven;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.TaskControl;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The space keeps a subscription's predicates, and what they refer to, beyond the release. */
class KeptPredicateTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private static final String PROGRAM =
      """
      package app;
      import dev.takt.reflex.*;
      import dev.takt.space.*;
      import java.util.function.*;
      class Filter extends ReflexTask {
        record AtLeast(long least) implements LongPredicate {
          public boolean test(long price) { return price >= least; }
        }
        record Bound(long least) {}
        private final String how;
        private final long name;
        private final long least;
        private Handle prices;
        private Handle again;
        private Handle more;
        Filter(String how, long name, long least) { this.how = how; this.name = name; this.least = least; }
        @Override public void initialize() {
          if (least > 0) prices = subscribe(template(least));
          again = subscribe(new Event("again", null));
        }
        @Override public void execute() {
          Event event = event();
          if (prices != null) {
            while (prices.next(event)) { write(new Event("seen", event.getLong("price")).add("by", name)); }
          }
          if (more != null) {
            while (more.next(event)) { write(new Event("seen", event.getLong("price")).add("by", -name)); }
          }
          while (again.next(event)) {
            Handle handle = subscribe(template(event.getLong("again")));
            if (prices == null) prices = handle; else more = handle;
            write(new Event("subscribed", true));
          }
        }
        private Template template(long least) {
          Template template = new Template("to", name);
          switch (how) {
            case "lambda" -> template.matchingLong("price", p -> p >= least);
            case "variable" -> {
              LongPredicate kept = p -> p >= least;
              template.matchingLong("price", kept);
            }
            case "object" -> template.matchingLong("price", new AtLeast(least));
            case "captured" -> {
              Bound bound = new Bound(least);
              template.matchingLong("price", p -> p >= bound.least());
            }
            case "event" -> {
              Event bound = new Event("least", least);
              template.matchingLong("price", p -> p >= bound.getLong("least"));
            }
            case "array" -> {
              long[] bound = {least};
              template.matchingLong("price", p -> p >= bound[0]);
            }
            default -> {
              String text = "p" + least;
              template.matchingString("text", t -> t.length() >= text.length());
            }
          }
          return template;
        }
      }
      """;

  @ParameterizedTest
  @ValueSource(strings = {"lambda", "variable", "object", "captured", "event", "array", "text"})
  void shouldKeepPredicatesOfTwoTasksApart(String how, @TempDir Path folder) throws Exception {
    assertTwoTasks(WovenProgram.of(folder, PROGRAM, false), how);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lambda", "object", "captured", "event"})
  void shouldKeepPredicatesOfTwoTasksApartWhenDebugging(String how, @TempDir Path folder)
      throws Exception {
    assertTwoTasks(WovenProgram.of(folder, PROGRAM, true), how);
  }

  private static void assertTwoTasks(WovenProgram program, String how) throws Exception {
    EventSpace space = EventSpace.create();
    try (ReflexRuntime runtime = runtime(space)) {
      TaskControl one = runtime.passive("one", filter(program, how, 1, 10), 10);
      TaskControl two = runtime.passive("two", filter(program, how, 2, 1000), 10);
      runtime.start();
      write(space, 1, 5, 50, 1500);
      write(space, 2, 5, 50, 1500);
      assertThat(runtime.drain(LONG)).isTrue();
      assertThat(seen(space, 1)).containsExactly(50L, 1500L);
      assertThat(seen(space, 2)).containsExactly(1500L);
      assertThat(one.failure()).isNull();
      assertThat(two.failure()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lambda", "variable", "object", "captured", "event", "array", "text"})
  void shouldKeepPredicateWhenTaskSubscribesAgain(String how, @TempDir Path folder)
      throws Exception {
    assertTaskThatSubscribesAgain(WovenProgram.of(folder, PROGRAM, false), how);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lambda", "object", "captured", "event"})
  void shouldKeepPredicateWhenTaskSubscribesAgainAndIsDebugged(String how, @TempDir Path folder)
      throws Exception {
    assertTaskThatSubscribesAgain(WovenProgram.of(folder, PROGRAM, true), how);
  }

  private static void assertTaskThatSubscribesAgain(WovenProgram program, String how)
      throws Exception {
    EventSpace space = EventSpace.create();
    try (ReflexRuntime runtime = runtime(space)) {
      TaskControl control = runtime.passive("filter", filter(program, how, 1, 0), 10);
      runtime.start();
      for (long least : new long[] {1000, 10}) {
        space.write(new Event("again", least));
        assertThat(runtime.drain(LONG)).isTrue();
        assertThat(space.poll(new Event("subscribed", null), new Event())).isTrue();
      }
      write(space, 1, 5, 50, 1500);
      assertThat(runtime.drain(LONG)).isTrue();
      assertThat(control.failure()).isNull();
      assertThat(seen(space, 1)).containsExactly(1500L);
      assertThat(seen(space, -1)).containsExactly(50L);
    }
  }

  private static ReflexRuntime runtime(EventSpace space) {
    return ReflexRuntime.create(space, RuntimeSettings.DEFAULTS.withWorkers(1).withWarmUpNs(0));
  }

  private static ReflexTask filter(WovenProgram program, String how, long name, long least)
      throws ReflectiveOperationException {
    Constructor<? extends ReflexTask> constructor =
        program
            .loadClass("app.Filter")
            .asSubclass(ReflexTask.class)
            .getDeclaredConstructor(String.class, long.class, long.class);
    constructor.setAccessible(true);
    return constructor.newInstance(how, name, least);
  }

  /**
   * All at once: a release between two of them could find nothing by one handle, and by the next.
   */
  private static void write(EventSpace space, long to, long... prices) {
    assertThat(
            space.transact(
                transaction -> {
                  for (long price : prices) {
                    transaction.write(
                        new Event("to", to).add("price", price).add("text", "p" + price));
                  }
                }))
        .isTrue();
  }

  private static List<Long> seen(EventSpace space, long by) {
    List<Long> all = new ArrayList<>();
    Event template = new Event("by", by).add("seen", null);
    Event event = new Event();
    while (space.poll(template, event)) {
      all.add(event.getLong("seen"));
    }
    return all;
  }
}
