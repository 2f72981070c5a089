package dev.takt.stress;

import dev.takt.testkit.History;
import dev.takt.testkit.History.Fact;
import dev.takt.testkit.History.Pattern;
import dev.takt.testkit.ReferenceSpace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Spaces of the model: serial by a lock, or, to see whether the checks notice, not transactional at
 * all.
 */
final class ReferenceSpaces implements SpacePort.Factory {
  private final boolean isolated;

  /** Makes a factory; without isolation each operation takes effect at once and for good. */
  ReferenceSpaces(boolean isolated) {
    this.isolated = isolated;
  }

  @Override
  public SpacePort create(int capacity, int maxTransactions, int patience, int maxRetries) {
    return new Port(new ReferenceSpace(capacity), isolated);
  }

  private static Map<String, Object> event(Fact fact) {
    return Map.of("key", (long) fact.key(), "id", (long) fact.id());
  }

  private static Map<String, Object> template(Pattern pattern) {
    Map<String, Object> template = new HashMap<>();
    if (pattern.key() != History.ANY) {
      template.put("key", (long) pattern.key());
    }
    if (pattern.id() != History.ANY) {
      template.put("id", (long) pattern.id());
    }
    return template;
  }

  private static Fact fact(Map<String, Object> event) {
    return event == null
        ? null
        : new Fact(((Long) event.get("key")).intValue(), ((Long) event.get("id")).intValue());
  }

  private record Port(ReferenceSpace space, boolean isolated) implements SpacePort {
    @Override
    public Tx open() {
      return new ReferenceTx(space, isolated);
    }

    @Override
    public Object subscribe(Pattern pattern) {
      return pattern;
    }

    @Override
    public boolean hasNextNow(Object handle) {
      return space.test(template((Pattern) handle));
    }

    @Override
    public void unsubscribe(Object handle) {}

    @Override
    public int count(Pattern pattern) {
      return space.count(template(pattern));
    }

    @Override
    public String dump() {
      return space.size() + " events";
    }
  }

  private static final class ReferenceTx implements SpacePort.Tx {
    private final ReferenceSpace space;
    private final boolean isolated;
    private ReferenceSpace.Transaction transaction;

    ReferenceTx(ReferenceSpace space, boolean isolated) {
      this.space = space;
      this.isolated = isolated;
    }

    private static void check(boolean written) {
      if (!written) {
        throw new SpacePort.Lost(true);
      }
    }

    @Override
    public void begin(int priority, int retries) {
      transaction = isolated ? space.begin() : null;
    }

    @Override
    public void write(Fact fact) {
      Thread.yield();
      check(isolated ? transaction.write(event(fact)) : space.write(event(fact)));
    }

    @Override
    public Fact take(Pattern pattern) {
      Thread.yield();
      return fact(isolated ? transaction.take(template(pattern)) : space.take(template(pattern)));
    }

    @Override
    public Fact poll(Pattern pattern) {
      return take(pattern);
    }

    @Override
    public Fact read(Pattern pattern) {
      Thread.yield();
      return fact(isolated ? transaction.read(template(pattern)) : space.read(template(pattern)));
    }

    @Override
    public Fact peek(Pattern pattern) {
      return read(pattern);
    }

    @Override
    public List<Fact> readAll(Pattern pattern) {
      Thread.yield();
      Map<String, Object> template = template(pattern);
      return (isolated ? transaction.readAll(template) : space.readAll(template))
          .stream().map(ReferenceSpaces::fact).toList();
    }

    @Override
    public boolean test(Pattern pattern) {
      Thread.yield();
      return isolated ? transaction.test(template(pattern)) : space.test(template(pattern));
    }

    @Override
    public void writeNow(Fact fact) {
      check(space.write(event(fact)));
    }

    @Override
    public Fact takeNow(Pattern pattern) {
      return fact(space.take(template(pattern)));
    }

    @Override
    public boolean testNow(Pattern pattern) {
      return space.test(template(pattern));
    }

    @Override
    public boolean commit() {
      if (isolated) {
        transaction.commit();
      }
      return true;
    }

    @Override
    public void rollback() {
      if (isolated) {
        transaction.rollback();
      }
    }

    @Override
    public void close() {}
  }
}
