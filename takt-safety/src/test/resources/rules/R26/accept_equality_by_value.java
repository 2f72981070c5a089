// Pooled objects compared by value, and within the release by identity.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Deduplicator extends ReflexTask {
  private int same;

  record Key(long order, int venue) {}

  @Override
  public void execute() {
    Key first = new Key(1, 2);
    Key second = new Key(1, same);
    if (first.equals(second) && first != second) {
      same++;
    }
  }
}
