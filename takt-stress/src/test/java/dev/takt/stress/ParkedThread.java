package dev.takt.stress;

import dev.takt.testkit.History;
import dev.takt.testkit.History.Fact;
import dev.takt.testkit.History.Kind;
import dev.takt.testkit.History.Op;
import dev.takt.testkit.History.Outcome;
import dev.takt.testkit.History.Pattern;
import dev.takt.testkit.History.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A thread that runs one transaction and stops before one of its accesses to shared memory, until
 * it is released.
 */
final class ParkedThread implements Runnable {
  /** What the transaction does. */
  enum Scenario {
    WRITE_AND_TAKE,
    TWO_WRITES,
    TAKES_BY_TWO_INDEXES,
    ABSENCE_THEN_WRITE,
    PRESENCE_THEN_WRITE,
    OWN_WRITE_TAKEN,
    ROLLBACK,
    NOW_OPERATIONS,
    LONE_WRITE,
    TAKES_IN_A_ROW
  }

  private static final int TAG = 90;

  private final Scenario scenario;
  private final int priority;
  private final int stopAt;
  private final CountDownLatch stoppedOrDone = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final List<Op> ops = new ArrayList<>();
  private final List<Unit> nows = new ArrayList<>();

  private SpacePort.Tx tx;
  private Thread thread;
  private int accesses;
  private volatile boolean isStopped;
  private volatile boolean isCommitting;
  private Op startedNow;
  private Outcome outcome = Outcome.ABORTED;
  private Throwable failure;

  ParkedThread(Scenario scenario, int stopAt, int priority) {
    this.scenario = scenario;
    this.stopAt = stopAt;
    this.priority = priority;
  }

  /** Starts the thread and returns when it has stopped or ended. */
  void start(SpacePort.Tx tx) throws InterruptedException {
    this.tx = tx;
    thread =
        Thread.ofPlatform()
            .name("parked at " + stopAt + " of " + scenario)
            .daemon()
            .unstarted(this);
    thread.start();
    stoppedOrDone.await();
  }

  boolean is(Thread other) {
    return thread == other;
  }

  /** Called on this thread before each of its accesses. */
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

  boolean isStopped() {
    return isStopped;
  }

  /** Lets the thread go on and waits until it has ended. */
  void release() throws InterruptedException {
    released.countDown();
    if (thread != null) {
      thread.join();
    }
  }

  /** Throws what the thread died of. */
  void checkFailure() {
    if (failure != null) {
      throw new AssertionError(this + " failed after its release", failure);
    }
  }

  /** Adds what this thread may have done so far to a history. */
  void addSoFar(List<Unit> history) {
    history.addAll(nows);
    if (startedNow != null) {
      history.add(new Unit(TAG, 0, Long.MAX_VALUE, Outcome.UNKNOWN, List.of(startedNow)));
    }
    if (isCommitting) {
      history.add(new Unit(TAG, 0, Long.MAX_VALUE, Outcome.UNKNOWN, ops));
    }
  }

  /** Adds what this thread has done in the end to a history. */
  void addAll(List<Unit> history, long now) {
    history.addAll(nows);
    history.add(new Unit(TAG, 0, now, outcome, ops));
  }

  @Override
  public void run() {
    try {
      tx.begin(priority, 0);
      try {
        perform();
        if (scenario == Scenario.ROLLBACK) {
          tx.rollback();
        } else {
          isCommitting = true;
          outcome = tx.commit() ? Outcome.COMMITTED : Outcome.ABORTED;
        }
      } catch (SpacePort.Lost e) {
        tx.rollback();
      }
      tx.close();
    } catch (Throwable e) {
      failure = e;
    } finally {
      stoppedOrDone.countDown();
    }
  }

  private void perform() {
    switch (scenario) {
      case WRITE_AND_TAKE, ROLLBACK -> {
        write(0, TAG);
        take(new Pattern(0, History.ANY));
      }
      case TWO_WRITES -> {
        write(0, TAG);
        write(3, TAG);
      }
      case TAKES_BY_TWO_INDEXES -> {
        take(new Pattern(0, History.ANY));
        take(new Pattern(History.ANY, 0));
      }
      case ABSENCE_THEN_WRITE -> {
        test(new Pattern(3, History.ANY));
        take(new Pattern(4, History.ANY));
        write(0, TAG);
      }
      case PRESENCE_THEN_WRITE -> {
        test(new Pattern(0, History.ANY));
        write(3, TAG);
      }
      case OWN_WRITE_TAKEN -> {
        write(0, TAG);
        write(3, TAG);
        take(new Pattern(3, TAG));
      }
      case NOW_OPERATIONS -> {
        writeNow(0, TAG);
        write(3, TAG);
        takeNow(new Pattern(1, History.ANY), 0);
      }
      case LONE_WRITE -> write(0, TAG);
      case TAKES_IN_A_ROW -> {
        // each is a transaction of its own, and all but the first leave the list together
        takeNow(new Pattern(0, History.ANY), 0);
        takeNow(new Pattern(0, History.ANY), 1);
        takeNow(new Pattern(1, 0), 0);
      }
    }
  }

  private void write(int key, int id) {
    Fact fact = new Fact(key, id);
    tx.write(fact);
    ops.add(new Op(Kind.WRITE, null, fact));
  }

  private void take(Pattern pattern) {
    ops.add(new Op(Kind.TAKE, pattern, tx.take(pattern)));
  }

  private void test(Pattern pattern) {
    ops.add(History.test(pattern, tx.test(pattern)));
  }

  private void writeNow(int key, int id) {
    Fact fact = new Fact(key, id);
    startedNow = new Op(Kind.WRITE, null, fact);
    tx.writeNow(fact);
    nows.add(new Unit(TAG, 0, Long.MAX_VALUE, Outcome.COMMITTED, List.of(startedNow)));
    startedNow = null;
  }

  private void takeNow(Pattern pattern, int id) {
    // Which event it takes is known only from the result; this one is the oldest that there is.
    startedNow = new Op(Kind.POLL, pattern, new Fact(pattern.key(), id));
    Op op = new Op(Kind.POLL, pattern, tx.takeNow(pattern));
    nows.add(new Unit(TAG, 0, Long.MAX_VALUE, Outcome.COMMITTED, List.of(op)));
    startedNow = null;
  }

  @Override
  public String toString() {
    return scenario + " (priority " + priority + ", stopped at access " + stopAt + ")";
  }
}
