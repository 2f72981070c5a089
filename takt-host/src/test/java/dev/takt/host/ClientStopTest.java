package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.RemoteSpace;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.testkit.Seeds;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that is stopped, whatever it does, holds up neither the host nor another client. */
@Timeout(120)
class ClientStopTest {
  private static final long STOPPED_NS = Seeds.size(500, 10_000) * 1_000_000L;
  private static final int TOKENS = 8;

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

  @ParameterizedTest
  @ValueSource(strings = {"move", "hold", "write", "wait", "subscribe", "bulk"})
  void shouldServeOthersWhileAClientIsStopped(String program) throws Exception {
    try (ClientProcess client = ClientProcess.start(program, folder);
        RemoteSpace other = host.connect()) {
      assertThat(client.line()).isNotNull();
      client.stop();
      long begin = System.nanoTime();
      long[] took = new long[1 << 20];
      int count = 0;
      Event own = new Event("other", 1);
      while (System.nanoTime() - begin < STOPPED_NS && count < took.length) {
        long from = System.nanoTime();
        other.write(own);
        assertThat(other.take(own, new Event())).isTrue();
        assertThat(space.count(own)).as("the host's own look").isZero();
        took[count++] = System.nanoTime() - from;
      }
      // What it had claimed is everybody's again when its transaction's time is over.
      FutureTask<Integer> taker = new FutureTask<>(() -> takeAndWriteAll(other));
      Thread thread = Thread.ofPlatform().start(taker);
      int taken = taker.get(20, TimeUnit.SECONDS);
      thread.join();
      Arrays.sort(took, 0, count);
      System.out.printf(
          "beside a client that is stopped in '%s': %,d rounds, median %,d us, most %,d us%n",
          program, count, took[count / 2] / 1_000, took[count - 1] / 1_000);
      assertThat(count).as("rounds beside it").isGreaterThan(10);
      // One that waits may have been given some before it was stopped.
      assertThat(taken).isGreaterThanOrEqualTo(program.equals("wait") ? 0 : TOKENS);
      client.goOn();
    }
    if (program.equals("wait")) {
      for (int i = 0; i < TOKENS; i++) {
        if (!space.test(new Event("token", i))) {
          space.write(new Event("token", i)); // it has told of them
        }
      }
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
