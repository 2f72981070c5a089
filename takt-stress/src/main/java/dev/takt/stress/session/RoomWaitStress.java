package dev.takt.stress.session;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.takt.session.InVmTransport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A writer that waits for room goes on when there is some, and the lines keep their order. */
@JCStressTest
@Outcome(id = "b, ab", expect = ACCEPTABLE, desc = "both written and read")
@Outcome(expect = FORBIDDEN, desc = "forgotten, lost or out of order")
@State
public class RoomWaitStress {
  private final InVmTransport.Pair pair = Lines.pair();

  /** Fills the queue. */
  public RoomWaitStress() {
    Lines.write(pair.first(), "a");
  }

  /** Waits for room. */
  @Actor
  public void write(LL_Result result) {
    result.r1 = Lines.write(pair.first(), "b");
  }

  /** Makes room, and waits for the line. */
  @Actor
  public void read(LL_Result result) {
    result.r2 = Lines.read(pair.second()) + Lines.read(pair.second());
  }
}
