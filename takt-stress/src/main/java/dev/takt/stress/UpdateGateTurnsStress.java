package dev.takt.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.takt.reflex.woven.PlainGate;
import dev.takt.reflex.woven.UpdateGate;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two cycles, one after the other, beside two updates: each sees whole updates, the later one no
 * less than the earlier one; no thread is left at a closed gate, and no cycle without a begin.
 */
@JCStressTest
@Outcome(
    id = {"0, 0, 2", "0, 1, 2", "0, 2, 2", "1, 1, 2", "1, 2, 2", "2, 2, 2"},
    expect = ACCEPTABLE,
    desc = "whole updates, in their order")
@Outcome(expect = FORBIDDEN, desc = "half an update, back in time, or the gate stays closed")
@State
public class UpdateGateTurnsStress {
  private final HalvesAtCut halves = new HalvesAtCut();

  /** Makes two updates. */
  @Actor
  public void update() {
    for (int i = 0; i < 2; i++) {
      UpdateGate.Slot slot = UpdateGate.enter();
      halves.change();
      UpdateGate.exit(slot);
    }
  }

  /** Begins two cycles. */
  @Actor
  public void cycles(III_Result result) {
    result.r1 = begin();
    result.r2 = begin();
  }

  private int begin() {
    PlainGate gate = new PlainGate();
    gate.ask(halves);
    while (!gate.hasBegun()) {
      Thread.onSpinWait();
    }
    int seen = halves.oneAtCut == halves.otherAtCut ? halves.oneAtCut : -1;
    gate.ask(null);
    return seen;
  }

  /** Both have ended: the gate is open, and what was updated is there. */
  @Arbiter
  public void end(III_Result result) {
    UpdateGate.exit(UpdateGate.enter());
    result.r3 = halves.one == halves.other ? halves.one : -1;
  }
}
