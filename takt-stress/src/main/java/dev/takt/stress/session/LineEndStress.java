package dev.takt.stress.session;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.takt.session.InVmTransport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Who waits for a line is told when the other end closes. */
@JCStressTest
@Outcome(id = "null", expect = ACCEPTABLE, desc = "told")
@Outcome(expect = FORBIDDEN, desc = "forgotten")
@State
public class LineEndStress {
  private final InVmTransport.Pair pair = Lines.pair();

  /** Closes. */
  @Actor
  public void close() {
    pair.second().close();
  }

  /** Waits for a line. */
  @Actor
  public void read(L_Result result) {
    result.r1 = Lines.read(pair.first());
  }
}
