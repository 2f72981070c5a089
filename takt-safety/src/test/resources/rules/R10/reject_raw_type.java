// A raw type gives up the check of what is stored.
// layer: source, because type arguments are gone from bytecode; there the weaver checks the stores
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Conveyor extends ReflexTask {
  private final Box<Crate> box = new Box<>();

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"})
  public void execute() {
    Box any = box;
    any.put(new Pallet()); // expect: R10 "Box"
  }
}

class Crate implements Stable {
  int weight;
}

class Pallet implements Stable {
  int weight;
}

class Box<T extends Stable> implements Stable {
  private T content;

  void put(T item) {
    content = item;
  }
}
