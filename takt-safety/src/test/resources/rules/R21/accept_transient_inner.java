// An anonymous class that is transient may capture what it likes.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Visitors extends ReflexTask {
  private long sum;

  interface Visitor {
    void visit(long value);
  }

  @Override
  public void execute() {
    long base = sum;
    Visitor visitor =
        new Visitor() {
          @Override
          public void visit(long value) {
            sum += value + base;
          }
        };
    visitor.visit(3);
  }
}
