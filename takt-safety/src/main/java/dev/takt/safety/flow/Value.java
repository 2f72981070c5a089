package dev.takt.safety.flow;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a value on the stack or in a local variable.
 *
 * @param type its descriptor, as far as known; that of Object for anything
 * @param marks where it may come from, see the constants
 * @param name the field or parameter it comes from, for messages
 * @param sites the instructions that may have made it, as a bit set of those of the method that
 *     make arrays, and what a source tracks; all after the 63rd share a bit
 */
public record Value(String type, int marks, @Nullable String name, long sites) {
  /** Lent by the caller of an atomic method. */
  public static final int BORROWED = 1;

  /** An array of a stable object. */
  public static final int KEPT = 2;

  /** The same, of the object whose method runs. */
  public static final int KEPT_BY_THIS = 4;

  /** The object whose method runs. */
  public static final int THIS = 8;

  /** From a parameter, a call or a field: somebody else may have it too. */
  public static final int FOREIGN = 16;

  /** Shared by all tasks, by way of a static field. */
  public static final int SHARED = 32;

  /** With {@link #THIS}: it may be another value, too. */
  public static final int OR_OTHER = 64;

  /** A collection of the JDK that changes. */
  public static final int COLLECTION = 128;

  /** Leads into such a collection, and can change it: a view, an iterator, an entry. */
  public static final int VIEW = 256;

  /** A view or iterator that gives entries. */
  public static final int ENTRIES = 512;

  /** The upper half of a long or double. */
  public static final Value TOP = new Value("", 0, null, 0);

  public static final Value NULL = new Value("null", 0, null, 0);
  public static final String OBJECT = "Ljava/lang/Object;";

  public static Value of(String type) {
    return new Value(type, 0, null, 0);
  }

  public static Value foreign(String type) {
    return new Value(type, FOREIGN, null, 0);
  }

  public boolean has(int mark) {
    return (marks & mark) != 0;
  }

  /** Returns whether it is the object whose method runs, and nothing else. */
  public boolean isThis() {
    return has(THIS) && !has(OR_OTHER);
  }

  public boolean isWide() {
    return type.equals("J") || type.equals("D");
  }

  public boolean isReference() {
    return type.length() > 1;
  }

  public Value as(String newType) {
    return new Value(newType, marks, name, sites);
  }

  /** Returns what is known of a value that is one or the other. */
  public Value join(Value other) {
    if (equals(other)) {
      return this;
    }
    String joined =
        type.equals(other.type) || other == NULL
            ? type
            : this == NULL ? other.type : isReference() && other.isReference() ? common(other) : "";
    int telling = BORROWED | SHARED;
    String origin = name == null || other.has(telling) && !has(telling) ? other.name : name;
    int orOther = has(THIS) == other.has(THIS) ? 0 : OR_OTHER;
    return new Value(joined, marks | other.marks | orOther, origin, sites | other.sites);
  }

  /** If only one of two values is shared, its type is the one that matters. */
  private String common(Value other) {
    return has(SHARED) == other.has(SHARED) ? OBJECT : has(SHARED) ? type : other.type;
  }
}
