package dev.takt.samples.market;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MarketReaderTest {
  @Test
  void shouldReadBitstampTradesWithHeader() throws Exception {
    assertThat(read(Inputs.BITSTAMP))
        .containsExactly(
            "trade 0 1385337600000000000 80001000000 10000000",
            "trade 0 1385337613000000000 80005000000 27838049");
  }

  @Test
  void shouldReadBitstampTradesWithoutHeaderAndLastNewlineAndWithCarriageReturns()
      throws Exception {
    assertThat(read("1,2.5,3\r\n4,5,6.00000001"))
        .containsExactly(
            "trade 0 1000000000 250000000 300000000", "trade 0 4000000000 500000000 600000001");
  }

  @Test
  void shouldReadEveryStreamOfABinanceCapture() throws Exception {
    assertThat(read(Inputs.BINANCE))
        .containsExactly(
            "note 0 1723161255030314667",
            "quote 1 1723161255088169167 6180020000000 250700000 6180030000000 251000000",
            "trade 2 1723161255088176367 6180030000000 600000",
            "note 3 1723161255319702566");
  }

  @Test
  void shouldCountAnUnknownBinanceStreamAsOther() throws Exception {
    assertThat(
            read(
                "7 {\"stream\":\"btcusdt@markPrice@1s\",\"data\":{\"x\":[1,-2.5e3,true,false,null,{}]}}"))
        .containsExactly("note 4 7");
  }

  @Test
  void shouldReadPackedInputLikePlain() throws Exception {
    assertThat(Inputs.read(Inputs.gzip(Inputs.bytes(Inputs.BINANCE)), new RecordingSink()).lines)
        .hasSize(4);
    assertThat(Inputs.read(Inputs.gzip(Inputs.bytes(Inputs.BITSTAMP)), new RecordingSink()).lines)
        .hasSize(2);
    assertThat(Inputs.read(Inputs.gzip(Inputs.itch(true)), new RecordingSink()).lines).hasSize(5);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldReadItchMessagesWithAndWithoutTheirLengths(boolean withLengths) throws Exception {
    assertThat(Inputs.read(Inputs.itch(withLengths), new RecordingSink()).lines)
        .containsExactly(
            "note 0 1",
            "quote 10 2 12300000000 10000000000 0 0",
            "quote 11 3 0 0 12400000000 20000000000",
            "note 12 4",
            "trade 17 5 12350000000 30000000000");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      ''                          | byte 0: there is nothing in it
      hello                       | byte 0: begins with "hello", an unknown format
      1                           | byte 0: begins with "1", an unknown format
      1,2                         | line 1: "1,2" is not a trade
      1,2,3\\n\\n4,5,6            | line 2: "" is not a trade
      1,2,3\\n4,5                 | line 2: "4,5" is not a trade
      1,,3                        | line 1: price "" has 0 characters
      1,x,3                       | line 1: price "x" is not a decimal number
      1,-2,3                      | line 1: price "-2" is not a decimal number
      1,2.,3                      | line 1: price "2." is not a decimal number
      1,.2,3                      | line 1: price ".2" is not a decimal number
      1,2,3.000000001             | line 1: amount "3.000000001" has more than 8 decimal places
      1,10000000000,3             | line 1: price "10000000000" is too large (expected: below 10000000000)
      99999999999999999999,1,1    | line 1: time "99999999999999999999" has 20 characters
      9999999999999999999,1,1     | line 1: time "9999999999999999999" is too large
      9999999999999999,1,1        | line 1: time 9999999999999999 s is too large
      1 {                         | line 1: column 4: Unexpected end-of-input: expected close marker for Object
      1 {\\0\\0\\0\\0\\0{            | line 1: column 5: Illegal character ((CTRL-CHAR, code 0))
      1 {"x":1}                   | line 1: the message has the keys [x]
      1 {"stream":"a@depth"}      | line 1: the message has the keys [stream]
      1 {"stream":"a@depth","data":[]} | line 1: the message has the keys [stream, data]
      1 {"stream":"a@depth","data":{"b":[1,]}}     | column 38: Unexpected character (']' (code 93)): expected a value
      1 {"stream":"a@depth","data":{}} x           | column 34: Unrecognized token 'x'
      1 {"stream":"a@depth","data":{"a":tru}}      | column 35: Unrecognized token 'tru'
      1 {"stream":"a@depth","data":{"a":-}}        | column 36: Unexpected character ('}' (code 125)) in numeric value
      1 {"stream":"a@depth","data":{"a":01}}       | column 36: Invalid numeric value: Leading zeroes not allowed
      1 {"stream":"a@trade","data":{"p":"1"}}      | the quantity is missing (expected: a string, with the key q)
      1 {"stream":"a@trade","data":{"p":1,"q":"1"}}             | the price is no string
      1 {"stream":"a@trade","data":{"p":"1","p":"1","q":"1"}}   | Duplicate field 'p'
      1 {"stream":"a@bookTicker","data":{"b":"1","B":"1","a":"1"}} | the ask quantity is missing
      """)
  void shouldSayWhereAndWhatIsWrong(String text, String message) {
    assertThatThrownBy(() -> read(text.replace("\\n", "\n").replace("\\0", "\0")))
        .isInstanceOf(MarketDataException.class)
        .hasMessageStartingWith("input: ")
        .hasMessageContaining(message)
        .message()
        .doesNotContain("\n");
  }

  @Test
  void shouldHandOverWhatComesBeforeAnError() {
    RecordingSink sink = new RecordingSink();
    byte[] bytes = Inputs.bytes(Inputs.BITSTAMP + "oops\n");
    assertThatThrownBy(() -> Inputs.read(bytes, sink))
        .hasMessageStartingWith("input: line 4: \"oops\"");
    assertThat(sink.lines).hasSize(2);
  }

  @Test
  void shouldThrowTheSameErrorAgain() throws Exception {
    try (MarketReader reader =
        MarketReader.open("input", new ByteArrayInputStream(Inputs.bytes("1,2")))) {
      RecordingSink sink = new RecordingSink();
      assertThatThrownBy(() -> reader.poll(sink, 1)).hasMessageContaining("line 1");
      assertThatThrownBy(() -> reader.poll(sink, 1)).hasMessageContaining("line 1");
    }
  }

  @Test
  void shouldRefuseItchOfUnknownTypeWrongLengthWrongSideAndWrongTime() {
    byte[] unknown = Inputs.itch(true);
    unknown[14 + 2] = '?';
    byte[] length = Inputs.itch(true);
    length[14 + 1] = 35;
    byte[] side = Inputs.itch(false);
    side[14 + 2 + 19] = 'X';
    byte[] time = Inputs.itch(false);
    time[14 + 2 + 5] = (byte) 0xFF;
    assertThatThrownBy(() -> Inputs.read(unknown, new RecordingSink()))
        .hasMessageStartingWith("input: byte 14: message type '?' is unknown");
    assertThatThrownBy(() -> Inputs.read(length, new RecordingSink()))
        .hasMessageStartingWith(
            "input: byte 14: length 35 of a message of type 'A' is wrong (expected: 36)");
    assertThatThrownBy(() -> Inputs.read(side, new RecordingSink()))
        .hasMessageContaining("byte 14: side 'X'");
    assertThatThrownBy(() -> Inputs.read(time, new RecordingSink()))
        .hasMessageContaining("is not within a day");
  }

  @ParameterizedTest
  @ValueSource(ints = {15, 17, 51})
  void shouldRefuseTruncatedItch(int length) {
    RecordingSink sink = new RecordingSink();
    assertThatThrownBy(() -> Inputs.read(Arrays.copyOf(Inputs.itch(true), length), sink))
        .hasMessageContaining("byte 14: truncated: ");
    assertThat(sink.lines).containsExactly("note 0 1");
  }

  @Test
  void shouldRefuseTruncatedGzipAfterTheLinesBeforeIt() {
    byte[] packed = Inputs.gzip(Inputs.bytes(Inputs.BITSTAMP + "1,2,3\n".repeat(50_000)));
    RecordingSink sink = new RecordingSink();
    byte[] truncated = Arrays.copyOf(packed, packed.length - 30);
    assertThatThrownBy(() -> Inputs.read(truncated, sink))
        .hasMessageContaining("line ")
        .hasMessageContaining(
            "the gzip data is truncated (the file ends at its byte " + truncated.length + ")");
    assertThat(sink.lines).hasSizeGreaterThan(10_000);
  }

  @Test
  void shouldRefuseCorruptGzip() {
    byte[] packed = Inputs.gzip(Inputs.bytes(Inputs.BINANCE.repeat(100)));
    byte[] checksum = packed.clone();
    checksum[packed.length - 6] ^= 1;
    assertThatThrownBy(() -> Inputs.read(checksum, new RecordingSink()))
        .hasMessageContaining("the gzip data is corrupt");
    assertThatThrownBy(() -> Inputs.read(Arrays.copyOf(packed, 4), new RecordingSink()))
        .hasMessageContaining("byte 0: the gzip data is truncated");
    byte[] method = packed.clone();
    method[2] = 1;
    assertThatThrownBy(() -> Inputs.read(method, new RecordingSink()))
        .hasMessageContaining("the gzip data is corrupt");
    assertThatThrownBy(() -> Inputs.read(Inputs.gzip(new byte[0]), new RecordingSink()))
        .hasMessageContaining("there is nothing in it");
  }

  @Test
  void shouldRefuseALineWithoutEndBeforeItFillsTheMemory() {
    InputStream endless = new Endless('1');
    assertThatThrownBy(() -> drain(MarketReader.open("input", endless)))
        .hasMessageContaining("an unknown format");
    InputStream line =
        new java.io.SequenceInputStream(
            new ByteArrayInputStream(Inputs.bytes("1 {\"stream\":\"")), new Endless('x'));
    assertThatThrownBy(() -> drain(MarketReader.open("input", line)))
        .hasMessage("input: line 1: the line is longer than 1048576 bytes");
  }

  @Test
  void shouldReadLinesLongerThanItsFirstBuffer() throws Exception {
    String depth =
        Inputs.DEPTH.replace(
            "[\"58710.20\",\"0.014\"],", "[\"58710.20\",\"0.014\"],".repeat(20_000));
    assertThat(read(Inputs.TRADE + depth + Inputs.TRADE + depth + Inputs.TRADE)).hasSize(5);
  }

  @Test
  void shouldRefuseTooDeepNesting() {
    String deep =
        "1 {\"stream\":\"a@depth\",\"data\":{\"a\":" + "[".repeat(1_000) + "]".repeat(1_000) + "}}";
    assertThatThrownBy(() -> read(deep))
        .hasMessageContaining("Document nesting depth (61) exceeds the maximum allowed (60");
  }

  @Test
  void shouldRefuseWhatIsNoReadableFile(@TempDir Path folder) throws IOException {
    assertThatThrownBy(() -> MarketReader.open(folder.resolve("none")))
        .isInstanceOf(MarketDataException.class)
        .hasMessage(folder.resolve("none") + ": there is no such file");
    assertThatThrownBy(() -> MarketReader.open(folder))
        .hasMessage(folder + ": is a directory (expected: a file)");
    Path empty = Files.createFile(folder.resolve("empty"));
    assertThatThrownBy(() -> MarketReader.open(empty))
        .hasMessageStartingWith(empty + ": byte 0: there is nothing in it");
    assertThatThrownBy(() -> MarketReader.open(Path.of("/dev/null")))
        .hasMessageContaining("is not a regular file");
  }

  private static java.util.List<String> read(String text) throws MarketDataException {
    return Inputs.read(Inputs.bytes(text), new RecordingSink()).lines;
  }

  private static void drain(MarketReader reader) throws MarketDataException {
    try (reader) {
      RecordingSink sink = new RecordingSink();
      while (reader.poll(sink, 64) > 0) {
        // all of it
      }
    }
  }

  /** The same byte for ever. */
  private static final class Endless extends InputStream {
    private final byte b;

    Endless(char c) {
      b = (byte) c;
    }

    @Override
    public int read() {
      return b;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      Arrays.fill(into, offset, offset + length, b);
      return length;
    }
  }
}
