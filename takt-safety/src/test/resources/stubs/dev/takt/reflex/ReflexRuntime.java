package dev.takt.reflex;

import dev.takt.space.EventSpace;

/** What tests of the rules need of the real class: calls that no task may make. */
public final class ReflexRuntime {
  private ReflexRuntime() {}

  public static ReflexRuntime create() {
    throw new IllegalStateException("a stub");
  }

  public EventSpace space() {
    throw new IllegalStateException("a stub");
  }
}
