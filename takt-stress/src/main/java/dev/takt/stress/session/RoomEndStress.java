package dev.takt.stress.session;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.takt.session.InVmTransport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Who waits for room is told when the other end closes. */
@JCStressTest
@Outcome(id = "refused", expect = ACCEPTABLE, desc = "told")
@Outcome(expect = FORBIDDEN, desc = "forgotten")
@State
public class RoomEndStress {
  private final InVmTransport.Pair pair = Lines.pair();

  /** Fills the queue. */
  public RoomEndStress() {
    Lines.write(pair.first(), "a");
  }

  /** Closes. */
  @Actor
  public void close() {
    pair.second().close();
  }

  /** Waits for room. */
  @Actor
  public void write(L_Result result) {
    result.r1 = Lines.write(pair.first(), "b");
  }
}
