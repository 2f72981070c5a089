// Enums with state of their own, in switches and sets of flags.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Health extends ReflexTask {
  private int points;
  private int state;

  enum Grade {
    GOOD(10) {
      @Override
      int weigh(int value) {
        return value;
      }
    },
    BAD(-10) {
      @Override
      int weigh(int value) {
        return -value;
      }
    };

    private final int points;

    Grade(int points) {
      this.points = points;
    }

    abstract int weigh(int value);
  }

  @Override
  public void execute() {
    Grade grade = state++ % 2 == 0 ? Grade.GOOD : Grade.BAD;
    points += grade.weigh(grade.points) + grade.ordinal() + grade.compareTo(Grade.BAD);
    switch (grade) {
      case GOOD -> points++;
      case BAD -> points--;
    }
    if (grade == Grade.GOOD && grade.name().equals("GOOD")) {
      points++;
    }
  }
}
