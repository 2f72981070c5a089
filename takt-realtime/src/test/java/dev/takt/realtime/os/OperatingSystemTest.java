package dev.takt.realtime.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.takt.realtime.OperatingSystems;
import dev.takt.testsupport.AllocatedBytes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Each service, whoever runs it: the test asks what is permitted here and asserts the right one of
 * both outcomes.
 */
class OperatingSystemTest {
  private static final int PRIORITY = 7;

  private final OperatingSystem system = OperatingSystems.current();

  /** Whether the kernel lets this user have a real-time priority. */
  private boolean permits(int priority) throws Exception {
    AtomicInteger outcome = new AtomicInteger();
    OnThread.run(
        () -> outcome.set(system.setPolicy(system.threadId(), Policy.FIFO, priority).number()));
    return outcome.get() == 0;
  }

  @Test
  void shouldSayWhyItIsNotNativeExactlyWhenItIsNot() {
    boolean nativeAccess =
        System.getProperty("os.name").equals("Linux")
            && OperatingSystem.class.getModule().isNativeAccessEnabled();

    assertThat(system.isNative()).isEqualTo(nativeAccess);
    assertThat(system.whyNotNative().isEmpty()).isEqualTo(nativeAccess);
    assertThat(OperatingSystems.current()).isSameAs(system);
    assertThat(OperatingSystems.portable().whyNotNative()).isNotEmpty();
  }

  @Test
  void shouldGiveTheThreadsOwnNumber() throws Exception {
    if (system.isNative()) {
      String link = Files.readSymbolicLink(Path.of("/proc/thread-self")).toString();

      assertThat(link).endsWith("/task/" + system.threadId());
      OnThread.run(() -> assertThat(link).doesNotEndWith("/task/" + system.threadId()));
    } else {
      assertThat(system.threadId()).isZero();
    }
  }

  @Test
  void shouldKnowTheProcessorTimeOfThreadsThatItKnowsAndOfNoOther() {
    assertThat(system.threadTimeNs(0)).as("unknown").isEqualTo(-1);
    if (system.isNative()) {
      assertThat(system.threadTimeNs(system.threadId())).isPositive();
    }
  }

  @Nested
  class Granting {
    @Test
    void shouldGrantARealtimePolicyOrTellWhyNot() throws Exception {
      boolean permitted = permits(PRIORITY);
      for (ThreadScheduling asked :
          new ThreadScheduling[] {ThreadScheduling.fifo(PRIORITY), ThreadScheduling.rr(PRIORITY)}) {
        OnThread.run(() -> assertGranted(asked, permitted));
      }
    }

    private void assertGranted(ThreadScheduling asked, boolean permitted) {
      Grant grant = system.schedule(asked);

      assertThat(grant.threadId()).isEqualTo(system.threadId());
      assertThat(grant.isComplete()).isEqualTo(permitted);
      if (permitted) {
        assertThat(grant.scheduling().policy()).isEqualTo(asked.policy());
        assertThat(grant.scheduling().priority()).isEqualTo(PRIORITY);
        assertThat(system.priority(system.threadId())).isEqualTo(PRIORITY);
        assertThat(system.policy(system.threadId())).isEqualTo(asked.policy());
      } else {
        assertThat(grant.scheduling().policy()).isEqualTo(Policy.OTHER);
        Shortfall shortfall = grant.shortfalls().getFirst();
        assertThat(shortfall.asked()).isEqualTo(asked.toString());
        assertThat(shortfall.reason()).containsAnyOf("EPERM", "--enable-native-access");
        assertThat(shortfall.remedy()).containsAnyOf("CAP_SYS_NICE", "--enable-native-access");
      }
    }

    @Test
    void shouldGiveTheShortestSliceAndSlackWhenRealtimeIsRefused() throws Exception {
      boolean permitted = permits(PRIORITY);
      OnThread.run(
          () -> {
            Grant grant = system.schedule(ThreadScheduling.fifo(PRIORITY));
            if (system.isNative() && !permitted) {
              assertThat(grant.scheduling().timerSlackNs()).isEqualTo(1);
              assertThat(grant.scheduling().sliceNs()).isIn(0L, ThreadScheduling.MIN_SLICE_NS);
            } else {
              assertThat(grant.scheduling().sliceNs()).isZero();
            }
          });
    }

    @Test
    void shouldGrantSliceAndSlackToAnyUser() throws Exception {
      OnThread.run(
          () -> {
            Grant grant =
                system.schedule(
                    ThreadScheduling.OTHER.withSliceNs(300_000).withTimerSlackNs(2_000));

            if (system.isNative()) {
              assertThat(grant.scheduling().timerSlackNs()).isEqualTo(2_000);
              assertThat(grant.isComplete()).isEqualTo(grant.scheduling().sliceNs() == 300_000);
            } else {
              assertThat(grant.shortfalls()).singleElement().asString().contains("slice 300000");
            }
          });
    }

    @Test
    void shouldGiveAGreaterShareToWhoMayHaveItAndASmallerOneToAnyUser() throws Exception {
      OnThread.run(
          () -> {
            Grant greater = system.schedule(ThreadScheduling.OTHER.withNice(-5));
            if (greater.scheduling().nice() != -5) {
              assertThat(greater.shortfalls()).singleElement().asString().contains("nice -5");
            }
            Grant smaller =
                system.schedule(ThreadScheduling.OTHER.withNice(ThreadScheduling.MAX_NICE));
            assertThat(smaller.scheduling().nice())
                .isEqualTo(system.isNative() ? ThreadScheduling.MAX_NICE : 0);
            assertThat(smaller.isComplete()).isEqualTo(system.isNative());
          });
    }

    @Test
    void shouldBindToProcessorsThatAreThere() throws Exception {
      OnThread.run(
          () -> {
            CpuSet all = system.granted(system.threadId()).scheduling().cpus();
            CpuSet first = CpuSet.of(all == null ? 0 : all.toArray()[0]);

            Grant grant = system.schedule(ThreadScheduling.OTHER.withCpus(first));

            if (system.isNative()) {
              assertThat(grant.scheduling().cpus()).isEqualTo(first);
              assertThat(grant.isComplete()).isTrue();
            } else {
              assertThat(grant.shortfalls()).hasSize(1);
            }
          });
    }

    @Test
    void shouldTellWhenProcessorsAreNotThere() throws Exception {
      int absent = CpuSet.LIMIT - 1;
      OnThread.run(
          () -> {
            Grant grant = system.schedule(ThreadScheduling.OTHER.withCpus(CpuSet.of(absent)));

            assertThat(grant.shortfalls()).singleElement().asString().contains("1023");
            if (system.isNative()) {
              assertThat(grant.shortfalls().getFirst().reason()).startsWith("EINVAL");
              assertThat(grant.scheduling().cpus().contains(absent)).isFalse();
            }
          });
    }

    @Test
    void shouldTellWhichProcessorsAreLeftWhenOnlyAPartIsThere() throws Exception {
      OnThread.run(
          () -> {
            CpuSet all = system.granted(system.threadId()).scheduling().cpus();
            if (all != null) {
              int[] more = Arrays.copyOf(all.toArray(), all.size() + 1);
              more[all.size()] = CpuSet.LIMIT - 1;

              Grant grant = system.schedule(ThreadScheduling.OTHER.withCpus(CpuSet.of(more)));

              assertThat(grant.scheduling().cpus()).isEqualTo(all);
            }
            assertThat(all != null).isEqualTo(system.isNative());
          });
    }

    @Test
    void shouldGrantADeadlineOrTellWhyNot() throws Exception {
      OnThread.run(
          () -> {
            ThreadScheduling asked = ThreadScheduling.deadline(100_000, 10_000_000, 10_000_000);

            Grant grant = system.schedule(asked);

            boolean granted = grant.scheduling().policy() == Policy.DEADLINE;
            assertThat(grant.isComplete()).isEqualTo(granted);
            if (granted) {
              assertThat(grant.scheduling().runtimeNs()).isEqualTo(100_000);
              assertThat(grant.scheduling().periodNs()).isEqualTo(10_000_000);
            } else {
              assertThat(grant.shortfalls()).singleElement().asString().contains("DEADLINE");
            }
          });
    }

    @Test
    void shouldNotBindADeadlineThreadToAPartOfTheProcessors() throws Exception {
      OnThread.run(
          () -> {
            CpuSet all = system.granted(system.threadId()).scheduling().cpus();
            if (all != null && all.size() > 1) {
              ThreadScheduling asked =
                  ThreadScheduling.deadline(100_000, 10_000_000, 10_000_000)
                      .withCpus(CpuSet.of(all.toArray()[0]));

              Grant grant = system.schedule(asked);

              assertThat(grant.shortfalls().getFirst().service()).isEqualTo("processors");
              assertThat(grant.scheduling().cpus()).isEqualTo(all);
            }
            assertThat(system.granted(system.threadId()).scheduling().cpus()).isEqualTo(all);
          });
    }
  }

  @Nested
  class OtherThreads {
    private final CountDownLatch end = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private volatile int threadId;

    private OnThread.Started start(ThreadScheduling scheduling) throws InterruptedException {
      OnThread.Started started =
          OnThread.start(
              () -> {
                threadId = system.threadId();
                system.schedule(scheduling);
                begun.countDown();
                end.await();
              });
      begun.await();
      return started;
    }

    @Test
    void shouldDemoteARealtimeThreadToFairSharing() throws Exception {
      OnThread.Started started = start(ThreadScheduling.fifo(PRIORITY));
      try {
        Grant grant = system.schedule(threadId, ThreadScheduling.OTHER);

        assertThat(grant.isComplete()).isTrue();
        assertThat(grant.threadId()).isEqualTo(threadId);
        assertThat(grant.scheduling().policy()).isEqualTo(Policy.OTHER);
        assertThat(system.policy(threadId)).isEqualTo(Policy.OTHER);
        assertThat(system.priority(threadId)).isZero();
      } finally {
        end.countDown();
        started.join();
      }
    }

    @Test
    void shouldChangePolicyAtOnceAndKeepTheSlice() throws Exception {
      boolean permitted = permits(PRIORITY);
      OnThread.Started started = start(ThreadScheduling.OTHER.withSliceNs(300_000));
      try {
        long sliceNs = system.granted(threadId).scheduling().sliceNs();

        Errno raised = system.setPolicy(threadId, Policy.FIFO, PRIORITY);
        int priority = system.priority(threadId);
        Errno lowered = system.setPolicy(threadId, Policy.OTHER, 0);

        assertThat(raised == Errno.NONE).isEqualTo(permitted);
        assertThat(raised).isIn(Errno.NONE, system.isNative() ? Errno.EPERM : Errno.ENOSYS);
        assertThat(priority).isEqualTo(permitted ? PRIORITY : 0);
        assertThat(lowered).isEqualTo(Errno.NONE);
        assertThat(system.granted(threadId).scheduling().sliceNs()).isEqualTo(sliceNs);
      } finally {
        end.countDown();
        started.join();
      }
    }

    @Test
    void shouldPutTheTimerSlackBackOfAThreadThatWasRaised() throws Exception {
      OnThread.run(
          () -> {
            int own = system.threadId();
            long slackNs =
                system
                    .schedule(ThreadScheduling.OTHER.withTimerSlackNs(3_000))
                    .scheduling()
                    .timerSlackNs();

            system.setPolicy(own, Policy.FIFO, PRIORITY); // refused or not
            system.setPolicy(own, Policy.FIFO, PRIORITY + 1);
            system.setPolicy(own, Policy.OTHER, 0);

            assertThat(slackNs).isEqualTo(system.isNative() ? 3_000 : 0);
            assertThat(system.granted(own).scheduling().timerSlackNs()).isEqualTo(slackNs);
          });
    }

    @Test
    void shouldTellThatAPolicyWasChanged() throws Exception {
      OnThread.run(
          () -> {
            long first = system.policyChanges();
            Errno outcome = system.setPolicy(system.threadId(), Policy.FIFO, PRIORITY);
            long second = system.policyChanges();
            Grant grant = system.schedule(ThreadScheduling.rr(PRIORITY));
            long third = system.policyChanges();

            assertThat(second != first).isEqualTo(outcome == Errno.NONE);
            assertThat(third != second || !grant.scheduling().policy().isRealtime()).isTrue();
          });
    }

    @Test
    void shouldRefuseAPriorityThatThePolicyHasNot() {
      int own = system.threadId();
      Errno refused = system.isNative() ? Errno.EINVAL : Errno.ENOSYS;

      assertThat(system.setPolicy(own, Policy.FIFO, 0)).isEqualTo(refused);
      assertThat(system.setPolicy(own, Policy.RR, 100)).isEqualTo(refused);
      assertThat(system.setPolicy(own, Policy.OTHER, 1)).isEqualTo(refused);
      assertThat(system.setPolicy(own, Policy.DEADLINE, 0)).isEqualTo(refused);
    }

    @Test
    void shouldTellThatTheTimerSlackIsTheThreadsOwn() throws Exception {
      OnThread.Started started = start(ThreadScheduling.OTHER);
      try {
        Grant grant = system.schedule(threadId, ThreadScheduling.OTHER.withTimerSlackNs(1));

        assertThat(grant.shortfalls()).hasSize(1);
      } finally {
        end.countDown();
        started.join();
      }
    }

    @Test
    void shouldTellThatAThreadHasEnded() throws Exception {
      OnThread.Started started = start(ThreadScheduling.OTHER);
      end.countDown();
      started.join();
      int absent = Integer.MAX_VALUE; // the number of the ended thread may be another's by now

      if (system.isNative()) {
        assertThat(system.setPolicy(absent, Policy.OTHER, 0)).isEqualTo(Errno.ESRCH);
        assertThat(system.granted(absent).shortfalls())
            .singleElement()
            .asString()
            .contains("ESRCH");
        assertThat(system.schedule(absent, ThreadScheduling.fifo(PRIORITY)).isComplete()).isFalse();
      }
      assertThat(system.policy(absent)).isEqualTo(Policy.OTHER);
      assertThat(system.priority(absent)).isZero();
    }

    @Test
    void shouldLeaveThreadsOfOtherProcessesAlone() {
      int parent = (int) ProcessHandle.current().parent().orElseThrow().pid();

      if (system.isNative()) {
        assertThat(system.setPolicy(parent, Policy.OTHER, 0)).isEqualTo(Errno.ESRCH);
        assertThat(system.schedule(parent, ThreadScheduling.OTHER).shortfalls())
            .singleElement()
            .asString()
            .contains("ESRCH");
      }
      assertThat(system.schedule(parent, ThreadScheduling.fifo(PRIORITY)).isComplete()).isFalse();
    }

    @Test
    void shouldNotScheduleTheCarrierOfAVirtualThread() throws Exception {
      AtomicReference<Grant> grant = new AtomicReference<>();
      Thread.startVirtualThread(() -> grant.set(system.schedule(ThreadScheduling.fifo(PRIORITY))))
          .join();

      assertThat(grant.get().scheduling().policy()).isEqualTo(Policy.OTHER);
      assertThat(grant.get().shortfalls()).singleElement().asString().contains("virtual thread");
    }

    @Test
    void shouldNotPassARealtimePolicyOnToAThreadThatItStarts() throws Exception {
      OnThread.run(
          () -> {
            system.schedule(ThreadScheduling.fifo(PRIORITY));
            OnThread.run(
                () -> assertThat(system.policy(system.threadId())).isEqualTo(Policy.OTHER));
          });
    }
  }

  @Nested
  class Privileges {
    @Test
    void shouldStayWithinTheLimitOnPriorities() throws Exception {
      long limit = system.limit(Resource.RTPRIO).soft();
      boolean permitted = permits(ThreadScheduling.MAX_PRIORITY);
      OnThread.run(
          () -> {
            Grant grant = system.schedule(ThreadScheduling.fifo(ThreadScheduling.MAX_PRIORITY));

            int expected = permitted ? ThreadScheduling.MAX_PRIORITY : (int) Math.max(0, limit);
            assertThat(grant.scheduling().priority()).isEqualTo(expected);
            assertThat(grant.isComplete()).isEqualTo(permitted);
            system.schedule(ThreadScheduling.OTHER);
          });
    }

    @Test
    void shouldTellLimits() {
      for (Resource each : Resource.values()) {
        ResourceLimit limit = system.limit(each);
        if (system.isNative()) {
          assertThat(limit.soft()).as(each.name()).isGreaterThanOrEqualTo(-1);
        } else {
          assertThat(limit.soft()).isEqualTo(ResourceLimit.UNKNOWN);
        }
      }
    }

    @Test
    void shouldLockMemoryOrTellWhyNot() {
      MemoryLock lock = system.lockMemory(true);
      MemoryLock seen = system.memoryLock();
      MemoryLock unlocked = system.unlockMemory();

      assertThat(lock.locked()).isEqualTo(lock.shortfalls().isEmpty());
      assertThat(lock.onFault()).isEqualTo(lock.locked());
      assertThat(seen.locked()).isEqualTo(lock.locked());
      if (lock.locked()) {
        assertThat(lock.lockedBytes()).isPositive();
      } else {
        assertThat(lock.shortfalls().getFirst().remedy())
            .containsAnyOf("ulimit -l unlimited", "-Xmx", "--enable-native-access");
      }
      assertThat(unlocked.locked()).isFalse();
      assertThat(unlocked.lockedBytes()).isLessThanOrEqualTo(0);
    }

    @Test
    void shouldRefuseALimitedLockThatWouldMakeLaterMappingsFail() {
      boolean limited = system.limit(Resource.MEMLOCK).soft() >= 0;
      if (limited && !system.capabilities().contains(Capability.IPC_LOCK)) {
        assertThat(system.lockMemory(true).shortfalls())
            .singleElement()
            .asString()
            .contains("RLIMIT_MEMLOCK");
      }
      assertThat(system.memoryLock().locked()).isFalse();
    }
  }

  @Nested
  class Clocks {
    @Test
    void shouldReadEachClock() {
      long beforeNs = System.nanoTime();
      long monotonicNs = system.clockNs(KernelClock.MONOTONIC);
      assertThat(monotonicNs).isBetween(beforeNs, System.nanoTime());
      for (KernelClock each : KernelClock.values()) {
        long firstNs = system.clockNs(each);
        assertThat(firstNs).as(each.name()).isNotZero();
        if (system.isNative() && each != KernelClock.REALTIME && each != KernelClock.TAI) {
          assertThat(system.clockNs(each)).isGreaterThanOrEqualTo(firstNs);
        }
      }
      assertThat(system.hasClock(KernelClock.MONOTONIC)).isTrue();
      assertThat(system.hasClock(KernelClock.BOOTTIME)).isEqualTo(system.isNative());
    }

    @Test
    void shouldCountTheTimeOfDayFrom1970() {
      long secondsNow = system.clockNs(KernelClock.REALTIME) / 1_000_000_000;

      assertThat(secondsNow).isCloseTo(System.currentTimeMillis() / 1_000, offset(3_600L));
    }

    @Test
    void shouldTellTheStepOfAClock() {
      long stepNs = system.clockResolutionNs(KernelClock.MONOTONIC);

      assertThat(stepNs > 0).isEqualTo(system.isNative());
    }
  }

  @Test
  void shouldAllocateNothingInItsQuickCalls() throws Exception {
    OnThread.run(
        () -> {
          int own = system.threadId();
          long bytes =
              AllocatedBytes.inSteadyState(
                  50,
                  () -> {
                    system.setPolicy(own, Policy.FIFO, PRIORITY); // refused or not
                    system.setPolicy(own, Policy.OTHER, 0);
                    system.priority(system.threadId());
                    system.policy(own);
                    if (system.isNative()) {
                      system.clockNs(KernelClock.REALTIME);
                    }
                  });
          assertThat(bytes).isZero();
        });
  }

  @Test
  void shouldHaveNativeServicesExactlyWhenItIsNative() {
    assertThat(system.newPiFutex().isPresent()).isEqualTo(system.isNative());
    assertThat(system.descriptors().isPresent()).isEqualTo(system.isNative());
    assertThat(OperatingSystems.portable().newPiFutex()).isEmpty();
    assertThat(OperatingSystems.portable().descriptors()).isEmpty();
  }
}
