package dev.takt.samples.market;

import java.util.List;

/**
 * Reads Bitstamp trades: an optional header {@code timestamp,price,amount}, then lines of {@code
 * <unix seconds>,<price>,<amount>}.
 */
final class BitstampReader extends MarketReader {
  private static final String HEADER = "timestamp,price,amount";
  private static final int TRADE = 0;
  private static final long NS_PER_SECOND = 1_000_000_000;
  private static final long MAX_SECONDS = Long.MAX_VALUE / NS_PER_SECOND;

  private long line;

  BitstampReader(String input, ByteSource source) {
    super(input, source, List.of("trade"));
  }

  static boolean looksLike(byte[] bytes, int length) {
    if (startsWithHeader(bytes, 0, length)) {
      return true;
    }
    int at = Decimals.endOfDigits(bytes, 0, length);
    return at > 0 && at < length && bytes[at] == ',';
  }

  private static boolean startsWithHeader(byte[] bytes, int from, int to) {
    int end = from + HEADER.length();
    return end <= to && Text.is(HEADER, bytes, from, end);
  }

  @Override
  public boolean hasQuotes() {
    return false;
  }

  @Override
  public String position() {
    return "line " + line;
  }

  @Override
  boolean next(MarketSink sink) throws Malformed {
    line++;
    int newline = source.findLine();
    if (line == 1 && newline >= 0 && startsWithHeader(source.bytes, source.start, newline)) {
      source.skip(Math.min(newline + 1, source.end) - source.start);
      line++;
      newline = source.findLine();
    }
    if (newline < 0) {
      line--;
      return false;
    }
    byte[] bytes = source.bytes;
    int start = source.start;
    int end = newline > start && bytes[newline - 1] == '\r' ? newline - 1 : newline;
    int first = comma(bytes, start, end);
    int second = first < 0 ? -1 : comma(bytes, first + 1, end);
    if (second < 0) {
      throw new Malformed(
          Text.quote(bytes, start, end) + " is not a trade (expected: seconds,price,amount)");
    }
    long seconds = Decimals.parseLong("time", bytes, start, first);
    if (seconds > MAX_SECONDS) {
      throw new Malformed(
          "time " + seconds + " s is too large (expected: at most " + MAX_SECONDS + ")");
    }
    long price = Decimals.parse("price", bytes, first + 1, second);
    long amount = Decimals.parse("amount", bytes, second + 1, end);
    source.skip(Math.min(newline + 1, source.end) - start);
    sink.onTrade(TRADE, seconds * NS_PER_SECOND, price, amount);
    return true;
  }

  private static int comma(byte[] bytes, int from, int to) {
    for (int at = from; at < to; at++) {
      if (bytes[at] == ',') {
        return at;
      }
    }
    return -1;
  }
}
