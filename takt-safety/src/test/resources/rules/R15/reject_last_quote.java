// The last quote in a static, for others to read.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Quotes extends ReflexTask {
  static Quote last;
  private long price;

  record Quote(long price) {}

  @Override
  public void execute() {
    last = new Quote(price++); // expect: R15 "last"
  }
}
