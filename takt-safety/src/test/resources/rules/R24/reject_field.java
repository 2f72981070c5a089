// A transient object keeps the capsule in a field.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Capsule;

class Sink extends ReflexTask {
  private int frames;

  static final class Box {
    Chunk chunk; // expect: R24 declared "chunk" "Chunk"
  }

  @Override
  public void execute() {
    Box box = new Box();
    box.chunk = new Chunk();
    frames += box.chunk.size;
  }
}

final class Chunk implements Capsule {
  int size = 1;
}
