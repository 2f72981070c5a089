package dev.takt.bench.session;

import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.commons.javaflow.api.Continuation;
import org.apache.commons.javaflow.api.continuable;

/**
 * Two codes that javaflow suspends and that take turns, as those of {@link SwitchRun}: each makes
 * the other one ready, and waits as deep below its begin as a session does. One thread goes on with
 * what is ready.
 */
final class FlowSwitch {
  private final Queue<Turn> ready = new ArrayDeque<>();

  /** One of them. */
  static final class Turn implements Runnable {
    private final FlowSwitch owner;
    private Continuation continuation;
    private Turn other;
    private boolean waits;
    private boolean mine;

    Turn(FlowSwitch owner) {
      this.owner = owner;
    }

    @Override
    @continuable
    public void run() {
      while (true) {
        other.give();
        await();
      }
    }

    private void give() {
      mine = true;
      if (waits) {
        waits = false;
        owner.ready.add(this);
      }
    }

    @continuable
    private void await() {
      while (!mine) {
        suspend();
      }
      mine = false;
    }

    @continuable
    private void suspend() {
      waits = true;
      Continuation.suspend();
    }
  }

  FlowSwitch() {
    Turn one = new Turn(this);
    Turn other = new Turn(this);
    one.other = other;
    other.other = one;
    for (Turn each : new Turn[] {one, other}) {
      each.continuation = Continuation.startSuspendedWith(each, true);
      ready.add(each);
    }
  }

  /** Goes on with one that is ready, until it has made the other one ready and waits. */
  void step() {
    Turn turn = ready.remove();
    turn.continuation = turn.continuation.resume();
  }
}
