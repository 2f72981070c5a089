package dev.takt.bench.tasks;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import java.util.concurrent.atomic.AtomicBoolean;

/** Counts its releases until it is to run away: then it writes, miscounts and does not end. */
public final class EndlessTask extends ReflexTask {
  private final AtomicBoolean away;
  private final int way;
  private long releases;

  /**
   * Makes one.
   *
   * @param away when it is to run away
   * @param way a number below {@link EndlessCode#taskWays}
   */
  public EndlessTask(AtomicBoolean away, int way) {
    this.away = away;
    this.way = way;
  }

  @Override
  public void execute() {
    if (!away.get()) {
      releases++;
      return;
    }
    write(new Event("runaway", 1));
    releases = -1;
    releases = Endless.go(way);
  }
}
