package dev.takt.stress.atomic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.stress.atomic.SerialAccount.Deed;
import dev.takt.testkit.FaultLoader;
import dev.takt.testkit.LeakCheck;
import dev.takt.testkit.SharedAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A thread stops at every single access to shared memory of an atomic call, and the task and other
 * callers go on: each release takes as many steps as without the call, and all see the whole call
 * or nothing.
 */
@ExtendWith(LeakCheck.class)
class AtomicParkedTest {
  /** What the thread does that stops. */
  enum Scenario {
    STEP,
    STEP_WITH_OBJECT,
    LOOK,
    FAILED_STEP
  }

  /** Far more than a call takes when nobody comes between. */
  private static final int MAX_ACCESSES = 3_000;

  private final FaultLoader loader = AtomicHistories.loader(null);
  private int accesses;

  /** The thread that stops. */
  private static final class Victim implements Runnable {
    private final Scenario scenario;
    private final Account account;
    private final int stopAt;
    private final CountDownLatch stoppedOrDone = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final List<Deed> done = new ArrayList<>();
    private Thread thread;
    private int accesses;
    private volatile boolean isStopped;
    private Throwable failure;

    Victim(Scenario scenario, Account account, int stopAt) {
      this.scenario = scenario;
      this.account = account;
      this.stopAt = stopAt;
    }

    void start() throws InterruptedException {
      thread = Thread.ofPlatform().daemon().unstarted(this);
      thread.start();
      stoppedOrDone.await();
    }

    void access() {
      if (++accesses == stopAt) {
        isStopped = true;
        stoppedOrDone.countDown();
        try {
          if (!released.await(1, TimeUnit.MINUTES)) {
            throw new AssertionError("the others do not go on");
          }
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
    }

    void release() throws InterruptedException {
      released.countDown();
      thread.join();
    }

    @Override
    public void run() {
      try {
        switch (scenario) {
          case STEP -> done.add(new Deed(true, 6, account.step(6)));
          case STEP_WITH_OBJECT -> done.add(new Deed(true, 7, account.step(7)));
          case LOOK -> done.add(new Deed(false, 0, account.look()));
          case FAILED_STEP -> assertThat(account.failedStep(6)).isTrue();
        }
      } catch (Throwable e) {
        failure = e;
      } finally {
        stoppedOrDone.countDown();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldLetTaskAndOthersGoOnWhereverACallerStops(Scenario scenario) throws Exception {
    int step = 0;
    while (isStoppedAt(scenario, ++step)) {
      assertThat(step).as("%s does not end", scenario).isLessThan(MAX_ACCESSES);
    }
    System.out.printf("parked %s at each of %d accesses%n", scenario, step - 1);
    assertThat(step).as("accesses of %s", scenario).isGreaterThan(10);
  }

  private boolean isStoppedAt(Scenario scenario, int step) throws InterruptedException {
    Account account = AtomicHistories.account(loader);
    account.release(3);
    account.step(5);
    Victim victim = new Victim(scenario, account, step);
    Thread bystander = Thread.currentThread();
    List<Deed> others = new ArrayList<>();
    SharedAccess.setHook(
        site -> {
          Thread current = Thread.currentThread();
          if (current == bystander) {
            accesses++;
          } else if (current == victim.thread) {
            victim.access();
          }
        });
    try {
      victim.start();
      try {
        goOn(account, others);
      } finally {
        victim.release();
      }
    } finally {
      SharedAccess.setHook(null);
    }
    if (victim.failure != null) {
      throw new AssertionError(scenario + " stopped at " + step, victim.failure);
    }
    Deed first = others.getFirst();
    others.addAll(List.of(release(account), new Deed(false, 0, account.look())));
    assertThat(first.seen().number()).as("steps").isBetween(3, 4);
    List<Deed> before = setUp();
    assertThat(SerialAccount.violation(List.of(before, victim.done, others)))
        .as("%s stopped at %d", scenario, step)
        .isNull();
    return victim.isStopped;
  }

  /** What the serial account saw of the two steps before. */
  private static List<Deed> setUp() {
    Account account = new TaskAccount();
    return List.of(new Deed(true, 3, account.release(3)), new Deed(true, 5, account.step(5)));
  }

  /** The task goes first, so that it meets the stopped call. */
  private void goOn(Account account, List<Deed> others) {
    others.add(bounded(40, () -> release(account)));
    others.add(bounded(40, () -> new Deed(false, 0, account.abortedRelease(1))));
    others.add(bounded(MAX_ACCESSES, () -> new Deed(true, 9, account.step(9))));
    others.add(bounded(MAX_ACCESSES, () -> new Deed(false, 0, account.look())));
    others.add(bounded(40, () -> release(account)));
  }

  private static Deed release(Account account) {
    return new Deed(true, 8, account.release(8));
  }

  private interface Action {
    Deed perform();
  }

  private Deed bounded(int maxAccesses, Action action) {
    accesses = 0;
    Deed deed = action.perform();
    assertThat(accesses).as("accesses of %s", deed).isLessThanOrEqualTo(maxAccesses);
    return deed;
  }
}
