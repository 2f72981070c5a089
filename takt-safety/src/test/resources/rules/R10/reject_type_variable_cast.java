// A cast to a type variable checks nothing.
// layer: source, because type arguments are gone from bytecode; there the weaver checks the stores
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Store extends ReflexTask {
  private final Holder<Reading> holder = new Holder<>();

  @Override
  public void execute() {
    holder.force(new Reading());
  }
}

class Reading implements Stable {
  double volts;
}

class Holder<T extends Stable> implements Stable {
  private T value;

  @SuppressWarnings("unchecked")
  void force(Stable any) {
    value = (T) any; // expect: R10 "T"
  }
}
