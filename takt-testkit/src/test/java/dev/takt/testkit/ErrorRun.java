package dev.takt.testkit;

import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Subscriber;
import dev.takt.space.Template;
import dev.takt.space.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Random operations, each of which an error may cut off anywhere, on a space and on the reference
 * model: an operation that throws has not happened, one that returns has.
 *
 * <p>Public, because it is loaded once more, with the space, by a {@link FaultLoader} that lets the
 * space's calls fail.
 */
@SuppressWarnings("exports") // the loader asks for a public class, nobody else does
public final class ErrorRun implements ErrorInjectionTest.Run {
  /** What the caller's own code throws. */
  private static final class Thrown extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Thrown() {
      super("thrown by the caller's code", null, false, false);
    }
  }

  /** A record with an accessor that throws for a negative component. */
  record Touchy(long level) {
    @Override
    public long level() {
      if (level < 0) {
        throw new Thrown();
      }
      return level;
    }
  }

  private SplittableRandom random;
  private RandomEvents events;
  private ErrorInjectionTest.Injector injector;
  private int capacity;
  private EventSpace space;
  private ReferenceSpace model;
  private Transaction transaction;
  private ReferenceSpace.Transaction modelTransaction;
  private final List<Handle> handles = new ArrayList<>();
  private final Event into = new Event();
  private long cutOff;
  private String doing = "";

  /** For the loader. */
  public ErrorRun() {}

  @Override
  public long run(long seed, int operations, ErrorInjectionTest.Injector injector) {
    this.injector = injector;
    handles.clear();
    cutOff = 0;
    random = new SplittableRandom(seed);
    events = new RandomEvents(random.split());
    // with keeps of free slots and without
    capacity = random.nextInt(4) == 0 ? 2_048 : 1 + random.nextInt(24);
    model = new ReferenceSpace(capacity);
    space =
        EventSpace.create(
            SpaceSettings.DEFAULTS
                .withCapacity(capacity)
                .withMaxEventBytes(512)
                .withMaxReferences(16)
                .withMaxIndexes(RandomEvents.TEMPLATE_KEY_SETS)
                .withMaxSubscriptions(8)
                .withMaxTransactions(3 + random.nextInt(3))
                .withMaxOperations(64));
    transaction = space.newTransaction();
    for (int i = 0; i < operations; i++) {
      step();
      expect("events", model.count(Map.of()), space.count(new Event()));
    }
    end();
    return cutOff;
  }

  private void step() {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> write();
      case 3, 4 -> take();
      case 5 -> look();
      case 6, 7, 8 -> transact();
      case 9 -> body();
      case 10 -> touch();
      default -> subscribe();
    }
  }

  /** Does something that an error may cut off; returns whether it was done. */
  private boolean attempt(String what, Runnable action) {
    doing = what;
    if (random.nextInt(40) == 0) {
      Thread.currentThread().interrupt();
    }
    try {
      injector.run(random, action);
      return true;
    } catch (Abort abort) {
      throw abort;
    } catch (Thrown | StackOverflowError | OutOfMemoryError e) {
      cutOff++;
      return false;
    } finally {
      Thread.interrupted();
    }
  }

  // ---- operations of the space

  private void write() {
    Map<String, Object> event = events.event();
    Event product = RandomEvents.event(event);
    try {
      if (attempt("write " + event, () -> space.write(product))) {
        expect("write", model.write(event), true);
      }
    } catch (Abort abort) {
      expect("full", model.count(Map.of()), capacity);
    }
  }

  private void take() {
    RandomEvents.Both template = events.template();
    Event[] taken = new Event[1];
    if (attempt("take " + template, () -> taken[0] = space.take(template.product()))) {
      expectEvent(model.take(template.model()), taken[0]);
    }
  }

  private void look() {
    RandomEvents.Both template = events.template();
    boolean[] found = new boolean[1];
    if (attempt("read " + template, () -> found[0] = space.read(template.product(), into))) {
      expectEvent(model.read(template.model()), found[0] ? into : null);
    }
  }

  /** The caller's own code throws: a predicate, a record's accessor. */
  private void touch() {
    if (random.nextBoolean()) {
      Template throwing =
          new Template()
              .matchingString(
                  "a",
                  text -> {
                    throw new Thrown();
                  });
      Event[] taken = new Event[1];
      if (attempt("take by a predicate that throws", () -> taken[0] = space.take(throwing))) {
        expect("nothing to ask the predicate about", taken[0], null);
      }
    } else {
      try {
        attempt(
            "write of a record that throws",
            () -> space.write(new Event("a", new Touchy(-1)).add("b", 1)));
      } catch (IllegalArgumentException e) {
        expect(e.getMessage(), e.getMessage().contains("threw"), true);
      }
    }
  }

  // ---- transactions

  private void transact() {
    if (!attempt("begin", () -> transaction.begin(random.nextInt(3), 0))) {
      return;
    }
    modelTransaction = model.begin();
    try {
      for (int i = random.nextInt(6); i > 0; i--) {
        operate();
      }
      finish();
    } catch (Abort abort) {
      if (abort.reason() != Abort.Reason.SPACE_FULL) {
        throw new AssertionError("a conflict without another transaction", abort);
      }
      modelTransaction.rollback();
      attempt("rollback", transaction::rollback);
      transaction.rollback();
    }
    if (random.nextInt(8) == 0) {
      if (!attempt("close", transaction::close)) {
        // the stack may have ended before the call: then the transaction is still in use
        transaction.close();
      }
      transaction = null;
      while (!attempt("newTransaction", () -> transaction = space.newTransaction())) {
        doing = "newTransaction again";
      }
    }
  }

  private void finish() {
    boolean[] committed = new boolean[1];
    if (random.nextInt(4) != 0 && attempt("commit", () -> committed[0] = transaction.commit())) {
      expect("commit", committed[0], true);
      modelTransaction.commit();
    } else {
      modelTransaction.rollback();
      if (random.nextBoolean()) {
        attempt("rollback", transaction::rollback);
      }
      transaction.rollback();
    }
  }

  private void operate() {
    RandomEvents.Both template = events.template();
    Event asked = template.product();
    Event[] got = new Event[1];
    boolean[] found = new boolean[1];
    switch (random.nextInt(7)) {
      case 0, 1 -> {
        Map<String, Object> event = events.event();
        Event product = RandomEvents.event(event);
        if (attempt("tx write " + event, () -> transaction.write(product))) {
          expect("tx write", modelTransaction.write(event), true);
        }
      }
      case 2, 3 -> {
        if (attempt("tx take " + template, () -> got[0] = transaction.take(asked))) {
          expectEvent(modelTransaction.take(template.model()), got[0]);
        }
      }
      case 4 -> {
        if (attempt("tx read " + template, () -> found[0] = transaction.read(asked, into))) {
          expectEvent(modelTransaction.read(template.model()), found[0] ? into : null);
        }
      }
      case 5 -> {
        Map<String, Object> event = events.event();
        Event product = RandomEvents.event(event);
        if (attempt("writeNow " + event, () -> transaction.writeNow(product))) {
          expect("writeNow", model.write(event), true);
        }
      }
      default -> {
        if (attempt("takeNow " + template, () -> found[0] = transaction.takeNow(asked, into))) {
          expectEvent(model.take(template.model()), found[0] ? into : null);
        }
      }
    }
  }

  /** A transaction whose body may be cut off, or throw, in its middle. */
  private void body() {
    RandomEvents.Both template = events.template();
    Map<String, Object> event = events.event();
    Event product = RandomEvents.event(event);
    boolean throwing = random.nextInt(4) == 0;
    Event[] taken = new Event[1];
    boolean done;
    try {
      done =
          attempt(
              "transact " + template,
              () ->
                  space.transact(
                      body -> {
                        taken[0] = body.take(template.product());
                        body.write(product);
                        if (throwing) {
                          throw new Thrown();
                        }
                      }));
    } catch (Abort abort) {
      expect("full", model.count(Map.of()), capacity);
      return;
    }
    if (done) {
      ReferenceSpace.Transaction both = model.begin();
      expectEvent(both.take(template.model()), taken[0]);
      expect("write of the body", both.write(event), true);
      both.commit();
    }
  }

  // ---- subscriptions

  private void subscribe() {
    if (handles.size() < 6 && random.nextBoolean()) {
      RandomEvents.Both template = events.template();
      boolean throwing = random.nextBoolean();
      Subscriber subscriber =
          handle -> {
            if (throwing) {
              throw new Thrown();
            }
          };
      if (!template.model().isEmpty()) {
        attempt("subscribe", () -> handles.add(space.subscribe(template.product(), subscriber)));
      }
    } else if (!handles.isEmpty()) {
      Handle handle = handles.get(random.nextInt(handles.size()));
      if (!attempt("unsubscribe", () -> space.unsubscribe(handle)) && handle.isSubscribed()) {
        space.unsubscribe(handle);
      }
      handles.remove(handle);
    }
  }

  // ---- the end

  private void end() {
    doing = "the end";
    transaction.close();
    for (Handle handle : handles) {
      space.unsubscribe(handle);
    }
    expect("subscriptions in the end", space.stats().subscriptions(), 0);
    while (model.take(Map.of()) != null) {
      expect("one more", space.take(new Event()) != null, true);
    }
    expect("nothing left", space.take(new Event()), null);
    expect("slots in use", space.stats().events(), 0);
    for (int i = 0; i < capacity; i++) {
      space.write(new Event("a", i));
    }
    expect("capacity is whole", space.count(new Event()), capacity);
  }

  private void expectEvent(Map<String, Object> expected, Event actual) {
    boolean same =
        expected == null || actual == null
            ? expected == null && actual == null
            : ReferenceSpace.isSameEvent(expected, RandomEvents.values(actual));
    expect("same event, expected " + expected + ", got " + actual, same, true);
  }

  private void expect(String what, Object actual, Object expected) {
    if (actual != expected && (actual == null || !actual.equals(expected))) {
      throw new AssertionError(
          doing
              + ": "
              + what
              + ": "
              + actual
              + ", expected "
              + expected
              + "; last error at "
              + injector
              + "\n"
              + space.dump(30));
    }
  }
}
