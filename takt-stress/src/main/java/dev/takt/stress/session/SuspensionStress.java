package dev.takt.stress.session;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.takt.session.Suspension;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A wait by the documented protocol of suspensions ends, however close it and its end meet. */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "went on")
@Outcome(expect = FORBIDDEN, desc = "forgotten")
@State
public class SuspensionStress {
  private volatile Suspension waiting;
  private volatile boolean fulfilled;

  /** Waits. */
  @Actor
  public void await(I_Result result) {
    Suspension here = Suspension.current();
    waiting = here;
    long endNs = here.nanoTime() + Lines.LONG.toNanos();
    try {
      while (!fulfilled && here.nanoTime() < endNs) {
        here.await(endNs - here.nanoTime());
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    result.r1 = here.nanoTime() < endNs ? 1 : 0;
  }

  /** Changes the state, and then looks whether somebody waits. */
  @Actor
  public void fulfil() {
    fulfilled = true;
    Suspension here = waiting;
    if (here != null) {
      here.resume();
    }
  }
}
