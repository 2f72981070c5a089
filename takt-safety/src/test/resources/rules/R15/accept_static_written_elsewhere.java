// A static reference that only ordinary code writes and reads.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Book extends ReflexTask {
  private long orders;

  @Override
  public void execute() {
    orders++;
  }
}

class Registry {
  static Book current;

  static Book open() {
    current = new Book();
    return current;
  }
}
