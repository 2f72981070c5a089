package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every transport does. */
abstract class TransportContract {
  static final TransportSettings SETTINGS = TransportSettings.DEFAULTS.withMaxLineBytes(1_000);
  private static final long READ_MS = 20;

  Sessions sessions;
  private final List<Transport> ends = new ArrayList<>();

  /** Makes a connection; both ends have the settings. */
  abstract InVmTransport.Pair connect(TransportSettings settings) throws Exception;

  @BeforeEach
  void open() {
    sessions = Sessions.open(SessionSettings.DEFAULTS);
  }

  @AfterEach
  void close() {
    ends.forEach(Transport::close);
    sessions.close();
  }

  private InVmTransport.Pair pair(TransportSettings settings) throws Exception {
    InVmTransport.Pair pair = connect(settings);
    ends.add(pair.first());
    ends.add(pair.second());
    return pair;
  }

  @Test
  void shouldCarryLinesInOrderBothWays() throws Exception {
    InVmTransport.Pair pair = pair(SETTINGS);
    List<String> lines = List.of("one", "", "three \u00e4\u20ac\ud83d\ude00", " ", "\u0000");
    for (String line : lines) {
      pair.first().writeLine(line);
      pair.second().writeLine(line + "!");
    }
    for (String line : lines) {
      assertThat(pair.second().readLine()).isEqualTo(line);
      assertThat(pair.first().readLine()).isEqualTo(line + "!");
    }
  }

  @Test
  void shouldCarryTheLongestLineAndRefuseALongerOne() throws Exception {
    InVmTransport.Pair pair = pair(SETTINGS);
    String longest = "\u20ac".repeat(333) + "x";

    pair.first().writeLine(longest);
    assertThat(pair.second().readLine()).isEqualTo(longest);

    assertThatThrownBy(() -> pair.first().writeLine(longest + "y"))
        .isInstanceOf(TransportException.class)
        .hasMessageContaining("1001 bytes (limit: maxLineBytes=1000)");
  }

  @Test
  void shouldRefuseALineThatWouldBeReadAsTwo() throws Exception {
    InVmTransport.Pair pair = pair(SETTINGS);
    for (String line : List.of("a\nb", "\r", "ab\r\n")) {
      assertThatThrownBy(() -> pair.first().writeLine(line))
          .isInstanceOf(TransportException.class)
          .hasMessageContaining("would be read as two");
    }
  }

  @Test
  void shouldReadWhatWasWrittenBeforeTheOtherEndClosedAndThenNothing() throws Exception {
    InVmTransport.Pair pair = pair(SETTINGS);
    pair.first().writeLine("last words");
    pair.first().close();

    assertThat(pair.second().readLine()).isEqualTo("last words");
    assertThat(pair.second().readLine()).isNull();
    assertThat(pair.second().readLine()).isNull();
  }

  @Test
  void shouldRefuseToReadFromAndWriteToAnEndThatIsClosed() throws Exception {
    InVmTransport.Pair pair = pair(SETTINGS);
    pair.second().writeLine("read");
    pair.second().writeLine("unread");
    assertThat(pair.first().readLine()).isEqualTo("read");
    pair.first().close();

    assertThatThrownBy(pair.first()::readLine)
        .isInstanceOf(TransportException.class)
        .hasMessageContaining("this end is closed");
    assertThatThrownBy(() -> pair.first().writeLine("x"))
        .isInstanceOf(TransportException.class)
        .hasMessageContaining("this end is closed");
  }

  @Test
  void shouldFailToWriteWhenTheOtherEndHasClosed() throws Exception {
    InVmTransport.Pair pair = pair(SETTINGS);
    pair.first().close();
    // a socket learns it from the answer to what it has sent
    assertThatThrownBy(
            () -> {
              while (true) {
                pair.second().writeLine("x");
              }
            })
        .isInstanceOf(TransportException.class)
        .hasMessageStartingWith("the other end ")
        .hasMessageEndingWith("; the line is not written");
  }

  @Test
  @Timeout(120)
  void shouldTellWhenNoLineCameInTimeAndReadItLater() throws Exception {
    boolean isTested = false;
    while (!isTested) {
      isTested = readsLater(pair(SETTINGS.withReadTimeout(Duration.ofMillis(READ_MS))));
    }
  }

  /** Returns false if a read took twice its time, which the machine may do: then TLS may close. */
  private static boolean readsLater(InVmTransport.Pair pair) throws IOException {
    boolean isWritten = false;
    while (true) {
      long beginNs = System.nanoTime();
      String line = null;
      IOException late = null;
      try {
        line = pair.second().readLine();
      } catch (SocketTimeoutException | TransportException e) {
        late = e;
      }
      if (System.nanoTime() - beginNs >= 2 * READ_MS * 1_000_000) {
        return false;
      }
      if (line != null) {
        assertThat(line).isEqualTo("late");
        return true;
      }
      assertThat(late)
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessageContaining("no line within 20 ms");
      if (!isWritten) {
        pair.first().writeLine("late");
        isWritten = true;
      }
    }
  }

  @Test
  void shouldNotEndAReadThatCanBeRepeatedBeforeItsTime() throws Exception {
    Duration timeout = Duration.ofMillis(READ_MS).plusNanos(900_000);
    for (int i = 0; i < 5; i++) {
      InVmTransport.Pair pair = pair(SETTINGS.withReadTimeout(timeout));
      long beginNs = System.nanoTime();
      // where the machine is slow, TLS may have closed
      assertThatThrownBy(pair.first()::readLine).isInstanceOf(IOException.class);
      assertThat(System.nanoTime() - beginNs).isGreaterThanOrEqualTo(timeout.toNanos());
    }
  }

  @Test
  void shouldCloseAnEndToWhichNoLineCame() throws Exception {
    InVmTransport.Pair pair = pair(SETTINGS.withIdleTimeout(Duration.ofMillis(20)));

    assertThatThrownBy(pair.first()::readLine)
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessageContaining("no line within 20 ms")
        .hasMessageContaining("idleTimeout is too short for it; the connection is closed");
    assertThatThrownBy(() -> pair.first().writeLine("x"))
        .isInstanceOf(TransportException.class)
        .hasMessageContaining("this end is closed");
    assertThat(pair.second().readLine()).isNull();
  }

  @Test
  void shouldLetAReadGoOnAsLongAsItsSilenceIsExcused() throws Exception {
    InVmTransport.Pair pair = pair(SETTINGS.withIdleTimeout(Duration.ofMillis(20)));
    CountDownLatch asked = new CountDownLatch(3);
    AtomicBoolean isExcused = new AtomicBoolean(true);
    pair.first()
        .excuseIdle(
            _ -> {
              asked.countDown();
              return isExcused.get() ? 1_000_000 : 0;
            });
    Session<String> reader = sessions.start("reader", pair.first()::readLine);
    assertThat(asked.await(30, TimeUnit.SECONDS)).as("asked, and asked again").isTrue();
    pair.second().writeLine("late");
    assertThat(reader.await().value()).isEqualTo("late");

    isExcused.set(false);
    assertThatThrownBy(pair.first()::readLine)
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessageContaining("idleTimeout");
  }

  @Test
  void shouldEndAReadThatCanBeRepeatedWithoutAskingForAnExcuse() throws Exception {
    InVmTransport.Pair pair = pair(SETTINGS.withReadTimeout(Duration.ofMillis(20)));
    AtomicBoolean isAsked = new AtomicBoolean();
    pair.first()
        .excuseIdle(
            _ -> {
              isAsked.set(true);
              return 0;
            });
    assertThatThrownBy(pair.first()::readLine).isInstanceOf(IOException.class);
    assertThat(isAsked).isFalse();
  }

  @Test
  void shouldStopAWriterWhoseReaderDoesNotReadAndTellInTime() throws Exception {
    InVmTransport.Pair pair = pair(SETTINGS.withWriteTimeout(Duration.ofMillis(100)));
    String line = "x".repeat(1_000);
    assertThatThrownBy(
            () -> {
              while (true) {
                pair.first().writeLine(line);
              }
            })
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessageContaining("no room for a line within 100 ms");
  }

  @Test
  void shouldEndAReadWhenItsSessionIsCancelled() throws Exception {
    InVmTransport.Pair pair = pair(SETTINGS);
    CountDownLatch begun = new CountDownLatch(1);
    Session<String> reader =
        sessions.start(
            "reader",
            () -> {
              begun.countDown();
              return pair.second().readLine();
            });
    begun.await();
    reader.cancel();

    assertThat(reader.await()).isInstanceOf(SessionOutcome.Cancelled.class);
    assertThatThrownBy(() -> reader.await().value())
        .hasRootCauseInstanceOf(IOException.class)
        .cause()
        .isInstanceOf(InterruptedIOException.class);
  }

  @Test
  void shouldEndAReadWhenItsEndIsClosed() throws Exception {
    InVmTransport.Pair pair = pair(SETTINGS);
    Session<String> reader = sessions.start("reader", pair.second()::readLine);
    pair.second().close();

    assertThat(reader.await()).isInstanceOf(SessionOutcome.Failed.class);
  }

  @Test
  void shouldCarryRandomLinesOfManySessionsUnchanged() throws Exception {
    List<Session<Integer>> clients = new ArrayList<>();
    int lines = Seeds.size(200, 20_000);
    for (int i = 0; i < 10; i++) {
      InVmTransport.Pair pair = pair(SETTINGS);
      Random random = new Random(Seeds.seed() + i);
      sessions.start("echo", () -> Echo.run(pair.second()));
      clients.add(sessions.start("client", () -> client(pair.first(), random, lines)));
    }
    for (Session<Integer> each : clients) {
      assertThat(each.await().value()).isEqualTo(lines);
    }
  }

  /** Writes some lines ahead of those that it reads; never more than the connection holds. */
  private static int client(Transport transport, Random random, int lines) throws IOException {
    List<String> ahead = new ArrayList<>();
    int read = 0;
    for (int i = 0; i < lines; i++) {
      String line = "x".repeat(random.nextInt(1_000)) + i % 10;
      transport.writeLine(line);
      ahead.add(line);
      while (!ahead.isEmpty() && (ahead.size() > 8 || random.nextBoolean())) {
        assertThat(transport.readLine()).isEqualTo(ahead.removeFirst());
        read++;
      }
    }
    for (String line : ahead) {
      assertThat(transport.readLine()).isEqualTo(line);
      read++;
    }
    transport.close();
    return read;
  }
}
