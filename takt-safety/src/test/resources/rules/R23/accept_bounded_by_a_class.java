// A bound that is a stable class of the program, and one variable bounded by another.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Matrix extends ReflexTask {
  private final Row<Wide, Wide> row = new Row<>();

  @Override
  public void execute() {
    row.first = new Wide();
    row.second = row.first;
  }
}

class Narrow implements Stable {
  double width;
}

class Wide extends Narrow {
  double height;
}

class Row<A extends Narrow, B extends A> implements Stable {
  A first;
  B second;
}
