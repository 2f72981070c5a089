package dev.takt.persist;

import dev.takt.persist.recover.GraphReader;
import dev.takt.realtime.NanoClock;
import dev.takt.reflex.ReflexTask;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The lazy recovery of one root, in increments, before its task is registered.
 *
 * {@snippet :
 * Recovery recovery = persistence.recover();
 * runtime.passive("quotes", new Quotes(), 10); // small: recovered at once
 * History history = new History();
 * RootRecovery later = recovery.recoverLazily("history", history);
 * runtime.start(); // quotes are answered
 * while (!later.step(clock.nanoTime() + 500_000)) {
 *   clock.parkNanos(500_000); // or what else there is to do
 * }
 * runtime.passive("history", history, 20);
 * }
 *
 * <p><b>Why a whole root.</b> A read barrier, which would load an object when it is first used,
 * does not exist: nothing is woven into reads. So a task is released when all of its state is
 * there, and what is lazy is which task that is. A program whose first answers must not wait keeps
 * what they need in a task of its own.
 *
 * <p><b>Bound.</b> An increment ends later than its time by {@value #PIECES} objects or chunks of
 * arrays at most, or one string, or a copy of the table of objects when it grows (8 to 16 bytes for
 * each so far). None of this holds up another task, which waits for nothing here.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
public final class RootRecovery implements AutoCloseable {
  private static final int PIECES = 64;

  private final String name;
  private final ReflexTask task;
  private final NanoClock clock;
  private final Callable<GraphReader> begin;
  private final BiFunction<String, Exception, RuntimeException> failures;
  private final Runnable whenClosed;
  private @Nullable GraphReader reader;
  private volatile boolean done;
  private volatile int objects;

  RootRecovery(
      String name,
      ReflexTask task,
      NanoClock clock,
      Callable<GraphReader> begin,
      BiFunction<String, Exception, RuntimeException> failures,
      Runnable whenClosed) {
    this.name = name;
    this.task = task;
    this.clock = clock;
    this.begin = begin;
    this.failures = failures;
    this.whenClosed = whenClosed;
  }

  /**
   * Runs an increment.
   *
   * @param endNs when it is to end, by the clock of the settings; it reads some objects at least
   * @return whether all is there, so that the task can be registered
   * @throws IllegalArgumentException if what is stored does not fit the task, which then is not to
   *     be registered; no cycle begins before this is closed, since it would lose what is stored
   * @throws java.io.UncheckedIOException if the storage cannot be read
   */
  public boolean step(long endNs) {
    try {
      GraphReader reader = this.reader;
      if (reader == null) {
        reader = begin.call();
        this.reader = reader;
      }
      while (!done) {
        done = reader.step(PIECES);
        objects = reader.objects();
        if (clock.nanoTime() - endNs >= 0) {
          return done;
        }
      }
      return true;
    } catch (IllegalArgumentException | IOException e) {
      throw failures.apply(name, e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns whether all is there; any thread. */
  public boolean isDone() {
    return done;
  }

  /** Returns how many objects are there so far; any thread. */
  public int objects() {
    return objects;
  }

  ReflexTask task() {
    return task;
  }

  GraphReader requireDone() {
    GraphReader reader = this.reader;
    if (!done || reader == null) {
      throw new IllegalArgumentException(
          "task %s is recovered in part, objects=%s; call step until it is done, then register it"
              .formatted(name, objects));
    }
    return reader;
  }

  /**
   * Gives the root up: the next snapshot does not have it, unless a task of its name is registered.
   * Does nothing after the task was registered and stored.
   */
  @Override
  public void close() {
    whenClosed.run();
  }
}
