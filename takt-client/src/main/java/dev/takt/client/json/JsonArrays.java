package dev.takt.client.json;

import java.lang.reflect.Array;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Arrays of numbers, booleans and characters, each with a tag of its own; bytes are not here. */
final class JsonArrays {
  private JsonArrays() {}

  /** Returns the tag of an array of primitives, or null if it is something else. */
  static @Nullable String tag(Object array) {
    return switch (array) {
      case boolean[] _ -> "$booleans";
      case byte[] _ -> "$bytes";
      case short[] _ -> "$shorts";
      case char[] _ -> "$characters";
      case int[] _ -> "$ints";
      case long[] _ -> "$longs";
      case float[] _ -> "$floats";
      case double[] _ -> "$doubles";
      default -> null;
    };
  }

  static void write(Object array, JsonWriter writer, StringBuilder out) {
    out.append('[');
    int length = Array.getLength(array);
    for (int i = 0; i < length; i++) {
      if (i > 0) {
        out.append(',');
      }
      switch (array) {
        case boolean[] all -> out.append(all[i]);
        case short[] all -> out.append(all[i]);
        case char[] all -> out.append((int) all[i]);
        case int[] all -> out.append(all[i]);
        case long[] all -> writer.integer(all[i]);
        case float[] all -> single(all[i], writer, out);
        case double[] all -> writer.floating(all[i]);
        default -> throw new IllegalArgumentException("no array of primitives: " + array);
      }
    }
    out.append(']');
  }

  private static void single(float value, JsonWriter writer, StringBuilder out) {
    if (Float.isFinite(value)) {
      out.append(value); // shorter than it would be as a double
    } else {
      writer.floating(value);
    }
  }

  /** Reads what {@link #write} has written; null if the tag is of no array. */
  static @Nullable Object read(String tag, List<@Nullable Object> all) throws JsonException {
    int count = all.size();
    switch (tag) {
      case "$booleans" -> {
        boolean[] values = new boolean[count];
        for (int i = 0; i < count; i++) {
          if (!(all.get(i) instanceof Boolean is)) {
            throw new JsonException(tag, all.get(i), "true or false");
          }
          values[i] = is;
        }
        return values;
      }
      case "$shorts" -> {
        short[] values = new short[count];
        for (int i = 0; i < count; i++) {
          values[i] = (short) integer(tag, all.get(i), Short.MIN_VALUE, Short.MAX_VALUE);
        }
        return values;
      }
      case "$characters" -> {
        char[] values = new char[count];
        for (int i = 0; i < count; i++) {
          values[i] = (char) integer(tag, all.get(i), 0, Character.MAX_VALUE);
        }
        return values;
      }
      case "$ints" -> {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
          values[i] = (int) integer(tag, all.get(i), Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
        return values;
      }
      default -> {
        return readWide(tag, all);
      }
    }
  }

  private static @Nullable Object readWide(String tag, List<@Nullable Object> all)
      throws JsonException {
    int count = all.size();
    switch (tag) {
      case "$longs" -> {
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
          values[i] = integer(tag, all.get(i), Long.MIN_VALUE, Long.MAX_VALUE);
        }
        return values;
      }
      case "$floats" -> {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
          values[i] = EventJson.single(tag, all.get(i));
        }
        return values;
      }
      case "$doubles" -> {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
          values[i] = EventJson.floating(tag, all.get(i));
        }
        return values;
      }
      default -> {
        return null;
      }
    }
  }

  private static long integer(String tag, @Nullable Object value, long min, long max)
      throws JsonException {
    long integer = EventJson.integer(tag, value);
    if (integer < min || integer > max) {
      throw new JsonException("element of " + tag, integer, min + " to " + max);
    }
    return integer;
  }
}
