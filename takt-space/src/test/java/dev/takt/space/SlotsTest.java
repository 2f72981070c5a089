package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SlotsTest {
  private static final int WRITERS = 2;
  private static final int STAMPS = 500_000;

  private final Slots slots = new Slots(SpaceSettings.DEFAULTS.withCapacity(WRITERS), Start.ZERO);

  /** Otherwise an index that comes later has a writer's next event before its last. */
  @Test
  void shouldStampInTheOrderOfEachWriterWhateverOthersDo() throws Exception {
    CyclicBarrier together = new CyclicBarrier(WRITERS);
    List<CompletableFuture<Long>> backwards = new ArrayList<>();
    for (int slot = 0; slot < WRITERS; slot++) {
      backwards.add(stampAlong(slot, together));
    }
    for (CompletableFuture<Long> each : backwards) {
      assertThat(each.get(30, TimeUnit.SECONDS)).as("stamps not above the one before").isZero();
    }
    slots.stamp(0);
    assertThat(stamp(0)).as("each counts").isEqualTo(WRITERS * STAMPS + 1L);
  }

  private CompletableFuture<Long> stampAlong(int slot, CyclicBarrier together) {
    CompletableFuture<Long> backwards = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                together.await();
                long count = 0;
                long last = 0;
                for (int i = 0; i < STAMPS; i++) {
                  slots.stamp(slot);
                  count += stamp(slot) <= last ? 1 : 0;
                  last = stamp(slot);
                }
                backwards.complete(count);
              } catch (Exception | Error e) {
                backwards.completeExceptionally(e);
              }
            })
        .start();
    return backwards;
  }

  private long stamp(int slot) {
    return slots.words[slots.base(slot) + Slots.STAMP];
  }
}
