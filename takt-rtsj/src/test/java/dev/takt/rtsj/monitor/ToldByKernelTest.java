package dev.takt.rtsj.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.rtsj.RealtimeThread;
import dev.takt.rtsj.monitor.MonitorFixture.OtherClock;
import dev.takt.testsupport.OtherJvm;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What is told to those who wait without a time-out: in a JVM of its own, because they do so only
 * where {@code main} has used no monitor.
 */
class ToldByKernelTest {
  /** What the other JVM runs: all in threads of its own, one line each. */
  static final class Scenes {
    public static void main(String[] arguments) throws Exception {
      diesWhileOtherWaits(Monitor.inheritance("left"));
      diesBeforeOtherComes(Monitor.inheritance("found"));
      circle("two futexes", Monitor.inheritance("first"), Monitor.inheritance("second"));
      MonitorSettings queue = MonitorSettings.named("queue").withClock(new OtherClock());
      circle("futex and queue", Monitor.inheritance("futex"), Monitor.inheritance(queue));
      System.out.println(
          "nobody looks: "
              + (OperatingSystems.current().newPiFutex().isEmpty() || !MonitorThread.anyLingers()));
    }

    private static RealtimeThread start(String name, Runnable work) {
      return RealtimeThread.start(name, ThreadScheduling.OTHER, _ -> work.run());
    }

    private static void diesWhileOtherWaits(Monitor monitor) throws InterruptedException {
      RealtimeThread[] waiter = new RealtimeThread[1];
      RealtimeThread owner =
          start(
              "owner",
              () -> {
                monitor.enter();
                waiter[0] = start("waiter", () -> tell("dies", monitor::enter));
                while ((((InheritanceMonitor) monitor).word.get() & LockWord.WAITERS) == 0) {
                  Thread.yield();
                }
              });
      owner.join();
      waiter[0].join();
    }

    private static void diesBeforeOtherComes(Monitor monitor) throws InterruptedException {
      start("owner", monitor::enter).join();
      start("finder", () -> tell("died", monitor::enter)).join();
      start("later", () -> tell("again", monitor::enter)).join();
    }

    private static void circle(String name, Monitor first, Monitor second) throws Exception {
      CyclicBarrier both = new CyclicBarrier(2);
      AtomicInteger refused = new AtomicInteger();
      RealtimeThread one = start(name + ", one", () -> enter(first, second, both, refused));
      RealtimeThread two = start(name + ", two", () -> enter(second, first, both, refused));
      one.join();
      two.join();
      System.out.println(name + ": " + (refused.get() > 0 ? "refused" : "both came in"));
    }

    /** Of a circle one is refused, or both. */
    private static void enter(
        Monitor mine, Monitor wanted, CyclicBarrier both, AtomicInteger refused) {
      try (var _ = mine.hold()) {
        both.await();
        try (var _ = wanted.hold()) {
          mine.isHeld();
        }
      } catch (DeadlockException e) {
        refused.incrementAndGet();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    private static void tell(String scene, Runnable work) {
      String outcome;
      try {
        work.run();
        outcome = "came in";
      } catch (OwnerDiedException e) {
        outcome = "refused";
      }
      System.out.println(scene + ": " + outcome);
    }
  }

  @Test
  void shouldTellOfDeadOwnersAndCircles() throws Exception {
    assertThat(OtherJvm.run(Scenes.class, "--enable-native-access=ALL-UNNAMED").lines())
        .containsExactly(
            "dies: refused",
            "died: refused",
            "again: refused",
            "two futexes: refused",
            "futex and queue: refused",
            "nobody looks: true");
  }
}
