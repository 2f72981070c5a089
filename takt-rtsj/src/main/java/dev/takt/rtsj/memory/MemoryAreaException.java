package dev.takt.rtsj.memory;

/** A memory area refused something; each reason is a subclass. */
public abstract sealed class MemoryAreaException extends RuntimeException
    permits AreaExhaustedException,
        IllegalReferenceException,
        InaccessibleAreaException,
        ScopedCycleException {
  private static final long serialVersionUID = 1L;

  MemoryAreaException(String message) {
    super(message);
  }
}
