// What others do by name, this does with an enum and a switch.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;

class Router extends ReflexTask {
  enum Venue {
    NASDAQ,
    XETRA,
    LSE
  }

  private Venue current() {
    return sent % 2 == 0 ? Venue.NASDAQ : Venue.XETRA;
  }

  private long sent;

  @Override
  public void execute() {
    switch (current()) {
      case NASDAQ -> sent += 1;
      case XETRA -> sent += 2;
      case LSE -> sent += 3;
    }
  }
}
