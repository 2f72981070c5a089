package dev.takt.stress.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.takt.rtsj.memory.ScopedArea;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A segment ends when the last of two threads leaves its scope, whichever that is: also if the
 * segment was made while the other one was about to leave.
 */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "the segment has ended")
@Outcome(expect = FORBIDDEN, desc = "it is still alive although nobody is in the scope")
@State
public class SegmentEndStress {
  private final ScopedArea area = ScopedArea.linearTime("ends", 64);
  private MemorySegment segment = MemorySegment.NULL;

  /** Makes a segment. */
  @Actor
  public void make() {
    area.enter(() -> segment = area.allocate(8));
  }

  /** Comes and goes. */
  @Actor
  public void pass() {
    area.enter(() -> {});
  }

  /** Looks whether it has ended. */
  @Arbiter
  public void after(Z_Result result) {
    result.r1 = !segment.scope().isAlive();
    area.close();
  }
}
