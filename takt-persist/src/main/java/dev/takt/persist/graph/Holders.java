package dev.takt.persist.graph;

import java.util.Collection;
import java.util.List;

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
    List<String> fields =
        met.stream()
            .flatMap(each -> each.fields().stream())
            .filter(each -> each.field().getType().isAssignableFrom(type))
            .map(StoredField::name)
            .distinct()
            .sorted()
            .toList();
    return switch (fields.size()) {
      case 0 -> "an element of an array or collection";
      case 1 -> "field " + fields.getFirst();
      default ->
          "one of the fields "
              + String.join(", ", fields.subList(0, Math.min(MOST, fields.size())))
              + (fields.size() > MOST ? ", ..." : "");
    };
  }
}
