package dev.takt.stress.woven;

import dev.takt.realtime.stop.Stoppable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/** Plain code that does not end, from its first release on or from a later one. */
@Stoppable
public final class RunawayPlain implements Runnable {
  /** How it does not end. */
  public enum Form {
    LOOP,
    RECURSION,
    LAMBDA,
    STREAM,
    SWALLOWING,
    FINALLY,
    COUNTED,
    GROWING,
    MONSTER,
    SLEEPING,
    PARKED,
    STUBBORN,
    OTHER_CLASS
  }

  private final Form form;
  private int good;
  private long sum;

  /**
   * Makes one.
   *
   * @param good so many releases end
   */
  public RunawayPlain(Form form, int good) {
    this.form = form;
    this.good = good;
  }

  @Override
  public void run() {
    if (good-- > 0) {
      return;
    }
    switch (form) {
      case LOOP -> sum = loop(sum);
      case RECURSION -> sum = recurse(1, 60);
      case LAMBDA -> spin(each -> each + 1);
      case STREAM -> LongStream.iterate(0, each -> each + 1).forEach(each -> sum += each);
      case SWALLOWING -> swallow();
      case FINALLY -> neverFinally();
      case COUNTED -> count();
      case GROWING -> grow();
      case MONSTER -> allocate();
      case SLEEPING -> sleep();
      case PARKED -> LockSupport.park(this);
      case STUBBORN -> beStubborn();
      case OTHER_CLASS -> sum = new Helper().help();
    }
  }

  private static long loop(long from) {
    long sum = from;
    while (sum != -1) {
      sum = (sum + 1) & Long.MAX_VALUE;
    }
    return sum;
  }

  /** Ends after 2^depth calls: not in this life. */
  private static long recurse(long value, int depth) {
    return depth == 0 ? value : recurse(value + 1, depth - 1) ^ recurse(value - 1, depth - 1);
  }

  private static void spin(LongUnaryOperator next) {
    long value = 0;
    while (value >= 0) {
      value = next.applyAsLong(value) & Long.MAX_VALUE;
    }
  }

  private void swallow() {
    while (true) {
      try {
        sum = loop(sum);
      } catch (Throwable _) {
        sum++; // and tries again
      }
    }
  }

  private void neverFinally() {
    try {
      if (sum == 0) {
        throw new IllegalStateException("so that the handler runs");
      }
    } finally {
      sum = loop(sum);
    }
  }

  private void count() {
    while (sum != -1) {
      for (int i = 0; i < 1_000_000; i++) {
        sum = (sum + i * (long) i) & Long.MAX_VALUE;
      }
    }
  }

  /** Keeps all that it allocates, and goes on when there is no more. */
  private void grow() {
    List<byte[]> all = new ArrayList<>();
    while (sum >= 0) {
      try {
        all.add(new byte[1 << 16]);
      } catch (OutOfMemoryError _) {
        sum = all.size();
      }
    }
  }

  /** More at once than there is. */
  private void allocate() {
    while (sum >= 0) {
      try {
        sum = new long[1 << 30].length;
      } catch (OutOfMemoryError _) {
        sum = 0;
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

  /** Waits again when it is interrupted. */
  private void beStubborn() {
    while (sum == 0) {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException _) {
        // on
      }
    }
  }

  /** A class of its own, which nothing marks. */
  static final class Helper {
    private long sum;

    long help() {
      while (sum >= 0) {
        sum = (sum + 1) & Long.MAX_VALUE;
      }
      return sum;
    }
  }
}
