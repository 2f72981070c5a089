package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.RemoteSpace;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.testkit.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients are killed at random moments: nothing is lost or there twice, and the others go on. */
@Timeout(3_600)
@Tag("alone")
class ClientKillTest {
  private static final int KILLS = Seeds.size(20, 1_000);
  private static final int TOKENS = 8;
  private static final long FREE_NS = 100_000_000;

  /** How often one of host and client may wait for a processor until all is free. */
  private static final int WAITS = 8;

  /** A token cannot be free sooner than the host has a processor, which other tests may have. */
  private static final long BUSY_NS = 5_000_000_000L;

  private static final String[] PROGRAMS = {"move", "hold", "write", "subscribe", "bulk"};

  @TempDir private Path temporary;
  private final Random random = new Random(Seeds.seed());
  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1_024));
  private Path folder;
  private SharedMemoryHost host;

  @BeforeEach
  void open() throws Exception {
    folder = temporary.resolve("host");
    host = new SharedMemoryHost(space, folder, ClientLimits.DEFAULTS.withMaxTransactionNs(BUSY_NS));
  }

  @AfterEach
  void close() throws Exception {
    host.close();
    assertThat(space.stats().subscriptions()).isZero();
    assertThat(space.stats().events()).isEqualTo(space.count(new Event()));
    assertThat(folder).doesNotExist();
  }

  private void fill() {
    for (int i = 0; i < TOKENS; i++) {
      space.write(new Event("token", i));
    }
  }

  @Test
  void shouldLoseNothingWhenClientsAreKilledInWhateverTheyDo() throws Exception {
    fill();
    List<Long> freeNs = new ArrayList<>();
    try (StallWatch stalls = new StallWatch();
        RemoteSpace other = host.connect()) {
      for (int kill = 0; kill < KILLS; kill++) {
        String program = PROGRAMS[kill % PROGRAMS.length];
        try (ClientProcess client = ClientProcess.start(program, folder)) {
          assertThat(client.line()).as(program).isNotNull();
          LockSupport.parkNanos(random.nextInt(20_000_000));
          client.kill();
          stalls.takeWorstNs();
          long tookNs = freeAfter(other, program);
          long stalledNs = stalls.takeWorstNs();
          freeNs.add(tookNs);
          assertThat(tookNs)
              .as("%s, ns until all is free; a thread waited %s ns", program, stalledNs)
              .isLessThan(FREE_NS + WAITS * stalledNs);
        }
        assertThat(space.count(new Event("held", null))).as(program).isZero();
        own(program);
      }
    }
    freeNs.sort(null);
    System.out.printf(
        "%s kills: free after %,d us (median), %,d us (p99), %,d us (most); %s%n",
        KILLS,
        freeNs.get(KILLS / 2) / 1_000,
        freeNs.get(KILLS * 99 / 100) / 1_000,
        freeNs.getLast() / 1_000,
        Seeds.replay(Seeds.seed()));
    assertThat(freeNs.get(KILLS / 2)).as("median time until all is free").isLessThan(FREE_NS);
  }

  private long freeAfter(RemoteSpace other, String program) {
    long begin = System.nanoTime();
    Set<Long> taken = new HashSet<>();
    List<Event> all = new ArrayList<>();
    // The other one takes every token, also those that the dead one had claimed.
    while (taken.size() < TOKENS) {
      Event token = new Event();
      if (other.poll(ClientProcess.TOKEN, token)) {
        assertThat(taken.add(token.getLong("token")))
            .as("%s, token %s twice, %s", program, token, Seeds.replay(Seeds.seed()))
            .isTrue();
        all.add(token);
      }
      assertThat(System.nanoTime() - begin)
          .as("%s, taken %s, %s", program, taken, Seeds.replay(Seeds.seed()))
          .isLessThan(BUSY_NS);
    }
    long free = System.nanoTime() - begin;
    assertThat(other.poll(ClientProcess.TOKEN, new Event())).isFalse();
    all.forEach(other::write);
    return free;
  }

  /** Of its own events at most the last one is left, which no one knows of. */
  private void own(String program) {
    Event own = new Event("own", null);
    assertThat(space.count(own)).as(program).isLessThanOrEqualTo(1);
    space.take(own, new Event());
  }

  /**
   * Between an answer and its confirmation: what a dead client has said that it has taken is not
   * there; what it has not said is, but for the one that it had and could not tell of.
   */
  @Test
  void shouldNeitherLoseNorRepeatWhatIsTakenOneByOne() throws Exception {
    int lost = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      Set<Long> written = new HashSet<>();
      Set<Long> seen = new HashSet<>();
      try (ClientProcess client = ClientProcess.start("wait", folder)) {
        assertThat(client.line()).isEqualTo("ready");
        int killAt = random.nextInt(200);
        for (long token = 0; token < 256; token++) {
          written.add(token);
          space.write(new Event("token", token));
          if (token == killAt) {
            client.kill();
          }
        }
        for (String line = client.line(); line != null; line = client.line()) {
          assertThat(seen.add(Long.valueOf(line))).as("said once: %s", line).isTrue();
        }
      }
      Event token = new Event();
      long begin = System.nanoTime();
      while (host.clients() > 0) {
        assertThat(System.nanoTime() - begin).as("the dead one is forgotten").isLessThan(BUSY_NS);
      }
      while (space.take(ClientProcess.TOKEN, token)) {
        assertThat(seen.add(token.getLong("token")))
            .as("%s was taken and is there, %s", token, Seeds.replay(Seeds.seed()))
            .isTrue();
      }
      written.removeAll(seen);
      assertThat(written).as("lost, %s", Seeds.replay(Seeds.seed())).hasSizeLessThanOrEqualTo(1);
      lost += written.size();
    }
    System.out.printf("%s kills while taking: %s had come and were not told of%n", KILLS, lost);
  }

  /**
   * One that is stopped cannot confirm; the test before cannot tell such an event from one used.
   */
  @Test
  void shouldPutBackWhatAClientWasAnsweredWithAndHasNotConfirmed() throws Exception {
    try (ClientProcess client = ClientProcess.start("wait", folder)) {
      assertThat(client.line()).isEqualTo("ready");
      awaitThat(() -> space.stats().subscriptions() == 1);
      client.stop();
      space.write(new Event("token", 1));
      awaitThat(() -> space.count(ClientProcess.TOKEN) == 0);
      client.kill();
      awaitThat(() -> space.count(ClientProcess.TOKEN) == 1);
    }
    awaitThat(() -> host.clients() == 0);
  }

  private static void awaitThat(BooleanSupplier isSo) {
    long begin = System.nanoTime();
    while (!isSo.getAsBoolean()) {
      assertThat(System.nanoTime() - begin).as("time without end").isLessThan(BUSY_NS);
    }
  }
}
