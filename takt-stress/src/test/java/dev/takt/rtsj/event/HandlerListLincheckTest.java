package dev.takt.rtsj.event;

import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.testkit.Seeds;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Handlers are added, removed and replaced by any threads, each change at one moment. */
@Param(name = "handler", gen = IntGen.class, conf = "0:2")
public class HandlerListLincheckTest {
  private static final HandlerPool POOL =
      HandlerPool.start(PoolSettings.of("lincheck", 1, ThreadScheduling.OTHER));
  private static final AsyncEventHandler[] HANDLERS = {handler(), handler(), handler()};

  private final AsyncEvent event = new AsyncEvent("event");

  private static AsyncEventHandler handler() {
    return POOL.handler(HandlerSettings.of("handler", ThreadScheduling.OTHER), self -> {});
  }

  @AfterAll
  static void close() {
    POOL.close();
  }

  @Operation(params = "handler")
  public boolean add(int handler) {
    return event.addHandler(HANDLERS[handler]);
  }

  @Operation(params = "handler")
  public boolean remove(int handler) {
    return event.removeHandler(HANDLERS[handler]);
  }

  @Operation(params = "handler")
  public void set(int handler) {
    event.setHandler(HANDLERS[handler]);
  }

  @Operation(params = "handler")
  public boolean has(int handler) {
    return event.handledBy(HANDLERS[handler]);
  }

  @Operation
  public int count() {
    return event.handlerCount();
  }

  @Test
  void shouldBeLinearizableAndObstructionFree() {
    new ModelCheckingOptions()
        .checkObstructionFreedom(true)
        .sequentialSpecification(Model.class)
        .minimizeFailedScenario(false)
        .threads(3)
        .actorsPerThread(2)
        .actorsBefore(2)
        .actorsAfter(2)
        .iterations(Seeds.size(20, 200))
        .invocationsPerIteration(Seeds.size(500, 10_000))
        .check(HandlerListLincheckTest.class);
  }

  /** The same operations on a set. */
  public static final class Model {
    private final Set<Integer> handlers = new LinkedHashSet<>();

    public boolean add(int handler) {
      return handlers.add(handler);
    }

    public boolean remove(int handler) {
      return handlers.remove(handler);
    }

    public void set(int handler) {
      handlers.clear();
      handlers.add(handler);
    }

    public boolean has(int handler) {
      return handlers.contains(handler);
    }

    public int count() {
      return handlers.size();
    }
  }
}
