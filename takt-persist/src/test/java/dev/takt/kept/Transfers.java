package dev.takt.kept;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.stable.StableArray;
import dev.takt.space.Stable;
import java.util.concurrent.atomic.AtomicLong;

/** A task whose releases and atomic calls move amounts, so that all balances together are zero. */
public final class Transfers extends ReflexTask {
  /** How many accounts there are. */
  public static final int ACCOUNTS = 16;

  static final class Account implements Stable {
    private long balance;
  }

  private final StableArray<Account> accounts = new StableArray<>(ACCOUNTS);
  private final long[] copies = new long[ACCOUNTS];
  private int next;
  private long calls;

  // Not the task's own: neither undone nor stored.
  private final AtomicLong attempts = new AtomicLong();

  /** Makes it with all balances zero. */
  public Transfers() {
    super(1 << 12, 1 << 16);
    for (int i = 0; i < ACCOUNTS; i++) {
      accounts.set(i, new Account());
    }
  }

  @Override
  public void execute() {
    next = next + 1;
    transfer(next % ACCOUNTS, next * 7 % ACCOUNTS, next);
    if (attempts.incrementAndGet() % 3 == 0) {
      abort();
    }
  }

  /** Moves an amount, from any thread. */
  @Atomic
  public void call(int from, int to, long amount) {
    transfer(from, to, amount);
    calls = calls + 1;
  }

  private void transfer(int from, int to, long amount) {
    accounts.get(from).balance -= amount;
    copies[from] -= amount;
    accounts.get(to).balance += amount;
    copies[to] += amount;
  }

  /** Returns how many calls there were. */
  public long calls() {
    return calls;
  }

  /** Returns a word about what is wrong, or null. */
  public String fault() {
    long sum = 0;
    for (int i = 0; i < ACCOUNTS; i++) {
      sum += accounts.get(i).balance;
      if (accounts.get(i).balance != copies[i]) {
        return "account " + i + "=" + accounts.get(i).balance + ", copy=" + copies[i];
      }
    }
    return sum == 0 ? null : "sum=" + sum;
  }
}
