package dev.takt.bench.rtj.inversion;

import dev.takt.realtime.monitor.Monitor;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A way to let one thread at a time into a section.
 *
 * <p><b>Thread rule:</b> any thread. {@link #run} allocates nothing, if the section is kept.
 */
public interface Exclusion {
  /** Runs a section while no other thread is in one. */
  void run(Runnable section);

  /** Returns what a report calls it. */
  String name();

  /** Returns one by a monitor of Takt. */
  static Exclusion of(Monitor monitor) {
    return new Exclusion() {
      @Override
      public void run(Runnable section) {
        try (var _ = monitor.hold()) {
          section.run();
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
      public void run(Runnable section) {
        synchronized (lock) {
          section.run();
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
      public void run(Runnable section) {
        lock.lock();
        try {
          section.run();
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
