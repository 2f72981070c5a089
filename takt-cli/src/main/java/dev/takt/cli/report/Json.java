package dev.takt.cli.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;

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
