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

/** An event that is read or taken has all its fields, while another thread writes it. */
@JCStressTest
@Outcome(
    id = {"0, 0", "0, 7", "7, 7"},
    expect = ACCEPTABLE,
    desc = "nothing yet, or the whole event")
@Outcome(expect = FORBIDDEN, desc = "a torn event, or one that vanished")
@State
public class PublicationStress {
  private final long run = Arena.run();

  /** Writes the event. */
  @Actor
  public void write() {
    Arena.SPACE.write(Arena.whole(run, 7));
  }

  /** Reads it, then takes it. */
  @Actor
  public void readAndTake(II_Result result) {
    Event into = new Event();
    result.r1 = Arena.value(Arena.SPACE.read(Arena.x(run), into), into);
    result.r2 = Arena.value(Arena.SPACE.take(Arena.x(run), into), into);
  }

  /** Clears up. */
  @Arbiter
  public void clear(II_Result result) {
    Arena.clear(run);
  }
}
