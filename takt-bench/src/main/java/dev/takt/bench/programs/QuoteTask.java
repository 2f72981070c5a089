package dev.takt.bench.programs;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;
import java.util.function.DoublePredicate;

/**
 * A control loop as one writes it without a thought of the garbage collector: each release makes a
 * linked list of 32 records, an array and a lambda, about 1,500 bytes, and keeps a moving average.
 */
@NoAlloc
public final class QuoteTask extends ReflexTask {
  private static final int QUOTES = 32;

  private long state = 42;
  private double average = 100;
  private long signals;

  /** Makes the task. */
  public QuoteTask() {}

  private record Quote(double price, int volume, Quote next) {}

  @Override
  public void execute() {
    Quote newest = null;
    for (int i = 0; i < QUOTES; i++) {
      newest = new Quote(nextPrice(), i, newest);
    }
    double[] prices = new double[QUOTES];
    int count = 0;
    for (Quote quote = newest; quote != null; quote = quote.next()) {
      prices[count++] = quote.price();
    }
    double limit = average * 1.001;
    signals += count(prices, price -> price > limit);
    double sum = 0;
    for (double price : prices) {
      sum += price;
    }
    average += (sum / QUOTES - average) / 64;
  }

  private static int count(double[] prices, DoublePredicate wanted) {
    int count = 0;
    for (double price : prices) {
      count += wanted.test(price) ? 1 : 0;
    }
    return count;
  }

  private double nextPrice() {
    state = state * 6364136223846793005L + 1442695040888963407L;
    return 99 + (state >>> 40) / (double) (1 << 23);
  }
}
