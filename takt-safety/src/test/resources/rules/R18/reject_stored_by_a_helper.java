// A helper of the atomic method puts the lent array into an object.
// layer: both
package plant;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Vision extends ReflexTask {
  private int bright;

  private static final class Frame {
    byte[] pixels;
  }

  @Atomic
  public void frame(byte[] pixels) {
    Frame frame = new Frame();
    frame.pixels = pixels; // expect: R18 "pixels"
    bright = frame.pixels.length;
  }

  @Override
  public void execute() {
    bright--;
  }
}
