package dev.takt.persist.cycle;

import dev.takt.persist.format.Kind;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.ClassShapes;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.graph.Holders;
import dev.takt.persist.graph.Mutables;
import dev.takt.persist.graph.StoredField;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A class of which the graph of a root has instances, and what a cycle has found of them.
 *
 * <p><b>Thread rule:</b> one thread, that of the cycle.
 */
final class StoredClass {
  final Class<?> type;
  final ClassShape shape;

  /** Of the final fields, which the barrier does not save, those that are references. */
  final int[] finals;

  /** The fields that hold collections which change. */
  final int[] collections;

  /** Its number in the file, or -1: it is not described yet. */
  int id = -1;

  /** How many are written, and how many bytes they take. */
  long objects;

  long bytes;

  /**
   * Returns what is needed of a class.
   *
   * @param root for messages
   * @param met the classes that were found before, for messages
   * @throws IllegalArgumentException if its instances cannot be stored, or it is not declared
   */
  static StoredClass of(
      Class<?> type, String root, DeclaredClasses declared, Collection<StoredClass> met) {
    ClassShape shape = ClassShapes.of(type);
    if (shape == null) {
      throw refusal(type, root, met);
    }
    if (!declared.contains(shape.type())) {
      throw new IllegalArgumentException(
          "root %s: an object of %s is not declared, so it could not be recovered: it is in %s; name its class with Persistence.declare"
              .formatted(root, type.getTypeName(), holders(type, met)));
    }
    return new StoredClass(type, shape);
  }

  /** Says that an object cannot be stored: there is no barrier for it, or none where it is. */
  static IllegalArgumentException refusal(Class<?> type, String root, Collection<StoredClass> met) {
    String instead =
        Mutables.isType(type)
            ? "use one in a private field of type %s of a @Persistent class"
                .formatted(type.getTypeName())
            : type.getClassLoader() == null
                ? "use one of these"
                : "annotate %s with @Persistent and weave it".formatted(type.getTypeName());
    return new IllegalArgumentException(
        ("root %s: an object of %s cannot be stored: it is in %s, and is no instance of a"
                + " @Persistent class or a task's stable one, nor a record, enum, string, box, array,"
                + " number, time, UUID or immutable collection; %s, make the field transient, or keep"
                + " its values in a record, or in List.copyOf")
            .formatted(root, type.getTypeName(), holders(type, met), instead));
  }

  private static String holders(Class<?> type, Collection<StoredClass> met) {
    return Holders.of(type, met.stream().map(each -> each.shape).toList());
  }

  StoredClass(Class<?> type, ClassShape shape) {
    this.type = type;
    this.shape = shape;
    List<StoredField> fields = shape.fields();
    this.finals =
        IntStream.range(0, fields.size())
            .filter(i -> !fields.get(i).isPrimitive())
            .filter(i -> fields.get(i).isFinal() || fields.get(i).canBeLeft())
            .toArray();
    this.collections =
        IntStream.range(0, fields.size())
            .filter(i -> fields.get(i).isGuardedCollection())
            .toArray();
  }

  /** Returns whether it is described, and instances are stable objects without collections. */
  boolean isOnlyFields() {
    return id >= 0 && shape.kind() == Kind.STABLE && collections.length == 0;
  }

  /** Another cycle begins. */
  void reset() {
    id = -1;
    objects = 0;
    bytes = 0;
  }
}
