package dev.takt.persist.graph;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/**
 * A field that is stored, and how to get at it.
 *
 * @param field the field, which is accessible
 * @param type the first character of its descriptor, L for all references
 * @param saved its place among the primitives, or references, of a saved copy; or {@link
 *     dev.takt.reflex.woven.StableLayout#FINAL}
 * @param getter from an object to the bits of a primitive, as the log of a release holds them, or
 *     to a reference
 */
public record FieldAccess(Field field, char type, int saved, MethodHandle getter) {
  /** Returns whether its values are primitives. */
  public boolean isPrimitive() {
    return type != 'L';
  }

  /** Reads the bits of a primitive, as an ordinary read. */
  public long bits(Object from) {
    try {
      return (long) getter.invokeExact(from);
    } catch (Throwable e) {
      throw new IllegalStateException("cannot read " + field, e);
    }
  }

  /** Reads a reference, as an ordinary read. */
  public @Nullable Object reference(Object from) {
    try {
      return (@Nullable Object) getter.invokeExact(from);
    } catch (Throwable e) {
      throw new IllegalStateException("cannot read " + field, e);
    }
  }

  /** Stores the bits of a primitive, past all barriers. */
  public void set(Object to, long bits) {
    try {
      switch (type) {
        case 'Z' -> field.setBoolean(to, bits != 0);
        case 'B' -> field.setByte(to, (byte) bits);
        case 'S' -> field.setShort(to, (short) bits);
        case 'C' -> field.setChar(to, (char) bits);
        case 'I' -> field.setInt(to, (int) bits);
        case 'J' -> field.setLong(to, bits);
        case 'F' -> field.setFloat(to, Float.intBitsToFloat((int) bits));
        default -> field.setDouble(to, Double.longBitsToDouble(bits));
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("cannot write " + field, e);
    }
  }

  /** Stores a reference, past all barriers. */
  public void set(Object to, @Nullable Object value) {
    try {
      field.set(to, value);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("cannot write " + field, e);
    }
  }
}
