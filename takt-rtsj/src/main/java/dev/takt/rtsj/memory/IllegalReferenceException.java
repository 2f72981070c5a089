package dev.takt.rtsj.memory;

/**
 * A reference would outlive what it refers to, or has outlived it: a store into an area that lives
 * longer, or a use after the last thread has left the scope (RTSJ: {@code IllegalAssignmentError}).
 */
public final class IllegalReferenceException extends MemoryAreaException {
  private static final long serialVersionUID = 1L;

  IllegalReferenceException(String message) {
    super(message);
  }
}
