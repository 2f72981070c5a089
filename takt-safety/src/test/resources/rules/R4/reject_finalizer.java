// A transient class with a finalizer.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Collector extends ReflexTask {
  private int chunks;

  @Override
  public void execute() {
    chunks += new Chunk(3).size();
  }
}

class Chunk {
  private final int size;

  Chunk(int size) {
    this.size = size;
  }

  int size() {
    return size;
  }

  @Override
  @SuppressWarnings("removal")
  protected void finalize() {} // expect: R4 declared "finalize"
}
