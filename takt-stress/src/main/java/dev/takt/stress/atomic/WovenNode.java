package dev.takt.stress.atomic;

import dev.takt.reflex.woven.AtomicCall;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.reflex.woven.Undoable;
import dev.takt.space.Stable;

/** A stable object that calls and releases make, woven by hand. */
final class WovenNode implements Undoable, Stable {
  private long value;

  WovenNode(long value) {
    this.value = value;
  }

  long value(AtomicCall call) {
    return call == null ? value : call.readLong(this, 0, value);
  }

  void add(long more, AtomicCall call) {
    if (call == null) {
      value += more;
    } else {
      call.writeLong(this, 0, value(call) + more);
    }
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
    value = bits;
  }
}
