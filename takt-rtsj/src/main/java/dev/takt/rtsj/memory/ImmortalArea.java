package dev.takt.rtsj.memory;

import dev.takt.realtime.internal.Ranges;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

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

  /** Made when it is first asked for, since it takes memory. */
  private static volatile @Nullable ImmortalArea instance;

  private final Region region;

  private ImmortalArea(String name, long sizeBytes) {
    super(name);
    region = new Region(Arena.global(), sizeBytes, sizeBytes, sizeBytes, false);
  }

  /**
   * Returns the JVM's immortal area, which is made at the first call.
   *
   * @throws IllegalArgumentException if the system property {@value #SIZE_PROPERTY} is no size;
   *     each call says so, until it is one
   */
  public static ImmortalArea instance() {
    ImmortalArea made = instance;
    return made == null ? makeInstance() : made;
  }

  /** Not by a static initializer: the second call would hide what the first one has said. */
  private static synchronized ImmortalArea makeInstance() {
    ImmortalArea made = instance;
    if (made == null) {
      made = create("immortal", sizeOf(System.getProperty(SIZE_PROPERTY)));
      instance = made;
    }
    return made;
  }

  /** Returns the size that the system property has asked for. */
  static long sizeOf(@Nullable String property) {
    if (property == null) {
      return DEFAULT_SIZE_BYTES;
    }
    long size;
    try {
      size = Long.decode(property.strip());
    } catch (NumberFormatException _) {
      size = 0;
    }
    if (size < 1 || size > Region.MAX_SIZE_BYTES) {
      throw new IllegalArgumentException(
          "system property %s=%s (expected: a number of bytes, 1 to %s, without a unit)"
              .formatted(SIZE_PROPERTY, property, Region.MAX_SIZE_BYTES));
    }
    return size;
  }

  /**
   * Makes another immortal area.
   *
   * @param name for messages
   * @param sizeBytes 1 to 2,147,479,552
   */
  public static ImmortalArea create(String name, long sizeBytes) {
    Ranges.check("sizeBytes", sizeBytes, 1, Region.MAX_SIZE_BYTES);
    return new ImmortalArea(name, sizeBytes);
  }

  @Override
  public long sizeBytes() {
    return region.maxBytes();
  }

  @Override
  public long consumedBytes() {
    return region.usedBytes(state().epoch());
  }

  @Override
  public MemorySegment allocate(long bytes, long alignment) {
    MemoryView view = new MemoryView();
    allocate(view, bytes, alignment);
    return view.segment();
  }

  @Override
  public boolean tryAllocate(MemoryView into, long bytes, long alignment) {
    return region.tryAllocate(this, state().epoch(), bytes, alignment, into);
  }

  @Override
  String exhaustionRemedy() {
    return "make it larger (the JVM's own: system property "
        + SIZE_PROPERTY
        + "), or allocate in a scope what is needed for a time only";
  }
}
