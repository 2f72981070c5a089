package dev.takt.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A write alone, which decides on its slot, against a transaction that writes only if it is absent:
 * guards against undecided writes.
 */
@JCStressTest
@Outcome(
    id = {"false, false", "true, true"},
    expect = ACCEPTABLE,
    desc = "the write was first, or the transaction")
@Outcome(expect = FORBIDDEN, desc = "x was absent after it had been written")
@State
public class LoneWriteStress {
  private final long run = Arena.run();

  /** Writes x, then looks for y. */
  @Actor
  public void writes(ZZ_Result result) {
    Arena.SPACE.write(Arena.x(run));
    result.r1 = Arena.SPACE.test(Arena.y(run));
  }

  /** Writes y if there is no x. */
  @Actor
  public void counts(ZZ_Result result) {
    result.r2 = Arena.writesIfAbsent(Arena.y(run), Arena.x(run));
  }

  /** Clears up. */
  @Arbiter
  public void clear(ZZ_Result result) {
    Arena.clear(run);
  }
}
