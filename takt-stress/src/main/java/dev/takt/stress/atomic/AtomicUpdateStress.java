package dev.takt.stress.atomic;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A release sees all of an atomic call or nothing, and nothing of the call is lost. */
@JCStressTest
@Outcome(
    id = {"0, 1", "1, 1"},
    expect = ACCEPTABLE,
    desc = "the call was later or earlier")
@Outcome(expect = FORBIDDEN, desc = "half a call, or none")
@State
public class AtomicUpdateStress {
  private final Pair pair = new Pair();

  /** Calls. */
  @Actor
  public void call() {
    pair.add(1);
  }

  /** Runs a release that changes something and is undone. */
  @Actor
  public void release(II_Result result) {
    result.r1 = pair.abortedRelease(5);
  }

  /** Runs the next release. */
  @Arbiter
  public void end(II_Result result) {
    result.r2 = pair.release(0);
  }
}
