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
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Random transactions of one thread over few keys, and the record of what they did.
 *
 * <p>A transaction that lost is tried again a few times; each attempt is recorded, because what a
 * loser saw counts too.
 */
final class Load {
  private static final int ATTEMPTS = 4;

  /**
   * How many "now" operations one thread does at most: each is a transaction more for the checker.
   */
  private static final int MAX_NOW = 5;

  /**
   * How much contention.
   *
   * @param threads how many threads
   * @param transactions how many transactions each
   * @param maxOps how many operations each at most
   * @param keys how many keys; the fewer, the more conflicts
   * @param ids how many ids; the fewer, the more equal events
   * @param priorities how many priorities
   * @param withNow whether there are operations that bypass the running transaction
   */
  record Size(
      int threads,
      int transactions,
      int maxOps,
      int keys,
      int ids,
      int priorities,
      boolean withNow) {}

  private enum Step {
    WRITE,
    TAKE,
    POLL,
    READ,
    PEEK,
    READ_ALL,
    TEST,
    WRITE_NOW,
    TAKE_NOW,
    TEST_NOW
  }

  /** More often what makes conflicts; the last three only with "now" operations. */
  private static final Step[] STEPS = {
    Step.WRITE,
    Step.WRITE,
    Step.WRITE,
    Step.WRITE,
    Step.TAKE,
    Step.TAKE,
    Step.TAKE,
    Step.TAKE,
    Step.TEST,
    Step.TEST,
    Step.TEST,
    Step.READ,
    Step.POLL,
    Step.PEEK,
    Step.READ_ALL,
    Step.WRITE_NOW,
    Step.TAKE_NOW,
    Step.TEST_NOW
  };

  private static final int NOW_STEPS = 3;

  private record Planned(Step step, Fact fact, Pattern pattern) {}

  private final int thread;
  private final SpacePort.Tx tx;
  private final Size size;
  private final SplittableRandom random;
  private final LongSupplier clock;
  private final List<Unit> units = new ArrayList<>();
  private int conflicts;
  private int nowCount;

  Load(int thread, SpacePort.Tx tx, Size size, SplittableRandom random, LongSupplier clock) {
    this.thread = thread;
    this.tx = tx;
    this.size = size;
    this.random = random;
    this.clock = clock;
  }

  List<Unit> units() {
    return units;
  }

  /** Returns how many attempts were lost. */
  int conflicts() {
    return conflicts;
  }

  void run() {
    for (int i = 0; i < size.transactions(); i++) {
      List<Planned> plan = plan();
      int priority = random.nextInt(size.priorities());
      boolean gaveUp = random.nextInt(16) == 0;
      for (int retries = 0;
          retries < ATTEMPTS && !attempt(plan, priority, retries, gaveUp);
          retries++) {
        conflicts++;
      }
    }
    tx.close();
  }

  /** Fills the space before the threads start; returns what it did. */
  static Unit fill(SpacePort.Tx tx, Size size, SplittableRandom random) {
    List<Op> ops = new ArrayList<>();
    tx.begin(0, 0);
    for (int i = random.nextInt(2 * size.keys() + 1); i > 0; i--) {
      Fact fact = new Fact(random.nextInt(size.keys()), random.nextInt(size.ids()));
      tx.write(fact);
      ops.add(new Op(Kind.WRITE, null, fact));
    }
    if (!tx.commit()) {
      throw new AssertionError("a conflict without another transaction");
    }
    tx.close();
    return new Unit(-1, Long.MIN_VALUE, Long.MIN_VALUE, Outcome.COMMITTED, ops);
  }

  private List<Planned> plan() {
    List<Planned> plan = new ArrayList<>();
    // A "now" operation may contradict what its own transaction has read; so they get a key of
    // their own.
    int nowKey =
        size.withNow() && size.keys() > 1 && random.nextBoolean()
            ? random.nextInt(size.keys())
            : -1;
    for (int i = 1 + random.nextInt(size.maxOps()); i > 0; i--) {
      Step step = STEPS[random.nextInt(STEPS.length - (nowKey < 0 ? NOW_STEPS : 0))];
      boolean isNow = step.compareTo(Step.WRITE_NOW) >= 0;
      int key = isNow ? nowKey : random.nextInt(size.keys());
      if (!isNow && key == nowKey) {
        key = (key + 1) % size.keys();
      }
      Fact fact = new Fact(key, random.nextInt(size.ids()));
      plan.add(new Planned(step, fact, pattern(fact, nowKey >= 0)));
    }
    return plan;
  }

  private Pattern pattern(Fact fact, boolean needsKey) {
    int kind = random.nextInt(10);
    if (kind < 2 && !needsKey) {
      return new Pattern(History.ANY, kind == 0 ? History.ANY : fact.id());
    }
    return new Pattern(fact.key(), kind < 4 ? fact.id() : History.ANY);
  }

  /** Returns whether nothing is left to be tried again. */
  private boolean attempt(List<Planned> plan, int priority, int retries, boolean givesUp) {
    List<Op> ops = new ArrayList<>();
    long begin = clock.getAsLong();
    tx.begin(priority, retries);
    boolean isCommitted = false;
    boolean isFull = false;
    try {
      for (Planned planned : plan) {
        perform(planned, ops);
      }
      if (givesUp) {
        tx.rollback();
      } else {
        isCommitted = tx.commit();
      }
    } catch (SpacePort.Lost e) {
      isFull = e.isFull;
      tx.rollback();
    }
    Outcome outcome = isCommitted ? Outcome.COMMITTED : Outcome.ABORTED;
    units.add(new Unit(thread, begin, clock.getAsLong(), outcome, ops));
    return isCommitted || isFull || givesUp;
  }

  private void perform(Planned planned, List<Op> ops) {
    Pattern pattern = planned.pattern;
    switch (planned.step) {
      case WRITE -> {
        tx.write(planned.fact);
        ops.add(new Op(Kind.WRITE, null, planned.fact));
      }
      case TAKE -> ops.add(new Op(Kind.TAKE, pattern, tx.take(pattern)));
      case POLL -> ops.add(new Op(Kind.POLL, pattern, tx.poll(pattern)));
      case READ -> ops.add(new Op(Kind.READ, pattern, tx.read(pattern)));
      case PEEK -> ops.add(new Op(Kind.PEEK, pattern, tx.peek(pattern)));
      case READ_ALL -> ops.add(new Op(Kind.READ_ALL, pattern, null, tx.readAll(pattern)));
      case TEST -> ops.add(new Op(tx.test(pattern) ? Kind.PRESENT : Kind.ABSENT, pattern, null));
      default -> performNow(planned);
    }
  }

  /** These are transactions of their own, inside the time of the one that runs. */
  private void performNow(Planned planned) {
    if (nowCount == MAX_NOW) {
      return;
    }
    nowCount++;
    long begin = clock.getAsLong();
    Op op =
        switch (planned.step) {
          case WRITE_NOW -> {
            tx.writeNow(planned.fact);
            yield new Op(Kind.WRITE, null, planned.fact);
          }
          case TAKE_NOW -> new Op(Kind.TAKE, planned.pattern, tx.takeNow(planned.pattern));
          default ->
              new Op(
                  tx.testNow(planned.pattern) ? Kind.PRESENT : Kind.ABSENT, planned.pattern, null);
        };
    units.add(new Unit(thread, begin, clock.getAsLong(), Outcome.COMMITTED, List.of(op)));
  }
}
