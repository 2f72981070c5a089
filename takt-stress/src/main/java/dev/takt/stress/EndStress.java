package dev.takt.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.takt.space.Abort;
import dev.takt.space.Transaction;
import dev.takt.space.TransactionToken;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** A commit of one write against another thread that ends the transaction by its token. */
@JCStressTest
@Outcome(id = "true, false, true", expect = ACCEPTABLE, desc = "committed, and the event is there")
@Outcome(id = "false, true, false", expect = ACCEPTABLE, desc = "ended, and no event is there")
@Outcome(expect = FORBIDDEN, desc = "both have succeeded, or none")
@State
public class EndStress {
  private final long run = Arena.run();
  private volatile TransactionToken token;

  /** Writes one event, unless that is ended. */
  @Actor
  public void commits(ZZZ_Result result) {
    try {
      result.r1 =
          Arena.SPACE.transact(
              transaction -> {
                transaction.write(Arena.x(run));
                token = ((Transaction) transaction).token();
              });
    } catch (Abort ended) {
      result.r1 = false;
    }
  }

  /** Ends it, if it has begun. */
  @Actor
  public void ends(ZZZ_Result result) {
    TransactionToken of = token;
    result.r2 = of != null && of.end();
  }

  /** Looks for the event, and clears up. */
  @Arbiter
  public void look(ZZZ_Result result) {
    result.r3 = Arena.SPACE.test(Arena.x(run));
    Arena.clear(run);
  }
}
