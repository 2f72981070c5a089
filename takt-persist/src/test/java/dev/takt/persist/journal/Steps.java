package dev.takt.persist.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.util.HashSet;
import java.util.Set;

/** What threads do to a space so that it can be seen whether a commit is there, and whole. */
final class Steps {
  private static final String TEXT = "x".repeat(2_000);

  private Steps() {}

  /**
   * Counts a thread's counter up, and keeps a log of the last eight steps beside it; as one
   * transaction.
   */
  static void step(EventSpace space, int thread, int n) {
    space.transact(
        0,
        transaction -> {
          transaction.take(new Event("counter", thread).add("n", n - 1));
          transaction.write(new Event("counter", thread).add("n", n));
          transaction.write(new Event("log", thread).add("step", n).add("text", TEXT));
          transaction.take(new Event("log", thread).add("step", n - 8));
          return null;
        });
  }

  /** Returns how far a thread had come, and checks that all that belongs to it is there. */
  static int recovered(EventSpace space, int thread, String what) {
    int n = counter(space, thread);
    assertThat(space.count(new Event("counter", thread))).as(what).isEqualTo(n == 0 ? 0 : 1);
    Set<Long> steps = new HashSet<>();
    space.forEach(
        new Event("log", thread),
        event -> {
          assertThat(steps.add(event.getLong("step"))).as(what).isTrue();
          assertThat(event.getString("text")).as(what).isEqualTo(TEXT);
        });
    Set<Long> expected = new HashSet<>();
    for (long step = Math.max(1, n - 7); step <= n; step++) {
      expected.add(step);
    }
    assertThat(steps).as(what).isEqualTo(expected);
    return n;
  }

  /** Returns how far a thread has come. */
  static int counter(EventSpace space, int thread) {
    Event counter = new Event();
    return space.read(new Event("counter", thread).add("n", null), counter)
        ? (int) counter.getLong("n")
        : 0;
  }
}
