package dev.takt.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.takt.space.Event;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** What one thread writes, another takes in its order, each whole. */
@JCStressTest
@Outcome(
    id = {"0, 0", "0, 1", "1, 0", "1, 2"},
    expect = ACCEPTABLE,
    desc = "as far as it was written")
@Outcome(expect = FORBIDDEN, desc = "out of order, torn, or taken twice")
@State
public class QueueStress {
  private final long run = Arena.run();

  /** Writes two events, one after the other. */
  @Actor
  public void write() {
    Arena.SPACE.write(Arena.whole(run, 1));
    Arena.SPACE.write(Arena.whole(run, 2));
  }

  /** Takes what is there, twice. */
  @Actor
  public void take(II_Result result) {
    Event into = new Event();
    result.r1 = Arena.value(Arena.SPACE.poll(Arena.x(run), into), into);
    result.r2 = Arena.value(Arena.SPACE.poll(Arena.x(run), into), into);
  }

  /** Clears up. */
  @Arbiter
  public void clear(II_Result result) {
    Arena.clear(run);
  }
}
