package dev.takt.testkit.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random histories of connections against the simplest model of one: what is read is the beginning
 * of what was written; without a fault it is all of it.
 */
class ByteHistoryTest {
  private static final int PORT = 4_000;

  /** One direction, as it was seen from outside. */
  private static final class Direction {
    final ByteArrayOutputStream written = new ByteArrayOutputStream();
    final ByteArrayOutputStream read = new ByteArrayOutputStream();
    boolean ended;
  }

  @Test
  void shouldLoseDoubleAndReorderNothingWithoutAFault() {
    for (int run = 0; run < Seeds.size(10_000, 1_000_000); run++) {
      history(Seeds.seed() + run, false);
    }
  }

  @Test
  void shouldReadTheBeginningOfWhatWasWrittenWhateverTheFault() {
    int whole = 0;
    int runs = Seeds.size(2_000, 200_000);
    for (int run = 0; run < runs; run++) {
      whole += history(Seeds.seed() + run, true) ? 1 : 0;
    }
    assertThat(whole).as("runs in which all came").isBetween(runs / 20, runs - runs / 20);
  }

  /** Returns whether all came that was written. */
  private static boolean history(long seed, boolean faults) {
    Random random = new Random(seed);
    NetworkSettings settings =
        (faults ? NetworkSettings.HOSTILE : NetworkSettings.DEFAULTS.withSlowReaderPerMille(300))
            .withWindowBytes(1 + random.nextInt(300))
            .withFaultWithin(Duration.ofMillis(30))
            .withReadSizes(sizes(random))
            .withMaxTraceEvents(100);
    List<Direction> directions = new ArrayList<>();
    boolean[] all = {true};
    SimulatedNetwork.attempt(
        seed,
        settings,
        network -> {
          start(network, 1 + random.nextInt(2), directions, random);
          network.runFor(Duration.ofMinutes(10));
          for (Direction each : directions) {
            all[0] &= check(each, faults);
          }
        });
    return all[0];
  }

  /** Starts both sides of some connections; each has two of the directions. */
  private static void start(
      SimulatedNetwork network, int connections, List<Direction> directions, Random random)
      throws IOException {
    ServerSocket server = network.listen(PORT);
    for (int i = 0; i < connections; i++) {
      Direction there = new Direction();
      Direction back = new Direction();
      directions.addAll(List.of(there, back));
      int number = i;
      network.start(
          "client",
          () -> {
            Socket socket = network.connect(PORT);
            socket.getOutputStream().write(number);
            return use(network, socket, there, back, random);
          });
    }
    network.start(
        "server",
        () -> {
          for (int i = 0; i < connections; i++) {
            Socket socket = server.accept();
            network.start("served", () -> serve(network, socket, directions, random));
          }
          return null;
        });
  }

  private static Object serve(
      SimulatedNetwork network, Socket socket, List<Direction> directions, Random random)
      throws IOException {
    int number = socket.getInputStream().read(); // which of the clients it is, that says first
    return number < 0
        ? null
        : use(network, socket, directions.get(2 * number + 1), directions.get(2 * number), random);
  }

  /** Returns whether all came that was written. */
  private static boolean check(Direction direction, boolean faults) {
    byte[] written = direction.written.toByteArray();
    byte[] read = direction.read.toByteArray();
    assertThat(read).isEqualTo(Arrays.copyOf(written, read.length));
    if (!faults) {
      assertThat(direction.ended).isTrue();
    }
    if (direction.ended) {
      assertThat(read).hasSize(written.length);
    }
    return direction.ended;
  }

  private static ReadSizes sizes(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> ReadSizes.WHOLE;
      case 1 -> ReadSizes.RANDOM;
      case 2 -> ReadSizes.atMost(1 + random.nextInt(20));
      default -> ReadSizes.splitAfter(1 + random.nextInt(200));
    };
  }

  /** Writes in a session of its own, and reads until the end. */
  private static Object use(
      SimulatedNetwork network, Socket socket, Direction out, Direction in, Random random)
      throws IOException {
    network.start("writer", () -> write(network, socket, out, random));
    InputStream from = socket.getInputStream();
    byte[] buffer = new byte[1 + random.nextInt(200)];
    while (true) {
      int at = random.nextInt(buffer.length);
      int count = from.read(buffer, at, buffer.length - at);
      if (count < 0) {
        in.ended = true;
        return null;
      }
      in.read.write(buffer, at, count);
    }
  }

  private static Object write(SimulatedNetwork network, Socket socket, Direction out, Random random)
      throws Exception {
    for (int i = random.nextInt(8); i > 0; i--) {
      byte[] bytes = new byte[random.nextInt(150)];
      random.nextBytes(bytes);
      // before the write: a part of it may arrive though the rest fails
      out.written.write(bytes);
      socket.getOutputStream().write(bytes);
      if (random.nextInt(3) == 0) {
        network.sleep(Duration.ofNanos(random.nextInt(10_000_000)));
      }
    }
    socket.shutdownOutput();
    return null;
  }
}
