// Text made in a release.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

class Captions extends ReflexTask {
  private int number;

  @Override
  public void execute() {
    StringBuilder text = new StringBuilder();
    text.append("step ").append(++number).append(' ').append(number / 2L).append(true);
    if (text.length() > 3 && text.charAt(0) == 's') {
      text.setLength(text.length() - 1);
    }
    write(new Event("caption", text.toString()));
  }
}
