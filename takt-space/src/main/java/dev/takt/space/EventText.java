package dev.takt.space;

import java.lang.reflect.Array;

/** Shows events to people: {@code [stock: "APPL", value: 3, any: *]}. */
final class EventText {
  private static final int MAX_ELEMENTS = 16;
  private static final int MAX_CHARS = 200;

  private EventText() {}

  static String of(Event event) {
    if (event.pool != null && event.pool.epoch != event.poolEpoch) {
      return "[an event whose release ended]";
    }
    StringBuilder out = new StringBuilder("[");
    for (int i = 0; i < event.shape.keys.length; i++) {
      out.append(i == 0 ? "" : ", ").append(event.shape.keys[i]).append(": ");
      appendValue(out, event, i);
    }
    return out.append(']').toString();
  }

  @SuppressWarnings("NullAway") // only a wildcard is decoded to null
  private static void appendValue(StringBuilder out, Event event, int ordinal) {
    int type = Types.at(event.types, ordinal);
    if (type == Types.WILDCARD) {
      Condition condition = event.condition(ordinal);
      out.append(condition == null ? "*" : condition.toString());
    } else if (type == Types.STRING) {
      out.append(quoted((String) EventContent.decode(event, ordinal)));
    } else if (type == Types.RECORD) {
      appendRecord(out, event, ordinal);
    } else if (Types.isScalar(type)) {
      out.append(EventContent.decode(event, ordinal));
    } else {
      appendArray(out, EventContent.decode(event, ordinal));
    }
  }

  /**
   * A record is shown by its own {@code toString}, which is user code and may fail, as may its
   * constructor.
   */
  private static void appendRecord(StringBuilder out, Event event, int ordinal) {
    try {
      Object value = EventContent.decode(event, ordinal);
      if (value instanceof String[] strings) {
        appendArray(out, strings);
      } else {
        append(out, String.valueOf(value));
      }
    } catch (RuntimeException e) {
      append(out, "(unreadable: " + e.getMessage() + ")");
    }
  }

  private static void appendArray(StringBuilder out, Object array) {
    int length = Array.getLength(array);
    out.append(array.getClass().getComponentType().getSimpleName())
        .append('[')
        .append(length)
        .append("]{");
    for (int i = 0; i < Math.min(length, MAX_ELEMENTS); i++) {
      out.append(i == 0 ? "" : ", ");
      Object element = Array.get(array, i);
      boolean text = element instanceof Character || element instanceof String;
      out.append(text ? quoted(String.valueOf(element)) : element);
    }
    out.append(length > MAX_ELEMENTS ? ", ...}" : "}");
  }

  private static void append(StringBuilder out, String text) {
    out.append(text, 0, Math.min(text.length(), MAX_CHARS))
        .append(text.length() > MAX_CHARS ? "..." : "");
  }

  static String quoted(String value) {
    StringBuilder out = new StringBuilder().append('"');
    int length = Math.min(value.length(), MAX_CHARS);
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> out.append(c < ' ' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
      }
    }
    return out.append(value.length() > MAX_CHARS ? "...\"" : "\"").toString();
  }
}
