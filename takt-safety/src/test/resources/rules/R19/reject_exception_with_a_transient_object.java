// The exception carries a quote of the release to whoever reads it afterwards.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Reader extends ReflexTask {
  private long at;

  static final class Quote {
    long atNs;
  }

  static final class StaleQuote extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final transient Quote quote;

    StaleQuote(Quote quote) {
      this.quote = quote;
    }
  }

  @Override
  public void execute() {
    Quote quote = new Quote();
    quote.atNs = at++;
    if (quote.atNs > 100) {
      throw new StaleQuote(quote); // expect: R19 "StaleQuote"
    }
  }
}
