// hole: ordinary code calls a stable object through an interface that knows nothing of stable; what
// it calls is only known at run time
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Cells extends ReflexTask {
  private final Cell cell;

  Cells(Cell cell) {
    this.cell = cell;
  }

  @Override
  public void execute() {
    cell.run();
  }
}

class Cell implements Runnable, Stable {
  private int runs;

  @Override
  public void run() {
    runs++;
  }
}

class Main {
  void start() {
    Cell cell = new Cell();
    new Cells(cell);
    Runnable action = cell;
    action.run();
  }
}
