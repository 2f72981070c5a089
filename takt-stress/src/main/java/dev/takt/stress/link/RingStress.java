package dev.takt.stress.link;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** What one side of a ring sends, the other receives in its order, each whole. */
@JCStressTest
@Outcome(
    id = {"0, 0", "0, 2", "2, 0", "2, 3"},
    expect = ACCEPTABLE,
    desc = "as far as it was sent")
@Outcome(expect = FORBIDDEN, desc = "out of order, torn, or of an earlier lap")
@State
public class RingStress {
  private final SharedRing ring = new SharedRing();

  /** Sends two records, of several cache lines each. */
  @Actor
  public void send() {
    ring.send(2, 160);
    ring.send(3, 160);
  }

  /** Receives what is there, twice. */
  @Actor
  public void receive(II_Result result) {
    result.r1 = ring.receive();
    result.r2 = ring.receive();
  }
}
