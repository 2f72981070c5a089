package dev.takt.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.takt.space.Event;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A reader sees one whole event although the storage it is in is given back and filled again
 * meanwhile.
 */
@JCStressTest
@Outcome(
    id = {"1", "2", "3"},
    expect = ACCEPTABLE,
    desc = "one of the events that were there, whole")
@Outcome(expect = FORBIDDEN, desc = "a torn event, or none although there always was one")
@State
public class SlotReuseStress {
  private final long run = Arena.run();

  /** Writes the first event. */
  public SlotReuseStress() {
    Arena.SPACE.write(Arena.whole(run, 1));
  }

  /** Replaces the event twice, each time in one transaction. */
  @Actor
  public void replace() {
    for (int value = 2; value <= 3; value++) {
      Event next = Arena.whole(run, value);
      Arena.SPACE.transact(
          transaction -> {
            transaction.take(Arena.x(run));
            transaction.write(next);
          });
    }
  }

  /** Reads it. */
  @Actor
  public void read(I_Result result) {
    Event into = new Event();
    result.r1 = Arena.value(Arena.SPACE.read(Arena.x(run), into), into);
  }

  /** Clears up. */
  @Arbiter
  public void clear(I_Result result) {
    Arena.clear(run);
  }
}
