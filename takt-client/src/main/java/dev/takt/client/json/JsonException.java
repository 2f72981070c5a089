package dev.takt.client.json;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A text that is no JSON, or none that stands for an event or a template. */
public final class JsonException extends IOException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN_CHARS = 40;

  /**
   * Makes one.
   *
   * @param what the part of the text
   * @param value what is there; the beginning of it is shown
   * @param expected what may be there
   */
  public JsonException(String what, @Nullable Object value, String expected) {
    super("%s=%s, expected: %s".formatted(what, shown(String.valueOf(value)), expected));
  }

  private static String shown(String value) {
    String begin =
        value.length() <= SHOWN_CHARS ? value : value.substring(0, SHOWN_CHARS) + "[...]";
    StringBuilder plain = new StringBuilder(begin);
    for (int i = 0; i < plain.length(); i++) {
      char c = plain.charAt(i);
      if (c < ' ' || Character.isSurrogate(c)) {
        plain.setCharAt(i, '?');
      }
    }
    return plain.toString();
  }
}
