package dev.takt.bench.rtj.inversion;

import dev.takt.rtsj.monitor.Monitor;

/**
 * A way to let one thread at a time into a section.
 *
 * <p><b>Thread rule:</b> any thread. {@link #run} allocates nothing, if the section is kept.
 */
@FunctionalInterface
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

  /** Returns one by a monitor of Takt. */
  static Exclusion of(Monitor monitor) {
    return (section, passage) -> {
      passage.askedNs = System.nanoTime();
      monitor.enter();
      try {
        passage.insideNs = System.nanoTime();
        section.run();
        passage.leavingNs = System.nanoTime();
      } finally {
        monitor.exit();
      }
    };
  }

  /** Returns one by the language's own monitors. */
  static Exclusion synchronizedBlock() {
    Object lock = new Object();
    return (section, passage) -> {
      passage.askedNs = System.nanoTime();
      synchronized (lock) {
        passage.insideNs = System.nanoTime();
        section.run();
        passage.leavingNs = System.nanoTime();
      }
    };
  }
}
