package dev.takt.rtsj.memory;

/** A scope would get a second parent: see the single-parent rule in the package's description. */
public final class ScopedCycleException extends MemoryAreaException {
  private static final long serialVersionUID = 1L;

  ScopedCycleException(String message) {
    super(message);
  }
}
