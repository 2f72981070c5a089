// The text of an event is made of that of its records, which come from wherever.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Teller extends ReflexTask {
  private int length;

  record Level(long value) {
    @Override
    public String toString() {
      Thread.yield(); // expect: R5 "yield"
      return "level " + value;
    }
  }

  @Override
  public void execute() {
    length += event().toString().length();
  }
}

class Filler {
  Event fill() {
    return new Event("level", new Teller.Level(3));
  }
}
