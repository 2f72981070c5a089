// In an override that only one of the subclasses has.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    Law law = x > 3 ? new Soft() : new Harder();
    x = law.next(x);
  }
}

abstract class Law {
  abstract int next(int value);
}

class Soft extends Law {
  @Override
  int next(int value) {
    return value + 1;
  }
}

class Hard extends Soft {}

class Harder extends Hard {
  @Override
  int next(int value) {
    System.gc(); // expect: R28 "System.gc"
    return super.next(value);
  }
}
