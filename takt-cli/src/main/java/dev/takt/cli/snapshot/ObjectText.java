package dev.takt.cli.snapshot;

import dev.takt.persist.inspect.StoredValues;
import java.util.ArrayList;
import java.util.List;

/**
 * The values of one object: what is compared, and a short text for those that differ. Long strings
 * and arrays are compared by 64 bits of a hash.
 */
final class ObjectText implements StoredValues {
  private static final int SHOWN_CHARACTERS = 40;
  private static final int SHOWN_ELEMENTS = 8;
  private static final char TEXT = '"';

  /**
   * A value.
   *
   * @param field the name of the field; empty for a value without one
   * @param type the first character of its descriptor; a quotation mark: a string; a bracket: an
   *     array
   * @param bits the value, the object, or a hash
   * @param beginning of a string or array; empty for others
   */
  record Value(String field, char type, long bits, String beginning) {
    /** Returns what is shown of it. */
    String text() {
      return beginning.isEmpty() ? ObjectText.text(type, bits) : beginning;
    }
  }

  private final List<Value> values = new ArrayList<>();
  private StringBuilder elements;
  private int length;
  private int seen;
  private long hash;

  /** Returns what was read, and begins anew. */
  List<Value> take() {
    if (elements != null) {
      String more = length > SHOWN_ELEMENTS ? ", ..." : "";
      values.add(new Value("", '[', hash, length + " elements: " + elements + more));
      elements = null;
    }
    List<Value> taken = List.copyOf(values);
    values.clear();
    return taken;
  }

  @Override
  public void primitive(String field, char type, long bits) {
    values.add(new Value(field, type, bits, ""));
  }

  @Override
  public void reference(String field, long object) {
    values.add(new Value(field, 'L', object, ""));
  }

  @Override
  public void text(String text) {
    hash = text.length();
    for (int i = 0; i < text.length(); i++) {
      mix(text.charAt(i));
    }
    String shown =
        text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + "...";
    values.add(new Value("", TEXT, hash, TEXT + shown + TEXT));
  }

  @Override
  public void length(int count) {
    elements = new StringBuilder();
    length = count;
    seen = 0;
    hash = count;
  }

  @Override
  public void element(char type, long bits) {
    mix(bits);
    if (seen++ < SHOWN_ELEMENTS) {
      elements.append(elements.isEmpty() ? "" : ", ").append(text(type, bits));
    }
  }

  @Override
  public void element(long object) {
    element('L', object);
  }

  private void mix(long bits) {
    hash = (hash ^ bits) * 0x9E37_79B9_7F4A_7C15L;
    hash ^= hash >>> 29;
  }

  private static String text(char type, long bits) {
    return switch (type) {
      case 'Z' -> Boolean.toString(bits != 0);
      case 'C' -> "'" + (char) bits + "'";
      case 'F' -> Float.toString(Float.intBitsToFloat((int) bits));
      case 'D' -> Double.toString(Double.longBitsToDouble(bits));
      case 'L' -> bits < 0 ? "null" : "object " + bits;
      default -> Long.toString(bits);
    };
  }
}
