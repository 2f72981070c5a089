package dev.takt.samples;

import dev.takt.rtsj.memory.IllegalReferenceException;
import dev.takt.rtsj.memory.MemoryArea;
import dev.takt.rtsj.memory.MemoryView;
import dev.takt.rtsj.memory.ScopedArea;

/**
 * A scope is memory for as long as threads are in it: no garbage, and what outlives it is refused.
 *
 * <p>Each release filters some readings in a scope of 256 bytes. You will see that all memory is
 * back after each release, that a release may not ask for more, and what happens to a view that is
 * kept:
 *
 * <pre>
 * release 1: mean 2.0, 96 of 256 bytes used
 * release 2: mean 12.0, 96 of 256 bytes used
 * after it: 0 bytes used
 * too much: area readings is exhausted
 * kept view: refused
 * </pre>
 */
public final class Sample14MemoryAreas {
  private Sample14MemoryAreas() {}

  /** Runs the sample. */
  public static void main(String[] args) {
    // views are made once, and show one allocation after the other
    MemoryView readings = new MemoryView();
    try (ScopedArea scope = ScopedArea.linearTime("readings", 256)) {
      for (int release = 1; release <= 2; release++) {
        int first = 10 * release - 10;
        IO.print("release " + release + ": ");
        scope.enter(
            () -> {
              MemoryArea.current().allocate(readings, 96, 8);
              IO.print("mean " + mean(readings, first));
              IO.println(", " + scope.consumedBytes() + " of " + scope.sizeBytes() + " bytes used");
            });
      }
      IO.println("after it: " + scope.consumedBytes() + " bytes used");
      scope.enter(
          () -> {
            boolean isThere = scope.tryAllocate(readings, 257, 8);
            IO.println("too much: " + (isThere ? "granted" : "area readings is exhausted"));
          });
      try {
        readings.getLong(0);
      } catch (IllegalReferenceException e) {
        IO.println("kept view: refused");
      }
    }
  }

  private static double mean(MemoryView readings, int first) {
    for (int i = 0; i < 5; i++) {
      readings.putDouble(8L * i, first + i);
    }
    double sum = 0;
    for (int i = 0; i < 5; i++) {
      sum += readings.getDouble(8L * i);
    }
    return sum / 5;
  }
}
