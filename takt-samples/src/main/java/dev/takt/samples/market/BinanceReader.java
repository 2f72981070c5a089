package dev.takt.samples.market;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Reads a Binance capture: lines of {@code <receive time, ns since the epoch> <JSON>}, where the
 * JSON is a message of a combined WebSocket stream or a snapshot of the order book from the REST
 * interface.
 *
 * <p>Streams {@code depth}, {@code bookTicker} and {@code trade} have kinds of their own, every
 * other stream is of kind {@code other}. Of a trade it takes {@code p} and {@code q}, of a quote
 * {@code b}, {@code B}, {@code a} and {@code A}.
 */
final class BinanceReader extends MarketReader {
  private static final int DEPTH = 0;
  private static final int BOOK_TICKER = 1;
  private static final int TRADE = 2;
  private static final int SNAPSHOT = 3;
  private static final int OTHER = 4;
  private static final List<String> KINDS =
      List.of("depth", "bookTicker", "trade", "snapshot", "other");

  private static final int MAX_DEPTH = 60;
  private static final JsonFactory JSON_FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(JsonFactory.Feature.CHARSET_DETECTION) // a NUL must not make it UTF-32
          .build();

  private long line;

  BinanceReader(String input, ByteSource source) {
    super(input, source, KINDS);
  }

  static boolean looksLike(byte[] bytes, int length) {
    int at = Decimals.endOfDigits(bytes, 0, length);
    return at > 0 && at + 1 < length && bytes[at] == ' ' && bytes[at + 1] == '{';
  }

  @Override
  public boolean hasQuotes() {
    return true;
  }

  @Override
  public String position() {
    return "line " + line;
  }

  @Override
  boolean next(MarketSink sink) throws Malformed {
    line++;
    int newline = source.findLine();
    if (newline < 0) {
      line--;
      return false;
    }
    byte[] bytes = source.bytes;
    int start = source.start;
    int space = Decimals.endOfDigits(bytes, start, newline);
    if (space == newline || bytes[space] != ' ') {
      throw new Malformed(
          Text.quote(bytes, start, newline) + " is not a message (expected: <ns> {json})");
    }
    long timeNs = Decimals.parseLong("time", bytes, start, space);
    Map<String, Object> message = parse(bytes, start, space + 1, newline);
    source.skip(Math.min(newline + 1, source.end) - start);
    pass(message, timeNs, sink);
    return true;
  }

  private static Map<String, Object> parse(byte[] bytes, int line, int from, int to)
      throws Malformed {
    try (JsonParser json = JSON_FACTORY.createParser(bytes, from, to - from)) {
      Map<String, Object> message = JSON.std.mapFrom(json);
      if (json.nextToken() != null) {
        throw new Malformed("there is something behind the JSON (expected: the end of the line)");
      }
      return message;
    } catch (JacksonException e) {
      String column =
          e.getLocation() == null
              ? ""
              : "column " + (from - line + e.getLocation().getColumnNr()) + ": ";
      throw new Malformed(
          column + e.getOriginalMessage().replaceFirst("(?s) \\(start.*|\n.*", ""), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // there is none in a byte array
    }
  }

  private static void pass(Map<String, Object> message, long timeNs, MarketSink sink)
      throws Malformed {
    if (message.containsKey("lastUpdateId")) {
      sink.onNote(SNAPSHOT, timeNs);
      return;
    }
    if (!(message.get("stream") instanceof String stream)
        || !(message.get("data") instanceof Map<?, ?> data)) {
      throw new Malformed(
          "the message has the keys %s (expected: \"stream\", a string, and \"data\", an object; or"
                  .formatted(message.keySet())
              + " \"lastUpdateId\")");
    }
    int kind = streamKind(stream);
    switch (kind) {
      case TRADE ->
          sink.onTrade(kind, timeNs, decimal(data, "price", "p"), decimal(data, "quantity", "q"));
      case BOOK_TICKER ->
          sink.onQuote(
              kind,
              timeNs,
              decimal(data, "bid price", "b"),
              decimal(data, "bid quantity", "B"),
              decimal(data, "ask price", "a"),
              decimal(data, "ask quantity", "A"));
      default -> sink.onNote(kind, timeNs);
    }
  }

  /** The stream's name is {@code <symbol>@<stream>} or {@code <symbol>@<stream>@<speed>}. */
  private static int streamKind(String name) {
    String[] parts = name.split("@", -1);
    int kind = parts.length < 2 ? -1 : KINDS.subList(DEPTH, TRADE + 1).indexOf(parts[1]);
    return kind < 0 ? OTHER : kind;
  }

  private static long decimal(Map<?, ?> data, String name, String key) throws Malformed {
    if (!(data.get(key) instanceof String text)) {
      throw new Malformed(
          "the %s is %s (expected: a string, with the key %s)"
              .formatted(name, data.get(key) == null ? "missing" : "no string", key));
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Decimals.parse(name, bytes, 0, bytes.length);
  }
}
