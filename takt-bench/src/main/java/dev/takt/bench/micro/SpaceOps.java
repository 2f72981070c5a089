package dev.takt.bench.micro;

import dev.takt.space.Event;
import dev.takt.space.Transaction;

/** Transactions of one operation on a transaction object that is used again and again. */
public final class SpaceOps {
  private SpaceOps() {}

  /** Writes, alone in the space: a conflict is a mistake of the measurement. */
  public static void write(Transaction transaction, Event event) {
    transaction.begin();
    transaction.write(event);
    if (!transaction.commit()) {
      throw new IllegalStateException("a conflict without another transaction: " + event);
    }
  }

  /** Takes what is known to be there. */
  public static void take(Transaction transaction, Event template, Event into) {
    transaction.begin();
    boolean found = transaction.take(template, into);
    if (!transaction.commit() || !found) {
      throw new IllegalStateException(
          "not found, or a conflict without another transaction: " + template);
    }
  }
}
