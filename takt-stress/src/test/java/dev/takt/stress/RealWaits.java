package dev.takt.stress;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Template;
import dev.takt.space.Transaction;
import java.time.Duration;

/** The shipped space. */
public final class RealWaits implements WaitPort.Factory {
  private static final SpaceSettings SETTINGS =
      SpaceSettings.DEFAULTS
          .withCapacity(64)
          .withMaxSubscriptions(4)
          .withMaxTransactions(16)
          .withPatience(2);

  @Override
  public WaitPort create() {
    EventSpace space = EventSpace.create(SETTINGS);
    space.prepare(template(0));
    space.prepare(template(WaitPort.ANY));
    return new Port(space);
  }

  /** Odd keys are asked for by a condition. */
  private static Event template(int key) {
    return key == WaitPort.ANY
        ? new Event("key", null)
        : key % 2 == 0 ? new Event("key", key) : new Template().between("key", key, key);
  }

  private record Port(EventSpace space) implements WaitPort {
    @Override
    public void write(int... keys) {
      if (keys.length == 1) {
        space.write(new Event("key", keys[0]));
        return;
      }
      space.transact(
          transaction -> {
            for (int key : keys) {
              transaction.write(new Event("key", key));
            }
          });
    }

    @Override
    public void claimAndGiveBack(int key) {
      try (Transaction transaction = space.newTransaction()) {
        transaction.begin();
        transaction.poll(template(key), new Event());
        transaction.rollback();
      }
    }

    @Override
    public boolean poll(int key) {
      return space.poll(template(key), new Event());
    }

    @Override
    public boolean take(int key, long timeoutNs) throws InterruptedException {
      return space.take(template(key), Duration.ofNanos(timeoutNs)) != null;
    }

    @Override
    public boolean read(int key, long timeoutNs) throws InterruptedException {
      return space.read(template(key), Duration.ofNanos(timeoutNs)) != null;
    }

    @Override
    public int count(int key) {
      return space.count(template(key));
    }
  }
}
