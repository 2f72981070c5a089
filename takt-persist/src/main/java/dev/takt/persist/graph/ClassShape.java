package dev.takt.persist.graph;

import dev.takt.persist.format.ClassEntry;
import dev.takt.persist.format.Kind;
import java.util.List;

/**
 * How instances of one class are stored: the paper's persistent class map (Persistence 3.1).
 *
 * @param type the class; of a constant of an enum, the enum
 * @param entry how a file describes it
 * @param fields those of the entry, in its order
 * @param element of an array or a box, the first character of the descriptor of what is in it; else
 *     0
 * @param maxBytes how many bytes the record of an instance takes at most; of an array or string,
 *     the begin of it
 */
public record ClassShape(
    Class<?> type, ClassEntry entry, List<FieldAccess> fields, char element, int maxBytes) {
  /** Returns what instances look like. */
  public Kind kind() {
    return entry.kind();
  }

  /** Returns whether instances have elements, and so are read in chunks. */
  public boolean hasElements() {
    return kind() == Kind.ARRAY || kind() == Kind.STRING;
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
}
