package dev.takt.rtsj.memory;

/** An area has not enough left for an allocation. Nothing was taken. */
public final class AreaExhaustedException extends MemoryAreaException {
  private static final long serialVersionUID = 1L;

  private final long asked;
  private final long used;
  private final long limit;

  AreaExhaustedException(
      String where, String unit, long asked, long used, long limit, String remedy) {
    super(
        "%s is exhausted: asked=%s, used=%s, limit=%s %s; %s"
            .formatted(where, asked, used, limit, unit, remedy));
    this.asked = asked;
    this.used = used;
    this.limit = limit;
  }

  /** Returns how much was asked for, in bytes, or 1 for an instance of a pooled type. */
  public long asked() {
    return asked;
  }

  /** Returns how much was in use, in bytes or instances. */
  public long used() {
    return used;
  }

  /** Returns how much there can be, in bytes or instances. */
  public long limit() {
    return limit;
  }
}
