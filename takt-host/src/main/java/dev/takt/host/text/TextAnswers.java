package dev.takt.host.text;

import dev.takt.client.json.JsonWriter;
import dev.takt.client.wire.MessageBuffer;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.Refusal;
import dev.takt.client.wire.WireException;
import dev.takt.client.wire.WireLimits;
import dev.takt.host.EmptyMessage;
import dev.takt.host.HeldBytes;
import dev.takt.space.Event;
import dev.takt.space.SpaceSettings;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Makes texts of the messages to one client; its subclasses know the form.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
abstract sealed class TextAnswers permits LineAnswers, JsonAnswers {
  private final MessageReader reader;
  private Event event = new Event();
  private String welcome = "";

  /** How many events the parts of an answer have had that goes on. */
  private long count;

  TextAnswers(WireLimits limits) {
    // a client is told of all keys that others have used: its own limit is not for these
    reader = new MessageReader(limits.withMaxKeys(WireLimits.MOST_KEYS));
  }

  /** Returns what was translated last. */
  MessageReader message() {
    return reader;
  }

  /** Returns the limits of the host and its space, as JSON. */
  String welcome() {
    return welcome;
  }

  // ---- the form; the number of a request may be UNNUMBERED

  /** Says that a request is done. */
  abstract String done(long request);

  /** Answers with a number. */
  abstract String number(long request, long number);

  /** Answers with what was found, as JSON. */
  abstract String found(long request, String event);

  /** Says that nothing was found, or not done. */
  abstract String none(long request);

  /** Gives one of several events, as JSON, before their number. */
  abstract String part(long request, String event);

  /** Answers with the limits, as JSON. */
  abstract String limits(long request, String limits);

  /** Returns the answer to a request for help. */
  abstract List<String> help(long request);

  /** Says why a request was not done, by a text that may be part of any line. */
  abstract String refused(long request, String code, String text);

  /** Says that there may be a match of a subscription. */
  abstract String match(long subscription);

  // ---- messages

  /** Gives the texts of a message; {@link #letGo} afterwards, if it is long. */
  void translate(MemorySegment message, int length, Consumer<String> out) throws WireException {
    if (length > HeldBytes.SHORT_BYTES) { // the reader keeps no room for it
      MessageBuffer whole = new MessageBuffer(length);
      MemorySegment.copy(message, 0, whole.segment(), 0, length);
      reader.begin(whole, length);
    } else {
      reader.begin(message, 0, length);
    }
    long request = reader.request();
    switch (reader.kind()) {
      case WELCOME -> {
        int maxMessageBytes = reader.maxMessageBytes();
        reader.outcomes(); // of text none are kept
        welcome = asJson(maxMessageBytes, reader.settings());
      }
      case NOTICE -> out.accept(match(reader.number()));
      case REFUSAL -> {
        count = 0; // it may be of a request that was answered in part
        Refusal why = Refusal.values()[(int) reader.number() - 1];
        out.accept(error(request, why, String.valueOf(reader.refusal().getMessage())));
      }
      default -> answer(request, out);
    }
  }

  /** Lets go of the last message. */
  void letGo() {
    EmptyMessage.begin(reader);
    event = new Event();
  }

  /** Says why a request was not done. */
  final String error(long request, Refusal why, String text) {
    return error(request, why.name().toLowerCase(Locale.ROOT), text);
  }

  /** Says why a request was not done. */
  final String error(long request, String code, String text) {
    return refused(request, code, plain(text));
  }

  /** Replaces what has no place in a line; it may stem from the values of an event. */
  private static String plain(String text) {
    StringBuilder plain = new StringBuilder();
    text.codePoints()
        .map(c -> Character.isISOControl(c) ? ' ' : c)
        .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? '?' : c)
        .forEach(plain::appendCodePoint);
    return plain.toString();
  }

  private void answer(long request, Consumer<String> out) throws WireException {
    long number = reader.number();
    switch (reader.operation().answered()) {
      case EVENTS -> {
        for (long i = number; i > 0; i--) {
          out.accept(part(request, event()));
        }
        count += number;
        if (reader.kind() == MessageKind.ANSWER) {
          out.accept(number(request, count));
          count = 0;
        }
      }
      case EVENT -> out.accept(number == 1 ? found(request, event()) : none(request));
      case NONE, TEMPLATE -> out.accept(plain(request, number));
    }
  }

  private String plain(long request, long number) {
    return switch (reader.operation()) {
      case COUNT, BEGIN -> number(request, number);
      case TRY_WRITE, TEST, TEST_NOW, CANCEL, HAS_NEXT, IS_RUNNING, COMMIT ->
          number == 0 ? none(request) : done(request);
      default -> done(request);
    };
  }

  private String event() throws WireException {
    reader.event(event);
    StringBuilder text = new StringBuilder();
    new JsonWriter(text).event(event);
    return text.toString();
  }

  private static String asJson(int maxMessageBytes, SpaceSettings space) {
    return """
    {"version":1,"maxMessageBytes":%d,"capacity":%d,"maxEventBytes":%d,"maxReferences":%d,\
    "maxIndexes":%d,"maxSubscriptions":%d,"maxTransactions":%d,"maxOperations":%d,\
    "maxRetries":%d,"patience":%d}\
    """
        .formatted(
            maxMessageBytes,
            space.capacity(),
            space.maxEventBytes(),
            space.maxReferences(),
            space.maxIndexes(),
            space.maxSubscriptions(),
            space.maxTransactions(),
            space.maxOperations(),
            space.maxRetries(),
            space.patience());
  }
}
