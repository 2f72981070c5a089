// A clone is another array; so is one that is swapped in.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Growing extends ReflexTask {
  private long[] values = new long[4];
  private int size;

  @Override
  public void execute() {
    if (size == values.length) {
      long[] larger = new long[2 * values.length];
      System.arraycopy(values, 0, larger, 0, size);
      values = larger;
    }
    values[size++] = total(values.clone());
  }

  private static long total(long[] copy) {
    return copy[0] + copy.length;
  }
}
