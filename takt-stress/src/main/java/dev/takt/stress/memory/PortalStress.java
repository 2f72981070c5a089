package dev.takt.stress.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.takt.rtsj.memory.MemoryView;
import dev.takt.rtsj.memory.ScopedArea;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * One thread fills memory and makes it the portal; another one that finds the portal finds it
 * filled, and of an epoch that has not ended.
 */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "came before it was set, or in another life")
@Outcome(id = "7", expect = ACCEPTABLE, desc = "found it, filled")
@Outcome(expect = FORBIDDEN, desc = "found it empty, or left over from an ended life")
@State
public class PortalStress {
  /** One for all runs, so that there are epochs with and without a portal. */
  private static final ScopedArea AREA = ScopedArea.linearTime("portal", 64);

  private final MemoryView written = new MemoryView();

  /** Fills memory and shows it. */
  @Actor
  public void write() {
    AREA.enter(
        () -> {
          if (AREA.tryAllocate(written, 8, 8)) {
            written.putLong(0, 7);
            AREA.setPortal(written);
          }
        });
  }

  /** Looks for it. */
  @Actor
  public void read(I_Result result) {
    AREA.enter(
        () -> {
          if (AREA.getPortal() instanceof MemoryView found) {
            result.r1 = found.isLive() && found.getLong(0) == 7 ? 7 : -1;
          }
        });
  }
}
