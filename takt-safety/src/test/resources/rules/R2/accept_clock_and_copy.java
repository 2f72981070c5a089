// Natives of the allow-list: the clock, copying, and the class of an object.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Window extends ReflexTask {
  private final long[] atNs = new long[16];
  private int size;

  @Override
  public void execute() {
    if (size == atNs.length) {
      System.arraycopy(atNs, 1, atNs, 0, atNs.length - 1);
      size--;
    }
    atNs[size++] = System.nanoTime();
    Object kind = size % 2 == 0 ? new Even() : new Odd();
    if (kind.getClass() == Odd.class) {
      size = Math.max(size, 1);
    }
  }

  record Even() {}

  record Odd() {}
}
