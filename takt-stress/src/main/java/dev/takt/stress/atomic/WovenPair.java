package dev.takt.stress.atomic;

import dev.takt.realtime.NanoClock;
import dev.takt.reflex.woven.AtomicArrays;
import dev.takt.reflex.woven.AtomicCall;
import dev.takt.reflex.woven.AtomicGate;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.reflex.woven.Undoable;
import dev.takt.space.Stable;

/**
 * A task whose field and array element are always equal: what an atomic method or a release does to
 * the one it does to the other.
 */
public final class WovenPair implements Undoable, Stable {
  private static final int LEFT = 0;
  private static final int RIGHT = 1;
  private static final long TIMEOUT_NS = 60_000_000_000L;

  private final AtomicGate gate;
  private int left;
  private int[] right = new int[1];

  /** Makes both 0. */
  public WovenPair() {
    gate = new AtomicGate(new TaskMemory("pair", 0, 1_024), NanoClock.system(), 1_024, TIMEOUT_NS);
  }

  private int left(AtomicCall call) {
    return call.readInt(this, LEFT, left);
  }

  private int[] right(AtomicCall call) {
    return (int[]) call.readRef(this, RIGHT, right);
  }

  /** Adds to both, by an atomic method; returns what they were, or -1 if they differed. */
  public int add(int value) {
    return (int)
        Guard.call(
            gate,
            call -> {
              int before = both(left(call), AtomicArrays.loadInt(right(call), 0, call));
              call.writeInt(this, LEFT, left(call) + value);
              int[] array = right(call);
              AtomicArrays.storeInt(array, 0, AtomicArrays.loadInt(array, 0, call) + value, call);
              return before;
            });
  }

  /** Reads both, by an atomic method; returns -1 if they differ. */
  public int look() {
    return (int)
        Guard.call(gate, call -> both(left(call), AtomicArrays.loadInt(right(call), 0, call)));
  }

  /** Replaces the array by another one with the same value. */
  public int renew() {
    return (int)
        Guard.call(
            gate,
            call -> {
              int[] fresh = (int[]) call.fresh(new int[1]);
              AtomicArrays.storeInt(fresh, 0, AtomicArrays.loadInt(right(call), 0, call), call);
              call.writeRef(this, RIGHT, fresh);
              return both(left(call), AtomicArrays.loadInt(right(call), 0, call));
            });
  }

  /** Runs a release that adds to both; returns what they were, or -1 if they differed. */
  public int release(int value) {
    gate.enter();
    int before = both(left, right[0]);
    left += value;
    right[0] += value;
    gate.exit();
    return before;
  }

  /** Runs a release that adds to both and is undone. */
  public int abortedRelease(int value) {
    gate.enter();
    int before = both(left, right[0]);
    left += value;
    right[0] += value;
    right[0] -= value;
    left -= value;
    gate.exit();
    return before;
  }

  private static int both(int left, int right) {
    return left == right ? left : -1;
  }

  @Override
  public void $takt$save(TaskMemory memory) {
    throw new UnsupportedOperationException("undone by hand");
  }

  @Override
  public long $takt$stamp() {
    return 0;
  }

  @Override
  public void $takt$restore(TaskMemory memory) {
    throw new UnsupportedOperationException("undone by hand");
  }

  @Override
  public void $takt$apply(int field, long bits, Object reference) {
    if (field == LEFT) {
      left = (int) bits;
    } else {
      right = (int[]) reference;
    }
  }
}
