package dev.takt.persist.inspect;

import dev.takt.persist.format.ClassEntry;
import dev.takt.persist.format.ClassEntry.FieldEntry;
import dev.takt.persist.format.Kind;
import java.util.Locale;
import java.util.Map;

/**
 * A class as a file describes it.
 *
 * <p><b>Thread rule:</b> any thread; it never changes.
 */
public final class StoredType {
  private static final Map<String, Character> BOXES =
      Map.of(
          "java.lang.Boolean", 'Z',
          "java.lang.Byte", 'B',
          "java.lang.Short", 'S',
          "java.lang.Character", 'C',
          "java.lang.Integer", 'I',
          "java.lang.Long", 'J',
          "java.lang.Float", 'F',
          "java.lang.Double", 'D');

  private final ClassEntry entry;

  /** Made once: what an object takes in the file may be much less than a name. */
  private final String[] fields;

  StoredType(ClassEntry entry) {
    this.entry = entry;
    this.fields = entry.fields().stream().map(StoredType::label).toArray(String[]::new);
  }

  private static String label(FieldEntry field) {
    return field.above() == 0 ? field.name() : field.name() + "@" + field.above();
  }

  Kind kind() {
    return entry.kind();
  }

  /**
   * Returns what its instances look like: stable, record, enum, array, string, box, value or
   * collection.
   */
  public String kindName() {
    return entry.kind().name().toLowerCase(Locale.ROOT);
  }

  /** Returns its name, as {@link Class#getName} gives it. */
  public String name() {
    return entry.name();
  }

  /** Returns how many fields are stored of an instance. */
  public int fields() {
    return fields.length;
  }

  /**
   * Returns the name of a field; one that a superclass declares has an at sign behind it and how
   * many classes above that is.
   */
  public String field(int number) {
    return fields[number];
  }

  /** Returns the first character of a field's descriptor, L for all references. */
  public char fieldType(int number) {
    return entry.fields().get(number).type();
  }

  /**
   * Returns the first character of the descriptor of what an array or collection consists of, or of
   * what a box holds; L for references; 0 if it is none of these.
   */
  public char element() {
    String name = entry.name();
    return switch (entry.kind()) {
      case BOX -> BOXES.getOrDefault(name, (char) 0);
      case ARRAY -> elementOfArray(name);
      case COLLECTION, MUTABLE -> 'L';
      default -> 0;
    };
  }

  private static char elementOfArray(String name) {
    if (name.length() < 2 || name.charAt(0) != '[') {
      return 0;
    }
    char type = name.charAt(1);
    if (type == '[' || type == 'L') {
      return 'L';
    }
    return name.length() == 2 && "ZBSCIJFD".indexOf(type) >= 0 ? type : 0;
  }

  @Override
  public String toString() {
    return kindName() + " " + name();
  }
}
