package dev.takt.realtime.os.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.CpuConfinement;
import dev.takt.realtime.os.CpuPartition;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.OnThread;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CpuConfinementTest {
  private final OperatingSystem system = OperatingSystems.current();

  private CpuSet ownCpus() {
    return system.granted(system.threadId()).scheduling().cpus();
  }

  /** What another thread does until it is told to end. */
  private final class Other implements AutoCloseable {
    private final CountDownLatch ready = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final OnThread.Started started;
    private volatile int threadId;

    Other(ThreadScheduling scheduling) throws InterruptedException {
      started =
          OnThread.start(
              () -> {
                system.schedule(scheduling);
                threadId = system.threadId();
                ready.countDown();
                end.await();
              });
      ready.await();
    }

    CpuSet cpus() {
      return system.granted(threadId).scheduling().cpus();
    }

    boolean isRealtime() {
      return system.policy(threadId).isRealtime();
    }

    @Override
    public void close() {
      end.countDown();
      try {
        started.join();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  @Nested
  class Confining {
    @Test
    void shouldConfineEachThreadAndLetItGoAgainOrSayWhyNot() throws Exception {
      CpuSet before = ownCpus();
      CpuPartition cpus = CpuPartition.usual(OperatingSystems.current()).orElse(null);
      try (Other other = new Other(ThreadScheduling.OTHER)) {
        CpuConfinement held = system.confine(cpus == null ? CpuSet.of(0) : cpus.housekeeping());
        if (cpus == null) {
          assertThat(held.isGranted() || !held.shortfalls().isEmpty()).isTrue();
        } else {
          assertThat(held.isGranted()).isTrue();
          assertThat(ownCpus()).isEqualTo(cpus.housekeeping());
          assertThat(other.cpus()).isEqualTo(cpus.housekeeping());
          try (Other started = new Other(ThreadScheduling.OTHER)) {
            assertThat(started.cpus()).isEqualTo(cpus.housekeeping());
          }
        }
        held.close();
        assertThat(ownCpus()).isEqualTo(before);
        assertThat(other.cpus()).isEqualTo(before);
      }
    }

    @Test
    void shouldLetThreadsThatWereStartedMeanwhileRunAnywhereAfterwards() throws Exception {
      CpuSet before = ownCpus();
      CpuConfinement held = system.confine(CpuSet.of(0));
      try (Other started = new Other(ThreadScheduling.OTHER)) {
        held.close();
        assertThat(started.cpus()).isEqualTo(before);
      }
    }

    @Test
    void shouldLeaveRealtimeThreadsAndBoundThreadsWhereTheyAre() throws Exception {
      CpuPartition cpus = CpuPartition.usual(OperatingSystems.current()).orElse(null);
      CpuSet theirs = cpus == null ? null : cpus.realtime();
      try (Other ranked = new Other(ThreadScheduling.fifo(10));
          Other bound = new Other(ThreadScheduling.OTHER.withCpus(theirs))) {
        CpuSet before = ranked.cpus();
        try (CpuConfinement held =
            system.confine(cpus == null ? CpuSet.of(0) : cpus.housekeeping())) {
          assertThat(bound.cpus()).isEqualTo(theirs == null ? before : theirs);
          if (ranked.isRealtime()) {
            assertThat(ranked.cpus()).isEqualTo(before);
          }
          assertThat(held.toString()).isNotEmpty();
        }
      }
    }

    @Test
    void shouldUseWhatAllThatAreHeldAllow() {
      CpuSet before = ownCpus();
      CpuPartition cpus = CpuPartition.usual(OperatingSystems.current()).orElse(null);
      if (cpus == null) {
        assertThat(before == null || before.size() == 1).isTrue();
        return;
      }
      CpuConfinement all = system.confine(before);
      CpuConfinement lower = system.confine(cpus.housekeeping());
      CpuConfinement upper = system.confine(cpus.realtime());
      assertThat(ownCpus()).isEqualTo(cpus.housekeeping());
      assertThat(upper.isGranted()).isFalse();
      assertThat(upper.shortfalls().getFirst().toString())
          .contains("processors apart", cpus.realtime().toString(), "close the CpuConfinement");
      upper.close();
      assertThat(ownCpus()).isEqualTo(cpus.housekeeping());
      lower.close();
      lower.close();
      assertThat(ownCpus()).isEqualTo(before);
      assertThat(CpuPartition.usual(OperatingSystems.current())).contains(cpus);
      all.close();
      assertThat(ownCpus()).isEqualTo(before);
    }
  }

  @Nested
  class Guarding {
    /** Longer than the guard needs, and shorter than the kernel lets a real-time thread go on. */
    private static final long PATIENCE_NS = 400_000_000;

    private volatile boolean inside;
    private volatile boolean left;

    private final CpuPartition cpus = CpuPartition.usual(OperatingSystems.current()).orElse(null);
    private final CountDownLatch noted = new CountDownLatch(2);
    private final CountDownLatch go = new CountDownLatch(1);
    private final CountDownLatch start = new CountDownLatch(1);
    private volatile long waitedNs;
    private volatile String lowName = "low";

    private CpuConfinement confine() {
      return system.confine(cpus == null ? CpuSet.of(0) : cpus.housekeeping());
    }

    private ThreadScheduling fifo(int priority) {
      return ThreadScheduling.fifo(priority)
          .withCpus(cpus == null ? null : CpuSet.of(cpus.realtime().toArray()[0]));
    }

    /** On one processor with {@link #startHigh}. */
    private OnThread.Started startLow() {
      return OnThread.start(
          () -> {
            Thread.currentThread().setName(lowName);
            system.schedule(fifo(10));
            noted.countDown();
            go.await(); // that it goes on at all means that the high one sleeps
            inside = true;
            start.countDown(); // and here the high one comes in between
            left = true;
          });
    }

    private OnThread.Started startHigh() {
      return OnThread.start(
          () -> {
            system.schedule(fifo(20));
            noted.countDown();
            start.await();
            long beginNs = System.nanoTime();
            while (!left && System.nanoTime() - beginNs < PATIENCE_NS) {
              Thread.onSpinWait();
            }
            waitedNs = System.nanoTime() - beginNs;
          });
    }

    private void assertEndsTheWait(OnThread.Started... threads) throws Exception {
      noted.await();
      go.countDown();
      for (OnThread.Started each : threads) {
        each.join();
      }
      assertThat(inside).isTrue();
      if (cpus != null) {
        assertThat(waitedNs).isLessThan(PATIENCE_NS);
      }
    }

    @Test
    void shouldEndTheWaitOfAThreadForOneThatItKeepsFromRunning() throws Exception {
      try (CpuConfinement held = confine()) {
        assertEndsTheWait(startHigh(), startLow());
        assertThat(held.cpus()).isNotNull();
      }
    }

    /** The kernel keeps 15 bytes of a name, and so the half of a character. */
    @Test
    void shouldRescueAThreadWhoseNameIsCutInTheMidstOfACharacter() throws Exception {
      lowName = "контроллер-поток";
      try (CpuConfinement held = confine()) {
        assertEndsTheWait(startHigh(), startLow());
        assertThat(held.cpus()).isNotNull();
      }
    }

    @Test
    void shouldGuardThreadsThatWereThereBeforeItThoughManyHaveEnded() throws Exception {
      for (int i = 0; i < StarvationMonitor.CAPACITY; i++) {
        OnThread.run(() -> system.schedule(ThreadScheduling.fifo(10)));
      }
      OnThread.Started high = startHigh();
      OnThread.Started low = startLow();
      noted.await();
      try (CpuConfinement held = confine()) {
        assertEndsTheWait(high, low);
        assertThat(held.cpus()).isNotNull();
      }
    }
  }
}
