package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Bytes go from the poller to the reader once and in order, and nobody waits in vain. */
class PolledInputTest {
  private static final int ROOM_BYTES = 8;
  private static final int LONG_MS = 20_000;

  /** What is written into it, byte after byte a number; sees who reads when. */
  private static final class Pipe extends PolledInput {
    /** Passes some time, in which others may have their turn. */
    private final Runnable pause;

    private int written;
    private int read;
    private boolean ended;
    private IOException failure;
    private boolean refusesToArm;
    private volatile boolean armed;
    private final Object lock = new Object();
    private final AtomicInteger inside = new AtomicInteger();

    Pipe(Runnable pause) {
      this.pause = pause;
    }

    void write(int count) {
      synchronized (lock) {
        written += count;
      }
    }

    void end() {
      synchronized (lock) {
        ended = true;
      }
    }

    boolean isReady() {
      synchronized (lock) {
        return armed && (read < written || ended || failure != null);
      }
    }

    int left() {
      synchronized (lock) {
        return written - read;
      }
    }

    @Override
    int readNow(ByteBuffer room) throws IOException {
      assertThat(inside.incrementAndGet()).as("who reads at once").isEqualTo(1);
      pause.run();
      int count = copy(room);
      pause.run();
      inside.decrementAndGet();
      return count;
    }

    private int copy(ByteBuffer room) throws IOException {
      synchronized (lock) {
        int count = Math.min(room.remaining(), written - read);
        for (int i = 0; i < count; i++) {
          room.put((byte) read++);
        }
        if (count == 0 && failure != null) {
          IOException once = failure;
          failure = null;
          ended = true;
          throw once;
        }
        return count > 0 ? count : ended ? -1 : 0;
      }
    }

    @Override
    int sourceAvailable() {
      return left();
    }

    @Override
    void arm() throws IOException {
      if (refusesToArm) {
        throw new SocketException("no poller");
      }
      pause.run();
      armed = true;
      pause.run();
    }

    @Override
    void disarm() {
      pause.run();
      armed = false;
      pause.run();
    }
  }

  /** Reads to the end; returns how many bytes there were. */
  private static int readAll(PolledInput pipe, Random random, int timeoutMs) throws IOException {
    byte[] bytes = new byte[3 * ROOM_BYTES];
    int total = 0;
    while (true) {
      if (random.nextInt(4) == 0) {
        assertThat(pipe.available()).isGreaterThanOrEqualTo(0);
      }
      if (random.nextInt(3) == 0) {
        byte[] whole = pipe.readArray(1 + random.nextInt(2 * ROOM_BYTES), timeoutMs);
        for (int i = 0; whole != null && i < whole.length; i++) {
          assertThat(whole[i]).isEqualTo((byte) total++);
        }
      }
      int from = random.nextInt(4);
      int count = pipe.read(bytes, from, 1 + random.nextInt(2 * ROOM_BYTES), timeoutMs);
      if (count < 0) {
        assertThat(pipe.read(bytes, 0, 1, timeoutMs)).isNegative();
        return total;
      }
      assertThat(count).isPositive();
      for (int i = 0; i < count; i++) {
        assertThat(bytes[from + i]).isEqualTo((byte) total++);
      }
    }
  }

  @Test
  void shouldHandOverEachByteOnceInOrderInAnyOrderOfSteps() {
    for (int run = 0; run < Seeds.size(2_000, 200_000); run++) {
      long seed = Seeds.seed() + run;
      assertThat(history(new Random(seed))).as(Seeds.replay(seed)).isTrue();
    }
  }

  /** Returns whether the reader has come to the end, with all that was written. */
  private static boolean history(Random random) {
    int most = random.nextInt(60);
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS, random)) {
      Pipe pipe = new Pipe(() -> await(random.nextInt(3)));
      Session<Integer> reader = sessions.start("reader", () -> readAll(pipe, random, 0));
      Session<Integer> writer = sessions.start("writer", () -> write(pipe, random, most));
      sessions.start("poller", () -> poll(pipe, reader));
      sessions.runUntil(1_000_000);
      assertThat(sessions.stats().failed()).isZero();
      boolean isOver = reader.outcome() != null;
      if (isOver) {
        assertThat(reader.outcome()).isInstanceOf(SessionOutcome.Completed.class);
        assertThat(reader.outcome()).isEqualTo(writer.outcome());
      }
      return isOver;
    }
  }

  @Test
  void shouldEndNoWaitBeforeItsLimitAndHandOverEachByteOnceInAnyOrderOfSteps() {
    int late = 0;
    for (int run = 0; run < Seeds.size(2_000, 200_000); run++) {
      late += limitedHistory(Seeds.seed() + run);
    }
    assertThat(late).as("reads that were late").isPositive();
  }

  /** Returns how many reads were late. */
  private static int limitedHistory(long seed) {
    Random random = new Random(seed);
    int most = random.nextInt(60);
    int[] late = new int[1];
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS, random)) {
      Pipe pipe = new Pipe(() -> await(random.nextInt(3)));
      Session<Integer> reader = sessions.start("reader", () -> readInTime(pipe, random, late));
      Session<Integer> writer = sessions.start("writer", () -> write(pipe, random, most));
      sessions.start("poller", () -> poll(pipe, reader));
      sessions.runUntil(1_000_000);
      assertThat(reader.outcome())
          .as(Seeds.replay(seed))
          .isInstanceOf(SessionOutcome.Completed.class)
          .isEqualTo(writer.outcome());
    }
    return late[0];
  }

  /** Reads to the end by reads that are repeated where nothing has come in time. */
  private static int readInTime(Pipe pipe, Random random, int[] late) throws IOException {
    long limitNs = 1 + random.nextInt(12); // at the same moments as what comes
    WaitLimit limit = pipe.limitReads(limitNs);
    byte[] bytes = new byte[3 * ROOM_BYTES];
    int total = 0;
    while (true) {
      long beginNs = Suspension.now();
      limit.begin();
      try {
        byte[] whole = random.nextBoolean() ? pipe.readArray(ROOM_BYTES, 0) : null;
        byte[] read = whole == null ? bytes : whole;
        int count = whole == null ? pipe.read(bytes, 0, bytes.length, 0) : whole.length;
        if (count < 0) {
          return total;
        }
        for (int i = 0; i < count; i++) {
          assertThat(read[i]).isEqualTo((byte) total++);
        }
      } catch (SocketTimeoutException nothing) {
        assertThat(Suspension.now() - beginNs).isGreaterThanOrEqualTo(limitNs);
        late[0]++;
      } finally {
        limit.end();
      }
    }
  }

  @Test
  void shouldEndEachWaitAtItsLimit() {
    List<Long> ends = new ArrayList<>();
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      Pipe pipe = new Pipe(() -> {});
      WaitLimit limit = pipe.limitReads(100);
      Callable<Object> reads =
          () -> {
            for (int i = 0; i < 3; i++) {
              limit.begin();
              assertThatThrownBy(() -> pipe.read(new byte[1], 0, 1, 0))
                  .isInstanceOf(SocketTimeoutException.class);
              assertThat(limit.end()).isTrue();
              ends.add(sessions.nanoTime());
            }
            return null;
          };
      Session<Object> reader = sessions.start("reader", reads);
      sessions.runUntil(1_000);
      assertThat(reader.outcome()).isInstanceOf(SessionOutcome.Completed.class);
    }
    assertThat(ends).containsExactly(100L, 200L, 300L);
  }

  private static int write(Pipe pipe, Random random, int most) {
    int total = 0;
    while (total < most) {
      int count = 1 + random.nextInt(random.nextBoolean() ? 3 : 3 * ROOM_BYTES);
      pipe.write(count);
      total += count;
      await(random.nextInt(20));
    }
    pipe.end();
    return total;
  }

  private static Object poll(Pipe pipe, Session<?> reader) throws IOException {
    ByteBuffer room = ByteBuffer.allocate(ROOM_BYTES);
    while (reader.outcome() == null) {
      if (pipe.isReady()) {
        pipe.poll(room);
      }
      await(1 + random(room));
    }
    return pipe;
  }

  /** Returns 0 to 3, by what was read last. */
  private static int random(ByteBuffer room) {
    return room.get(0) & 3;
  }

  private static void await(long durationNs) {
    try {
      Suspension.current().await(durationNs);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void shouldLoseNoWakeUpBetweenThreads() throws Exception {
    long seed = Seeds.seed();
    for (int run = 0; run < Seeds.size(300, 30_000); run++) {
      int bytes = race(new Random(seed + run), new Random(seed - run));
      assertThat(bytes).as(Seeds.replay(seed)).isEqualTo(1_000);
    }
  }

  /** A writer, a poller and a reader at once; returns how many bytes were read. */
  private static int race(Random ofWriter, Random ofReader) throws Exception {
    Pipe pipe = new Pipe(() -> {});
    FutureTask<Integer> reader = new FutureTask<>(() -> readAll(pipe, ofReader, LONG_MS));
    Callable<Object> poll =
        () -> {
          ByteBuffer room = ByteBuffer.allocateDirect(ROOM_BYTES);
          while (!reader.isDone()) {
            if (pipe.isReady()) {
              pipe.poll(room);
            } else {
              Thread.yield();
            }
          }
          return pipe;
        };
    FutureTask<Object> poller = new FutureTask<>(poll);
    Thread.ofVirtual().start(reader);
    Thread.ofPlatform().start(poller);
    for (int left = 1_000; left > 0; ) {
      int count = Math.min(left, 1 + ofWriter.nextInt(ofWriter.nextInt(1, 3 * ROOM_BYTES)));
      pipe.write(count);
      left -= count;
      while (pipe.left() > 0 && ofWriter.nextInt(3) > 0 && !reader.isDone()) {
        Thread.yield(); // so that the reader comes to wait
      }
    }
    pipe.end();
    poller.get(2L * LONG_MS, TimeUnit.MILLISECONDS);
    return reader.get();
  }

  @Test
  void shouldReadNoMoreForAReaderThatDoesNotTakeIt() throws Exception {
    Pipe pipe = new Pipe(() -> {});
    byte[] bytes = new byte[100];
    assertThatThrownBy(() -> pipe.read(bytes, 0, 100, 1))
        .isInstanceOf(SocketTimeoutException.class);
    assertThat(pipe.armed).isTrue();
    pipe.write(2);
    pipe.poll(ByteBuffer.allocate(ROOM_BYTES));
    pipe.write(50);
    assertThat(pipe.isReady()).isTrue();
    pipe.poll(ByteBuffer.allocate(ROOM_BYTES));

    assertThat(pipe.armed).as("told of what nobody takes").isFalse();
    assertThat(pipe.left()).isEqualTo(50);
    assertThat(pipe.read(bytes, 0, 100, LONG_MS)).isEqualTo(2);
    assertThat(pipe.read(bytes, 0, 100, LONG_MS)).as("read by itself").isEqualTo(50);
    assertThat(pipe.armed).isFalse();
  }

  @Test
  void shouldLeaveTheRestToTheReaderWhenMoreComesThanOneBuffer() throws Exception {
    Pipe pipe = new Pipe(() -> {});
    byte[] bytes = new byte[100];
    assertThatThrownBy(() -> pipe.read(bytes, 0, 100, 1))
        .isInstanceOf(SocketTimeoutException.class);
    pipe.write(ROOM_BYTES + 70);
    pipe.poll(ByteBuffer.allocate(ROOM_BYTES));

    assertThat(pipe.armed).isFalse();
    assertThat(pipe.available()).isEqualTo(ROOM_BYTES + 70);
    assertThat(pipe.read(bytes, 0, 100, LONG_MS)).isEqualTo(ROOM_BYTES);
    assertThat(pipe.available()).as("that of the source").isEqualTo(70);
    assertThat(pipe.read(bytes, 0, 100, LONG_MS)).isEqualTo(70);
    assertThatThrownBy(() -> pipe.read(bytes, 0, 100, 1))
        .isInstanceOf(SocketTimeoutException.class);
    assertThat(pipe.armed).isTrue();
  }

  @Test
  void shouldTellAFailureAfterWhatCameBeforeAndAgain() throws Exception {
    Pipe pipe = new Pipe(() -> {});
    byte[] bytes = new byte[100];
    assertThatThrownBy(() -> pipe.read(bytes, 0, 100, 1))
        .isInstanceOf(SocketTimeoutException.class);
    pipe.write(3);
    pipe.poll(ByteBuffer.allocate(ROOM_BYTES));
    assertThat(pipe.read(bytes, 0, 100, LONG_MS)).isEqualTo(3);
    pipe.failure = new SocketException("on purpose");
    pipe.poll(ByteBuffer.allocate(ROOM_BYTES));

    assertThat(pipe.armed).as("told of the end again and again").isFalse();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> pipe.read(bytes, 0, 100, LONG_MS)).hasMessage("on purpose");
    }
  }

  @Test
  void shouldTellAFailureOfThePollerByANewExceptionEachTime() throws Exception {
    Pipe pipe = new Pipe(() -> {});
    byte[] bytes = new byte[100];
    assertThatThrownBy(() -> pipe.read(bytes, 0, 100, 1))
        .isInstanceOf(SocketTimeoutException.class);
    pipe.failure = new SocketException("on purpose");
    pipe.poll(ByteBuffer.allocate(ROOM_BYTES));

    Throwable first = catchThrowable(() -> pipe.read(bytes, 0, 100, LONG_MS));
    Throwable second = catchThrowable(() -> pipe.read(bytes, 0, 100, LONG_MS));
    first.addSuppressed(second); // refused for an exception and itself
    assertThat(first).hasMessage("on purpose").isInstanceOf(SocketException.class);
  }

  @Test
  void shouldHandOverAWholeArrayOnlyIfItIsShortAndUntouched() throws Exception {
    Pipe pipe = new Pipe(() -> {});
    ByteBuffer room = ByteBuffer.allocate(ROOM_BYTES);
    assertThatThrownBy(() -> pipe.readArray(3, 1)).isInstanceOf(SocketTimeoutException.class);
    assertThat(pipe.armed).isTrue();
    pipe.write(3);
    pipe.poll(room);
    assertThat(pipe.readArray(2, LONG_MS)).as("too long").isNull();
    assertThat(pipe.readArray(3, LONG_MS)).containsExactly(0, 1, 2);
    pipe.write(2);
    pipe.poll(room);
    assertThat(pipe.read(new byte[1], 0, 1, LONG_MS)).isEqualTo(1);
    assertThat(pipe.readArray(3, LONG_MS)).as("a part is taken").isNull();
    assertThat(pipe.read(new byte[9], 0, 9, LONG_MS)).isEqualTo(1);
    pipe.end();
    pipe.poll(room);
    assertThat(pipe.armed).isFalse();
    assertThat(pipe.read(new byte[1], 0, 1, LONG_MS)).isNegative();
  }

  @Test
  void shouldReadAgainByItselfWhenThePollerCouldNotBeTold() throws Exception {
    Pipe pipe = new Pipe(() -> {});
    byte[] bytes = new byte[100];
    pipe.refusesToArm = true;
    assertThatThrownBy(() -> pipe.read(bytes, 0, 100, 1)).hasMessage("no poller");
    pipe.write(3);

    assertThat(pipe.read(bytes, 0, 100, 1)).isEqualTo(3);
  }
}
