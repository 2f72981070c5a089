package dev.takt.cli.snapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * The values of one object: what is compared, and a short text for those that differ. Long strings
 * and arrays are compared by 64 bits of a hash.
 */
final class ObjectText implements SeriesObjects.Taker<List<ObjectText.Value>> {
  private static final int SHOWN_CHARACTERS = 40;
  private static final int SHOWN_ELEMENTS = 8;
  private static final char TEXT = '"';

  /**
   * A value.
   *
   * @param field the name of the field; empty for a value without one
   * @param type the first character of its descriptor; a quotation mark: a string; a bracket: an
   *     array
   * @param bits the value, what an object is compared by, or a hash
   * @param beginning of a string or array, or the object; empty for others
   */
  record Value(String field, char type, long bits, String beginning) {
    /** Returns whether it is the same, whatever is shown of it. */
    boolean isSame(Value other) {
      return type == other.type && bits == other.bits && field.equals(other.field);
    }

    /** Returns what is shown of it. */
    String text() {
      return beginning.isEmpty() ? ObjectText.text(type, bits) : beginning;
    }
  }

  private final LongUnaryOperator objects;
  private final List<Value> values = new ArrayList<>();
  private StringBuilder elements;
  private int length;
  private int seen;
  private long hash;

  /**
   * Makes one.
   *
   * @param objects what the object of a number is compared by
   */
  ObjectText(LongUnaryOperator objects) {
    this.objects = objects;
  }

  @Override
  public List<Value> take() {
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
    values.add(new Value(field, 'L', compared(object), text('L', object)));
  }

  @Override
  public void text(String text) {
    hash = ObjectShapes.mix(0, text);
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
    hash = ObjectShapes.mix(hash, bits);
    show(type, bits);
  }

  @Override
  public void element(long object) {
    hash = ObjectShapes.mix(hash, compared(object));
    show('L', object);
  }

  private void show(char type, long bits) {
    if (seen++ < SHOWN_ELEMENTS) {
      elements.append(elements.isEmpty() ? "" : ", ").append(text(type, bits));
    }
  }

  private long compared(long object) {
    return object < 0 ? object : objects.applyAsLong(object);
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
