package dev.takt.client.wire;

import dev.takt.client.internal.Bounds;
import dev.takt.space.Event;
import dev.takt.space.SpaceSettings;
import java.lang.foreign.MemorySegment;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Writes messages, one after the other, into a buffer of its own.
 *
 * <p><b>Guarantees:</b> what {@link MessageReader} with the same limits reads is what was written.
 * A part that cannot be sent is an {@link IllegalArgumentException}; the message is then unfinished
 * and may be begun anew.
 *
 * <p><b>Thread rule:</b> one thread.
 *
 * <p><b>Memory:</b> the buffer, which grows to the largest message so far. Numbers, booleans and
 * strings allocate nothing; arrays and constants are copied out of their event.
 *
 * {@snippet :
 * writer.request(Operation.WRITE, transaction, request, 0).event(event);
 * writer.end();
 * link.offer(writer.segment(), 0, writer.length());
 * writer.sent();
 * }
 */
public final class MessageWriter {
  /** Who a client is that does not come again. */
  public static final UUID NO_CLIENT = WireFormat.NO_CLIENT;

  /** How the space ends a text if a larger limit would help: by advice to who has made it. */
  private static final Pattern SPACE_ADVICE = Pattern.compile("raise SpaceSettings\\.\\w+$");

  private final ByteOutput out;
  private final KeyNumbers numbers = new KeyNumbers();
  private final EventWriter events;

  /** In characters, of which each takes three bytes at most. */
  private int longestRefusal;

  private MemorySegment segment;
  private byte[] shown;

  /** Makes a writer. */
  public MessageWriter(WireLimits limits) {
    out = new ByteOutput(limits.maxMessageBytes());
    events = new EventWriter(out, numbers);
    longestRefusal = longestRefusal(limits.maxMessageBytes());
    shown = out.bytes();
    segment = MemorySegment.ofArray(shown);
  }

  private MessageWriter begin(
      MessageKind kind, Operation operation, int transaction, long request, long number) {
    Bounds.check("transaction", transaction, 0, 0xFFFF);
    out.cut(0);
    numbers.cut(0);
    out.u8(kind.code());
    out.u8(operation.code());
    out.u16(transaction);
    out.i32(0);
    out.i64(request);
    out.i64(number);
    return this;
  }

  /** Refuses larger messages than these from here on, too: the other side does not take them. */
  public void limitTo(int maxMessageBytes) {
    out.limitTo(maxMessageBytes);
    longestRefusal = Math.min(longestRefusal, longestRefusal(maxMessageBytes));
  }

  private static int longestRefusal(int maxMessageBytes) {
    return (maxMessageBytes - WireFormat.HEADER_BYTES - Integer.BYTES) / 3;
  }

  /** Begins and ends the message that comes first, of a client that does not come again. */
  public void hello(int maxMessageBytes, String token) {
    hello(maxMessageBytes, NO_CLIENT, token);
  }

  /**
   * Begins and ends the message of a client that comes first.
   *
   * @param client by which the host knows it again when its link has ended and it comes anew
   * @param token who the client is, or empty
   * @throws IllegalArgumentException if the token has more than 256 bytes in UTF-8
   */
  public void hello(int maxMessageBytes, UUID client, String token) {
    begin(MessageKind.HELLO, Operation.NONE, 0, 0, WireFormat.VERSION);
    out.i32(maxMessageBytes);
    out.i64(client.getMostSignificantBits());
    out.i64(client.getLeastSignificantBits());
    int before = out.length();
    out.text(token);
    int bytes = out.length() - before - Integer.BYTES;
    if (bytes > WireFormat.MAX_TOKEN_BYTES) {
      throw new IllegalArgumentException(
          "token too long: bytes=%s, limit=%s".formatted(bytes, WireFormat.MAX_TOKEN_BYTES));
    }
    end();
  }

  /**
   * Begins and ends the answer to it.
   *
   * @param outcomes the same as on the client's link before if the host knows what has become of
   *     its requests there, otherwise another one; 0 if it keeps none
   */
  public void welcome(int maxMessageBytes, long outcomes, SpaceSettings settings) {
    begin(MessageKind.WELCOME, Operation.NONE, 0, 0, WireFormat.VERSION);
    out.i32(maxMessageBytes);
    out.i64(outcomes);
    out.i32(settings.capacity());
    out.i32(settings.maxEventBytes());
    out.i32(settings.maxReferences());
    out.i32(settings.maxIndexes());
    out.i32(settings.maxSubscriptions());
    out.i32(settings.maxTransactions());
    out.i32(settings.maxOperations());
    out.i32(settings.maxRetries());
    out.i32(settings.patience());
    end();
  }

  /**
   * Begins a request.
   *
   * @param transaction the number of the transaction that it belongs to, or 0
   * @param request its number
   * @param number what the operation has as its number, or 0
   */
  public MessageWriter request(Operation operation, int transaction, long request, long number) {
    return begin(MessageKind.REQUEST, operation, transaction, request, number);
  }

  /** Begins an answer, or with {@code PART} the beginning of one; see {@link #count}. */
  public MessageWriter answer(MessageKind kind, Operation operation, long request, long number) {
    return begin(kind, operation, 0, request, number);
  }

  /**
   * Begins and ends a refusal.
   *
   * @param text why; a setting of the space that it names is told to be the host's; what does not
   *     fit is cut off, and half of a surrogate pair becomes a question mark, so that there is none
   *     that cannot be sent
   */
  public void refusal(Operation operation, long request, Refusal why, String text) {
    begin(MessageKind.REFUSAL, operation, 0, request, why.code());
    String told = told(text);
    int chars = Math.min(told.length(), longestRefusal);
    StringBuilder sent = new StringBuilder(chars);
    told.substring(0, chars)
        .codePoints()
        .forEach(c -> sent.appendCodePoint(Character.getType(c) == Character.SURROGATE ? '?' : c));
    out.text(sent.toString());
    end();
  }

  /** Returns what a client is told: it has not made the space, and may have no such settings. */
  private static String told(String text) {
    if (!SPACE_ADVICE.matcher(text).find()) {
      return text;
    }
    String option =
        text.endsWith(".capacity")
            ? "--capacity"
            : text.endsWith(".maxEventBytes") ? "--max-event" : "";
    return text + " of the host" + (option.isEmpty() ? "" : " (of ./takt serve: " + option + ")");
  }

  /**
   * Begins and ends the confirmation that what was taken has come.
   *
   * @param request which has taken it
   */
  public void received(long request) {
    begin(MessageKind.RECEIVED, Operation.NONE, 0, request, 0);
    end();
  }

  /** Begins and ends a notice. */
  public void notice(long subscription) {
    begin(MessageKind.NOTICE, Operation.NONE, 0, 0, subscription);
    end();
  }

  /**
   * Adds an event.
   *
   * @throws IllegalArgumentException if it cannot be sent, or the message is too large with it; the
   *     message is then as it was before
   */
  public MessageWriter event(Event event) {
    int before = out.length();
    int given = numbers.given();
    try {
      events.event(event);
    } catch (IllegalArgumentException | IllegalStateException refused) {
      out.cut(before);
      numbers.cut(given);
      throw refused;
    }
    return this;
  }

  /**
   * Adds a template.
   *
   * @throws IllegalArgumentException as {@link #event}, and if it has a predicate
   */
  public MessageWriter template(Event template) {
    int before = out.length();
    int given = numbers.given();
    try {
      events.template(template);
    } catch (IllegalArgumentException | IllegalStateException refused) {
      out.cut(before);
      numbers.cut(given);
      throw refused;
    }
    return this;
  }

  /** Sets the number of the message, of which it is known only at the end. */
  public MessageWriter count(long number) {
    out.i64At(WireFormat.NUMBER_AT, number);
    return this;
  }

  /** Makes the message one of another kind, of which it is known only at the end. */
  public MessageWriter kind(MessageKind kind) {
    out.bytes()[0] = (byte) kind.code();
    return this;
  }

  /** Ends the message, which may be sent until the next one begins. */
  public void end() {
    out.i32At(WireFormat.LENGTH_AT, out.length());
  }

  /**
   * Says that the message was sent, so that the other side knows the sequences of keys in it. What
   * is not said to be sent may go anywhere or nowhere, and brings its keys along.
   */
  public void sent() {
    numbers.sent();
  }

  /** Returns how many bytes the message has so far. */
  public int length() {
    return out.length();
  }

  /** Returns the memory that the message is in, from its beginning on; valid until the next one. */
  @SuppressWarnings("ReferenceEquality") // whether the buffer has grown
  public MemorySegment segment() {
    if (shown != out.bytes()) {
      shown = out.bytes();
      segment = MemorySegment.ofArray(shown);
    }
    return segment;
  }
}
