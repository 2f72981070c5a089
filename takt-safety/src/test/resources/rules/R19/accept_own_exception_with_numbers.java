// An exception of the program that carries numbers.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Press extends ReflexTask {
  private double force;

  static final class Overload extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final double newtons;

    Overload(double newtons) {
      super("overload");
      this.newtons = newtons;
    }

    double newtons() {
      return newtons;
    }
  }

  @Override
  public void execute() {
    force += 10;
    if (force > 5_000) {
      throw new Overload(force);
    }
  }
}
