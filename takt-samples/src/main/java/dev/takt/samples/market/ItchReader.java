package dev.takt.samples.market;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.stream.IntStream;

/**
 * Reads NASDAQ TotalView-ITCH 5.0, every message behind a 2-byte big-endian length.
 *
 * <p>The length must be the one that the message's type has; 0, which some writers put there, means
 * the same. A trade is a message of type {@code P}. Executions ({@code E}, {@code C}) are not
 * counted as trades: they tell of an order in the book and carry its number, not what was traded at
 * which price on the tape. A quote is an order that is added ({@code A}, {@code F}), a bid or an
 * ask. Prices have 4 decimal places, times are nanoseconds from midnight.
 *
 * <pre>
 *  all    0 type | 1 locate | 3 tracking | 5 time (6 bytes)
 *  A F P  11 order (8) | 19 side | 20 shares (4) | 24 stock (8) | 32 price (4)
 * </pre>
 */
final class ItchReader extends MarketReader {
  private static final String TYPES = "SRHYLVWKJhAFECXDUPQBINO";
  private static final int[] LENGTHS = {
    12, 39, 25, 20, 26, 35, 12, 28, 35, 21, 36, 40, 31, 36, 23, 19, 35, 44, 40, 19, 50, 20, 48
  };
  private static final int PREFIX_BYTES = 2;
  private static final int TIME = 5;
  private static final int SIDE = 19;
  private static final int SHARES = 20;
  private static final int PRICE = 32;
  private static final long NS_PER_DAY = 86_400_000_000_000L;
  private static final long PRICE_FACTOR = Decimals.SCALE / 10_000;
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  /** The index in {@link #TYPES} of each byte, -1 for those that are no type. */
  private static final byte[] KINDS = new byte[256];

  static {
    for (int type = 0; type < KINDS.length; type++) {
      KINDS[type] = (byte) TYPES.indexOf(type);
    }
  }

  ItchReader(String input, ByteSource source) {
    super(
        input,
        source,
        IntStream.range(0, TYPES.length()).mapToObj(i -> TYPES.substring(i, i + 1)).toList());
  }

  static boolean looksLike(byte[] bytes, int length) {
    if (length <= PREFIX_BYTES) {
      return false;
    }
    int kind = KINDS[bytes[PREFIX_BYTES] & 0xFF];
    int prefix = prefix(bytes, 0);
    return kind >= 0 && (prefix == 0 || prefix == LENGTHS[kind]);
  }

  private static int prefix(byte[] bytes, int at) {
    return (short) SHORT.get(bytes, at) & 0xFFFF;
  }

  @Override
  public boolean hasQuotes() {
    return true;
  }

  @Override
  public String position() {
    return "byte " + source.offset();
  }

  @Override
  boolean next(MarketSink sink) throws Malformed {
    if (!source.fill(PREFIX_BYTES + 1)) {
      if (source.end == source.start) {
        return false;
      }
      throw new Malformed(
          "truncated: %s bytes of a message's length and type are there (expected: %s)"
              .formatted(source.end - source.start, PREFIX_BYTES + 1));
    }
    byte type = source.bytes[source.start + PREFIX_BYTES];
    int kind = KINDS[type & 0xFF];
    if (kind < 0) {
      throw new Malformed(
          "message type " + Text.quote(type) + " is unknown (expected: one of " + TYPES + ")");
    }
    int length = LENGTHS[kind];
    int prefix = prefix(source.bytes, source.start);
    if (prefix != 0 && prefix != length) {
      throw new Malformed(
          "length %s of a message of type %s is wrong (expected: %s)"
              .formatted(prefix, Text.quote(type), length));
    }
    if (!source.fill(PREFIX_BYTES + length)) {
      throw new Malformed(
          "truncated: %s bytes of a message of type %s are there (expected: %s)"
              .formatted(source.end - source.start - PREFIX_BYTES, Text.quote(type), length));
    }
    message(sink, type, kind, source.start + PREFIX_BYTES);
    source.skip(PREFIX_BYTES + length);
    return true;
  }

  private void message(MarketSink sink, byte type, int kind, int at) throws Malformed {
    byte[] bytes = source.bytes;
    long timeNs =
        ((short) SHORT.get(bytes, at + TIME) & 0xFFFFL) << 32 | unsignedInt(bytes, at + TIME + 2);
    if (timeNs >= NS_PER_DAY) {
      throw new Malformed(
          "time " + timeNs + " ns is not within a day (expected: below " + NS_PER_DAY + ")");
    }
    if (type != 'A' && type != 'F' && type != 'P') {
      sink.onNote(kind, timeNs);
      return;
    }
    byte side = bytes[at + SIDE];
    if (side != 'B' && side != 'S') {
      throw new Malformed(
          "side %s of a message of type %s is unknown (expected: B or S)"
              .formatted(Text.quote(side), Text.quote(type)));
    }
    long shares = unsignedInt(bytes, at + SHARES) * Decimals.SCALE;
    long price = unsignedInt(bytes, at + PRICE) * PRICE_FACTOR;
    if (type == 'P') {
      sink.onTrade(kind, timeNs, price, shares);
    } else if (side == 'B') {
      sink.onQuote(kind, timeNs, price, shares, 0, 0);
    } else {
      sink.onQuote(kind, timeNs, 0, 0, price, shares);
    }
  }

  private static long unsignedInt(byte[] bytes, int at) {
    return (int) INT.get(bytes, at) & 0xFFFF_FFFFL;
  }
}
