package dev.takt.host.text;

import dev.takt.client.json.JsonException;
import dev.takt.client.json.JsonLimits;
import dev.takt.client.json.JsonReader;
import org.jspecify.annotations.Nullable;

/** The words of a line. */
final class LineArguments implements TextArguments {
  private static final int MAX_INTEGER_CHARS = 20;

  private String line = "";
  private int at;

  @Override
  public void begin(String text) {
    line = text;
    at = 0;
  }

  @Override
  public long request() throws JsonException {
    skipSpace();
    if (at == line.length() || line.charAt(at) != '#') {
      return NO_INTEGER;
    }
    return integer("number of the request", word().substring(1));
  }

  @Override
  public long transaction() throws JsonException {
    return has("in") ? integer("transaction", word()) : NO_INTEGER;
  }

  @Override
  public String operation() {
    return word();
  }

  @Override
  public long integer(String name) throws JsonException {
    String word = word();
    return word.isEmpty() ? NO_INTEGER : integer(name, word);
  }

  private static long integer(String name, String word) throws JsonException {
    try {
      if (word.length() <= MAX_INTEGER_CHARS) {
        return Long.parseLong(word);
      }
    } catch (NumberFormatException _) {
      // as one that is too long
    }
    throw new JsonException(name, word, "an integer");
  }

  @Override
  public boolean has(String name) {
    int from = at;
    boolean is = word().equals(name);
    if (!is) {
      at = from;
    }
    return is;
  }

  @Override
  public String text(String name) {
    String rest = line.substring(at).strip();
    at = line.length();
    return rest;
  }

  @Override
  public @Nullable Object object(String name) throws JsonException {
    skipSpace();
    if (at == line.length() || line.charAt(at) != '{') {
      return null;
    }
    JsonReader reader = new JsonReader(line, at, JsonLimits.DEFAULTS);
    Object value = reader.value();
    at = reader.at();
    return value;
  }

  @Override
  public void end() throws JsonException {
    String more = word();
    if (!more.isEmpty()) {
      throw new JsonException("text at the end of the line", more, "nothing");
    }
  }

  @Override
  public void letGo() {
    line = "";
  }

  private void skipSpace() {
    while (at < line.length() && line.charAt(at) == ' ') {
      at++;
    }
  }

  private String word() {
    skipSpace();
    int from = at;
    while (at < line.length() && line.charAt(at) != ' ') {
      at++;
    }
    return line.substring(from, at);
  }
}
