package dev.takt.reflex;

import dev.takt.space.Event;
import dev.takt.space.Handle;
import dev.takt.space.Stable;

/** What tests of the rules need of the real class: its signatures. */
public abstract class ReflexTask implements Stable {
  public static final int DEFAULT_SIZE_BYTES = 65_536;

  private final int transientSizeBytes;
  private final int stableSizeBytes;

  protected ReflexTask() {
    this(DEFAULT_SIZE_BYTES, DEFAULT_SIZE_BYTES);
  }

  protected ReflexTask(int transientSizeBytes, int stableSizeBytes) {
    this.transientSizeBytes = transientSizeBytes;
    this.stableSizeBytes = stableSizeBytes;
  }

  public void initialize() {}

  public abstract void execute();

  protected final void write(Event event) {
    throw outside();
  }

  protected final void writeNow(Event event) {
    throw outside();
  }

  protected final Event take(Event template) {
    throw outside();
  }

  protected final boolean take(Event template, Event into) {
    throw outside();
  }

  protected final Event takeNow(Event template) {
    throw outside();
  }

  protected final boolean takeNow(Event template, Event into) {
    throw outside();
  }

  protected final boolean test(Event template) {
    throw outside();
  }

  protected final boolean testNow(Event template) {
    throw outside();
  }

  protected final Event event() {
    throw outside();
  }

  protected final Handle subscribe(Event template) {
    throw outside();
  }

  protected final void unsubscribe(Handle handle) {
    throw outside();
  }

  protected final void abort() {
    throw outside();
  }

  protected static double asDouble(Object value) {
    return ((Number) value).doubleValue();
  }

  protected static long asLong(Object value) {
    return ((Number) value).longValue();
  }

  protected static boolean asBoolean(Object value) {
    return (Boolean) value;
  }

  private IllegalStateException outside() {
    return new IllegalStateException("a stub: " + transientSizeBytes + ", " + stableSizeBytes);
  }
}
