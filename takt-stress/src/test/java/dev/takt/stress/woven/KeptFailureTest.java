package dev.takt.stress.woven;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.ReleaseListener;
import dev.takt.realtime.ReleaseOutcome;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever is told of a failure may keep it, and what it refers to, beyond the release. */
class KeptFailureTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private static final String PROGRAM =
      """
      package app;
      import dev.takt.reflex.*;
      import dev.takt.space.*;
      class Refused extends RuntimeException {
        final long price;
        final String text;
        Refused(long price, String text, Throwable cause) {
          super(text, cause);
          this.price = price;
          this.text = text;
        }
        @Override public String toString() { return price + " " + text + " " + getCause(); }
      }
      class Orders extends ReflexTask {
        private Handle orders;
        @Override public void initialize() { orders = subscribe(new Event("order", null)); }
        @Override public void execute() {
          Event event = event();
          if (orders.next(event)) {
            long price = event.getLong("order");
            if (price > 0) {
              String text = "at " + price;
              throw new Refused(price, text, new IllegalStateException(text));
            }
          }
        }
      }
      """;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldKeepWhatEachFailureRefersToWhenAHandlerIsTold(boolean debug, @TempDir Path folder)
      throws Exception {
    List<Throwable> told = new ArrayList<>();
    Throwable first =
        failFourTimes(folder, debug, settings().withFailureHandler((task, e) -> told.add(e)));
    assertThat(told)
        .extracting(Throwable::toString)
        .containsExactly(text(10), text(20), text(30), text(40));
    assertThat(first).isSameAs(told.getFirst());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldKeepWhatTheFirstFailureRefersToWhenNobodyIsTold(boolean debug, @TempDir Path folder)
      throws Exception {
    assertThat(failFourTimes(folder, debug, settings())).hasToString(text(10));
  }

  private static String text(int price) {
    return "%1$d at %1$d java.lang.IllegalStateException: at %1$d".formatted(price);
  }

  private static RuntimeSettings settings() {
    return RuntimeSettings.DEFAULTS.withWorkers(1).withWarmUpNs(0);
  }

  /** Lets a task fail for orders at 10, 20, 30 and 40; returns the failure that is kept. */
  private static @Nullable Throwable failFourTimes(
      Path folder, boolean debug, RuntimeSettings settings) throws Exception {
    EventSpace space = EventSpace.create();
    ReleaseListener next =
        release -> {
          Event order = new Event();
          if (release.outcome() == ReleaseOutcome.FAILED
              && space.poll(new Event("order", null), order)) {
            space.write(new Event("order", (order.getLong("order") + 10) % 50));
          }
        };
    try (ReflexRuntime runtime = ReflexRuntime.create(space, settings.withListeners(next))) {
      TaskControl task = runtime.passive("orders", orders(folder, debug), 10);
      runtime.start();
      space.write(new Event("order", 10L));
      assertThat(runtime.drain(LONG)).isTrue();
      assertThat(task.stats().failures()).isEqualTo(4);
      return task.failure();
    }
  }

  private static ReflexTask orders(Path folder, boolean debug) throws Exception {
    Constructor<? extends ReflexTask> constructor =
        WovenProgram.of(folder, PROGRAM, debug)
            .loadClass("app.Orders")
            .asSubclass(ReflexTask.class)
            .getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }
}
