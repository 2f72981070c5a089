// StaticConstants go through lambdas, collections, records and Takt, and are only read.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;

class Reader extends ReflexTask {
  static final double[] TAPS = {0.25, 0.5, 0.25};
  static final char[] DIGITS = "0123456789".toCharArray();
  static final Broken BROKEN = new Broken();
  private final double[] own = new double[3];
  private double sum;

  static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Broken() {
      super("broken", null, false, false);
    }
  }

  record Window(double[] taps, int length) {}

  static final class Closing implements AutoCloseable {
    @Override
    public void close() {}
  }

  @Override
  public void execute() {
    Supplier<double[]> taps = () -> TAPS;
    sum = taps.get()[0];
    List<Window> windows = new ArrayList<>();
    windows.add(new Window(TAPS, 3));
    for (Window window : windows) {
      sum += window.taps()[1] * window.length();
    }
    DoubleUnaryOperator filter = x -> x * TAPS[2];
    own[0] = filter.applyAsDouble(sum);
    write(new Event("taps", TAPS).add("own", own));
    sum += Arrays.hashCode(TAPS) + Arrays.binarySearch(TAPS, 0.5);
    StringBuilder text = new StringBuilder().append(DIGITS, 0, 3).append(DIGITS[4]);
    sum += text.length() + new String(DIGITS).length();
    try (Closing closing = new Closing()) {
      if (sum > 1e9) {
        throw BROKEN;
      }
    } catch (Broken broken) {
      sum = broken.getMessage().length();
    }
  }
}
