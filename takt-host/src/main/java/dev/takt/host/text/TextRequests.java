package dev.takt.host.text;

import dev.takt.client.json.EventJson;
import dev.takt.client.json.JsonException;
import dev.takt.client.json.JsonLimits;
import dev.takt.client.wire.KeyTree;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.WireLimits;
import dev.takt.host.HeldBytes;
import dev.takt.realtime.TimeText;
import dev.takt.space.Event;
import dev.takt.space.Template;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Makes messages of the requests of one client, whatever form they have.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
final class TextRequests {
  /** What a request is. */
  enum Kind {
    /** Nothing. */
    EMPTY,
    /** Says who the client is. */
    TOKEN,
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

  private static final long MAX_NUMBER = 1L << 62;

  private static final Map<String, Operation> OPERATIONS = new HashMap<>();

  static {
    for (Operation each : Operation.values()) {
      boolean isNamed =
          switch (each) {
            case NONE, AWAIT_TAKE, AWAIT_READ -> false; // take and read with a time
            case OUTCOME -> false; // of text no outcomes are kept
            default -> true;
          };
      if (isNamed) {
        OPERATIONS.put(each.word(), each);
      }
    }
  }

  private final WireLimits limits;
  private final EventJson json;
  private final TextArguments arguments;
  private MessageWriter writer;
  private Event event = new Event();
  private Template template = new Template();
  private boolean isLong;
  private String token = "";
  private long request = UNNUMBERED;

  /**
   * The transaction that requests without a number belong to, or 0. It ends with its commit or
   * rollback, by whatever request: the host may give its number to another one then.
   */
  private int current;

  /**
   * Makes those of a client.
   *
   * @param keys what its account has used
   */
  TextRequests(TextForm form, WireLimits limits, KeyTree keys) {
    this.limits = limits;
    arguments = form.arguments();
    writer = new MessageWriter(limits);
    json = new EventJson(keys, JsonLimits.DEFAULTS);
  }

  /** Returns the message of the last request. */
  MessageWriter message() {
    return writer;
  }

  /** Lets go of the last request, if it or its message was long; its number is kept. */
  void letGo() {
    if (isLong || writer.segment().byteSize() > HeldBytes.SHORT_BYTES) {
      arguments.letGo();
      writer = new MessageWriter(limits);
      event = new Event();
      template = new Template();
    }
  }

  /** Returns the number of the last request, which is right also if the rest of it is not. */
  long request() {
    return request;
  }

  /** Sets the transaction that requests without a number belong to. */
  void setCurrent(int transaction) {
    current = transaction;
  }

  /** Returns the token that was said last. */
  String token() {
    return token;
  }

  /**
   * Translates a request.
   *
   * @throws JsonException if it cannot be understood
   * @throws IllegalArgumentException if it has no place in a message
   */
  Kind translate(String text) throws JsonException {
    request = UNNUMBERED;
    isLong = text.length() > HeldBytes.SHORT_BYTES;
    arguments.begin(text);
    long number = arguments.request();
    if (number != TextArguments.NO_INTEGER) {
      request = TextArguments.inBounds("number of the request", number, 1, MAX_NUMBER);
    }
    long named = arguments.transaction();
    int transaction = request == UNNUMBERED ? current : 0;
    if (named != TextArguments.NO_INTEGER) {
      transaction = (int) TextArguments.inBounds("transaction", named, 1, 0xFFFF);
    }
    String word = arguments.operation();
    Kind kind = translate(word, transaction);
    arguments.end();
    // not before the end: a request that is refused has no effect
    if (isEnd(word) && transaction == current) {
      current = 0;
    }
    return kind;
  }

  /**
   * Reads a request that has to be the token; of another one nothing is made, since nobody knows
   * yet who asks.
   *
   * @return whether it is
   */
  boolean readToken(String text) throws JsonException {
    request = UNNUMBERED;
    arguments.begin(text);
    long number = arguments.request();
    if (number != TextArguments.NO_INTEGER) {
      request = TextArguments.inBounds("number of the request", number, 1, MAX_NUMBER);
    }
    boolean isToken = arguments.operation().equals("token");
    if (isToken) {
      token = arguments.text("token");
      arguments.end();
    }
    return isToken;
  }

  private static boolean isEnd(String word) {
    Operation operation = OPERATIONS.get(word);
    return operation == Operation.COMMIT || operation == Operation.ROLLBACK;
  }

  private Kind translate(String word, int transaction) throws JsonException {
    return switch (word) {
      case "" -> Kind.EMPTY;
      case "hello" -> Kind.HELLO;
      case "help" -> Kind.HELP;
      case "quit" -> Kind.QUIT;
      case "token" -> {
        token = arguments.text("token");
        yield Kind.TOKEN;
      }
      case "received" -> {
        writer.received(integer("request", 1, MAX_NUMBER));
        yield Kind.RECEIVED;
      }
      default -> {
        Operation operation = OPERATIONS.get(word);
        if (operation == null) {
          throw new JsonException("operation", word, "one that \"help\" tells");
        }
        operation(operation, transaction);
        yield Kind.MESSAGE;
      }
    };
  }

  private long integer(String name, long min, long max) throws JsonException {
    return TextArguments.inBounds(name, arguments.integer(name), min, max);
  }

  private long integerOrZero(String name) throws JsonException {
    long value = arguments.integer(name);
    return value == TextArguments.NO_INTEGER
        ? 0
        : TextArguments.inBounds(name, value, 0, Integer.MAX_VALUE);
  }

  private void operation(Operation operation, int transaction) throws JsonException {
    switch (operation) {
      case TAKE, READ -> find(operation, transaction);
      case TAKE_ALL -> {
        long max = integer("max", 0, Integer.MAX_VALUE);
        readTemplate();
        writer.request(operation, transaction, request, max).template(template);
      }
      case SUBSCRIBE -> {
        long number = integer("subscription", 1, MAX_NUMBER);
        readTemplate();
        boolean isQuiet = arguments.has("quiet");
        writer.request(operation, 0, request, isQuiet ? -number : number).template(template);
      }
      case UNSUBSCRIBE, NEXT, HAS_NEXT ->
          writer.request(operation, 0, request, integer("subscription", 1, MAX_NUMBER));
      case CANCEL -> writer.request(operation, 0, request, integer("request", 1, MAX_NUMBER));
      case BEGIN -> begin();
      default -> other(operation, transaction);
    }
    writer.end();
  }

  private void other(Operation operation, int transaction) throws JsonException {
    switch (operation.asked()) {
      case EVENT -> {
        Object value = arguments.object("event");
        if (value == null) {
          throw new JsonException("event", "", "an object, such as {\"type\":\"order\"}");
        }
        json.event(value, event);
        writer.request(operation, transaction, request, 0).event(event);
      }
      case TEMPLATE -> {
        readTemplate();
        writer.request(operation, transaction, request, 0).template(template);
      }
      case NONE, EVENTS -> writer.request(operation, transaction, request, 0);
    }
  }

  private void begin() throws JsonException {
    if (request == UNNUMBERED && current != 0) {
      throw new JsonException(
          "begin", "within transaction " + current, "commit or rollback of that first");
    }
    long number = integerOrZero("priority");
    number |= integerOrZero("retries") << Integer.SIZE;
    writer.request(Operation.BEGIN, 0, request, number);
  }

  /** A take or read; with a time it waits. */
  private void find(Operation operation, int transaction) throws JsonException {
    readTemplate();
    String time = arguments.text("timeout");
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

  private void readTemplate() throws JsonException {
    Object value = arguments.object("template");
    if (value == null) {
      template.clear();
    } else {
      json.template(value, template);
    }
  }
}
