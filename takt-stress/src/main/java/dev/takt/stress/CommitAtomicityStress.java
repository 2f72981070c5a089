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
 * Two events of one transaction appear at the same moment, seen through two indexes by two looks
 * one after the other.
 */
@JCStressTest
@Outcome(
    id = {"false, false", "false, true", "true, true"},
    expect = ACCEPTABLE,
    desc = "nothing, or all, later")
@Outcome(id = "true, false", expect = FORBIDDEN, desc = "half a transaction")
@State
public class CommitAtomicityStress {
  private final long run = Arena.run();

  /** Writes both. */
  @Actor
  public void write() {
    Arena.SPACE.transact(
        transaction -> {
          transaction.write(Arena.x(run));
          transaction.write(Arena.y(run));
        });
  }

  /** Looks for the one and then for the other. */
  @Actor
  public void look(ZZ_Result result) {
    result.r1 = Arena.SPACE.test(Arena.x(run));
    result.r2 = Arena.SPACE.test(Arena.y(run));
  }

  /** Clears up. */
  @Arbiter
  public void clear(ZZ_Result result) {
    Arena.clear(run);
  }
}
