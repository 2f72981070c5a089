package dev.takt.realtime.os.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.OnThread;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.PiFutex;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.testsupport.AllocatedBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Where there is no native access there is no word, and that is all there is to test. */
class PiFutexTest {
  private static final int PRIORITY = 7;
  private static final int FIELD_PRIORITY = 15; // after the name in /proc/PID/task/TID/stat

  private final OperatingSystem system = OperatingSystems.current();
  private final Optional<PiFutex> created = system.newPiFutex();

  private interface Part {
    void run(PiFutex futex) throws Exception;
  }

  /** On a thread of its own, because a word belongs to a thread. */
  private void run(Part part) throws Exception {
    assertThat(created.isPresent()).isEqualTo(system.isNative());
    if (created.isPresent()) {
      OnThread.run(() -> part.run(created.get()));
    }
  }

  private static int word(PiFutex futex) {
    return (int) JAVA_INT.varHandle().getVolatile(futex.word(), 0L);
  }

  private static void awaitWaiters(PiFutex futex) throws Exception {
    await(() -> (word(futex) & PiFutex.WAITERS) != 0);
  }

  /** What never comes fails the test, rather than holding it up for ever. */
  private static void await(Callable<Boolean> condition) throws Exception {
    long giveUpNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.call()) {
      assertThat(System.nanoTime() - giveUpNs).as("gave up waiting").isNegative();
      Thread.onSpinWait();
    }
  }

  @Test
  void shouldBeThereOnlyIfTheKernelPermitsIt() throws Exception {
    run(
        _ -> {
          assertThat(LinuxPiFutex.isPermitted()).isTrue();
          assertThat(new LinuxSystem(true).newPiFutex()).isPresent();
          assertThat(new LinuxSystem(false).newPiFutex()).isEmpty();
        });
  }

  @Test
  void shouldWaitForAsLongAsTimeGoesByTheTimeOfDay() throws Exception {
    run(
        futex -> {
          futex.lock();
          OnThread.Started waiter =
              OnThread.start(
                  () -> {
                    assertThat(((LinuxPiFutex) futex).lockUntilByTimeOfDay(Long.MAX_VALUE))
                        .isEqualTo(Errno.NONE);
                    futex.unlock();
                  });
          await(() -> waiter.task().isDone() || (word(futex) & PiFutex.WAITERS) != 0);
          futex.unlock();
          waiter.join();
        });
  }

  @Test
  void shouldHoldItsOwnersNumberUntilUnlocked() throws Exception {
    run(
        futex -> {
          assertThat(futex.word().byteSize()).isEqualTo(4);
          assertThat(futex.lock()).isEqualTo(Errno.NONE);
          assertThat(word(futex) & PiFutex.TID_MASK).isEqualTo(system.threadId());
          assertThat(futex.unlock()).isEqualTo(Errno.NONE);
          assertThat(word(futex)).isZero();
        });
  }

  @Test
  void shouldTakeAWordThatTheOwnerTookByItself() throws Exception {
    run(
        futex -> {
          JAVA_INT.varHandle().setVolatile(futex.word(), 0L, system.threadId());
          OnThread.Started waiter =
              OnThread.start(
                  () -> {
                    assertThat(futex.lock()).isEqualTo(Errno.NONE);
                    assertThat(word(futex) & PiFutex.TID_MASK).isEqualTo(system.threadId());
                    assertThat(futex.unlock()).isEqualTo(Errno.NONE);
                  });
          awaitWaiters(futex);

          assertThat(futex.unlock()).isEqualTo(Errno.NONE);

          waiter.join();
        });
  }

  @Test
  void shouldTellThatTheCallerOwnsIt() throws Exception {
    run(
        futex -> {
          futex.lock();

          assertThat(futex.lock()).isEqualTo(Errno.EDEADLK);
          assertThat(futex.lockUntil(System.nanoTime() + 1_000_000_000)).isEqualTo(Errno.EDEADLK);

          futex.unlock();
        });
  }

  @Test
  void shouldTellThatAnotherOwnsIt() throws Exception {
    run(
        futex -> {
          futex.lock();
          OnThread.run(
              () -> {
                assertThat(futex.tryLock()).isEqualTo(Errno.EAGAIN);
                assertThat(futex.unlock()).isEqualTo(Errno.EPERM);
              });
          futex.unlock();
          OnThread.run(
              () -> {
                assertThat(futex.tryLock()).isEqualTo(Errno.NONE);
                assertThat(futex.unlock()).isEqualTo(Errno.NONE);
              });
        });
  }

  @Test
  void shouldGiveUpWhenTimeHasComeByEitherClock() throws Exception {
    run(
        futex -> {
          futex.lock();
          LinuxPiFutex linux = (LinuxPiFutex) futex;
          OnThread.run(
              () -> {
                long deadlineNs = System.nanoTime() + 5_000_000;
                assertThat(futex.lockUntil(deadlineNs)).isEqualTo(Errno.ETIMEDOUT);
                assertThat(System.nanoTime() - deadlineNs).isNotNegative();
                assertThat(futex.lockUntil(deadlineNs)).isEqualTo(Errno.ETIMEDOUT);
                assertThat(futex.lockUntil(-1)).isEqualTo(Errno.ETIMEDOUT);
                assertThat(linux.lockUntilByTimeOfDay(System.nanoTime() + 1_000_000))
                    .isEqualTo(Errno.ETIMEDOUT);
                assertThat(linux.lockUntilByTimeOfDay(deadlineNs)).isEqualTo(Errno.ETIMEDOUT);
              });
          futex.unlock();
          assertThat(linux.lockUntilByTimeOfDay(System.nanoTime() + 1_000_000_000))
              .isEqualTo(Errno.NONE);
          futex.unlock();
        });
  }

  @Test
  void shouldTellThatTheOwnerEndedWhenNobodyWaited() throws Exception {
    run(
        futex -> {
          AtomicInteger owner = new AtomicInteger();
          OnThread.run(
              () -> {
                owner.set(system.threadId());
                futex.lock();
              });
          Path entry = Path.of("/proc/self/task/" + owner.get());
          await(() -> !Files.exists(entry)); // it ends some time after the Java thread

          assertThat(futex.lock()).isEqualTo(Errno.ESRCH);
          assertThat(futex.tryLock()).isEqualTo(Errno.ESRCH);
        });
  }

  @Test
  void shouldHandTheWordOnWhenTheOwnerEnds() throws Exception {
    run(
        futex -> {
          CountDownLatch owned = new CountDownLatch(1);
          OnThread.start(
              () -> {
                futex.lock();
                owned.countDown();
                awaitWaiters(futex);
              });
          assertThat(owned.await(30, TimeUnit.SECONDS)).isTrue();

          assertThat(futex.lock()).isEqualTo(Errno.NONE);

          assertThat(word(futex) & PiFutex.TID_MASK).isEqualTo(system.threadId());
          assertThat(word(futex) & PiFutex.OWNER_DIED).isNotZero();
          assertThat(futex.unlock()).isEqualTo(Errno.NONE);
        });
  }

  @Test
  void shouldLendTheWaitersPriorityToTheOwner() throws Exception {
    run(
        futex -> {
          int owner = system.threadId();
          int before = effectivePriority(owner);
          futex.lock();
          AtomicReference<Grant> grant = new AtomicReference<>();
          CountDownLatch granted = new CountDownLatch(1);
          OnThread.Started waiter =
              OnThread.start(
                  () -> {
                    grant.set(system.schedule(ThreadScheduling.fifo(PRIORITY)));
                    granted.countDown();
                    futex.lock();
                    futex.unlock();
                  });
          assertThat(granted.await(30, TimeUnit.SECONDS)).isTrue();
          awaitWaiters(futex);
          boolean realtime = grant.get().scheduling().policy() == Policy.FIFO;
          await(
              () -> !realtime || effectivePriority(owner) != before); // the bit is set just before
          int lent = effectivePriority(owner);
          int own = system.priority(owner);
          futex.unlock();
          waiter.join();

          assertThat(lent).isEqualTo(realtime ? -1 - PRIORITY : before);
          assertThat(own).isZero();
          assertThat(effectivePriority(owner)).isEqualTo(before);
        });
  }

  /** As the scheduler sees it: 20 for fair sharing with nice value 0, -1 minus a real-time one. */
  private static int effectivePriority(int threadId) throws IOException {
    String stat = Files.readString(Path.of("/proc/self/task/" + threadId + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return Integer.parseInt(fields[FIELD_PRIORITY]);
  }

  @Test
  void shouldAllocateNothing() throws Exception {
    run(
        futex -> {
          assertThat(
                  AllocatedBytes.inSteadyState(
                      50,
                      () -> {
                        futex.lockUntil(System.nanoTime() + 1_000_000_000);
                        futex.unlock();
                        futex.tryLock();
                        futex.unlock();
                        futex.lock();
                        futex.unlock();
                      }))
              .isZero();
        });
  }

  @Test
  void shouldAllocateNothingWhenTimeHasCome() throws Exception {
    run(
        futex -> {
          futex.lock();
          OnThread.run(
              () ->
                  assertThat(
                          AllocatedBytes.inSteadyState(
                              50, () -> futex.lockUntil(System.nanoTime() + 1_000)))
                      .isZero());
          futex.unlock();
        });
  }
}
