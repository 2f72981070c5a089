package dev.takt.client.wire;

import dev.takt.space.Event;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Template;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages, one after the other.
 *
 * <p><b>Guarantees:</b> whatever the bytes are, nothing but a {@link WireException} is thrown, and
 * what is allocated is bounded by the size of the message, see the page of the package. Bytes that
 * others share are copied once, before they are looked at, so whoever shares them can change
 * nothing of what was checked.
 *
 * <p><b>Thread rule:</b> one thread.
 *
 * <p><b>Memory:</b> a buffer that grows to the largest message so far, and what {@link WireLimits}
 * says. Reading numbers, booleans, and keys and short strings that have come before allocates
 * nothing.
 *
 * {@snippet :
 * reader.begin(record, 0, length);
 * if (reader.operation() == Operation.WRITE) {
 *   reader.event(event);
 *   reader.end();
 *   space.write(event);
 * }
 * }
 */
public final class MessageReader {
  private final WireLimits limits;
  private final ByteInput in = new ByteInput();
  private final EventReader events;
  private byte[] buffer = new byte[256];
  private MessageKind kind = MessageKind.NOTICE;
  private Operation operation = Operation.NONE;
  private int transaction;
  private long request;
  private long number;

  /** Makes a reader for a client that has no other one. */
  public MessageReader(WireLimits limits) {
    this(limits, new KeyTree(limits.maxKeys()));
  }

  /**
   * Makes a reader.
   *
   * @param keys what the client has used, also by other readers; instead of the limit's number
   */
  public MessageReader(WireLimits limits, KeyTree keys) {
    this.limits = limits;
    events = new EventReader(in, limits, keys);
  }

  /**
   * Begins with a message.
   *
   * @param from where it is; it may be changed by others meanwhile
   * @param offset where it begins, in bytes
   * @param length how many bytes there are, which must be the message's length
   * @throws WireException if it is too large, or its header is not what the format says
   */
  public void begin(MemorySegment from, long offset, long length) throws WireException {
    int bytes = checked(length);
    if (bytes > buffer.length) {
      buffer =
          Arrays.copyOf(
              buffer, Math.min(limits.maxMessageBytes(), Math.max(bytes, 2 * buffer.length)));
    }
    MemorySegment.copy(from, ValueLayout.JAVA_BYTE, offset, buffer, 0, bytes);
    in.begin(buffer, bytes);
    header(bytes);
  }

  /**
   * Begins with a message, which stays where it is until the next one begins.
   *
   * @param length as above
   * @throws WireException as above
   */
  public void begin(MessageBuffer message, long length) throws WireException {
    int bytes = checked(length);
    in.begin(message.bytes, bytes);
    header(bytes);
  }

  private int checked(long length) throws WireException {
    if (length < WireFormat.HEADER_BYTES || length > limits.maxMessageBytes()) {
      throw new WireException(
          "bytes of the message",
          0,
          length,
          "%s to %s, WireLimits.maxMessageBytes"
              .formatted(WireFormat.HEADER_BYTES, limits.maxMessageBytes()));
    }
    return (int) length;
  }

  private void header(int bytes) throws WireException {
    int code = in.u8("kind");
    MessageKind known = MessageKind.of(code);
    if (known == null) {
      throw in.wrong("kind", 0, code, "1 to " + MessageKind.RECEIVED.code());
    }
    kind = known;
    code = in.u8("operation");
    Operation asked = Operation.of(code);
    boolean isAbout = kind == MessageKind.ANSWER || kind == MessageKind.PART;
    boolean isRequest = kind == MessageKind.REQUEST;
    if (asked == null
        || (asked == Operation.NONE && (isAbout || isRequest))
        || (asked != Operation.NONE && !isAbout && !isRequest && kind != MessageKind.REFUSAL)) {
      throw in.wrong(
          "operation of a " + kind, WireFormat.OPERATION_AT, code, "one that goes with the kind");
    }
    operation = asked;
    transaction = in.u16("transaction");
    if (transaction != 0 && !isRequest) {
      throw in.wrong("transaction of a " + kind, WireFormat.TRANSACTION_AT, transaction, "0");
    }
    in.range("length", bytes, bytes);
    request = in.i64("request");
    number = in.i64("number");
  }

  /** Returns what the message is. */
  public MessageKind kind() {
    return kind;
  }

  /** Returns the operation that it is about, or {@code NONE}. */
  public Operation operation() {
    return operation;
  }

  /** Returns the transaction of a request, or 0; whether there is such a one is not checked. */
  public int transaction() {
    return transaction;
  }

  /** Returns the number of the request that it is or answers. */
  public long request() {
    return request;
  }

  /** Returns its number, of any value. */
  public long number() {
    return number;
  }

  /**
   * Reads an event.
   *
   * @param into is cleared first; if the event is wrong, what it holds is undefined
   * @throws WireException if it is wrong, or uses too many different keys
   */
  public void event(Event into) throws WireException {
    events.take(into, null);
  }

  /** Reads a template; see {@link #event}. */
  public void template(Template into) throws WireException {
    events.take(into, into);
  }

  /**
   * Returns how much of the heap the strings and other objects of the last event or template take,
   * in bytes, at most; not what a space has room for from the start: numbers, arrays, and records.
   */
  public long heldBytes() {
    return events.heldBytes();
  }

  /**
   * Reads why a request was refused.
   *
   * @return a {@link RuntimeException} or an {@link dev.takt.space.Abort}, to be thrown
   */
  public Throwable refusal() throws WireException {
    Refusal why = Refusal.of(number);
    if (why == null) {
      throw in.wrong("refusal", WireFormat.NUMBER_AT, number, "1 to " + Refusal.last().code());
    }
    String text = events.text();
    end();
    return why.thrown(text);
  }

  /**
   * Reads the beginning of a HELLO or a WELCOME.
   *
   * @return the largest message that the other side takes, in bytes
   * @throws WireException if there is no version that both know
   */
  public int maxMessageBytes() throws WireException {
    boolean isKnown =
        kind == MessageKind.HELLO ? number >= WireFormat.VERSION : number == WireFormat.VERSION;
    if (!isKnown) {
      throw in.wrong("version", WireFormat.NUMBER_AT, number, String.valueOf(WireFormat.VERSION));
    }
    return in.range(
        "largest message", WireLimits.LEAST_MESSAGE_BYTES, WireLimits.MOST_MESSAGE_BYTES);
  }

  /** Reads who the client of a HELLO is, after its largest message; null if it comes once only. */
  public @Nullable UUID client() throws WireException {
    UUID client = new UUID(in.i64("client"), in.i64("client"));
    return client.equals(WireFormat.NO_CLIENT) ? null : client;
  }

  /** Reads by which number a host keeps outcomes, after the largest message of a WELCOME. */
  public long outcomes() throws WireException {
    return in.i64("outcomes");
  }

  /** Reads the rest of a HELLO: who the client says it is, or an empty text. */
  public String token() throws WireException {
    int length = in.range("bytes of token", 0, WireFormat.MAX_TOKEN_BYTES);
    String token = in.string(in.take("token", length), length);
    end();
    return token;
  }

  /** Reads the rest of a WELCOME: the limits of the space. */
  public SpaceSettings settings() throws WireException {
    int from = in.at();
    int[] all = new int[9];
    for (int i = 0; i < all.length; i++) {
      all[i] = in.i32("limit of the space");
    }
    end();
    try {
      return new SpaceSettings(
          all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7], all[8]);
    } catch (IllegalArgumentException e) {
      throw in.wrong("limits of the space", from, e.getMessage(), "those of a space");
    }
  }

  /** Returns what to throw when a message of this kind is none that may come. */
  public WireException wrongKind(MessageKind expected) {
    return in.wrong("kind", 0, kind, expected.name());
  }

  /** Returns what to throw when no request of that number is open. */
  public WireException wrongRequest() {
    return in.wrong("request", WireFormat.REQUEST_AT, request, "that of an open one");
  }

  /** Ends the message: there must be nothing else in it. */
  public void end() throws WireException {
    if (in.left() > 0) {
      throw in.wrong("bytes at the end", in.at(), in.left(), "0");
    }
  }
}
