package dev.takt.persist.graph;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/**
 * A field that is stored.
 *
 * @param field the field
 * @param type the first character of its descriptor, L for all references
 * @param saved its place among the primitives, or references, of a saved copy; or {@link
 *     dev.takt.reflex.woven.StableLayout#FINAL}
 */
public record StoredField(Field field, char type, int saved) {
  /** Returns whether its values are primitives. */
  public boolean isPrimitive() {
    return type != 'L';
  }

  /** Returns its name with that of its class. */
  public String name() {
    return field.getDeclaringClass().getName() + "." + field.getName();
  }

  /** Returns whether only the constructor sets it. */
  public boolean isFinal() {
    return Modifier.isFinal(field.getModifiers());
  }
}
