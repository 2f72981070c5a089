// A stream of numbers, in a helper that the task calls.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import java.util.stream.IntStream;

class Primes extends ReflexTask {
  private long count;

  @Override
  public void execute() {
    count += Numbers.even(100);
  }
}

final class Numbers {
  private Numbers() {}

  static long even(int below) {
    return IntStream.range(0, below).filter(n -> n % 2 == 0).count(); // expect: R5 "stream"
  }
}
