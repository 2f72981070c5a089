package dev.takt.stress;

import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Transaction;
import dev.takt.testkit.History;
import dev.takt.testkit.History.Fact;
import dev.takt.testkit.History.Pattern;
import java.util.ArrayList;
import java.util.List;

/**
 * Spaces of the product; the class is public for {@link dev.takt.testkit.FaultLoader}, which loads
 * it with the product.
 */
public final class RealSpaces implements SpacePort.Factory {
  @Override
  public SpacePort create(int capacity, int maxTransactions, int patience, int maxRetries) {
    return new Port(
        EventSpace.create(
            SpaceSettings.DEFAULTS
                .withCapacity(capacity)
                .withMaxEventBytes(32)
                .withMaxReferences(1)
                .withMaxIndexes(8)
                .withMaxSubscriptions(16)
                .withMaxTransactions(maxTransactions)
                .withMaxOperations(512)
                .withMaxRetries(maxRetries)
                .withPatience(patience)));
  }

  private record Port(EventSpace space) implements SpacePort {
    @Override
    public Tx open() {
      return new RealTx(space.newTransaction());
    }

    @Override
    public Object subscribe(Pattern pattern) {
      return space.subscribe(template(new Event(), pattern), handle -> {});
    }

    @Override
    public boolean hasNextNow(Object handle) {
      return ((Handle) handle).hasNextNow();
    }

    @Override
    public void unsubscribe(Object handle) {
      space.unsubscribe((Handle) handle);
    }

    @Override
    public int count(Pattern pattern) {
      return space.count(template(new Event(), pattern));
    }

    @Override
    public String dump() {
      return space.dump(100);
    }
  }

  private static Event template(Event event, Pattern pattern) {
    event.clear();
    if (pattern.key() != History.ANY) {
      event.add("key", pattern.key());
    }
    if (pattern.id() != History.ANY) {
      event.add("id", pattern.id());
    }
    return event;
  }

  private static final class RealTx implements SpacePort.Tx {
    private final Transaction transaction;
    private final Event out = new Event();
    private final Event in = new Event();

    RealTx(Transaction transaction) {
      this.transaction = transaction;
    }

    private interface Action<R> {
      R run();
    }

    private static <R> R lost(Action<R> action) {
      try {
        return action.run();
      } catch (Abort e) {
        if (e.reason() != Abort.Reason.CONFLICT && e.reason() != Abort.Reason.SPACE_FULL) {
          throw e;
        }
        throw new SpacePort.Lost(e.reason() == Abort.Reason.SPACE_FULL);
      }
    }

    private Event event(Fact fact) {
      return out.clear()
          .add("key", fact.key())
          .add("id", fact.id())
          .add("check", check(fact.key(), fact.id()));
    }

    private Fact fact(boolean found) {
      return found ? fact(in) : null;
    }

    private static Fact fact(Event event) {
      int key = (int) event.getLong("key");
      int id = (int) event.getLong("id");
      if (event.getLong("check") != check(key, id)) {
        throw new AssertionError("a torn event: " + event);
      }
      return new Fact(key, id);
    }

    private static long check(int key, int id) {
      return (key + 1) * 0x9E37_79B9L ^ id * 0x85EB_CA6BL;
    }

    @Override
    public void begin(int priority, int retries) {
      transaction.begin(priority, retries);
    }

    @Override
    public void write(Fact fact) {
      lost(
          () -> {
            transaction.write(event(fact));
            return null;
          });
    }

    @Override
    public Fact take(Pattern pattern) {
      return lost(() -> fact(transaction.take(template(out, pattern), in)));
    }

    @Override
    public Fact poll(Pattern pattern) {
      return lost(() -> fact(transaction.poll(template(out, pattern), in)));
    }

    @Override
    public Fact read(Pattern pattern) {
      return lost(() -> fact(transaction.read(template(out, pattern), in)));
    }

    @Override
    public Fact peek(Pattern pattern) {
      return lost(() -> fact(transaction.peek(template(out, pattern), in)));
    }

    @Override
    public List<Fact> readAll(Pattern pattern) {
      List<Fact> all = new ArrayList<>();
      return lost(
          () -> {
            transaction.forEach(template(out, pattern), event -> all.add(fact(event)));
            return all;
          });
    }

    @Override
    public boolean test(Pattern pattern) {
      return lost(() -> transaction.test(template(out, pattern)));
    }

    @Override
    public void writeNow(Fact fact) {
      lost(
          () -> {
            transaction.writeNow(event(fact));
            return null;
          });
    }

    @Override
    public Fact takeNow(Pattern pattern) {
      return lost(() -> fact(transaction.takeNow(template(out, pattern), in)));
    }

    @Override
    public boolean testNow(Pattern pattern) {
      return lost(() -> transaction.testNow(template(out, pattern)));
    }

    @Override
    public boolean commit() {
      return transaction.commit();
    }

    @Override
    public void rollback() {
      transaction.rollback();
    }

    @Override
    public void close() {
      transaction.close();
    }
  }
}
