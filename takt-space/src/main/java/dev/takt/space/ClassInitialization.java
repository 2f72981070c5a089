package dev.takt.space;

import java.time.Duration;

/**
 * Initializes all classes of this package before the first space is made.
 *
 * <p>A class whose initialization an error cuts off is lost for as long as the JVM runs. So classes
 * are not initialized in the middle of operations, where there may be little stack left.
 */
final class ClassInitialization {
  private record Part(long number, String text) {}

  private ClassInitialization() {}

  static void ofAll() {
    try {
      use();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      // the result is not used: what is wrong shows in the space that was asked for, and does
      // not make this class unusable
    }
  }

  private static void use() throws InterruptedException {
    SpaceSettings small =
        SpaceSettings.DEFAULTS
            .withCapacity(4)
            .withMaxSubscriptions(2)
            .withMaxTransactions(2)
            .withMaxOperations(16);
    EventSpace space = new EventSpace(small, InitialCounters.ZERO);
    Event event =
        new Event("long", 1)
            .add("text", "text")
            .add("double", 1.5)
            .add("array", new long[] {1})
            .add("record", new Part(1, "text"));
    Event template = new Event("long", null).add("text", "text");
    Handle handle = space.subscribe(template, told -> {});
    space.write(event);
    space.transact(
        transaction -> {
          transaction.test(template);
          transaction.write(event);
          transaction.take(template);
          transaction.take(template);
          transaction.take(template);
          transaction.abort();
        });
    handle.hasNextNow();
    handle.next();
    space.take(new Template().atLeast("long", 0));
    space.unsubscribe(handle);
    space.take(template, Duration.ZERO);
    space.stats();
  }
}
