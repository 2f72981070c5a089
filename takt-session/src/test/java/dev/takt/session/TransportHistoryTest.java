package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random histories of connections: who reads, writes, closes, is cancelled or runs out of time, and
 * in which order, comes from a seed, which replays it.
 */
class TransportHistoryTest {
  private static final long SECOND_NS = 1_000_000_000;

  /** One direction of a connection, as it was seen from outside. */
  private static final class Direction {
    final List<String> written = new ArrayList<>();
    final List<String> read = new ArrayList<>();
    boolean ended;
  }

  @Test
  void shouldReadWhatWasWrittenInOrderWhateverEndsTheConnection() {
    for (int run = 0; run < Seeds.size(2_000, 200_000); run++) {
      long seed = Seeds.seed() + run;
      List<String> first = history(seed);
      if (run % 50 == 0) {
        assertThat(history(seed)).as(Seeds.replay(seed)).isEqualTo(first);
      }
    }
  }

  /** Returns what has happened, in its order. */
  private static List<String> history(long seed) {
    Random random = new Random(seed);
    List<String> trace = new ArrayList<>();
    TransportSettings settings =
        TransportSettings.DEFAULTS
            .withMaxQueuedLines(1 + random.nextInt(3))
            .withReadTimeout(Duration.ofSeconds(random.nextInt(3)))
            .withWriteTimeout(Duration.ofSeconds(1 + random.nextInt(2)));
    InVmTransport.Pair pair = InVmTransport.pair(settings);
    Direction there = new Direction();
    Direction back = new Direction();
    List<Session<?>> all = new ArrayList<>();
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS, random)) {
      all.add(sessions.start("w1", () -> write(pair.first(), there, random, trace)));
      all.add(sessions.start("r1", () -> read(pair.second(), there, random, trace)));
      all.add(sessions.start("w2", () -> write(pair.second(), back, random, trace)));
      all.add(sessions.start("r2", () -> read(pair.first(), back, random, trace)));
      for (int i = random.nextInt(60); i > 0; i--) {
        if (!sessions.step()) {
          sessions.runUntil(sessions.nanoTime() + random.nextInt(2) * SECOND_NS);
        }
      }
      if (random.nextInt(3) == 0) {
        all.get(random.nextInt(4)).cancel();
      }
      sessions.runUntil(sessions.nanoTime() + SECOND_NS);
      (random.nextBoolean() ? pair.first() : pair.second()).close();
      sessions.runUntil(sessions.nanoTime() + 60 * SECOND_NS);

      assertThat(sessions.stats().running()).as(Seeds.replay(seed)).isZero();
      assertThat(sessions.stats().failed()).as(Seeds.replay(seed)).isZero();
    }
    for (Direction each : List.of(there, back)) {
      assertThat(each.read)
          .as(Seeds.replay(seed))
          .isEqualTo(each.written.subList(0, each.read.size()));
      if (each.ended) {
        assertThat(each.read).as(Seeds.replay(seed)).isEqualTo(each.written);
      }
    }
    return trace;
  }

  private static int write(
      Transport transport, Direction direction, Random random, List<String> trace)
      throws InterruptedException {
    int lines = random.nextInt(20);
    try {
      for (int i = 0; i < lines; i++) {
        transport.writeLine("line " + i);
        direction.written.add("line " + i);
        trace.add("wrote " + i);
        pause(random);
      }
      if (random.nextBoolean()) {
        transport.close();
      }
    } catch (IOException ended) {
      trace.add("writer: " + ended.getMessage());
    }
    return lines;
  }

  private static int read(
      Transport transport, Direction direction, Random random, List<String> trace)
      throws InterruptedException {
    int tries = random.nextInt(25);
    try {
      for (int i = 0; i < tries; i++) {
        String line = transport.readLine();
        if (line == null) {
          direction.ended = true;
          trace.add("end");
          return i;
        }
        direction.read.add(line);
        trace.add("read " + line);
        pause(random);
      }
    } catch (IOException ended) {
      trace.add("reader: " + ended.getMessage());
    }
    return tries;
  }

  private static void pause(Random random) throws InterruptedException {
    if (random.nextInt(4) == 0) {
      Suspension.current().await(random.nextInt(3) * SECOND_NS / 2);
    }
  }
}
