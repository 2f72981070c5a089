package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.RemoteSpace;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Space;
import dev.takt.space.SpaceSettings;
import dev.takt.testkit.Seeds;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client that is stopped, whatever it does, holds up neither the host's own work nor another
 * client: what both do takes as long as it does in the same run without such a client.
 */
@Timeout(120)
@Tag("alone")
class ClientStopTest {
  private static final long STOPPED_NS = Seeds.size(500, 10_000) * 1_000_000L;
  private static final int TOKENS = 8;

  /** What a client that is stopped may add to the 99th percentile, beside noise. */
  private static final long ADDED_NS = 2_000_000;

  /** What it may add to the longest time, which a thread that waits for a processor has, too. */
  private static final long LONGEST_ADDED_NS = 20_000_000;

  private static final int WAITS = 8;

  /** At least, also where the machine does something else for all of the time. */
  private static final int ROUNDS = 200;

  /** Sorted times, and how long a thread waited for a processor meanwhile. */
  private record Times(long[] tookNs, long stalledNs) {
    long medianNs() {
      return tookNs[tookNs.length / 2];
    }

    long p99Ns() {
      return tookNs[(int) (tookNs.length * 99L / 100)];
    }

    long mostNs() {
      return tookNs[tookNs.length - 1];
    }

    void requireAsGoodAs(Times without, String whose) {
      assertThat(p99Ns())
          .as("%s, p99; without it %s ns", whose, without.p99Ns())
          .isLessThan(3 * without.p99Ns() + ADDED_NS + stalledNs);
      assertThat(mostNs())
          .as("%s, most; without it %s ns", whose, without.mostNs())
          .isLessThan(without.mostNs() + LONGEST_ADDED_NS + WAITS * stalledNs);
    }

    @Override
    public String toString() {
      return "%,d rounds, median %,d us, p99 %,d us, most %,d us"
          .formatted(tookNs.length, medianNs() / 1_000, p99Ns() / 1_000, mostNs() / 1_000);
    }
  }

  /** What the host's own work and another client had in one run. */
  private record Run(Times host, Times client) {}

  @TempDir private Path temporary;
  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1_024));
  private Path folder;
  private SharedMemoryHost host;

  @BeforeEach
  void open() throws Exception {
    folder = temporary.resolve("host");
    host = new SharedMemoryHost(space, folder, ClientLimits.DEFAULTS);
    for (int i = 0; i < TOKENS; i++) {
      space.write(new Event("token", i));
    }
  }

  @AfterEach
  void close() {
    host.close();
    assertThat(space.stats().subscriptions()).isZero();
    assertThat(space.count(ClientProcess.TOKEN)).isEqualTo(TOKENS);
  }

  private Run measure(RemoteSpace other) throws Exception {
    try (StallWatch stalls = new StallWatch()) {
      FutureTask<long[]> own = new FutureTask<>(() -> rounds(space, new Event("host", 1)));
      Thread thread = Thread.ofPlatform().start(own);
      long[] client = rounds(other, new Event("other", 1));
      thread.join();
      long stalledNs = stalls.takeWorstNs();
      return new Run(new Times(own.get(), stalledNs), new Times(client, stalledNs));
    }
  }

  /** Writes and takes an event again and again, as a task with a short period does. */
  private static long[] rounds(Space on, Event own) {
    long begin = System.nanoTime();
    long[] took = new long[1 << 16];
    int count = 0;
    Event taken = new Event();
    while ((System.nanoTime() - begin < STOPPED_NS || count < ROUNDS) && count < took.length) {
      long from = System.nanoTime();
      on.write(own);
      assertThat(on.take(own, taken)).isTrue();
      took[count++] = System.nanoTime() - from;
      LockSupport.parkNanos(100_000);
    }
    long[] sorted = Arrays.copyOf(took, count);
    Arrays.sort(sorted);
    return sorted;
  }

  @ParameterizedTest
  @ValueSource(strings = {"move", "hold", "write", "wait", "subscribe", "bulk"})
  void shouldServeOthersWhileAClientIsStopped(String program) throws Exception {
    try (RemoteSpace other = host.connect()) {
      Run without = measure(other);
      beside(program, other, without);
      while (host.clients() > 1) {
        Thread.onSpinWait(); // what was on its way to the other one is put back
      }
    }
    if (program.equals("wait")) {
      for (int i = 0; i < TOKENS; i++) {
        if (!space.test(new Event("token", i))) {
          space.write(new Event("token", i)); // it has told of them
        }
      }
    }
  }

  private void beside(String program, RemoteSpace other, Run without) throws Exception {
    try (ClientProcess client = ClientProcess.start(program, folder)) {
      assertThat(client.line()).isNotNull();
      client.stop();
      Run with = measure(other);
      System.out.printf(
          "client stopped in '%s':%n  host    %s%n  without %s%n  other   %s%n  without %s%n",
          program, with.host, without.host, with.client, without.client);
      with.host.requireAsGoodAs(without.host, "the host's own work");
      with.client.requireAsGoodAs(without.client, "another client");
      // What it had claimed is everybody's again when its transaction's time is over.
      FutureTask<Integer> taker = new FutureTask<>(() -> takeAndWriteAll(other));
      Thread thread = Thread.ofPlatform().start(taker);
      int taken = taker.get(20, TimeUnit.SECONDS);
      thread.join();
      // One that waits may have been given some before it was stopped.
      assertThat(taken).isGreaterThanOrEqualTo(program.equals("wait") ? 0 : TOKENS);
      client.goOn();
    }
  }

  private static int takeAndWriteAll(RemoteSpace other) {
    int taken = 0;
    Event token = new Event();
    for (int i = 0; i < TOKENS; i++) {
      while (other.test(new Event("token", i)) && !other.take(new Event("token", i), token)) {
        Thread.onSpinWait();
      }
      if (token.size() > 0 && token.getLong("token") == i) {
        other.write(new Event("token", i));
        taken++;
      }
    }
    return taken;
  }
}
