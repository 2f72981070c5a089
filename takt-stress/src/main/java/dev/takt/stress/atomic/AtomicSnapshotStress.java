package dev.takt.stress.atomic;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A call sees all of what a release did or nothing, one call after another. */
@JCStressTest
@Outcome(
    id = {"0, 0", "0, 1", "1, 1"},
    expect = ACCEPTABLE,
    desc = "before the release or after it")
@Outcome(expect = FORBIDDEN, desc = "half a release, or back in time")
@State
public class AtomicSnapshotStress {
  private final Pair pair = new Pair();

  /** Runs two releases, of which one is undone. */
  @Actor
  public void release() {
    pair.abortedRelease(7);
    pair.release(1);
  }

  /** Calls twice. */
  @Actor
  public void look(II_Result result) {
    result.r1 = pair.look();
    result.r2 = pair.look();
  }
}
