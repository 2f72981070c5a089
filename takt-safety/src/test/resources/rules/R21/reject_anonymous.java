// An anonymous stable class that captures a quote of the release.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Watchlist extends ReflexTask {
  private Entry entry;

  abstract static class Entry implements Stable {
    abstract long bid();
  }

  record Quote(long bid) {}

  @Override
  public void execute() {
    Quote quote = new Quote(7);
    entry =
        new Entry() { // expect: R21 declared "Entry"
          @Override
          long bid() {
            return quote.bid();
          }
        };
  }
}
