package dev.takt.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.FaultLoader;
import dev.takt.testkit.LeakCheck;
import dev.takt.testkit.Seeds;
import dev.takt.testkit.SharedAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No thread sleeps while the space has an event for it, in whatever order the threads run that
 * wait, are interrupted, write, take and give back.
 *
 * <p>The threads are virtual ones on one carrier with {@link Switches} between them. When those
 * that do not wait have ended and nothing runs any more, what is left is looked at.
 */
@ExtendWith(LeakCheck.class)
class WaitingTest {
  private static final long MAX_ACCESSES = 1_000_000;
  private static final long LONG_NS = 3_600_000_000_000L;
  private static final int KEYS = 2;

  /** With one carrier a thread that can run has run after so many turns of this one. */
  private static final int TURNS = 2_000;

  private static final int MAX_FAULTY_HISTORIES = 20_000;

  /** What is broken. */
  enum Mutant {
    /** A waiter that leaves does not care about the events that are left. */
    NOT_PASSED_ON("Waiters.leave", "wakeNext", null),
    /** A waiter is taken for one in the queue although another one was quicker to enter it. */
    ADD_ALWAYS_SUCCEEDS("WaiterQueue.add", "compareAndSet", true),
    /** A commit does not look for waiters. */
    NOT_NOTIFIED("Finder.tell", "any", false);

    private final String method;
    private final String call;
    private final Boolean answer;
    private final AtomicInteger places = new AtomicInteger();

    Mutant(String method, String call, Boolean answer) {
      this.method = method;
      this.call = call;
      this.answer = answer;
    }

    private FaultLoader.Fault fault() {
      return answer == null
          ? FaultLoader.omitting(call, 0, method::equals, places)
          : FaultLoader.answering(call, answer, method::equals, places);
    }
  }

  private final long seed = Seeds.seed();

  @Test
  void shouldLeaveNoThreadAsleepWithAnEventForItInAnyInterleaving() {
    int histories = Seeds.isReplay() ? 1 : Seeds.size(20_000, 1_000_000);
    assertThat(firstLost(null, histories)).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void shouldCatchFaultInTheQueue(Mutant mutant) {
    String lost = firstLost(mutant.fault(), MAX_FAULTY_HISTORIES);
    assertThat(mutant.places).hasPositiveValue();
    assertThat(lost).as("%s survived", mutant).isNotNull();
  }

  private String firstLost(FaultLoader.Fault fault, int histories) {
    FaultLoader loader =
        new FaultLoader(
            name ->
                name.startsWith("dev.takt.space.") || name.startsWith(RealWaits.class.getName()),
            true,
            fault);
    WaitPort.Factory spaces = loader.newInstance(RealWaits.class.getName(), WaitPort.Factory.class);
    String[] lost = new String[1];
    Throwable[] failure = new Throwable[1];
    Thread root =
        Thread.ofVirtual()
            .uncaughtExceptionHandler((thread, e) -> failure[0] = e)
            .start(
                () -> {
                  for (int i = 0; i < histories && lost[0] == null; i++) {
                    lost[0] = lost(spaces.create(), seed + i);
                  }
                });
    try {
      root.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      SharedAccess.setHook(null);
    }
    assertThat(failure[0]).as(Seeds.replay(seed)).isNull();
    return lost[0];
  }

  /** Runs one history; returns what is wrong with its end, or null. */
  private static String lost(WaitPort port, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Waiting> waiting = new ArrayList<>();
    List<Thread> others = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      Waiting waiter = new Waiting(port, random.split());
      waiting.add(waiter);
      if (random.nextInt(3) == 0) {
        others.add(Thread.ofVirtual().unstarted(waiter.thread::interrupt));
      }
    }
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      SplittableRandom own = random.split();
      others.add(Thread.ofVirtual().unstarted(() -> work(port, own)));
    }
    SharedAccess.setHook(new Switches(random.split(), MAX_ACCESSES));
    waiting.forEach(each -> each.thread.start());
    others.forEach(Thread::start);
    join(others);
    SharedAccess.setHook(Switches.bound(MAX_ACCESSES));
    for (int turn = 0; turn < TURNS && waiting.stream().anyMatch(Waiting::runs); turn++) {
      Thread.yield();
    }
    String lost = null;
    for (Waiting each : waiting) {
      if (each.thread.isAlive() && port.count(each.key) > 0) {
        lost = "a thread waits for key " + each.key + " beside an event, " + Seeds.replay(seed);
      }
    }
    waiting.forEach(each -> each.thread.interrupt());
    join(waiting.stream().map(each -> each.thread).toList());
    return lost;
  }

  private static void work(WaitPort port, SplittableRandom random) {
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      int key = random.nextInt(KEYS);
      switch (random.nextInt(6)) {
        case 0 -> port.poll(key);
        case 1 -> port.claimAndGiveBack(key);
        case 2 -> port.write(key, random.nextInt(KEYS));
        default -> port.write(key);
      }
    }
  }

  private static void join(List<Thread> threads) {
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** A thread that waits for one event. */
  private static final class Waiting {
    private final int key;
    private final Thread thread;

    private Waiting(WaitPort port, SplittableRandom random) {
      key = random.nextInt(4) == 0 ? WaitPort.ANY : random.nextInt(KEYS);
      boolean isReader = random.nextInt(4) == 0;
      // some are woken by the end of their time at any moment
      long timeoutNs = random.nextInt(6) == 0 ? random.nextInt(30_000) : LONG_NS;
      thread =
          Thread.ofVirtual()
              .unstarted(
                  () -> {
                    try {
                      if (isReader) {
                        port.read(key, timeoutNs);
                      } else {
                        port.take(key, timeoutNs);
                      }
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });
    }

    /** Whether it can go on. */
    private boolean runs() {
      Thread.State state = thread.getState();
      return state != Thread.State.TERMINATED
          && state != Thread.State.WAITING
          && state != Thread.State.TIMED_WAITING;
    }
  }
}
