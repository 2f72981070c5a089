package dev.takt.bench.rtj.inversion;

import dev.takt.rtsj.monitor.Monitor;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A way to let one thread at a time into a section.
 *
 * <p><b>Thread rule:</b> any thread. {@link #run} allocates nothing, if the section is kept.
 */
public interface Exclusion {
  /**
   * When a thread passed, by {@link System#nanoTime}. The looks at the clock stand next to what
   * lets it in and out, as in the floor, so that how this was called is not measured.
   *
   * <p><b>Thread rule:</b> written by the thread that passes.
   */
  final class Passage {
    long askedNs;
    long insideNs;
    long leavingNs;
  }

  /** Runs a section while no other thread is in one. */
  void run(Runnable section, Passage passage);

  /** Returns what a report calls it. */
  String name();

  /** Returns one by a monitor of Takt. */
  static Exclusion of(Monitor monitor) {
    return new Exclusion() {
      @Override
      public void run(Runnable section, Passage passage) {
        passage.askedNs = System.nanoTime();
        monitor.enter();
        try {
          passage.insideNs = System.nanoTime();
          section.run();
          passage.leavingNs = System.nanoTime();
        } finally {
          monitor.exit();
        }
      }

      @Override
      public String name() {
        return monitor.name();
      }
    };
  }

  /** Returns one by the language's own monitors. */
  static Exclusion synchronizedBlock() {
    Object lock = new Object();
    return new Exclusion() {
      @Override
      public void run(Runnable section, Passage passage) {
        passage.askedNs = System.nanoTime();
        synchronized (lock) {
          passage.insideNs = System.nanoTime();
          section.run();
          passage.leavingNs = System.nanoTime();
        }
      }

      @Override
      public String name() {
        return "synchronized";
      }
    };
  }

  /** Returns one by the JDK's lock. */
  static Exclusion reentrantLock() {
    ReentrantLock lock = new ReentrantLock();
    return new Exclusion() {
      @Override
      public void run(Runnable section, Passage passage) {
        passage.askedNs = System.nanoTime();
        lock.lock();
        try {
          passage.insideNs = System.nanoTime();
          section.run();
          passage.leavingNs = System.nanoTime();
        } finally {
          lock.unlock();
        }
      }

      @Override
      public String name() {
        return "ReentrantLock";
      }
    };
  }
}
