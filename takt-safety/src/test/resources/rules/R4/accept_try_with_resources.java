// Closing at the end of a block needs no cleaner.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Meter extends ReflexTask {
  private long spentNs;

  private static final class Span implements AutoCloseable {
    private final Meter meter;
    private final long startNs;

    Span(Meter meter, long startNs) {
      this.meter = meter;
      this.startNs = startNs;
    }

    @Override
    public void close() {
      meter.spentNs += System.nanoTime() - startNs;
    }
  }

  @Override
  public void execute() {
    try (Span span = new Span(this, System.nanoTime())) {
      spentNs += span.startNs & 1;
    }
  }
}
