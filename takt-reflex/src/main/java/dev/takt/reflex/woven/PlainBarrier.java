package dev.takt.reflex.woven;

import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The barrier of objects that no task owns: those of {@code @Persistent} classes, which ordinary
 * threads change.
 *
 * <pre>
 *   object.$takt$set$x(v):   if (PlainBarrier.epoch != 0) PlainBarrier.save(this);
 *                            x = v;
 * </pre>
 *
 * <p>The epoch is 0 while no cycle goes on: a store costs a comparison with a static field then. A
 * cycle gives it a number that is more than all stamps. The first store into an object after that
 * shows what the object holds to the sinks of the cycles that go on, and stamps it.
 *
 * <p><b>Assumption:</b> the epoch gets a new number only while no thread is between the comparison
 * and the store: {@link UpdateGate} sees to it.
 *
 * <p><b>Guarantee:</b> what a sink is shown first of an object is what the object held when its
 * cycle began, also if two threads store into it at once: one of them saves it under a lock, before
 * either stores. The other one sees the stamp, or waits for the lock.
 *
 * <p><b>Order of memory:</b> copy, release fence, stamp, and the store of the thread that saves; of
 * another one that sees the stamp: acquire fence, store. The cycle: reads, acquire fence, looks for
 * a copy. So whoever's store it has read, it finds the copy.
 *
 * <p><b>Collections</b> of the JDK have no stamp, as arrays have none: the sinks are shown one
 * before each use that may change it, under the lock, and copy it the first time. The cycle reads
 * one that was not shown under the same lock, since nobody may walk through a map that changes. So
 * a thread that saves something waits for the copy of the largest collection at most.
 *
 * <p>No store fails because of it: what could not be saved is told to the sinks.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * <p><b>Memory:</b> during cycles one log for all threads, as large as the largest object.
 */
public final class PlainBarrier {
  /**
   * The number of the newest cycle; 0 while none goes on. Woven code compares it, and nobody else
   * changes it. Not volatile: the gate orders it.
   */
  public static long epoch;

  private static final Object LOCK = new Object();
  private static final Fan SINKS = new Fan();
  private static final LongAdder CALLS = new LongAdder();

  /** Guarded by the lock; made anew after cycles, since it refers to what it has saved. */
  private static TaskMemory memory = newMemory();

  private PlainBarrier() {}

  private static TaskMemory newMemory() {
    return new TaskMemory("of plain threads", 0, 0);
  }

  /** Shows what comes in to all sinks. */
  private static final class Fan implements SaveSink {
    private final List<SaveSink> sinks = new ArrayList<>();

    @Override
    public void saved(
        Undoable object,
        long[] primitives,
        int primitivesEnd,
        @Nullable Object[] references,
        int referencesEnd) {
      for (int i = 0; i < sinks.size(); i++) {
        sinks.get(i).saved(object, primitives, primitivesEnd, references, referencesEnd);
      }
      VarHandle.releaseFence(); // before the stamp
    }

    @Override
    public void savedArray(Object array, Object copy, int length) {
      for (int i = 0; i < sinks.size(); i++) {
        sinks.get(i).savedArray(array, copy, length);
      }
    }

    @Override
    public void savedCollection(Object collection) {
      for (int i = 0; i < sinks.size(); i++) {
        sinks.get(i).savedCollection(collection);
      }
    }

    @Override
    public void missed(Throwable why) {
      for (int i = 0; i < sinks.size(); i++) {
        sinks.get(i).missed(why);
      }
    }
  }

  // ---- for woven code

  /** Saves an object, which is about to change, unless that was done in this epoch. */
  public static void save(Undoable object) {
    CALLS.increment();
    if (object.$takt$stamp() >= epoch) {
      // The copy was made before the stamp, maybe by another thread: the store comes after both.
      VarHandle.acquireFence();
      return;
    }
    synchronized (LOCK) {
      if (object.$takt$stamp() < epoch) {
        try {
          memory.clear();
          object.$takt$save(memory);
        } catch (Error e) {
          SINKS.missed(e);
        }
      }
    }
  }

  /** Saves an array, which may be about to change, unless that was done in this epoch. */
  public static void saveArray(Object array) {
    CALLS.increment();
    synchronized (LOCK) {
      try {
        SINKS.savedArray(array, array, Array.getLength(array));
      } catch (Error e) {
        SINKS.missed(e);
      }
    }
  }

  /** Saves a collection of the JDK, as {@link #saveArray} does an array. */
  public static void saveCollection(Object collection) {
    CALLS.increment();
    synchronized (LOCK) {
      try {
        SINKS.savedCollection(collection);
      } catch (Error e) {
        SINKS.missed(e);
      }
    }
  }

  // ---- for the cycle

  /**
   * Runs something while nothing is saved. What the sinks have not been shown since the cut, nobody
   * has changed since, and nobody changes it before this returns.
   *
   * @param reading what reads it, and takes no lock
   */
  public static void whileNothingIsSaved(Runnable reading) {
    synchronized (LOCK) {
      reading.run();
    }
  }

  // ---- for the gate

  /** Begins an epoch with one more sink; no thread is in an update. */
  static void attach(SaveSink sink) {
    synchronized (LOCK) {
      SINKS.sinks.add(sink);
      epoch = memory.sink(SINKS);
      sink.begins(epoch);
    }
  }

  /** Takes a sink away: when this returns, it is not called any more. */
  static void detach(SaveSink sink) {
    synchronized (LOCK) {
      if (SINKS.sinks.remove(sink) && SINKS.sinks.isEmpty()) {
        epoch = 0;
        memory = newMemory();
      }
    }
  }

  /** Returns how often woven code has called so far. */
  static long calls() {
    return CALLS.sum();
  }
}
