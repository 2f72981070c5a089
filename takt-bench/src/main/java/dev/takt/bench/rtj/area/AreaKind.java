package dev.takt.bench.rtj.area;

import dev.takt.rtsj.memory.HeapArea;
import dev.takt.rtsj.memory.ImmortalArea;
import dev.takt.rtsj.memory.MemoryArea;
import dev.takt.rtsj.memory.ScopedArea;

/** The kinds of areas that section 3.4 compares. */
public enum AreaKind {
  /** The Java heap. */
  HEAP("heap"),
  /** Never given back. */
  IMMORTAL("immortal"),
  /** A scope whose memory is all there beforehand. */
  LINEAR_TIME("linear-time"),
  /** A scope that grows; here by up to four steps. */
  VARIABLE_TIME("variable-time");

  /** No program makes an area of smaller blocks. */
  private static final long MIN_BLOCK_BYTES = 16 << 10;

  private final String title;

  AreaKind(String title) {
    this.title = title;
  }

  /** Returns its name in reports. */
  public String title() {
    return title;
  }

  /**
   * Makes an area; {@link #close} it afterwards.
   *
   * @param sizeBytes how large; nothing to the heap
   */
  public MemoryArea create(long sizeBytes) {
    return switch (this) {
      case HEAP -> HeapArea.instance();
      case IMMORTAL -> ImmortalArea.create(title, sizeBytes);
      case LINEAR_TIME -> ScopedArea.linearTime(title, sizeBytes);
      case VARIABLE_TIME -> variableTime(sizeBytes);
    };
  }

  private MemoryArea variableTime(long sizeBytes) {
    long blockBytes = Math.max(MIN_BLOCK_BYTES, Math.ceilDiv(sizeBytes, 4));
    return ScopedArea.variableTime(title, blockBytes, Math.max(blockBytes, sizeBytes));
  }

  /** Gives an area's memory back, if it is of a kind that does. */
  public static void close(MemoryArea area) {
    if (area instanceof ScopedArea scope) {
      scope.close();
    }
  }
}
