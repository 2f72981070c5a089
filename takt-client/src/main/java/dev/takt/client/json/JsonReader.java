package dev.takt.client.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads values of JSON (RFC 8259) out of a text, one after the other.
 *
 * <p>Stricter than the RFC where that leaves a choice: a name is only once in an object, a text has
 * no half of a surrogate pair, and a number with a point or an exponent is not beyond those of 64
 * bits. An integer may have any digits; {@link JsonNumber} refuses what has no place in a type.
 *
 * <p><b>Guarantees:</b> whatever the text is, nothing but a {@link JsonException} is thrown; time
 * and memory grow with its length.
 *
 * <p><b>Thread rule:</b> one thread.
 *
 * {@snippet :
 * Object value = new JsonReader(line, 0, JsonLimits.DEFAULTS).only();
 * }
 */
public final class JsonReader {
  private final String text;
  private final JsonLimits limits;
  private int at;
  private int depth;

  /**
   * Makes one.
   *
   * @param from where to begin, in characters
   */
  public JsonReader(String text, int from, JsonLimits limits) {
    this.text = text;
    this.limits = limits;
    at = from;
  }

  /** Returns the place behind what was read. */
  public int at() {
    return at;
  }

  /**
   * Reads a value, behind which there may be more.
   *
   * @return a {@code Map} in the order of the text, a {@code List}, a {@code String}, a {@code
   *     Boolean}, a {@link JsonNumber}, or null
   */
  public @Nullable Object value() throws JsonException {
    skipSpace();
    int c = at < text.length() ? text.charAt(at) : -1;
    return switch (c) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> literal("true", true);
      case 'f' -> literal("false", false);
      case 'n' -> literal("null", null);
      default -> number();
    };
  }

  /** Reads a value, behind which there must be nothing. */
  public @Nullable Object only() throws JsonException {
    Object value = value();
    skipSpace();
    if (at < text.length()) {
      throw wrong("text behind the value", "nothing");
    }
    return value;
  }

  private JsonException wrong(String what, String expected) {
    return new JsonException(
        what + " at character " + at,
        at < text.length() ? text.substring(at, Math.min(text.length(), at + 42)) : "its end",
        expected);
  }

  private void skipSpace() {
    while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private boolean skip(char expected) {
    skipSpace();
    boolean isThere = at < text.length() && text.charAt(at) == expected;
    if (isThere) {
      at++;
    }
    return isThere;
  }

  private @Nullable Object literal(String word, @Nullable Object value) throws JsonException {
    if (!text.startsWith(word, at)) {
      throw wrong("value", "a value of JSON");
    }
    at += word.length();
    return value;
  }

  // ---- objects and arrays

  private void enter() throws JsonException {
    if (++depth > limits.maxDepth()) {
      throw wrong("depth", "at most " + limits.maxDepth() + ", JsonLimits.maxDepth");
    }
    at++;
  }

  private Map<String, @Nullable Object> object() throws JsonException {
    enter();
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    if (!skip('}')) {
      do {
        skipSpace();
        if (at == text.length() || text.charAt(at) != '"') {
          throw wrong("name", "a text in quotation marks, as in {\"type\":\"order\"}");
        }
        int from = at;
        String name = string();
        if (all.containsKey(name)) {
          at = from;
          throw wrong("name", "another than those before it in the object");
        }
        if (!skip(':')) {
          throw wrong("text behind a name", "a colon");
        }
        all.put(name, value());
      } while (skip(','));
      if (!skip('}')) {
        throw wrong("text behind a value of an object", "a comma or a brace");
      }
    }
    depth--;
    return all;
  }

  private List<@Nullable Object> array() throws JsonException {
    enter();
    List<@Nullable Object> all = new ArrayList<>();
    if (!skip(']')) {
      do {
        all.add(value());
      } while (skip(','));
      if (!skip(']')) {
        throw wrong("text behind a value of an array", "a comma or a bracket");
      }
    }
    depth--;
    return all;
  }

  // ---- texts

  private String string() throws JsonException {
    int from = ++at;
    while (at < text.length() && isPlain(text.charAt(at))) {
      at++;
    }
    if (at < text.length() && text.charAt(at) == '"') {
      return text.substring(from, at++);
    }
    StringBuilder chars = new StringBuilder(text.substring(from, at));
    while (at < text.length() && text.charAt(at) != '"') {
      character(chars);
    }
    if (at == text.length()) {
      throw wrong("text", "a quotation mark at its end");
    }
    at++;
    return chars.toString();
  }

  private static boolean isPlain(char c) {
    return c != '"' && c != '\\' && c >= ' ' && !Character.isSurrogate(c);
  }

  private void character(StringBuilder into) throws JsonException {
    int from = at;
    char c = unit();
    into.append(c);
    if (Character.isSurrogate(c)) {
      boolean isPair =
          Character.isHighSurrogate(c)
              && at < text.length()
              && text.charAt(at) != '"'
              && Character.isLowSurrogate(c = unit());
      if (!isPair) {
        at = from;
        throw wrong("character", "no half of a surrogate pair");
      }
      into.append(c);
    }
  }

  private char unit() throws JsonException {
    char c = text.charAt(at);
    if (c < ' ') {
      throw wrong("character " + (int) c, "an escape for it, such as \\n");
    }
    at++;
    return c == '\\' ? escaped() : c;
  }

  private char escaped() throws JsonException {
    int code = at < text.length() ? text.charAt(at) : -1;
    char c =
        switch (code) {
          case '"', '\\', '/' -> (char) code;
          case 'b' -> '\b';
          case 'f' -> '\f';
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          case 'u' -> hexadecimal();
          default -> throw wrong("escape", "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
        };
    at++;
    return c;
  }

  private char hexadecimal() throws JsonException {
    int code = 0;
    for (int i = 1; i <= 4; i++) {
      char c = at + i < text.length() ? text.charAt(at + i) : ' ';
      int digit = c < 0x80 ? Character.digit(c, 16) : -1;
      if (digit < 0) {
        throw wrong("escape", "u and four hexadecimal digits");
      }
      code = code << 4 | digit;
    }
    at += 4;
    return (char) code;
  }

  // ---- numbers

  private JsonNumber number() throws JsonException {
    int from = at;
    if (at < text.length() && text.charAt(at) == '-') {
      at++;
    }
    int first = at;
    boolean isRight = digits();
    isRight = isRight && (at - first == 1 || text.charAt(first) != '0');
    if (isRight && at < text.length() && text.charAt(at) == '.') {
      at++;
      isRight = digits();
    }
    if (isRight && at < text.length() && (text.charAt(at) | 0x20) == 'e') {
      at++;
      if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
        at++;
      }
      isRight = digits();
    }
    int length = at - from;
    if (!isRight) {
      at = from;
      throw wrong("value", "a value of JSON");
    }
    if (length > limits.maxDigits()) {
      at = from;
      throw wrong("number", "at most " + limits.maxDigits() + " characters, JsonLimits.maxDigits");
    }
    JsonNumber number = new JsonNumber(text.substring(from, at));
    if (!number.isInteger() && Double.isInfinite(Double.parseDouble(number.text()))) {
      at = from;
      throw wrong("number", "a finite one; infinity is {\"$number\":\"Infinity\"}");
    }
    return number;
  }

  /** Passes over digits; returns whether there are any. */
  private boolean digits() {
    int from = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at > from;
  }
}
