// In a method that nothing calls.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    x++;
  }

  private void reset() {
    System.gc();
    x = 0;
  }

  static void main(String[] args) {
    System.out.println("for demonstration");
  }
}
