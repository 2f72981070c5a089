package dev.takt.realtime.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An area whose memory is never given back: for what is made once and used until the end.
 *
 * <p>All of it is committed and zeroed when the area is made. Allocating takes the same time
 * whatever the size. The memory stays even if nothing refers to the area any more.
 *
 * <p><b>Thread rule.</b> Any thread, from any area; lock-free.
 */
public final class ImmortalArea extends MemoryArea {
  /** The system property with the size of {@link #instance}, in bytes. */
  public static final String SIZE_PROPERTY = "takt.immortalBytes";

  /** The size of {@link #instance} without the property. */
  public static final long DEFAULT_SIZE_BYTES = 1 << 20;

  private final Region region;

  private ImmortalArea(String name, long sizeBytes) {
    super(name);
    region = new Region(Arena.global(), sizeBytes, sizeBytes, sizeBytes, false);
  }

  /** Returns the JVM's immortal area, which is made at the first call. */
  public static ImmortalArea instance() {
    return Holder.INSTANCE;
  }

  /**
   * Makes another immortal area.
   *
   * @param name for messages
   * @param sizeBytes 1 to 2,147,479,552
   */
  public static ImmortalArea create(String name, long sizeBytes) {
    ScopeSettings.check("sizeBytes", sizeBytes, 1, Region.MAX_SIZE_BYTES);
    return new ImmortalArea(name, sizeBytes);
  }

  @Override
  public long sizeBytes() {
    return region.maxBytes();
  }

  @Override
  public long consumedBytes() {
    return region.usedBytes(state().life());
  }

  @Override
  public MemorySegment allocate(long bytes, long alignment) {
    MemoryView view = new MemoryView();
    allocate(view, bytes, alignment);
    return view.segment();
  }

  @Override
  public boolean tryAllocate(MemoryView into, long bytes, long alignment) {
    return region.tryAllocate(this, state().life(), bytes, alignment, into);
  }

  @Override
  String exhaustionRemedy() {
    return "make it larger (the JVM's own: system property "
        + SIZE_PROPERTY
        + "), or allocate in a scope what is needed for a time only";
  }

  /** Made when it is first asked for, since it takes memory. */
  private static final class Holder {
    static final ImmortalArea INSTANCE =
        create("immortal", Long.getLong(SIZE_PROPERTY, DEFAULT_SIZE_BYTES));
  }
}
