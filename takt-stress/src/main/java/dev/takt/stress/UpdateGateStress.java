package dev.takt.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.takt.reflex.woven.PlainGate;
import dev.takt.reflex.woven.UpdateGate;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A cycle that begins beside an update of a plain thread sees all of it or nothing. */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "began before the update")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "began after the update")
@Outcome(expect = FORBIDDEN, desc = "an update is half inside of the cycle's begin")
@State
public class UpdateGateStress {
  private final HalvesAtCut halves = new HalvesAtCut();

  /** Changes both halves in one update, which has another one inside. */
  @Actor
  public void update() {
    UpdateGate.Slot slot = UpdateGate.enter();
    UpdateGate.exit(UpdateGate.enter());
    halves.change();
    UpdateGate.exit(slot);
  }

  /** Begins a cycle, and waits until it has begun: that it does is progress. */
  @Actor
  public void cycle(II_Result result) {
    PlainGate gate = new PlainGate();
    gate.ask(halves);
    while (!gate.hasBegun()) {
      Thread.onSpinWait();
    }
    result.r1 = halves.oneAtCut;
    result.r2 = halves.otherAtCut;
    gate.ask(null);
  }
}
