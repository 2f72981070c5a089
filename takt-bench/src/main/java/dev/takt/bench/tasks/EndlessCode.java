package dev.takt.bench.tasks;

import dev.takt.realtime.stop.Stoppable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;

/** Plain code that does nothing until it is to run away. */
@Stoppable
public final class EndlessCode implements Runnable {
  private final AtomicBoolean away;
  private final int way;
  private long sum;

  /**
   * Makes one.
   *
   * @param away when it is to run away
   * @param way a number below {@link #ways}
   */
  public EndlessCode(AtomicBoolean away, int way) {
    this.away = away;
    this.way = way;
  }

  /** Returns how many ways there are. */
  public static int ways() {
    return Endless.WAYS.length;
  }

  /** Returns how many of them are ways of tasks, too. */
  public static int taskWays() {
    return Endless.TASK_WAYS;
  }

  /** Returns the name of a way. */
  public static String way(int number) {
    return Endless.WAYS[number];
  }

  @Override
  public void run() {
    if (away.get()) {
      switch (way - Endless.TASK_WAYS) {
        case 0 -> LongStream.iterate(0, each -> each + 1).forEach(each -> sum += each);
        case 1 -> sleep();
        default -> sum = Endless.go(way);
      }
    }
  }

  private static void sleep() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
