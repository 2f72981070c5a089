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
 * Of two transactions that each write only if the other has not, one sees the other: guards against
 * pending writes.
 */
@JCStressTest
@Outcome(
    id = {"true, false", "false, true"},
    expect = ACCEPTABLE,
    desc = "one was first")
@Outcome(expect = FORBIDDEN, desc = "write skew, or neither was first")
@State
public class GuardStress {
  private final long run = Arena.run();

  /** Writes x if there is no y. */
  @Actor
  public void x(ZZ_Result result) {
    result.r1 = Arena.writesIfAbsent(Arena.x(run), Arena.y(run));
  }

  /** Writes y if there is no x. */
  @Actor
  public void y(ZZ_Result result) {
    result.r2 = Arena.writesIfAbsent(Arena.y(run), Arena.x(run));
  }

  /** Clears up. */
  @Arbiter
  public void clear(ZZ_Result result) {
    Arena.clear(run);
  }
}
