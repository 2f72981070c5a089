package dev.takt.stress;

import dev.takt.testkit.History;
import dev.takt.testkit.History.Fact;
import dev.takt.testkit.History.Kind;
import dev.takt.testkit.History.Op;
import dev.takt.testkit.History.Outcome;
import dev.takt.testkit.History.Pattern;
import dev.takt.testkit.History.Unit;
import dev.takt.testkit.SerialChecker;
import dev.takt.testkit.SharedAccess;
import java.util.ArrayList;
import java.util.List;

/**
 * One space, some threads that stop somewhere, and another that goes on: on the calling thread it
 * runs transactions over the same events, each of which must commit within a bounded number of
 * attempts and accesses.
 */
final class ParkedRound {
  private static final int MAX_ATTEMPTS = 8;
  private static final int MAX_ACCESSES = 5_000;
  private static final int PATIENCE = 2;

  private final SpacePort port;
  private final List<ParkedThread> victims;
  private final int priority;
  private final List<Unit> history = new ArrayList<>();
  private final Thread bystander = Thread.currentThread();
  private SpacePort.Tx tx;
  private int accesses;
  private long now;

  ParkedRound(SpacePort.Factory spaces, List<ParkedThread> victims, int priority) {
    port = spaces.create(256, 8, PATIENCE, 3);
    this.victims = victims;
    this.priority = priority;
  }

  /** Returns the threads that stopped; the others ended before they got that far. */
  List<ParkedThread> run() {
    SharedAccess.setHook(this::before);
    try {
      tx = port.open();
      commit(true, this::fill);
      try {
        for (ParkedThread victim : victims) {
          victim.start(port.open());
        }
        goOn();
      } finally {
        for (ParkedThread victim : victims) {
          victim.release();
        }
      }
      victims.forEach(ParkedThread::checkFailure);
      checkAfterRelease();
      return victims.stream().filter(ParkedThread::isStopped).toList();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          victims + ", others with priority " + priority + ": " + e.getMessage(), e);
    } finally {
      SharedAccess.setHook(null);
    }
  }

  private void before(int site) {
    Thread current = Thread.currentThread();
    if (current == bystander) {
      if (++accesses > MAX_ACCESSES) {
        throw new IllegalStateException(
            "more than " + MAX_ACCESSES + " accesses for one step of the others");
      }
      return;
    }
    for (ParkedThread victim : victims) {
      if (victim.is(current)) {
        victim.access();
      }
    }
  }

  private interface Body {
    void perform(List<Op> ops);
  }

  private void goOn() {
    accesses = 0;
    Object handle = port.subscribe(new Pattern(3, 7));
    commit(false, this::lookAround);
    commit(false, this::write);
    accesses = 0;
    if (!port.hasNextNow(handle)) {
      throw new AssertionError("a committed event is hidden from a subscription");
    }
    commit(false, this::take);
    commit(false, this::writeWhatOthersMissed);
    commit(false, this::takeFromTheWhole);
    accesses = 0;
    port.count(new Pattern(0, History.ANY));
    port.unsubscribe(handle);
    List<Unit> soFar = new ArrayList<>(history);
    victims.forEach(victim -> victim.addSoFar(soFar));
    check("while they stand still", soFar);
  }

  private void checkAfterRelease() {
    victims.forEach(victim -> victim.addAll(history, now + 1));
    now += 2;
    accesses = 0;
    history.add(Drain.drain(port, now));
    check("after their release", history);
    tx.close();
  }

  private static void check(String when, List<Unit> history) {
    String violation = SerialChecker.violation(history);
    if (violation != null) {
      throw new AssertionError(when + ": " + violation);
    }
  }

  private void fill(List<Op> ops) {
    for (int key = 0; key < 3; key++) {
      write(ops, key, 0);
    }
    write(ops, 0, 1);
  }

  private void lookAround(List<Op> ops) {
    test(ops, new Pattern(0, History.ANY));
    test(ops, new Pattern(3, History.ANY));
    test(ops, new Pattern(5, History.ANY));
  }

  private void write(List<Op> ops) {
    write(ops, 0, 7);
    write(ops, 3, 7);
  }

  private void take(List<Op> ops) {
    take(ops, new Pattern(0, History.ANY));
    take(ops, new Pattern(3, History.ANY));
  }

  private void writeWhatOthersMissed(List<Op> ops) {
    write(ops, 3, 8);
    write(ops, 4, 8);
  }

  private void takeFromTheWhole(List<Op> ops) {
    take(ops, new Pattern(History.ANY, History.ANY));
    take(ops, new Pattern(2, 0));
    take(ops, new Pattern(5, History.ANY));
  }

  private void write(List<Op> ops, int key, int id) {
    Fact fact = new Fact(key, id);
    tx.write(fact);
    ops.add(new Op(Kind.WRITE, null, fact));
  }

  private void take(List<Op> ops, Pattern pattern) {
    ops.add(new Op(Kind.TAKE, pattern, tx.take(pattern)));
  }

  private void test(List<Op> ops, Pattern pattern) {
    ops.add(History.test(pattern, tx.test(pattern)));
  }

  private void commit(boolean isFirst, Body body) {
    for (int retries = 0; retries < MAX_ATTEMPTS; retries++) {
      List<Op> ops = new ArrayList<>();
      long begin = isFirst ? Long.MIN_VALUE : ++now;
      accesses = 0;
      boolean isCommitted = false;
      tx.begin(priority, retries);
      try {
        body.perform(ops);
        isCommitted = tx.commit();
      } catch (SpacePort.Lost e) {
        tx.rollback();
      }
      Outcome outcome = isCommitted ? Outcome.COMMITTED : Outcome.ABORTED;
      history.add(new Unit(0, begin, isFirst ? Long.MIN_VALUE : ++now, outcome, ops));
      if (isCommitted) {
        return;
      }
    }
    throw new AssertionError("no commit in " + MAX_ATTEMPTS + " attempts:\n" + port.dump());
  }
}
