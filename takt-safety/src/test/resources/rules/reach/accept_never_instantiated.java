// In an override of a class that no task makes an instance of.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    Law law = new Soft();
    x = law.next(x);
  }
}

interface Law {
  int next(int value);
}

class Soft implements Law {
  @Override
  public int next(int value) {
    return value + 1;
  }
}

class Tested implements Law {
  @Override
  public int next(int value) {
    System.out.println(value);
    return value;
  }
}
