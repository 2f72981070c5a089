package dev.takt.stress.atomic;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Of two calls and two releases that all add, none is lost. */
@JCStressTest
@Outcome(
    id = "1111, 1111",
    expect = ACCEPTABLE,
    desc = "all there, seen by a call and by a release")
@Outcome(expect = FORBIDDEN, desc = "an update is lost, or there twice")
@State
public class AtomicSumStress {
  private final Pair pair = new Pair();

  /** Calls. */
  @Actor
  public void one() {
    pair.add(1);
  }

  /** Calls between two releases. */
  @Actor
  public void ten() {
    pair.release(100);
    pair.add(10);
    pair.release(1_000);
  }

  /** Looks by a call and by a release. */
  @Arbiter
  public void end(II_Result result) {
    result.r1 = pair.look();
    result.r2 = pair.release(0);
  }
}
