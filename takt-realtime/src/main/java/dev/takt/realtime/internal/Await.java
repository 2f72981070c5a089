package dev.takt.realtime.internal;

/** Waits that end with an interrupt, or do not; the interrupt status stays set either way. */
public final class Await {
  /** A wait. */
  public interface Wait {
    /** Returns at the end of the wait. */
    void run() throws InterruptedException;
  }

  private Await() {}

  /** Waits to the end. */
  public static void uninterruptibly(Wait wait) {
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        wait.run();
        ended = true;
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits to the end, or until the caller is interrupted. */
  public static void orInterrupt(Wait wait) {
    try {
      wait.run();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
