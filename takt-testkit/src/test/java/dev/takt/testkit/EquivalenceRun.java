package dev.takt.testkit;

import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Subscriber;
import dev.takt.space.Transaction;
import dev.takt.space.Wraps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiFunction;

/**
 * The same random operations on a small space and on the reference model, which must give the same
 * results.
 */
final class EquivalenceRun {
  /** What happened, to see that the interesting things did. */
  static final class Tally {
    long found;
    long nothing;
    long refused;
    long committed;
    long rolledBack;
    long announced;

    @Override
    public String toString() {
      return "found=%,d nothing=%,d full=%,d committed=%,d rolled back=%,d announced=%,d"
          .formatted(found, nothing, refused, committed, rolledBack, announced);
    }
  }

  /** A subscription and whether it has been told. */
  private final class Listener implements Subscriber {
    private final RandomEvents.Both template;
    private final Handle handle;
    private boolean isTold;

    Listener(RandomEvents.Both template) {
      this.template = template;
      this.handle = space.subscribe(template.product(), this);
    }

    @Override
    public void onMatch(Handle handle) {
      isTold = true;
    }

    @Override
    public Transaction transaction() {
      return transaction.isBegun() ? transaction : null;
    }
  }

  /** So many events are enough for a space in which there is always room. */
  private static final int ENOUGH = 80;

  private final SplittableRandom random;
  private final RandomEvents events;
  private final Tally tally;
  private final EventSpace space;
  private final ReferenceSpace model;
  private final List<Listener> listeners = new ArrayList<>();
  private final Event into = new Event();
  private Transaction transaction;
  private ReferenceSpace.Transaction modelTransaction;
  private long operations;
  private long loseAt = Long.MAX_VALUE;
  private boolean ages;
  private boolean isRoomy;

  EquivalenceRun(long seed, Tally tally) {
    this(seed, tally, 1, 24, (settings, random) -> EventSpace.create(settings));
  }

  private EquivalenceRun(
      long seed,
      Tally tally,
      int smallest,
      int capacities,
      BiFunction<SpaceSettings, SplittableRandom, EventSpace> maker) {
    this.tally = tally;
    random = new SplittableRandom(seed);
    events = new RandomEvents(random.split());
    int capacity = smallest + random.nextInt(capacities);
    model = new ReferenceSpace(capacity);
    space =
        maker.apply(
            SpaceSettings.DEFAULTS
                .withCapacity(capacity)
                .withMaxEventBytes(512)
                .withMaxReferences(16)
                .withMaxIndexes(RandomEvents.TEMPLATE_KEY_SETS)
                .withMaxSubscriptions(8)
                .withMaxTransactions(4)
                .withMaxOperations(2_048),
            random);
    transaction = space.newTransaction();
  }

  /** Of a space whose counters pass their ends while it runs, and whose lists are old. */
  static EquivalenceRun acrossEnds(long seed, Tally tally) {
    EquivalenceRun run = new EquivalenceRun(seed, tally, 1, 24, Wraps::space);
    run.ages = true;
    return run;
  }

  /**
   * Of a space with so much room that free slots are kept and what was taken from one list is freed
   * later. It is never full, because then it may hold more than its capacity.
   */
  static EquivalenceRun roomy(long seed, Tally tally) {
    EquivalenceRun run =
        new EquivalenceRun(
            seed, tally, 256, 2_048, (settings, random) -> EventSpace.create(settings));
    run.isRoomy = true;
    return run;
  }

  /** Spoils the model after some operations, to see whether the comparison notices. */
  void loseOneEventAfter(long operations) {
    loseAt = operations;
  }

  /** Runs about as many operations; returns how many there were. */
  long run(int wanted) {
    while (operations < wanted) {
      if (operations >= loseAt && model.take(Map.of()) != null) {
        loseAt = Long.MAX_VALUE;
      }
      if (isRoomy && model.count(Map.of()) > ENOUGH) {
        drain();
      } else if (random.nextInt(3) == 0) {
        transact();
      } else {
        direct();
      }
      if (random.nextInt(50) == 0) {
        changeListeners();
      }
      if (ages && random.nextInt(20) == 0) {
        Wraps.age(space, (1L << 31) + random.nextLong(1L << 34));
      }
    }
    expect("everything in the end", model.count(Map.of()), space.count(new Event()));
    return operations;
  }

  // ---- operations of the space

  /** Takes many from one list, one by one, and not by who has written them directly. */
  private void drain() {
    RandomEvents.Both template = events.template();
    for (int i = random.nextInt(ENOUGH); i > 0; i--) {
      operations++;
      Map<String, Object> expected = model.take(template.model());
      transaction.begin();
      Event taken = transaction.take(template.product());
      expect("commit", true, transaction.commit());
      expectEvent("drain", template, expected, taken);
      if (expected == null) {
        template = events.template();
      }
    }
  }

  private void direct() {
    operations++;
    RandomEvents.Both template = events.template();
    switch (random.nextInt(11)) {
      case 0, 1, 2, 3 -> writeDirectly();
      case 4, 5 ->
          expectEvent(
              "take", template, model.take(template.model()), space.take(template.product()));
      case 6 -> {
        boolean found = space.read(template.product(), into);
        expectEvent("read", template, model.read(template.model()), found ? into : null);
      }
      case 7 ->
          expect("test " + template, model.test(template.model()), space.test(template.product()));
      case 8 ->
          expect(
              "count " + template, model.count(template.model()), space.count(template.product()));
      case 9 -> {
        List<Map<String, Object>> all = new ArrayList<>();
        int count = space.forEach(template.product(), event -> all.add(RandomEvents.values(event)));
        expectAll("forEach " + template, model.readAll(template.model()), all, count);
      }
      default -> takeAll(template);
    }
  }

  private void writeDirectly() {
    Map<String, Object> event = events.event();
    boolean fits = model.write(event);
    try {
      space.write(RandomEvents.event(event));
      expect("write " + event, fits, true);
      announce(List.of(event));
    } catch (Abort abort) {
      expectFull(fits, abort);
    }
  }

  private void takeAll(RandomEvents.Both template) {
    int max = random.nextInt(5);
    List<Map<String, Object>> taken = new ArrayList<>();
    int count =
        space.takeAll(template.product(), max, event -> taken.add(RandomEvents.values(event)));
    expect("takeAll " + template, count, taken.size());
    for (Map<String, Object> event : taken) {
      expectSame("takeAll " + template, model.take(template.model()), event);
    }
    if (count < max) {
      expect("takeAll " + template + " left some", model.test(template.model()), false);
    }
  }

  // ---- transactions

  private void transact() {
    modelTransaction = model.begin();
    transaction.begin(random.nextInt(3), 0);
    try {
      for (int i = random.nextInt(7); i > 0; i--) {
        operate();
      }
      if (random.nextInt(4) == 0) {
        rollback();
      } else {
        expect("commit", true, transaction.commit());
        tally.committed++;
        announce(modelTransaction.commit());
      }
    } catch (Abort abort) {
      if (abort.reason() != Abort.Reason.SPACE_FULL) {
        throw new AssertionError("a conflict without another transaction", abort);
      }
      rollback();
    }
    if (random.nextInt(50) == 0) {
      transaction.close();
      transaction = space.newTransaction();
    }
  }

  private void rollback() {
    transaction.rollback();
    modelTransaction.rollback();
    // they may have been told of what was given back
    listeners.forEach(listener -> listener.isTold = false);
    tally.rolledBack++;
  }

  private void operate() {
    operations++;
    RandomEvents.Both template = events.template();
    Map<String, ?> wanted = template.model();
    Event asked = template.product();
    switch (random.nextInt(16)) {
      case 0, 1, 2, 3 -> write(false);
      case 4 -> write(true);
      case 5, 6 ->
          expectEvent("tx take", template, modelTransaction.take(wanted), transaction.take(asked));
      case 7 -> {
        boolean found = transaction.poll(asked, into);
        expectEvent("tx poll", template, modelTransaction.take(wanted), found ? into : null);
      }
      case 8 -> {
        boolean found = transaction.read(asked, into);
        expectEvent("tx read", template, modelTransaction.read(wanted), found ? into : null);
      }
      case 9, 10 ->
          expect("tx test " + template, modelTransaction.test(wanted), transaction.test(asked));
      case 13 -> {
        boolean found = transaction.peek(asked, into);
        expectEvent("tx peek", template, modelTransaction.read(wanted), found ? into : null);
      }
      case 14 -> {
        List<Map<String, Object>> all = new ArrayList<>();
        int count = transaction.forEach(asked, event -> all.add(RandomEvents.values(event)));
        expectAll("tx forEach " + template, modelTransaction.readAll(wanted), all, count);
      }
      case 11 -> {
        boolean found = transaction.takeNow(asked, into);
        expectEvent("takeNow", template, model.take(wanted), found ? into : null);
      }
      case 12 -> expect("testNow " + template, model.test(wanted), transaction.testNow(asked));
      default -> useListener();
    }
  }

  private void write(boolean isNow) {
    Map<String, Object> event = events.event();
    boolean fits = isNow ? model.write(event) : modelTransaction.write(event);
    try {
      if (isNow) {
        transaction.writeNow(RandomEvents.event(event));
        announce(List.of(event));
      } else {
        transaction.write(RandomEvents.event(event));
      }
      expect("tx write " + event, fits, true);
    } catch (Abort abort) {
      expectFull(fits, abort);
      throw abort;
    }
  }

  // ---- subscriptions

  private void changeListeners() {
    if (listeners.size() < 6 && random.nextBoolean()) {
      RandomEvents.Both template = events.template();
      if (template.model().isEmpty()) {
        return;
      }
      listeners.add(new Listener(template));
    } else if (!listeners.isEmpty()) {
      space.unsubscribe(listeners.remove(random.nextInt(listeners.size())).handle);
    }
  }

  private void useListener() {
    if (listeners.isEmpty()) {
      return;
    }
    Listener listener = listeners.get(random.nextInt(listeners.size()));
    Map<String, ?> wanted = listener.template.model();
    switch (random.nextInt(3)) {
      case 0 ->
          expect("hasNext " + wanted, modelTransaction.test(wanted), listener.handle.hasNext());
      case 1 ->
          expectEvent(
              "next", listener.template, modelTransaction.take(wanted), listener.handle.next());
      default -> expect("hasNextNow " + wanted, model.test(wanted), listener.handle.hasNextNow());
    }
  }

  /** Everybody with a match among the new events must have been told, and nobody else. */
  private void announce(List<Map<String, Object>> committed) {
    for (Listener listener : listeners) {
      Map<String, ?> wanted = listener.template.model();
      boolean hasMatch =
          committed.stream().anyMatch(event -> ReferenceSpace.matches(wanted, event));
      expect("told about " + committed + " for " + wanted, hasMatch, listener.isTold);
      tally.announced += hasMatch ? 1 : 0;
      listener.isTold = false;
    }
  }

  // ---- comparing

  private void expectFull(boolean fits, Abort abort) {
    expect("refused: " + abort.getMessage(), fits, false);
    expect("reason of " + abort.getMessage(), Abort.Reason.SPACE_FULL, abort.reason());
    tally.refused++;
  }

  private void expectEvent(
      String what, RandomEvents.Both template, Map<String, Object> expected, Event actual) {
    if (expected == null || actual == null) {
      expect(what + " " + template, expected, actual);
      tally.nothing++;
    } else {
      expectSame(what + " " + template, expected, RandomEvents.values(actual));
      tally.found++;
    }
  }

  private void expectAll(
      String what, List<Map<String, Object>> expected, List<Map<String, Object>> all, int count) {
    expect(what + ", all of " + expected + " against " + all, expected.size(), all.size());
    expect(what + ", how many", count, all.size());
    for (int i = 0; i < count; i++) {
      expectSame(what, expected.get(i), all.get(i));
    }
  }

  private void expectSame(String what, Map<String, Object> expected, Map<String, Object> actual) {
    if (expected == null || !ReferenceSpace.isSameEvent(expected, actual)) {
      throw new AssertionError(
          "operation "
              + operations
              + ", "
              + what
              + ": expected "
              + expected
              + ", got "
              + actual
              + "\n"
              + space.dump(30));
    }
  }

  private void expect(String what, Object expected, Object actual) {
    if (expected != actual && (expected == null || !expected.equals(actual))) {
      throw new AssertionError(
          "operation "
              + operations
              + ", "
              + what
              + ": expected "
              + expected
              + ", got "
              + actual
              + "\n"
              + space.dump(30));
    }
  }
}
