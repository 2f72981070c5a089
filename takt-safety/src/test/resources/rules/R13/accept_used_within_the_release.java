// Transient objects made, used and forgotten in one release.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Spread extends ReflexTask {
  private long widest;

  record Pair(long bid, long ask) {
    long width() {
      return ask - bid;
    }
  }

  @Override
  public void execute() {
    Pair pair = new Pair(widest, widest + 2);
    widest = Math.max(widest, pair.width());
  }
}
