package dev.takt.host.text;

import dev.takt.client.json.JsonException;
import dev.takt.client.json.JsonLimits;
import dev.takt.client.json.JsonNumber;
import dev.takt.client.json.JsonReader;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The members of an object. Events are one level deeper than on a line. */
final class JsonArguments implements TextArguments {
  private static final JsonLimits LIMITS =
      new JsonLimits(JsonLimits.DEFAULTS.maxDepth() + 1, JsonLimits.DEFAULTS.maxDigits());

  /** What was not asked for yet. */
  private Map<String, @Nullable Object> left = new HashMap<>();

  @Override
  public void begin(String text) throws JsonException {
    letGo();
    if (!(new JsonReader(text, 0, LIMITS).only() instanceof Map<?, ?> all)) {
      throw new JsonException("request", text, "an object, such as {\"id\":1,\"op\":\"count\"}");
    }
    all.forEach((name, value) -> left.put((String) name, value));
  }

  @Override
  public long request() throws JsonException {
    return integer("id");
  }

  @Override
  public long transaction() throws JsonException {
    return integer("in");
  }

  @Override
  public String operation() throws JsonException {
    String operation = text("op");
    if (operation.isEmpty()) {
      throw new JsonException("op", "", "an operation, such as \"count\"");
    }
    return operation;
  }

  @Override
  public long integer(String name) throws JsonException {
    if (!left.containsKey(name)) {
      return NO_INTEGER;
    }
    Object value = left.remove(name);
    if (value instanceof JsonNumber number && number.isInteger()) {
      return number.asLong();
    }
    throw new JsonException(name, value, "an integer");
  }

  @Override
  public boolean has(String name) throws JsonException {
    Object value = left.containsKey(name) ? left.remove(name) : (Object) false;
    if (value instanceof Boolean is) {
      return is;
    }
    throw new JsonException(name, value, "true or false");
  }

  @Override
  public String text(String name) throws JsonException {
    Object value = left.containsKey(name) ? left.remove(name) : "";
    if (value instanceof String text) {
      return text;
    }
    throw new JsonException(name, value, "a text");
  }

  @Override
  public @Nullable Object object(String name) {
    return left.remove(name);
  }

  @Override
  public void end() throws JsonException {
    if (!left.isEmpty()) {
      String name = left.keySet().iterator().next();
      throw new JsonException("member", name, "one that docs/protocol.md has for the operation");
    }
  }

  @Override
  public void letGo() {
    left = new HashMap<>(); // an empty one would keep the room that many members had
  }
}
