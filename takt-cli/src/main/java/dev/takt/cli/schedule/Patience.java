package dev.takt.cli.schedule;

import dev.takt.cpu.analysis.TaskModel;
import dev.takt.realtime.NanoClock;
import java.util.List;
import java.util.function.Predicate;

/**
 * How long a search among sets of tasks may go on. Each set by itself is judged soon, but a search
 * asks for thousands of them.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class Patience {
  private final NanoClock clock;
  private final long untilNs;
  private boolean isLost;

  /** Begins now; {@code limitNs} is a time in nanoseconds. */
  public Patience(NanoClock clock, long limitNs) {
    this.clock = clock;
    this.untilNs = clock.nanoTime() + limitNs;
  }

  /** Returns the test for a search, which nothing passes any more once the time is over. */
  public Predicate<List<TaskModel>> within(Predicate<List<TaskModel>> fits) {
    return tasks -> {
      isLost |= clock.nanoTime() - untilNs >= 0;
      return !isLost && fits.test(tasks);
    };
  }

  /** Returns whether a search was ended: then what it has found means nothing. */
  public boolean isLost() {
    return isLost;
  }
}
