// Sorting lists and arrays.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

class Sorter extends ReflexTask {
  private final long[] prices = new long[8];
  private long median;

  record Offer(long price, int size) implements Comparable<Offer> {
    @Override
    public int compareTo(Offer other) {
      return Long.compare(price, other.price);
    }
  }

  @Override
  public void execute() {
    List<Offer> offers = new ArrayList<>();
    offers.add(new Offer(median, 1));
    offers.add(new Offer(4, 2));
    offers.sort((a, b) -> a.compareTo(b));
    median = offers.get(0).price();
    long[] copy = Arrays.copyOf(prices, prices.length);
    insert(copy);
    prices[0] = copy[copy.length / 2] + Arrays.hashCode(copy) + (Arrays.equals(copy, prices) ? 1 : 0);
  }

  private static void insert(long[] values) {
    for (int i = 1; i < values.length; i++) {
      for (int j = i; j > 0 && values[j] < values[j - 1]; j--) {
        long swap = values[j];
        values[j] = values[j - 1];
        values[j - 1] = swap;
      }
    }
  }
}
