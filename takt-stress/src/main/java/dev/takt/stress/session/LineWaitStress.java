package dev.takt.stress.session;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.takt.session.InVmTransport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A reader that waits for a line gets it, however close its wait and the write meet. */
@JCStressTest
@Outcome(id = "a, a", expect = ACCEPTABLE, desc = "written and read")
@Outcome(expect = FORBIDDEN, desc = "forgotten, lost or out of order")
@State
public class LineWaitStress {
  private final InVmTransport.Pair pair = Lines.pair();

  /** Writes the line. */
  @Actor
  public void write(LL_Result result) {
    result.r1 = Lines.write(pair.first(), "a");
  }

  /** Waits for it. */
  @Actor
  public void read(LL_Result result) {
    result.r2 = Lines.read(pair.second());
  }
}
