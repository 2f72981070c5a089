package dev.takt.bench.rtj.area;

import dev.takt.rtsj.memory.MemoryArea;
import dev.takt.rtsj.memory.MemoryView;

/**
 * 3.4.3: how long it takes to enter an area and to leave it. Time stamps are taken before entering
 * and immediately inside, before leaving and immediately after.
 *
 * <p>Something is allocated inside, so that a scope has something to give back.
 *
 * <p><b>Thread rule.</b> One thread. Nothing is allocated on the heap, except in the heap area.
 */
public final class EntryExit {
  private static final int BYTES = 64;

  private final MemoryArea area;
  private final MemoryView view = new MemoryView();
  private final Runnable inside = this::visit;
  private long enteredNs;
  private long leavingNs;

  /**
   * Prepares the measurement.
   *
   * @param area which; {@value #BYTES} bytes of it are used at each entry
   */
  public EntryExit(MemoryArea area) {
    this.area = area;
  }

  /**
   * Enters and leaves as often as there is room.
   *
   * @param entryNs filled with the times of entries, with that of one time stamp
   * @param exitNs filled with the times of exits, as long as {@code entryNs}
   */
  public void frame(long[] entryNs, long[] exitNs) {
    for (int i = 0; i < entryNs.length; i++) {
      long beforeNs = System.nanoTime();
      area.enter(inside);
      exitNs[i] = System.nanoTime() - leavingNs;
      entryNs[i] = enteredNs - beforeNs;
    }
  }

  private void visit() {
    enteredNs = System.nanoTime();
    area.allocate(view, BYTES, 8);
    leavingNs = System.nanoTime();
  }
}
