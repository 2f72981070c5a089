package dev.takt.host.text;

import dev.takt.client.json.EventJson;
import dev.takt.client.json.JsonException;
import dev.takt.client.json.JsonLimits;
import dev.takt.client.json.JsonReader;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.WireLimits;
import dev.takt.realtime.TimeText;
import dev.takt.space.Event;
import dev.takt.space.Template;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages of the lines of one client.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
final class LineRequests {
  /** What a line is. */
  enum Kind {
    /** Nothing. */
    EMPTY,
    /** Asks for limits. */
    HELLO,
    /** Asks for help. */
    HELP,
    /** The last one. */
    QUIT,
    /** The message that what was taken has come; there is no answer to it. */
    RECEIVED,
    /** A message with a request. */
    MESSAGE
  }

  /** The number of a request that the client has given none. */
  static final long UNNUMBERED = -1;

  private static final Map<String, Operation> OPERATIONS = new HashMap<>();

  static {
    for (Operation each : Operation.values()) {
      boolean isNamed =
          each != Operation.NONE && each != Operation.AWAIT_TAKE && each != Operation.AWAIT_READ;
      if (isNamed) {
        OPERATIONS.put(name(each), each);
      }
    }
  }

  private final MessageWriter writer;
  private final EventJson json;
  private final Event event = new Event();
  private final Template template = new Template();
  private String line = "";
  private int at;
  private long request;

  /** The transaction that requests without a number belong to, or 0. */
  private int current;

  LineRequests(WireLimits limits) {
    writer = new MessageWriter(limits);
    json = new EventJson(limits.maxKeys(), JsonLimits.DEFAULTS);
  }

  static String name(Operation operation) {
    return operation.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the message of the last line. */
  MessageWriter message() {
    return writer;
  }

  /** Returns the number of the last line's request, which is right also if the line is not. */
  long request() {
    return request;
  }

  /** Sets the transaction that requests without a number belong to. */
  void setCurrent(int transaction) {
    current = transaction;
  }

  /**
   * Translates a line.
   *
   * @throws JsonException if it cannot be understood
   * @throws IllegalArgumentException if it has no place in a message
   */
  Kind translate(String newLine) throws JsonException {
    line = newLine;
    at = 0;
    request = UNNUMBERED;
    String word = word();
    if (word.startsWith("#")) {
      request = integer("number of the request", word.substring(1), 1, 1L << 62);
      word = word();
    }
    int transaction = request == UNNUMBERED ? current : 0;
    if (word.equals("in")) {
      transaction = (int) integer("transaction", word(), 1, 0xFFFF);
      word = word();
    }
    return switch (word) {
      case "" -> Kind.EMPTY;
      case "hello" -> last(Kind.HELLO);
      case "help" -> last(Kind.HELP);
      case "quit" -> last(Kind.QUIT);
      case "received" -> {
        writer.received(integer("number of the request", word(), 1, 1L << 62));
        yield last(Kind.RECEIVED);
      }
      default -> {
        Operation operation = OPERATIONS.get(word);
        if (operation == null) {
          throw new JsonException("operation", word, "one that \"help\" tells");
        }
        operation(operation, transaction);
        yield last(Kind.MESSAGE);
      }
    };
  }

  private Kind last(Kind kind) throws JsonException {
    String more = word();
    if (!more.isEmpty()) {
      throw new JsonException("text at the end of the line", more, "nothing");
    }
    return kind;
  }

  private void operation(Operation operation, int transaction) throws JsonException {
    switch (operation) {
      case TAKE, READ -> find(operation, transaction);
      case TAKE_ALL -> {
        long max = integer("how many", word(), 0, Integer.MAX_VALUE);
        template();
        writer.request(operation, transaction, request, max).template(template);
      }
      case SUBSCRIBE -> {
        long number = integer("subscription", word(), 1, 1L << 62);
        template();
        boolean isQuiet = isNext("quiet");
        writer.request(operation, 0, request, isQuiet ? -number : number).template(template);
      }
      case CANCEL, UNSUBSCRIBE, NEXT, HAS_NEXT ->
          writer.request(operation, 0, request, integer("number", word(), 1, 1L << 62));
      case BEGIN -> begin();
      default -> other(operation, transaction);
    }
    writer.end();
  }

  private void other(Operation operation, int transaction) throws JsonException {
    switch (operation.asked()) {
      case EVENT -> {
        json.event(value("event"), event);
        writer.request(operation, transaction, request, 0).event(event);
      }
      case TEMPLATE -> {
        template();
        writer.request(operation, transaction, request, 0).template(template);
      }
      case NONE, EVENTS -> {
        writer.request(operation, transaction, request, 0);
        if (request == UNNUMBERED) {
          current = 0; // a commit or rollback
        }
      }
    }
  }

  private void begin() throws JsonException {
    if (request == UNNUMBERED && current != 0) {
      throw new JsonException(
          "begin", "within transaction " + current, "commit or rollback of that first");
    }
    String priority = word();
    String retries = word();
    long number = priority.isEmpty() ? 0 : integer("priority", priority, 0, Integer.MAX_VALUE);
    if (!retries.isEmpty()) {
      number |= integer("retries", retries, 0, Integer.MAX_VALUE) << Integer.SIZE;
    }
    writer.request(Operation.BEGIN, 0, request, number);
  }

  /** A take or read; with a time it waits. */
  private void find(Operation operation, int transaction) throws JsonException {
    template();
    String time = line.substring(at).strip();
    at = line.length();
    if (time.isEmpty()) {
      writer.request(operation, transaction, request, 0).template(template);
      return;
    }
    if (transaction != 0) {
      throw new JsonException(
          "time within a transaction", time, "none; what waits is no part of a transaction");
    }
    OptionalLong ns =
        time.equals("forever") ? OptionalLong.of(Long.MAX_VALUE) : TimeText.parseNs(time);
    if (ns.isEmpty()) {
      throw new JsonException("time", time, "such as 500ms, 2s or forever");
    }
    Operation waiting = operation == Operation.TAKE ? Operation.AWAIT_TAKE : Operation.AWAIT_READ;
    writer.request(waiting, 0, request, ns.getAsLong()).template(template);
  }

  // ---- parts of the line

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

  private boolean isNext(String word) {
    int from = at;
    boolean is = word().equals(word);
    if (!is) {
      at = from;
    }
    return is;
  }

  private void template() throws JsonException {
    skipSpace();
    if (at < line.length() && line.charAt(at) == '{') {
      json.template(value("template"), template);
    } else {
      template.clear();
    }
  }

  private @Nullable Object value(String what) throws JsonException {
    skipSpace();
    if (at == line.length()) {
      throw new JsonException(what, "", "an object, such as {\"type\":\"order\"}");
    }
    JsonReader reader = new JsonReader(line, at, JsonLimits.DEFAULTS);
    Object value = reader.value();
    at = reader.at();
    return value;
  }

  private static long integer(String what, String word, long min, long max) throws JsonException {
    try {
      long value = word.length() <= 20 ? Long.parseLong(word) : -1;
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException _) {
      // as one that is out of range
    }
    throw new JsonException(what, word, min + " to " + max);
  }
}
