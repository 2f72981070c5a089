// A lambda, a method reference and an object that the JDK calls back hand out a constant table.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

interface Source {
  int[] levels();
}

class ByLambda extends ReflexTask {
  static final int[] PEAKS = new int[4];

  @Override
  public void execute() {
    Supplier<int[]> supplier = () -> PEAKS;
    supplier.get()[0]++; // expect: R15 "an element" "telemetry.ByLambda.PEAKS"
  }
}

class ByMethod extends ReflexTask {
  static final int[] PEAKS = new int[4];

  @Override
  public void execute() {
    Source source = ByMethod::peaks;
    source.levels()[0]++; // expect: R15 "an element" "telemetry.ByMethod.PEAKS"
  }

  private static int[] peaks() {
    return PEAKS;
  }
}

class ByCapture extends ReflexTask {
  static final int[] PEAKS = new int[4];

  @Override
  public void execute() {
    int[] captured = PEAKS;
    Source source = () -> captured;
    source.levels()[1]++; // expect: R15 "an element" "telemetry.ByCapture.PEAKS"
  }
}

class ByMap extends ReflexTask {
  static final int[] PEAKS = new int[4];

  @Override
  public void execute() {
    Map<String, int[]> map = new HashMap<>();
    map.computeIfAbsent("a", key -> PEAKS)[0]++; // expect: R15 "an element" "telemetry.ByMap.PEAKS"
  }
}

class ByObject extends ReflexTask {
  static final int[] PEAKS = new int[4];

  static final class Maker implements Function<String, int[]> {
    @Override
    public int[] apply(String name) {
      return PEAKS;
    }
  }

  @Override
  public void execute() {
    Map<String, int[]> map = new HashMap<>();
    map.computeIfAbsent("b", new Maker())[0]++; // expect: R15 "an element" "telemetry.ByObject"
  }
}

class ByConstructor extends ReflexTask {
  static final int[] PEAKS = new int[4];

  record Box(int[] levels) {}

  @Override
  public void execute() {
    Function<int[], Box> boxed = Box::new;
    boxed.apply(PEAKS).levels()[2] = 3; // expect: R15 "an element" "telemetry.ByConstructor.PEAKS"
  }
}

class ByConstant extends ReflexTask {
  static final long[] SUMS = new long[4];
  static final Supplier<long[]> TABLE = () -> SUMS;

  @Override
  public void execute() {
    TABLE.get()[0]++; // expect: R15 "an element" "telemetry.ByConstant.SUMS"
  }
}

class ByInterface extends ReflexTask {
  static final long[] SUMS = new long[4];

  interface Sums {
    long[] sums(int which);
  }

  enum Choice implements Sums {
    ALL;

    @Override
    public long[] sums(int which) {
      return which == 0 ? SUMS : new long[1];
    }
  }

  @Override
  public void execute() {
    Sums sums = Choice.ALL;
    sums.sums(0)[0]++; // expect: R15 "an element" "telemetry.ByInterface.SUMS"
  }
}

class ByField extends ReflexTask {
  static final long[] SUMS = new long[4];
  private final Plan plan = new Plan(SUMS);

  record Plan(long[] sums) {}

  @Override
  public void execute() {
    plan.sums()[0]++; // expect: R15 "an element" "telemetry.ByField.plan"
  }
}
