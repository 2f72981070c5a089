package dev.takt.samples.market;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Assumptions;

/** Small valid inputs of each format, and the way to the real ones. */
public final class Inputs {
  static final String DEPTH =
      "1723161255030314667 {\"stream\":\"btcusdt@depth@0ms\",\"data\":{\"e\":\"depthUpdate\",\"U\":1,\"u\":2,\"pu\":0,"
          + "\"b\":[[\"58710.20\",\"0.014\"],[\"61496.50\",\"0.010\"]],\"a\":[]}}\n";
  static final String QUOTE =
      "1723161255088169167 {\"stream\":\"btcusdt@bookTicker\",\"data\":{\"e\":\"bookTicker\",\"u\":3,\"s\":\"BTCUSDT\","
          + "\"b\":\"61800.20\",\"B\":\"2.507\",\"a\":\"61800.30\",\"A\":\"2.510\",\"T\":1723161256313}}\n";
  static final String TRADE =
      "1723161255088176367 {\"stream\":\"btcusdt@trade\",\"data\":{\"e\":\"trade\",\"t\":5,\"p\":\"61800.30\","
          + "\"q\":\"0.006\",\"X\":\"MARKET\",\"m\":false}}\n";
  static final String SNAPSHOT =
      "1723161255319702566 {\"lastUpdateId\":7,\"E\":1,\"bids\":[[\"1.0\",\"2.0\"]],\"asks\":[]}\n";
  static final String BINANCE = DEPTH + QUOTE + TRADE + SNAPSHOT;
  static final String BITSTAMP =
      "timestamp,price,amount\n1385337600,800.010000000000,0.100000000000\n1385337613,800.05,0.27838049\n";

  private Inputs() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Packs bytes. */
  public static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** A system event, a buy order, a sell order with attribution, an execution and a trade. */
  static byte[] itch(boolean withLengths) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(message(withLengths, 'S', 12, 1, 'O', 0, 0));
    out.writeBytes(message(withLengths, 'A', 36, 2, 'B', 100, 1_230_000));
    out.writeBytes(message(withLengths, 'F', 40, 3, 'S', 200, 1_240_000));
    out.writeBytes(message(withLengths, 'E', 31, 4, 0, 100, 0));
    out.writeBytes(message(withLengths, 'P', 44, 5, 'B', 300, 1_235_000));
    return out.toByteArray();
  }

  private static byte[] message(
      boolean withLength, char type, int length, int timeNs, int side, int shares, int price) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DataOutputStream data = new DataOutputStream(out)) {
      data.writeShort(withLength ? length : 0);
      data.writeByte(type);
      data.writeInt(0);
      data.writeShort(0);
      data.writeInt(timeNs);
      data.write(new byte[length - 11]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] bytes = out.toByteArray();
    if (type == 'A' || type == 'F' || type == 'P') {
      bytes[2 + 19] = (byte) side;
      put(bytes, 2 + 20, shares);
      put(bytes, 2 + 32, price);
    }
    return bytes;
  }

  private static void put(byte[] bytes, int at, int value) {
    for (int i = 0; i < 4; i++) {
      bytes[at + i] = (byte) (value >>> 24 - 8 * i);
    }
  }

  /** Reads all that can be read from bytes; the sink keeps what came before an error. */
  static RecordingSink read(byte[] bytes, RecordingSink sink) throws MarketDataException {
    try (MarketReader reader = MarketReader.open("input", new ByteArrayInputStream(bytes))) {
      while (reader.poll(sink, 3) > 0) {
        // the sink keeps them
      }
    }
    return sink;
  }

  /** Returns a file of the outside data, or skips the test. */
  public static Path outside(String name) {
    Path data =
        Path.of(System.getProperty("takt.data", root().resolve("../shared/data").toString()));
    Path file = data.resolve(name).normalize();
    Assumptions.assumeTrue(
        Files.exists(file), () -> "outside data not there, test skipped: " + name);
    return file;
  }

  /**
   * The root of the multi-module build: the topmost folder with a build file on the way up from
   * here.
   */
  private static Path root() {
    Path root = Path.of("").toAbsolutePath();
    while (root.getParent() != null && Files.exists(root.getParent().resolve("pom.xml"))) {
      root = root.getParent();
    }
    return root;
  }
}
