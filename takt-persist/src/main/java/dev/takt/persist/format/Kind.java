package dev.takt.persist.format;

/** What instances of a class look like in a file; the order is part of the format. */
public enum Kind {
  /** A woven object of a task, or of what it holds. */
  STABLE,
  /** A record. */
  RECORD,
  /** A constant of an enum, by its name. */
  ENUM,
  /** An array. */
  ARRAY,
  /** A string. */
  STRING,
  /** A number, boolean or character as an object. */
  BOX,
  /** A number, time or identifier of the JDK, by its text; since version 2. */
  VALUE,
  /** A collection of the JDK that never changes, by its elements; since version 2. */
  COLLECTION,
  /** A collection of the JDK that changes, by its class and elements; since version 4. */
  MUTABLE;

  private static final Kind[] VALUES = values();

  /** Returns a kind by its number in a file, or null. */
  static @org.jspecify.annotations.Nullable Kind of(int number) {
    return number >= 0 && number < VALUES.length ? VALUES[number] : null;
  }
}
