package dev.takt.session.stage;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StageAllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int ITEMS = 4_000;
  private static final int ROUNDS = 60;

  /** Counts, and notes what its thread has allocated. */
  private static final class Counting implements StageHandler<Object> {
    volatile long handled;
    volatile long bytes;

    @Override
    @SuppressWarnings("NonAtomicOperationOnVolatileField") // of one worker
    public void handle(List<Object> items) {
      bytes = THREADS.getCurrentThreadAllocatedBytes();
      handled += items.size();
    }
  }

  @Test
  void shouldAllocateNothingForAnItemInSteadyState() {
    StageSettings settings =
        StageSettings.named("allocation")
            .withCounters(false)
            .withBatch(16)
            .withTargetP90(Duration.ofSeconds(10));
    Counting handler = new Counting();
    Object item = new Object();
    long leastOffering = Long.MAX_VALUE;
    long leastHandling = Long.MAX_VALUE;
    try (Stage<Object> stage = Stage.open(settings, handler)) {
      for (int round = 1; round <= ROUNDS; round++) {
        long handlingBefore = handler.bytes;
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < ITEMS; i++) {
          while (!stage.offer(item).isAccepted()) {
            Thread.yield();
          }
        }
        long offering = THREADS.getCurrentThreadAllocatedBytes() - before;
        while (handler.handled < (long) round * ITEMS) {
          Thread.yield();
        }
        if (round > ROUNDS / 2) {
          leastOffering = Math.min(leastOffering, offering);
          leastHandling = Math.min(leastHandling, handler.bytes - handlingBefore);
        }
      }
    }
    assertThat(leastOffering).isLessThan(ITEMS);
    assertThat(leastHandling).isLessThan(ITEMS);
  }
}
