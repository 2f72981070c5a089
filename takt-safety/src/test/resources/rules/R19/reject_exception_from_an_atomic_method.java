// A caller on an ordinary thread would get hold of the task's state.
// layer: both
package telemetry;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Session extends ReflexTask {
  private final State state = new State();

  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final transient State state;

    Refused(State state) {
      this.state = state;
    }
  }

  @Atomic
  public void open(int channel) {
    if (channel > 7) {
      throw new Refused(state); // expect: R19 "Refused"
    }
    state.channel = channel;
  }

  @Override
  public void execute() {
    state.channel = 0;
  }
}

class State implements Stable {
  int channel;
}
