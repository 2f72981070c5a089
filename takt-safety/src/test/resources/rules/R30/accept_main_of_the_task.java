// The class of a task has a main method, which is ordinary code: it calls the atomic methods.
// layer: both
package plant;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Meter extends ReflexTask {
  private int count;

  @Atomic
  public int count() {
    return count;
  }

  @Override
  public void execute() {
    count++;
  }

  public static void main(String[] args) {
    Meter meter = new Meter();
    Runnable show = () -> System.out.println(meter.count());
    show.run();
    System.out.println(meter.count());
  }
}
