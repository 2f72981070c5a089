package dev.takt.bench.programs;

import dev.takt.bench.measure.Feedable;
import dev.takt.reflex.Atomic;
import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;

/**
 * Reflexes 6.4: each release reads the data available on the input buffer in circular fashion into
 * the stable state; ordinary threads feed the buffer by atomic calls.
 *
 * <p>What is fed are the numbers 1, 2, 3..., and both sides keep count and sum: a number that is
 * lost, read twice or half written shows at once.
 */
@NoAlloc
public final class FeedTask extends ReflexTask implements Feedable {
  private static final int BUFFER = 512;
  private static final int STATE = 1_024;

  private final long[] buffer = new long[BUFFER];
  private final long[] state = new long[STATE];
  private long fed;
  private long fedSum;
  private long read;
  private long readSum;
  private long violations;

  /** Makes the task. */
  public FeedTask() {}

  @Override
  public void execute() {
    while (read < fed) {
      long number = buffer[(int) (read % BUFFER)];
      if (number != read + 1) {
        violations++;
      }
      state[(int) (read % STATE)] = number;
      readSum += number;
      read++;
    }
    if (readSum != fedSum) {
      violations++;
    }
  }

  @Atomic
  @Override
  public long feed(int count) {
    if (fedSum - readSum != sum(fed) - sum(read)) {
      violations++;
    }
    if (fed - read + count <= BUFFER) {
      for (int i = 0; i < count; i++) {
        long number = fed + 1;
        buffer[(int) (fed % BUFFER)] = number;
        fedSum += number;
        fed = number;
      }
    }
    return fed;
  }

  private static long sum(long numbers) {
    return numbers * (numbers + 1) / 2;
  }

  @Atomic
  @Override
  public long read() {
    return read;
  }

  @Atomic
  @Override
  public long violations() {
    return violations;
  }
}
