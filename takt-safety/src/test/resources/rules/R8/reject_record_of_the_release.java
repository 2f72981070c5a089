// An immutable record is allowed in a final field, but not one that the release itself has made:
// that one is pooled.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Tape extends ReflexTask {
  private Entry last;
  private long price;

  record Quote(long price) {}

  static final class Entry implements Stable {
    private final Quote quote;

    Entry(Quote quote) {
      this.quote = quote;
    }
  }

  @Override
  public void execute() {
    last = new Entry(new Quote(price)); // expect: R8 "quote" "Quote"
    price = last.quote.price() + 1;
  }
}
