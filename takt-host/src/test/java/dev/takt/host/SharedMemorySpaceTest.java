package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.RemoteSpace;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is special about a space that is reached by shared memory. */
@Timeout(60)
class SharedMemorySpaceTest {
  private static final Event X = new Event("x", 1);
  private static final Event Y = new Event("y", 1);

  @TempDir Path folder;
  private final EventSpace space = EventSpace.create();

  private SharedMemoryHost host() throws Exception {
    return new SharedMemoryHost(space, folder.resolve("host"), ClientLimits.DEFAULTS);
  }

  /** Only a collection would free it, which a program that makes no garbage does not have. */
  @Test
  void shouldTakeNoDirectMemoryForTheRecordsOfAConnection() throws Exception {
    BufferPoolMXBean direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();
    long grown = 0;
    try (SharedMemoryHost host = host()) {
      for (int i = 0; i <= 20; i++) {
        long before = direct.getCount();
        host.connect().close();
        if (i > 0) { // threads keep buffers of their first use
          grown += Math.max(0, direct.getCount() - before);
        }
      }
    }
    assertThat(grown).as("direct buffers beside two of each waiter").isLessThanOrEqualTo(2 * 20);
  }

  @Test
  void shouldAnswerACallerThatASubscriberWaitsFor() throws Exception {
    try (SharedMemoryHost host = host();
        RemoteSpace client = host.connect()) {
      FutureTask<Event> asked = new FutureTask<>(() -> client.take(Y, Duration.ofDays(1)));
      CountDownLatch isRunning = new CountDownLatch(1);
      FutureTask<Event> told =
          new FutureTask<>(
              () -> {
                isRunning.countDown();
                return asked.get();
              });
      client.subscribe(X, told);
      Thread.ofPlatform().daemon().start(asked);
      while (space.stats().subscriptions() < 2) {
        Thread.onSpinWait();
      }

      space.write(X);
      isRunning.await();
      space.write(Y);

      assertThat(told.get(30, TimeUnit.SECONDS)).isEqualTo(Y);
    }
  }
}
