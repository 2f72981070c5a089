package dev.takt.host.text;

import dev.takt.client.json.JsonWriter;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.Refusal;
import dev.takt.client.wire.WireException;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.Event;
import dev.takt.space.SpaceSettings;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Makes lines of the messages to one client.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
final class LineAnswers {
  /** A client is told of all keys that others have used, so its own limit is not for these. */
  private static final int MAX_KEYS = 1 << 16;

  private final MessageReader reader;
  private final Event event = new Event();
  private String welcome = "";
  private long count;

  LineAnswers(WireLimits limits) {
    reader = new MessageReader(limits.withMaxKeys(MAX_KEYS));
  }

  /** Returns what was translated last. */
  MessageReader message() {
    return reader;
  }

  /** Returns the limits of the host and its space, as JSON. */
  String welcome() {
    return welcome;
  }

  /** Returns what is in front of an answer to a request. */
  static String prefix(long request) {
    return request == LineRequests.UNNUMBERED ? "" : "#" + request + " ";
  }

  /** Gives the lines of a message. */
  void translate(MemorySegment message, int length, Consumer<String> out) throws WireException {
    reader.begin(message, 0, length);
    String prefix = prefix(reader.request());
    switch (reader.kind()) {
      case WELCOME -> {
        int maxMessageBytes = reader.maxMessageBytes();
        reader.outcomes(); // of lines none are kept
        welcome = limits(maxMessageBytes, reader.settings());
      }
      case NOTICE -> out.accept("match " + reader.number());
      case REFUSAL -> {
        Refusal why = Refusal.values()[(int) reader.number() - 1];
        String text = String.valueOf(reader.refusal().getMessage());
        out.accept(prefix + error(why.name(), text));
      }
      default -> answer(prefix, out);
    }
  }

  /** Returns the line of an error, without its number. */
  static String error(String code, String text) {
    return "error " + code.toLowerCase(Locale.ROOT) + " " + text.replaceAll("\\p{Cntrl}", " ");
  }

  private void answer(String prefix, Consumer<String> out) throws WireException {
    long number = reader.number();
    switch (reader.operation().answered()) {
      case EVENTS -> {
        for (long i = number; i > 0; i--) {
          out.accept(prefix + "event " + event());
        }
        count += number;
        if (reader.kind() == MessageKind.ANSWER) {
          out.accept(prefix + "ok " + count);
          count = 0;
        }
      }
      case EVENT -> out.accept(prefix + (number == 1 ? "ok " + event() : "none"));
      case NONE, TEMPLATE -> out.accept(prefix + plain(number));
    }
  }

  private String plain(long number) {
    return switch (reader.operation()) {
      case COUNT, BEGIN -> "ok " + number;
      case TRY_WRITE, TEST, TEST_NOW, CANCEL, HAS_NEXT, COMMIT -> number == 0 ? "none" : "ok";
      default -> "ok";
    };
  }

  private String event() throws WireException {
    reader.event(event);
    StringBuilder text = new StringBuilder();
    new JsonWriter(text).event(event);
    return text.toString();
  }

  private static String limits(int maxMessageBytes, SpaceSettings space) {
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
