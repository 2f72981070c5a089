package dev.takt.samples.market;

import java.util.List;

/**
 * Reads a Binance capture: lines of {@code <receive time, ns since the epoch> <JSON>}, where the
 * JSON is a message of a combined WebSocket stream or a snapshot of the order book from the REST
 * interface.
 *
 * <p>Streams {@code depth}, {@code bookTicker} and {@code trade} have kinds of their own, every
 * other stream is of kind {@code other}. All of a line's JSON is checked; only what is needed is
 * decoded: a trade's {@code p} and {@code q}, a quote's {@code b}, {@code B}, {@code a} and {@code
 * A}.
 */
final class BinanceReader extends MarketReader {
  private static final int DEPTH = 0;
  private static final int BOOK_TICKER = 1;
  private static final int TRADE = 2;
  private static final int SNAPSHOT = 3;
  private static final int OTHER = 4;
  private static final List<String> KINDS =
      List.of("depth", "bookTicker", "trade", "snapshot", "other");

  private static final int HAS_P = 1;
  private static final int HAS_Q = 2;
  private static final int HAS_BID = 4;
  private static final int HAS_BID_QUANTITY = 8;
  private static final int HAS_ASK = 16;
  private static final int HAS_ASK_QUANTITY = 32;
  private static final int TRADE_FIELDS = HAS_P | HAS_Q;
  private static final int QUOTE_FIELDS = HAS_BID | HAS_BID_QUANTITY | HAS_ASK | HAS_ASK_QUANTITY;

  private final JsonCursor json = new JsonCursor();
  private long line;
  private int found;
  private long price;
  private long quantity;
  private long bid;
  private long bidQuantity;
  private long ask;
  private long askQuantity;

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
    json.reset(bytes, start, space + 1, newline);
    int kind = message(bytes);
    json.expectEnd();
    source.skip(Math.min(newline + 1, source.end) - start);
    switch (kind) {
      case TRADE -> sink.onTrade(TRADE, timeNs, price, quantity);
      case BOOK_TICKER -> sink.onQuote(BOOK_TICKER, timeNs, bid, bidQuantity, ask, askQuantity);
      default -> sink.onNote(kind, timeNs);
    }
    return true;
  }

  private int message(byte[] bytes) throws Malformed {
    json.expect('{');
    json.key();
    if (json.tokenIs("lastUpdateId")) {
      skipMembers();
      return SNAPSHOT;
    }
    if (!json.tokenIs("stream")) {
      throw new Malformed(
          "key "
              + Text.quote(bytes, json.tokenStart, json.tokenEnd)
              + " comes first (expected: \"stream\" or \"lastUpdateId\")");
    }
    json.string();
    int kind = streamKind(bytes, json.tokenStart, json.tokenEnd);
    json.expect(',');
    json.key();
    if (!json.tokenIs("data")) {
      throw new Malformed(
          "key %s follows the stream (expected: \"data\")"
              .formatted(Text.quote(bytes, json.tokenStart, json.tokenEnd)));
    }
    if (kind == TRADE || kind == BOOK_TICKER) {
      fields(bytes, kind);
    } else {
      if (json.peek() != '{') {
        json.expect('{');
      }
      json.skipValue();
    }
    json.expect('}');
    return kind;
  }

  private void skipMembers() throws Malformed {
    json.skipValue();
    while (json.moreMembers()) {
      json.key();
      json.skipValue();
    }
  }

  /** The stream's name is {@code <symbol>@<stream>} or {@code <symbol>@<stream>@<speed>}. */
  private static int streamKind(byte[] bytes, int from, int to) {
    int start = from;
    while (start < to && bytes[start] != '@') {
      start++;
    }
    int end = ++start;
    while (end < to && bytes[end] != '@') {
      end++;
    }
    for (int kind = DEPTH; kind <= TRADE; kind++) {
      if (Text.is(KINDS.get(kind), bytes, start, end)) {
        return kind;
      }
    }
    return OTHER;
  }

  private void fields(byte[] bytes, int kind) throws Malformed {
    found = 0;
    json.expect('{');
    do {
      json.key();
      int key = json.tokenByte();
      if (kind == TRADE) {
        tradeField(bytes, key);
      } else {
        quoteField(bytes, key);
      }
    } while (json.moreMembers());
    int wanted = kind == TRADE ? TRADE_FIELDS : QUOTE_FIELDS;
    if (found != wanted) {
      throw new Malformed(
          "the %s lacks a field (expected: %s)"
              .formatted(KINDS.get(kind), kind == TRADE ? "p and q" : "b, B, a and A"));
    }
  }

  private void tradeField(byte[] bytes, int key) throws Malformed {
    switch (key) {
      case 'p' -> price = decimal("price", bytes, HAS_P);
      case 'q' -> quantity = decimal("quantity", bytes, HAS_Q);
      default -> json.skipValue();
    }
  }

  private void quoteField(byte[] bytes, int key) throws Malformed {
    switch (key) {
      case 'b' -> bid = decimal("bid price", bytes, HAS_BID);
      case 'B' -> bidQuantity = decimal("bid quantity", bytes, HAS_BID_QUANTITY);
      case 'a' -> ask = decimal("ask price", bytes, HAS_ASK);
      case 'A' -> askQuantity = decimal("ask quantity", bytes, HAS_ASK_QUANTITY);
      default -> json.skipValue();
    }
  }

  private long decimal(String name, byte[] bytes, int field) throws Malformed {
    if ((found & field) != 0) {
      throw new Malformed("the " + name + " is there twice");
    }
    found |= field;
    json.string();
    return Decimals.parse(name, bytes, json.tokenStart, json.tokenEnd);
  }
}
