package dev.takt.samples;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceTransaction;

/**
 * Several operations become one with {@code transact}: others see all of them or none.
 *
 * <p>Money moves between two accounts. You will see the first transfer happen and the second, which
 * the account cannot pay, leave no trace although it had taken the account's event already:
 *
 * <pre>
 * transfer of 60: true   a=40 b=60
 * transfer of 60: false  a=40 b=60
 * </pre>
 */
public final class Sample03Transaction {
  private Sample03Transaction() {}

  /** Runs the sample. */
  public static void main(String[] args) {
    EventSpace space = EventSpace.create();
    space.write(new Event("account", "a").add("balance", 100));
    space.write(new Event("account", "b").add("balance", 0));
    for (int i = 0; i < 2; i++) {
      boolean done = space.transact(transaction -> transfer(transaction, 60));
      System.out.printf(
          "transfer of 60: %-5s  a=%d b=%d%n", done, balance(space, "a"), balance(space, "b"));
    }
  }

  private static void transfer(SpaceTransaction transaction, long amount) {
    change(transaction, "b", amount);
    change(transaction, "a", -amount);
  }

  private static void change(SpaceTransaction transaction, String account, long amount) {
    Event event = transaction.take(new Event("account", account));
    long balance = event.getLong("balance") + amount;
    if (balance < 0) {
      transaction.abort();
    }
    transaction.write(event.add("balance", balance));
  }

  private static long balance(EventSpace space, String account) {
    Event event = new Event();
    space.read(new Event("account", account), event);
    return event.getLong("balance");
  }
}
