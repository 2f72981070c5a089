// A control law extends a class of an absent library.
// layer: bytecode, because the compiler has the library and only the installation does not
// library: vendor/Base.java
// missing: vendor.Base
package plant;

import dev.takt.reflex.ReflexTask;
import vendor.Base;

class Heater extends ReflexTask {
  private double power;

  @Override
  public void execute() {
    power = new Law().next(power); // expect: R1 "vendor.Base"
  }
}

class Law extends Base {
  double next(double power) {
    return power * gain();
  }
}
