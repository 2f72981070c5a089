package dev.takt.cli.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Maps, lists, numbers, booleans and strings as JSON text. */
public final class Json {
  // Plain, so that a script that reads 0.00000001 from a feed finds those characters again and not
  // 1E-8.
  private static final JSON COMPACT =
      JSON.builder(
              JsonFactory.builder().enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN).build())
          .build();
  private static final JSON PRETTY = COMPACT.with(JSON.Feature.PRETTY_PRINT_OUTPUT);

  private Json() {}

  /**
   * Returns an object with members in this order, which more can be added to.
   *
   * @param members name and value in turns; a member whose value is null is left out
   */
  public static Map<String, Object> object(Object... members) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < members.length; i += 2) {
      if (members[i + 1] != null) {
        object.put((String) members[i], members[i + 1]);
      }
    }
    return object;
  }

  /** Returns it in one line, for scripts. */
  public static String compact(Object value) {
    return text(COMPACT, value);
  }

  /** Returns it with line breaks, for people and scripts. */
  public static String pretty(Object value) {
    return text(PRETTY, value);
  }

  /** For a script element of a page: no character in it can end the element. */
  static String inScript(Object value) {
    return text(COMPACT, value)
        .replace("<", "\\u003c")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029");
  }

  private static String text(JSON json, Object value) {
    try {
      return json.asString(value);
    } catch (IOException e) {
      throw new UncheckedIOException("the report holds what JSON cannot: " + e.getMessage(), e);
    }
  }
}
