package dev.takt.persist.graph;

import dev.takt.reflex.woven.ZeroedConstructorMarker;
import dev.takt.space.Stable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and sets all stored fields of an object at once, past all barriers, and makes objects, by
 * code that is generated at the first use ({@link AccessCode}).
 *
 * <p>Values are in two arrays, each at the number of its field: primitives by their bits, as the
 * log of a release holds them, and references. Reads and writes are ordinary ones.
 *
 * <p><b>Why so.</b> A method handle for each field that is no constant where it is called costs a
 * call that the JIT does not see through. Here there is one such call for each object.
 *
 * <p><b>Thread rule:</b> any thread; what two generate at once is the same.
 */
public final class ObjectAccess {
  private static final Class<?>[] NONE = {};

  private final Class<?> type;
  private final List<StoredField> fields;

  /** Has no fields, so any thread may see it without order. */
  private @Nullable ObjectCode code;

  ObjectAccess(Class<?> type, List<StoredField> fields) {
    this.type = type;
    this.fields = fields;
  }

  private ObjectCode code() {
    ObjectCode code = this.code;
    if (code == null) {
      code = AccessCode.generate(fields, constructor());
      this.code = code;
    }
    return code;
  }

  /**
   * Generates the code now.
   *
   * @throws IllegalArgumentException if the class is not accessible
   */
  void prepare() {
    code();
  }

  /**
   * Reads all fields.
   *
   * @throws IllegalArgumentException if the class is not accessible
   */
  public void read(Object from, long[] bits, @Nullable Object[] references) {
    code().read(from, bits, references);
  }

  /**
   * Puts all fields into a record, if the object has not changed when all of them are read.
   *
   * @param to where the record is
   * @param at where the first one comes; there is room for what all may take
   * @param references knows whether it has changed, and puts references
   * @return the place behind the last one; or -1 if it has changed, and nothing is put
   * @throws IllegalArgumentException if the class is not accessible
   */
  public int put(Object from, byte[] to, int at, ReferenceOutput references) {
    return code().put(from, to, at, references);
  }

  /** Sets all primitives that are not final. */
  public void writePrimitives(Object to, long[] bits) {
    code().writePrimitives(to, bits);
  }

  /**
   * Sets all fields to what {@link #put} has put into a record, if none of them is final.
   *
   * @param from where the record is
   * @param at where the first field comes; as many bytes as all may take can be read there
   * @param references is given what is there for references, one after the other
   * @return the place behind the last field; or -1 if a value is none of its type, or has more than
   *     eight bytes: then they are to be read one by one
   */
  public int take(Object to, byte[] from, int at, ReferenceTaker references) {
    try {
      return code().take(to, from, at, references);
    } catch (ClassCastException e) {
      return -1; // a reference does not fit its field
    }
  }

  /**
   * Sets all references that are not final.
   *
   * @throws IllegalArgumentException if one does not fit its field
   */
  public void writeReferences(Object to, @Nullable Object[] references) {
    try {
      code().writeReferences(to, references);
    } catch (ClassCastException e) {
      throw new IllegalArgumentException(misfit(references), e);
    }
  }

  private String misfit(@Nullable Object[] references) {
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i).field();
      Object value = references[i];
      if (!fields.get(i).isPrimitive() && value != null && !field.getType().isInstance(value)) {
        return "field %s.%s of type %s was stored as class %s; declare that class, or give the field another name"
            .formatted(
                field.getDeclaringClass().getName(),
                field.getName(),
                field.getType().getTypeName(),
                value.getClass().getTypeName());
      }
    }
    return "an object of another class was stored in a field of " + type.getName();
  }

  /**
   * Makes a record of its components; of a persistent class an instance by the constructor without
   * parameters; and if it has none, or is stable, one all of whose fields are zero.
   *
   * @throws IllegalArgumentException if it cannot be made of these
   */
  public Object make(long[] bits, @Nullable Object[] references) {
    ObjectCode code = code();
    Object made;
    try {
      made = code.make(bits, references);
    } catch (VirtualMachineError e) {
      throw e;
    } catch (ClassCastException e) {
      throw new IllegalArgumentException(misfit(references), e);
    } catch (RuntimeException | Error e) {
      throw new IllegalArgumentException(
          "an object of class %s cannot be made of what was stored: %s"
              .formatted(type.getName(), e),
          e);
    }
    if (made == null) {
      throw new IllegalArgumentException(
          "an object of class %s cannot be made: releases make none, so it has no way to be made; let the task's constructor make as many as were stored"
              .formatted(type.getName()));
    }
    return made;
  }

  /** Of a persistent class, the constructor without parameters sets up what is not stored. */
  private @Nullable Constructor<?> constructor() {
    if (Modifier.isAbstract(type.getModifiers())) {
      return null;
    }
    if (type.isRecord()) {
      return constructor(
          fields.stream().map(each -> each.field().getType()).toArray(Class<?>[]::new));
    }
    Constructor<?> own = ownConstructor(type);
    return own == null ? constructor(ZeroedConstructorMarker.class) : own;
  }

  /** Returns the constructor that sets up what is not stored; null: none runs. */
  static @Nullable Constructor<?> ownConstructor(Class<?> type) {
    return Stable.class.isAssignableFrom(type) ? null : find(type, NONE);
  }

  private @Nullable Constructor<?> constructor(Class<?>... parameters) {
    return find(type, parameters);
  }

  private static @Nullable Constructor<?> find(Class<?> type, Class<?>... parameters) {
    try {
      return type.getDeclaredConstructor(parameters);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }
}
