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
 * An event that is moved from one index to another by a transaction is always in exactly one of
 * them.
 */
@JCStressTest
@Outcome(
    id = {"true, false", "false, true"},
    expect = ACCEPTABLE,
    desc = "before or after the move")
@Outcome(expect = FORBIDDEN, desc = "in neither or in both")
@State
public class MoveStress {
  private final long run = Arena.run();

  /** Writes the event. */
  public MoveStress() {
    Arena.SPACE.write(Arena.x(run));
  }

  /** Moves it. */
  @Actor
  public void move() {
    Arena.SPACE.transact(
        transaction -> {
          transaction.take(Arena.x(run));
          transaction.write(Arena.y(run));
        });
  }

  /** Looks at both places in one transaction. */
  @Actor
  public void look(ZZ_Result result) {
    Arena.SPACE.transact(
        transaction -> {
          result.r1 = transaction.test(Arena.x(run));
          result.r2 = transaction.test(Arena.y(run));
        });
  }

  /** Clears up. */
  @Arbiter
  public void clear(ZZ_Result result) {
    Arena.clear(run);
  }
}
