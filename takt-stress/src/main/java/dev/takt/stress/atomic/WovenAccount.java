package dev.takt.stress.atomic;

import dev.takt.realtime.NanoClock;
import dev.takt.reflex.woven.AtomicArrays;
import dev.takt.reflex.woven.AtomicCall;
import dev.takt.reflex.woven.AtomicGate;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.reflex.woven.Undoable;
import dev.takt.space.Stable;

/** An account behind a gate, woven by hand. */
public final class WovenAccount implements Account, Undoable, Stable {
  /** How many cells there are; more than are found without a hash table. */
  static final int CELLS = 12;

  private static final int NUMBER = 0;
  private static final int MARK = 1;
  private static final int CELL_ARRAY = 2;
  private static final int TOP = 3;
  private static final long TIMEOUT_NS = 60_000_000_000L;

  private final AtomicGate gate;
  private int number;
  private double mark = 1;
  private long[] cells = new long[CELLS];
  private WovenNode top = new WovenNode(0);

  /** Makes an account without steps. */
  public WovenAccount() {
    TaskMemory memory = new TaskMemory("account", 0, 1L << 40);
    gate = new AtomicGate(memory, NanoClock.system(), 1_024, TIMEOUT_NS);
  }

  private int number(AtomicCall call) {
    return call == null ? number : call.readInt(this, NUMBER, number);
  }

  private double mark(AtomicCall call) {
    return call == null ? mark : call.readDouble(this, MARK, mark);
  }

  private WovenNode top(AtomicCall call) {
    return call == null ? top : (WovenNode) call.readRef(this, TOP, top);
  }

  private long cell(int index, AtomicCall call) {
    if (call == null) {
      return cells[index];
    }
    return AtomicArrays.loadLong((long[]) call.readRef(this, CELL_ARRAY, cells), index, call);
  }

  private void addTo(int index, long value, AtomicCall call) {
    if (call == null) {
      cells[index] += value;
    } else {
      long[] array = (long[]) call.readRef(this, CELL_ARRAY, cells);
      AtomicArrays.storeLong(array, index, AtomicArrays.loadLong(array, index, call) + value, call);
    }
  }

  private Seen stepBody(int input, AtomicCall call) {
    int number = number(call) + 1;
    double mark = Steps.nextMark(mark(call), input);
    WovenNode node = new WovenNode(top(call).value(call) + input);
    if (call == null) {
      this.number = number;
      this.mark = mark;
      top = node;
    } else {
      call.made(node);
      call.writeInt(this, NUMBER, number);
      call.writeDouble(this, MARK, mark);
      call.writeRef(this, TOP, node);
    }
    addTo(Steps.first(input), input, call);
    addTo(Steps.second(input), -input, call);
    if ((input & 1) != 0) {
      top(call).add(1, call);
    }
    return seen(call);
  }

  private Seen seen(AtomicCall call) {
    long digest = Steps.mix(Double.doubleToLongBits(mark(call)), top(call).value(call));
    long sum = 0;
    for (int i = 0; i < CELLS; i++) {
      long cell = cell(i, call);
      sum += cell;
      digest = Steps.mix(digest, cell);
    }
    if (sum != 0) {
      throw new IllegalStateException("the cells do not add up: " + sum);
    }
    return new Seen(number(call), digest);
  }

  private interface Body {
    Seen run(AtomicCall call);
  }

  private Seen call(Body body) {
    Seen[] result = new Seen[1];
    Guard.call(
        gate,
        call -> {
          result[0] = body.run(call);
          return 0;
        });
    return result[0];
  }

  @Override
  public Seen step(int input) {
    return call(call -> stepBody(input, call));
  }

  @Override
  public Seen look() {
    return call(this::seen);
  }

  @Override
  public boolean failedStep(int input) {
    try {
      call(
          call -> {
            stepBody(input, call);
            throw new UnsupportedOperationException("on purpose");
          });
      return false;
    } catch (UnsupportedOperationException e) {
      return true;
    }
  }

  @Override
  public Seen release(int input) {
    gate.enter();
    Seen seen = stepBody(input, null);
    gate.exit();
    return seen;
  }

  @Override
  public Seen abortedRelease(int input) {
    gate.enter();
    Seen before = seen(null);
    int number = this.number;
    double mark = this.mark;
    WovenNode top = this.top;
    long[] cells = this.cells.clone();
    stepBody(input, null);
    this.top = top;
    for (int i = 0; i < CELLS; i++) {
      this.cells[i] = cells[i];
    }
    this.mark = mark;
    this.number = number;
    gate.exit();
    return before;
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
    switch (field) {
      case NUMBER -> number = (int) bits;
      case MARK -> mark = Double.longBitsToDouble(bits);
      case TOP -> top = (WovenNode) reference;
      default -> throw new IllegalArgumentException("no field " + field);
    }
  }
}
