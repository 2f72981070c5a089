package dev.takt.persist.graph;

import dev.takt.persist.format.ClassEntry;
import dev.takt.persist.format.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How instances of one class are stored: the paper's persistent class map (Persistence 3.1).
 *
 * <p><b>Thread rule:</b> any thread; it never changes.
 */
public final class ClassShape {
  private final Class<?> type;
  private final ClassEntry entry;
  private final List<StoredField> fields;
  private final char element;
  private final int maxBytes;
  private final int references;
  private final ObjectAccess access;

  /** Made when it is first asked for; what two threads make at once is the same. */
  private volatile byte @Nullable [] encoded;

  ClassShape(
      Class<?> type, ClassEntry entry, List<StoredField> fields, char element, int maxBytes) {
    this.type = type;
    this.entry = entry;
    this.fields = List.copyOf(fields);
    this.element = element;
    this.maxBytes = maxBytes;
    int references = 0;
    for (StoredField each : this.fields) {
      references += each.isPrimitive() ? 0 : 1;
    }
    this.references = references;
    this.access = new ObjectAccess(type, this.fields);
  }

  /** Returns the class; of a constant of an enum, the enum. */
  public Class<?> type() {
    return type;
  }

  /** Returns how a file describes it. */
  public ClassEntry entry() {
    return entry;
  }

  /** Returns that description as it lies in a file; not to be changed. */
  public byte[] encoded() {
    byte[] encoded = this.encoded;
    if (encoded == null) {
      encoded = entry.encoded();
      this.encoded = encoded;
    }
    return encoded;
  }

  /** Returns what instances look like. */
  public Kind kind() {
    return entry.kind();
  }

  /** Returns the fields of the entry, in its order. */
  public List<StoredField> fields() {
    return fields;
  }

  /** Returns how many fields are references. */
  public int references() {
    return references;
  }

  /** Returns how their values are read and set. */
  public ObjectAccess access() {
    return access;
  }

  /**
   * Returns, of an array or a box, the first character of the descriptor of what is in it; else 0.
   */
  public char element() {
    return element;
  }

  /**
   * Returns how many bytes the record of an instance takes at most; of an array or string, the
   * begin of it.
   */
  public int maxBytes() {
    return maxBytes;
  }

  /** Returns whether instances have elements, and so are read in chunks. */
  public boolean hasElements() {
    return kind() == Kind.STRING || kind() == Kind.ARRAY || isCollection();
  }

  /** Returns whether instances have references as elements. */
  public boolean hasReferences() {
    return isCollection() || kind() == Kind.ARRAY && element == 'L';
  }

  /** Returns whether instances are collections of the JDK. */
  public boolean isCollection() {
    return kind() == Kind.COLLECTION || kind() == Kind.MUTABLE;
  }

  /** Returns how many bytes an element of an array of primitives takes. */
  public int elementBytes() {
    return elementBytes(element);
  }

  /** Returns how many bytes an element takes. */
  public static int elementBytes(char element) {
    return switch (element) {
      case 'Z', 'B' -> 1;
      case 'S', 'C' -> 2;
      case 'I', 'F', 'L' -> 4;
      default -> 8;
    };
  }

  @Override
  public String toString() {
    return kind() + " " + type.getName();
  }
}
