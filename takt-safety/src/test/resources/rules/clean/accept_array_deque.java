// A queue of the JDK and an iterator, for the time of a release.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayDeque;
import java.util.Iterator;

class Flood extends ReflexTask {
  private int filled;

  record Cell(int x, int y) {}

  @Override
  public void execute() {
    ArrayDeque<Cell> open = new ArrayDeque<>();
    open.add(new Cell(0, 0));
    while (!open.isEmpty() && filled < 100) {
      Cell cell = open.poll();
      filled++;
      if (cell.x() < 3) {
        open.addLast(new Cell(cell.x() + 1, cell.y()));
      }
    }
    for (Iterator<Cell> cells = open.iterator(); cells.hasNext(); ) {
      filled += cells.next().y();
    }
  }
}
