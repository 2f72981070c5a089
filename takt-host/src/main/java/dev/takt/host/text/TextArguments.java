package dev.takt.host.text;

import dev.takt.client.json.JsonException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a request, whatever form it has. They are asked for in the order that they have on a
 * line, where their names are not written.
 */
interface TextArguments {
  /** What is no integer. */
  long NO_INTEGER = Long.MIN_VALUE;

  /** Begins with a request. */
  void begin(String text) throws JsonException;

  /** Returns the number of the request, or {@link #NO_INTEGER} if it has none. */
  long request() throws JsonException;

  /** Returns the transaction, or {@link #NO_INTEGER} if none is named. */
  long transaction() throws JsonException;

  /** Returns the operation, which is empty if there is none. */
  String operation() throws JsonException;

  /** Returns a number, or {@link #NO_INTEGER} if it is missing. */
  long integer(String name) throws JsonException;

  /** Returns whether something is said that needs no value. */
  boolean has(String name) throws JsonException;

  /** Returns a text, which is empty if it is missing; what is asked for last may have spaces. */
  String text(String name) throws JsonException;

  /** Returns an event or template as {@code JsonReader} has read it, or null if it is missing. */
  @Nullable Object object(String name) throws JsonException;

  /** Checks that nothing is left. */
  void end() throws JsonException;

  /** Lets go of the request. */
  void letGo();

  /** Refuses an integer that is missing or out of bounds. */
  static long inBounds(String name, long value, long min, long max) throws JsonException {
    if (value < min || value > max) {
      throw new JsonException(
          name, value == NO_INTEGER ? "" : value, String.format(Locale.ROOT, "%d to %d", min, max));
    }
    return value;
  }
}
