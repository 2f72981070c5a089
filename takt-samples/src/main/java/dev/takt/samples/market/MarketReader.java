package dev.takt.samples.market;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads market data once, from front to back.
 *
 * <p><b>Thread rule:</b> not thread-safe.
 *
 * <p>
 *
 * {@snippet :
 * try (MarketReader reader = MarketReader.open(Path.of("capture.gz"))) {
 *   while (reader.poll(sink, 64) > 0) {}
 * }
 * }
 */
public abstract sealed class MarketReader implements Closeable
    permits BinanceReader, BitstampReader, ItchReader {
  /**
   * The resource with 100,000 Bitstamp BTC/USD trades that the artifact {@code
   * org.ta4j:ta4j-examples} holds.
   */
  public static final String BITSTAMP_RESOURCE = "bitstamp_trades_from_20131125_usd.csv";

  /** What {@link #BITSTAMP_RESOURCE} holds, for people. */
  public static final String BITSTAMP_TITLE =
      "100,000 bitcoin trades at Bitstamp, 25 November to 1 December 2013";

  /** Where {@link #BITSTAMP_RESOURCE} comes from. */
  public static final String BITSTAMP_SOURCE =
      BITSTAMP_RESOURCE + " of org.ta4j:ta4j-examples:0.18";

  private static final int SNIFFED_BYTES = 32;
  private static final String FORMATS =
      "a Binance capture (lines of \"<ns> {json}\"), Bitstamp trades (lines of"
          + " \"<seconds>,<price>,<amount>\") or NASDAQ ITCH 5.0, plain or gzip";

  final ByteSource source;

  private final String input;
  private final List<String> kinds;
  private MarketDataException failure;

  MarketReader(String input, ByteSource source, List<String> kinds) {
    this.input = input;
    this.source = source;
    this.kinds = kinds;
  }

  /**
   * Opens a file and finds out by its content which format it has.
   *
   * @throws MarketDataException if there is no such file, it cannot be read, it is empty, or its
   *     format is unknown
   */
  public static MarketReader open(Path file) throws MarketDataException {
    String input = file.toString();
    if (!Files.exists(file)) {
      throw new MarketDataException(input, "", "there is no such file");
    }
    if (Files.isDirectory(file)) {
      throw new MarketDataException(input, "", "is a directory (expected: a file)");
    }
    if (!Files.isRegularFile(file)) {
      throw new MarketDataException(
          input, "", "is not a regular file; copy the data to a file first");
    }
    try {
      return open(input, Files.newInputStream(file));
    } catch (MarketDataException e) {
      throw e;
    } catch (IOException | SecurityException e) {
      throw new MarketDataException(input, "", "cannot be opened: " + e, e);
    }
  }

  /**
   * Opens the default input, {@link #BITSTAMP_RESOURCE} on the class path.
   *
   * @throws MarketDataException if it is not there or cannot be read
   */
  public static MarketReader openBitstampTrades() throws MarketDataException {
    InputStream in = MarketReader.class.getClassLoader().getResourceAsStream(BITSTAMP_RESOURCE);
    if (in == null) {
      throw new MarketDataException(
          BITSTAMP_RESOURCE,
          "",
          "is not on the class path; add the artifact org.ta4j:ta4j-examples:0.18 or give a file");
    }
    return open(BITSTAMP_RESOURCE, in);
  }

  /**
   * Reads from a stream and closes it in the end, or at once if it cannot be read; see {@link
   * #open(Path)}.
   */
  static MarketReader open(String input, InputStream in) throws MarketDataException {
    ByteSource source = null;
    try {
      source = new ByteSource(in);
      source.fill(SNIFFED_BYTES);
      MarketReader reader = sniff(input, source);
      source = null;
      return reader;
    } catch (Malformed e) {
      throw new MarketDataException(input, "byte 0", e.getMessage(), e);
    } finally {
      if (source != null) {
        source.close();
      }
    }
  }

  private static MarketReader sniff(String input, ByteSource source) throws Malformed {
    byte[] bytes = source.bytes;
    int length = source.end - source.start;
    if (length == 0) {
      throw new Malformed("there is nothing in it (expected: " + FORMATS + ")");
    }
    if (ItchReader.looksLike(bytes, length)) {
      return new ItchReader(input, source);
    }
    if (BitstampReader.looksLike(bytes, length)) {
      return new BitstampReader(input, source);
    }
    if (BinanceReader.looksLike(bytes, length)) {
      return new BinanceReader(input, source);
    }
    throw new Malformed(
        "begins with %s, an unknown format (expected: %s)"
            .formatted(Text.quote(bytes, 0, length), FORMATS));
  }

  /** What this reads, for messages. */
  public final String input() {
    return input;
  }

  /**
   * The names of the kinds of lines or messages; the index of a name is what a {@link MarketSink}
   * gets.
   */
  public final List<String> kinds() {
    return kinds;
  }

  /**
   * Whether the format has quotes; without, only its trades say what the market is willing to pay.
   */
  public abstract boolean hasQuotes();

  /**
   * Where this reader is, as errors say it: the last line read, or the byte of the next message.
   */
  public abstract String position();

  /**
   * Reads up to {@code limit} lines or messages and hands each to the sink.
   *
   * @return how many it handed over, 0 only at the end
   * @throws MarketDataException if the next one cannot be read; the sink has got those before it.
   *     Every later call throws the same
   */
  public final int poll(MarketSink sink, int limit) throws MarketDataException {
    if (limit < 1) {
      throw new IllegalArgumentException("limit=" + limit + " (expected: at least 1)");
    }
    if (failure != null) {
      throw failure;
    }
    int count = 0;
    try {
      while (count < limit && next(sink)) {
        count++;
      }
    } catch (Malformed e) {
      failure = new MarketDataException(input, position(), e.getMessage(), e);
      throw failure;
    }
    return count;
  }

  /** Hands the next line or message to the sink; false at the end. */
  abstract boolean next(MarketSink sink) throws Malformed;

  @Override
  public final void close() {
    source.close();
  }
}
