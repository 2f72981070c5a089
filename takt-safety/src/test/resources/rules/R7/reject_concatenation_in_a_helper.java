// The same in a helper that the task reaches.
// layer: both
package telemetry;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;

@NoAlloc
class Tagger extends ReflexTask {
  private int length;

  @Override
  public void execute() {
    length = Tags.make(length).length();
  }
}

final class Tags {
  private Tags() {}

  static String make(int number) {
    String tag = "tag:" + number; // expect: R7 "concat"
    return tag;
  }
}
