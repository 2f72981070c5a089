package dev.takt.persist.graph;

import dev.takt.reflex.woven.StableLayout;
import dev.takt.reflex.woven.Undoable;
import dev.takt.space.Stable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;

/**
 * A field that is stored.
 *
 * @param field the field
 * @param type the first character of its descriptor, L for all references
 * @param saved its place among the primitives, or references, of a saved copy; or {@link
 *     dev.takt.reflex.woven.StableLayout#FINAL}
 * @param isSetUp whether recovery makes objects that have it by a constructor of their own
 */
public record StoredField(Field field, char type, int saved, boolean isSetUp) {
  /** Returns whether its values are primitives. */
  public boolean isPrimitive() {
    return type != 'L';
  }

  /**
   * Returns whether what it holds and cannot be stored is left to the constructor: sources say that
   * it is final, even if the weaver has had to take that away so that recovery can set it, its type
   * is none of which all objects are stored, and recovery runs that constructor.
   */
  public boolean canBeLeft() {
    return isSetUp
        && saved == StableLayout.FINAL
        && !isPrimitive()
        && ClassShapes.of(field.getType()) == null;
  }

  /**
   * Returns whether an object in such a field is left. A collection is not, since what is in it is
   * not the constructor's but the program's, and would be lost.
   */
  public static boolean isLeft(Object value) {
    return ClassShapes.of(value.getClass()) == null
        && !(value instanceof Collection)
        && !(value instanceof Map);
  }

  /**
   * Returns whether what it holds is a collection that changes and that woven code guards: the
   * weaver has seen that it stays in this field.
   */
  public boolean isGuardedCollection() {
    return Mutables.isType(field.getType())
        && Modifier.isPrivate(field.getModifiers())
        && Undoable.class.isAssignableFrom(field.getDeclaringClass())
        && !Stable.class.isAssignableFrom(field.getDeclaringClass());
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
