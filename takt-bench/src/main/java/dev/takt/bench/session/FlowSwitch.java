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
    private final int depth;
    private final boolean returns;
    private Continuation continuation;
    private Turn other;
    private boolean waits;
    private boolean mine;

    Turn(FlowSwitch owner, int depth, boolean returns) {
      this.owner = owner;
      this.depth = depth;
      this.returns = returns;
    }

    @Override
    @continuable
    public void run() {
      long kept = 1;
      while (depth > 0) {
        kept = below(depth, kept);
      }
      while (true) {
        other.give();
        await();
      }
    }

    /** Takes turns so many calls further down, as the code of {@link SwitchRun} does. */
    @continuable
    private long below(int calls, long above) {
      long kept = 31 * above + calls;
      if (calls > 1) {
        return below(calls - 1, kept) ^ kept ^ calls;
      }
      do {
        other.give();
        await();
      } while (!returns);
      return kept;
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

  /**
   * Makes both.
   *
   * @param depth how many calls there are between the begin of each and the place where it waits
   * @param returns whether it returns from all of these calls after each turn
   */
  FlowSwitch(int depth, boolean returns) {
    Turn one = new Turn(this, depth, returns);
    Turn other = new Turn(this, depth, returns);
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
