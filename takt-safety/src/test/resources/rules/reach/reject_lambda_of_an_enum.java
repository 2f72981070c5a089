// A constant of an enum was made with a lambda; the release calls it.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private long x;

  @Override
  public void execute() {
    x = Step.UP.law.next(x);
  }
}

sealed interface Law permits Up, Down {
  long next(long value);
}

record Up() implements Law {
  @Override
  public long next(long value) {
    return value + 1;
  }
}

record Down() implements Law {
  @Override
  public long next(long value) {
    System.gc(); // expect: R28 "System.gc"
    return value - 1;
  }
}

enum Step {
  UP(new Up()),
  DOWN(new Down());

  final Law law;

  Step(Law law) {
    this.law = law;
  }
}
