package dev.takt.rtsj.memory;

/**
 * The calling thread may not use the area: it has not entered the scope, or is a thread without
 * heap and asks for the heap (RTSJ: the exception of the same name, and {@code MemoryAccessError}).
 */
public final class InaccessibleAreaException extends MemoryAreaException {
  private static final long serialVersionUID = 1L;

  InaccessibleAreaException(String message) {
    super(message);
  }
}
