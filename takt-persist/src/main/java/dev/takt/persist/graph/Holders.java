package dev.takt.persist.graph;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/** Says where an object may be that cannot be stored or made: for messages. */
public final class Holders {
  private static final int MOST = 5;

  private Holders() {}

  /**
   * Names the fields that can refer to an object, by their types: most often it is one. No graph is
   * searched, which would take longer than an increment may.
   *
   * @param type the class of the object
   * @param met the classes of the graph, as far as it was read or written
   */
  public static String of(Class<?> type, Collection<ClassShape> met) {
    List<String> fields = fields(met, each -> each.isAssignableFrom(type));
    if (!fields.isEmpty()) {
      return text(fields);
    }
    List<String> arrays =
        fields(met, each -> each.isArray() && each.getComponentType().isAssignableFrom(type));
    return arrays.isEmpty() ? "an array or collection" : "an array in " + text(arrays);
  }

  private static List<String> fields(Collection<ClassShape> met, Predicate<Class<?>> canHold) {
    return met.stream()
        .flatMap(each -> each.fields().stream())
        .filter(each -> canHold.test(each.field().getType()))
        .map(StoredField::name)
        .distinct()
        .sorted()
        .toList();
  }

  private static String text(List<String> fields) {
    return fields.size() == 1
        ? "field " + fields.getFirst()
        : "one of the fields "
            + String.join(", ", fields.subList(0, Math.min(MOST, fields.size())))
            + (fields.size() > MOST ? ", ..." : "");
  }
}
