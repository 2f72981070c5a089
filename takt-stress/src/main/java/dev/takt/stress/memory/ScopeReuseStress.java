package dev.takt.stress.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.takt.rtsj.memory.MemoryView;
import dev.takt.rtsj.memory.ScopedArea;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads enter a scope again and again, allocate, and leave, at the same time or one after the
 * other: each finds its memory zero and to itself.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "zero, and nobody else's")
@Outcome(expect = FORBIDDEN, desc = "what another one wrote, now or in an earlier life")
@State
public class ScopeReuseStress {
  private static final int BYTES = 48;

  /** One for all runs, so that memory is used again. */
  private static final ScopedArea AREA = ScopedArea.variableTime("stress", 2 * BYTES, 8 * BYTES);

  /** The first visitor. */
  @Actor
  public void first(II_Result result) {
    result.r1 = visit(1) & visit(2);
  }

  /** The second visitor. */
  @Actor
  public void second(II_Result result) {
    result.r2 = visit(3) & visit(4);
  }

  /** Returns 1 if its memory was zero when it came, and its own until it went. */
  private static int visit(int mark) {
    MemoryView view = new MemoryView();
    int[] good = {0};
    AREA.enter(
        () -> {
          if (!AREA.tryAllocate(view, BYTES, 8)) {
            good[0] = 1; // both have come and gone so that nobody was ever the last
            return;
          }
          boolean isZero = true;
          for (int at = 0; at < BYTES; at += 8) {
            isZero &= view.getLong(at) == 0;
            view.putLong(at, mark);
          }
          boolean isOwn = true;
          for (int at = 0; at < BYTES; at += 8) {
            isOwn &= view.getLong(at) == mark;
          }
          good[0] = isZero && isOwn ? 1 : 0;
        });
    return good[0];
  }
}
