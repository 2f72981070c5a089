package dev.takt.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.takt.space.Event;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** One event and two takers: exactly one of them gets it. */
@JCStressTest
@Outcome(
    id = {"5, 0", "0, 5"},
    expect = ACCEPTABLE,
    desc = "one has it")
@Outcome(expect = FORBIDDEN, desc = "both, neither, or a torn event")
@State
public class DoubleTakeStress {
  private final long run = Arena.run();

  /** Writes the event. */
  public DoubleTakeStress() {
    Arena.SPACE.write(Arena.whole(run, 5));
  }

  private int take() {
    Event into = new Event();
    return Arena.value(Arena.SPACE.take(Arena.x(run), into), into);
  }

  /** Takes it. */
  @Actor
  public void one(II_Result result) {
    result.r1 = take();
  }

  /** Takes it, too. */
  @Actor
  public void other(II_Result result) {
    result.r2 = take();
  }
}
