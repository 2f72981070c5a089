// An enum that only a rare branch touches is initialized at the start all the same.
// layer: both
// live: trading.Grade
package trading;

import dev.takt.reflex.ReflexTask;

class Rater extends ReflexTask {
  private long trades;
  private int grade;

  @Override
  public void execute() {
    if (++trades % 1_000_000 == 0) {
      grade = Grade.TOP.points();
    }
  }
}

enum Grade {
  LOW(1),
  TOP(9);

  private final int points;

  Grade(int points) {
    this.points = points;
  }

  int points() {
    return points;
  }
}
